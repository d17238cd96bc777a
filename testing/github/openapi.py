"""GitHub's published REST description, reduced to what the server serves: the judge of requests and answers.

The description is OpenAPI 3.0. Beyond what it says, objects may have no property that it does not name: a server
that invents one would teach the client something that GitHub does not send.
"""

import functools
import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from jsonschema.exceptions import best_match  # pyrefly: ignore[untyped-import]
from openapi_schema_validator import OAS30Validator, oas30_format_checker
from referencing import Registry
from referencing.jsonschema import DRAFT4

JSON = Any
FILE = Path(__file__).parent / "schemas" / "rest.json.gz"
_ROOT = "urn:github"


_GAPS: tuple[tuple[str, JSON], ...] = (
    ("components schemas check-run properties conclusion enum", ["stale", "startup_failure"]),
    ("components schemas job properties conclusion enum", ["stale", "startup_failure"]),
    ("components schemas pull-request-simple properties labels items properties description nullable", True),
    (
        "paths /app/installations get responses 200 content application/json schema items properties account",
        {"$ref": "#/components/schemas/nullable-simple-user"},
    ),
)
"""Where GitHub sends what its description forgets, as its other descriptions of the same things say."""


@functools.cache
def description() -> JSON:
    """The reduced description, its known gaps filled, closed against properties that it does not name."""
    read = json.loads(gzip.decompress(FILE.read_bytes()))
    for place, value in _GAPS:
        *path, last = place.split(" ")
        node = functools.reduce(lambda node, part: node[part], path, read)
        node[last] = node[last] + value if isinstance(value, list) else value
    _close(read, frozenset(_combined(read)))
    return read


def _combined(node: JSON, *, inside: bool = False) -> Iterator[str]:
    """Find the components that `allOf` puts together with others: none of them names all properties."""
    if isinstance(node, list):
        for item in node:
            yield from _combined(item, inside=inside)
    elif isinstance(node, dict):
        if inside and isinstance(node.get("$ref"), str):
            yield node["$ref"].rsplit("/", 1)[-1]
        for key, item in node.items():
            yield from _combined(item, inside=key == "allOf" or (inside and key in {"oneOf", "anyOf"}))


def _close(node: JSON, open_components: frozenset[str], name: str = "") -> None:
    if isinstance(node, list):
        for item in node:
            _close(item, open_components)
    elif isinstance(node, dict):
        named = isinstance(node.get("properties"), dict) and name not in open_components
        if named and "additionalProperties" not in node and not node.keys() & {"allOf", "anyOf", "oneOf"}:
            node["additionalProperties"] = False
        _allow_null(node)
        for key, item in node.items():
            if key not in {"allOf", "enum"}:
                _close(item, open_components, key)


def _allow_null(node: JSON) -> None:
    """Make `nullable` count beside `enum`, `oneOf` and `anyOf`, as GitHub means it and the validator does not."""
    if node.get("nullable") is not True:
        return
    if isinstance(node.get("enum"), list) and None not in node["enum"]:
        node["enum"] = [*node["enum"], None]
    for key in ("oneOf", "anyOf"):
        if isinstance(node.get(key), list):
            node[key] = [*node[key], {"nullable": True, "enum": [None]}]


@functools.cache
def _registry() -> Registry[JSON]:
    return Registry().with_resource(_ROOT, DRAFT4.create_resource(description()))


@functools.cache
def _validator(pointer: str) -> OAS30Validator:
    wanted = {"$ref": f"{_ROOT}#{pointer}"}
    return OAS30Validator(wanted, registry=_registry(), format_checker=oas30_format_checker)


def _pointer(*parts: str) -> str:
    return "".join("/" + part.replace("~", "~0").replace("/", "~1") for part in parts)


def _follow(node: JSON, place: str) -> tuple[JSON, str]:
    if "$ref" not in node:
        return node, place
    place = node["$ref"].removeprefix("#")
    found = description()
    for part in place.split("/")[1:]:
        found = found[part.replace("~1", "/").replace("~0", "~")]
    return found, place


class UnknownOperationError(Exception):
    """The reduced description does not have this method and path."""


def _operation(method: str, template: str) -> JSON:
    try:
        return description()["paths"][template][method.lower()]
    except KeyError:
        raise UnknownOperationError(f"{method} {template} is not in {FILE.name}: run fetch_schemas") from None


def faults_of_query(method: str, template: str, query: Mapping[str, str]) -> tuple[dict[str, JSON], list[str]]:
    """Return the typed values of a query string, and what is wrong with it."""
    known = {}
    for number, one in enumerate(_operation(method, template).get("parameters", [])):
        place = _pointer("paths", template, method.lower(), "parameters", str(number))
        parameter, place = _follow(one, place)
        if parameter["in"] == "query":
            known[parameter["name"]] = parameter, place + "/schema"
    values, faults = {}, []
    for key, text in query.items():
        if key not in known:
            faults.append(f"unknown parameter {key!r}; known are {sorted(known)}")
            continue
        schema, pointer = _follow(known[key][0]["schema"], known[key][1])
        values[key] = _typed(schema.get("type"), text)
        faults += [f"parameter {key}: {error}" for error in _errors(pointer, values[key])]
    if int(values.get("per_page", 0) or 0) > 100:
        faults.append("parameter per_page: GitHub gives 100 at most")
    return values, faults


def _typed(kind: str | None, text: str) -> JSON:
    if kind == "integer" and text.lstrip("-").isdigit():
        return int(text)
    if kind == "boolean" and text in {"true", "false"}:
        return text == "true"
    return text


def faults_of_body(method: str, template: str, body: JSON) -> list[str]:
    """Return what is wrong with the JSON that came with a request (None: nothing came)."""
    wanted = _operation(method, template).get("requestBody")
    if wanted is None:
        return [f"no body is taken here, got {body!r}"] if body else []
    place = _pointer("paths", template, method.lower(), "requestBody")
    wanted, place = _follow(wanted, place)
    if body is None:
        return ["a body is required"] if wanted.get("required") else []
    return [f"body: {error}" for error in _errors(place + _pointer("content", "application/json", "schema"), body)]


def faults_of_answer(method: str, template: str, status: int, body: JSON) -> list[str]:
    """Return what is wrong with an answer (None: nothing is sent)."""
    responses = _operation(method, template)["responses"]
    if str(status) not in responses:
        return [] if status >= 400 else [f"status {status} is not described, only {sorted(responses)}"]
    place = _pointer("paths", template, method.lower(), "responses", str(status))
    wanted, place = _follow(responses[str(status)], place)
    content = wanted.get("content", {}).get("application/json")
    if content is None:
        return [f"status {status} has no JSON, got {body!r}"] if body is not None and status < 400 else []
    if body is None:
        return [f"status {status} must have a JSON body"]
    return list(_errors(place + _pointer("content", "application/json", "schema"), body))


def faults_of_webhook(event: str, action: str, payload: JSON) -> list[str]:
    """Return what is wrong with what a webhook delivers."""
    name = f"{event}-{action}".strip("-").replace("_", "-")
    if name not in description()["webhooks"]:
        return [f"no webhook {name} in {FILE.name}: see fetch_schemas"]
    return list(_errors(_pointer("webhooks", name), payload))


def _errors(pointer: str, value: JSON) -> Iterator[str]:
    for error in _validator(pointer).iter_errors(value):
        inner = best_match([error]) or error
        yield f"{'.'.join(map(str, inner.absolute_path)) or '(all)'}: {_short(inner.message)}"


def _short(message: str) -> str:
    """The validator's words begin with the value, which may be long."""
    return message if len(message) < 300 else f"{message[:100]} ... {message[-200:]}"
