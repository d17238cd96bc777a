"""Reduces GitHub's published descriptions to what the test server serves; `schemas/` holds the result.

    python -m testing.github.fetch_schemas

They come from npm, once, in the versions named here, and are kept in `~/.cache/syncline-tests`. The REST
description has 13 MB and the GraphQL schema 1.2 MB; reduced and compressed both have some ten kilobytes. Run this
after adding a route or a GraphQL field.
"""

import gzip
import json
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from graphql import (
    DocumentNode,
    InterfaceTypeDefinitionNode,
    ListTypeNode,
    NamedTypeNode,
    NonNullTypeNode,
    ObjectTypeDefinitionNode,
    TypeNode,
    UnionTypeDefinitionNode,
    parse,
    print_ast,
)

from testing.github import rest
from testing.github.graphql.fields import FIELDS
from testing.github.routing import ROUTES

JSON = Any
OPENAPI = "@octokit/openapi@23.0.2"
GRAPHQL = "@octokit/graphql-schema@15.26.1"
PLACE = Path(__file__).parent / "schemas"
WEBHOOKS = (
    "check-run-completed", "check-run-created", "check-run-rerequested", "issue-comment-created",
    "issue-comment-edited", "pull-request-auto-merge-disabled", "pull-request-auto-merge-enabled",
    "pull-request-closed", "pull-request-converted-to-draft", "pull-request-edited", "pull-request-labeled",
    "pull-request-opened", "pull-request-ready-for-review", "pull-request-reopened",
    "pull-request-review-requested", "pull-request-review-submitted", "pull-request-synchronize", "push", "status",
    "workflow-run-completed", "workflow-run-requested",
)  # fmt: skip
_CACHE = Path("~/.cache/syncline-tests").expanduser()
_LONGEST = 120
"""Seconds that a download may take."""
_WORDS = frozenset({
    "deprecated", "description", "example", "examples", "externalDocs", "operationId", "summary", "tags", "title",
})  # fmt: skip
"""What no validator needs."""


class NoNpmError(Exception):
    """There is no npm, or it did not give the package."""


def published(package: str, member: str) -> bytes:
    """Return one file of an npm package, from the cache or downloaded.

    Raises:
        NoNpmError: it is not cached, and npm does not give it.
    """
    cached = _CACHE / package.replace("/", "+") / Path(member).name
    if not cached.exists():
        cached.parent.mkdir(parents=True, exist_ok=True)
        npm = shutil.which("npm")
        if npm is None:
            raise NoNpmError("npm is not installed")
        command = [npm, "pack", "--silent", "--fetch-retries=1", package]
        try:
            done = subprocess.run(
                command, cwd=cached.parent, capture_output=True, text=True, check=False, timeout=_LONGEST
            )
        except subprocess.TimeoutExpired:
            raise NoNpmError(f"npm pack {package}: no end after {_LONGEST} s") from None
        if done.returncode != 0:
            raise NoNpmError(f"npm pack {package}: {done.stderr.strip()}")
        archive = cached.parent / done.stdout.split()[-1]
        with tarfile.open(archive) as opened:
            source = opened.extractfile(f"package/{member}")
            assert source is not None, f"{package} holds no file {member}"
            cached.with_suffix(".part").write_bytes(source.read())
        cached.with_suffix(".part").replace(cached)
        archive.unlink()
    return cached.read_bytes()


def reduced_rest(whole: JSON) -> JSON:
    """Return the operations that are served, with every component that they name, without words."""
    result: JSON = {"paths": {}, "webhooks": {}, "components": {}}
    ahead: list[str] = []

    def take(node: JSON) -> JSON:
        bare = _without_words(node)
        ahead.extend(_references(bare))
        return bare

    for one in sorted(ROUTES, key=lambda one: (one.template, one.method)):
        served = take(whole["paths"][one.template][one.method.lower()])
        result["paths"].setdefault(one.template, {})[one.method.lower()] = served
    for name in WEBHOOKS:
        served = take(whole["x-webhooks"][name]["post"]["requestBody"]["content"]["application/json"]["schema"])
        result["webhooks"][name] = served
    while ahead:
        kind, name = ahead.pop().split("/")[2:]
        if name not in result["components"].setdefault(kind, {}):
            result["components"][kind][name] = take(whole["components"][kind][name])
    return result


def _without_words(node: JSON, *, names: bool = False) -> JSON:
    if isinstance(node, dict):
        return {
            key: _without_words(value, names=key == "properties" and not names)
            for key, value in node.items()
            if names or not (key in _WORDS or key.startswith("x-"))
        }
    return [_without_words(item) for item in node] if isinstance(node, list) else node


def _references(node: JSON) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        for value in node.values():
            yield from _references(value)
    elif isinstance(node, list):
        for item in node:
            yield from _references(item)


def reduced_graphql(text: str) -> str:
    """Return the types and fields of FIELDS, and every enumeration, scalar and input type that they name."""
    types = {one.name.value: one for one in parse(text, no_location=True).definitions if hasattr(one, "name")}
    for name, fields in FIELDS.items():
        assert name in types, f"GitHub's schema has no type {name}"
        known = {field.name.value for field in getattr(types[name], "fields", None) or ()}
        assert set(fields) <= known, f"GitHub's type {name} has no {sorted(set(fields) - known)}"
    kept: dict[str, Any] = {}
    ahead = list(FIELDS)
    while ahead:
        name = ahead.pop()
        if name in kept or name not in types:
            continue
        kept[name] = _served(types[name])
        for part in getattr(kept[name], "fields", None) or ():
            ahead.append(_named(part.type))
            ahead.extend(_named(argument.type) for argument in getattr(part, "arguments", None) or ())
    return print_ast(DocumentNode(definitions=tuple(kept[name] for name in sorted(kept)))) + "\n"


def _served(one: Any) -> Any:
    """Return a type with what is served of it alone, without words."""
    match one:
        case ObjectTypeDefinitionNode() | InterfaceTypeDefinitionNode():
            name = one.name.value
            assert name in FIELDS, f"{name} is named by a field, but no field of it is served"
            one = replace(
                one,
                interfaces=tuple(each for each in one.interfaces or () if each.name.value in FIELDS),
                fields=tuple(field for field in one.fields or () if field.name.value in FIELDS[name]),
            )
        case UnionTypeDefinitionNode():
            one = replace(one, types=tuple(each for each in one.types or () if each.name.value in FIELDS))
        case _:
            pass
    return _silent(one)


def _silent(one: Any) -> Any:
    """Return a part of the schema, and all parts of it, without description and directives."""
    changes: dict[str, Any] = {"description": None, "directives": ()}
    for name in ("fields", "arguments", "values"):
        if getattr(one, name, None):
            changes[name] = tuple(_silent(part) for part in getattr(one, name))
    return replace(one, **changes)


def _named(node: TypeNode) -> str:
    while isinstance(node, ListTypeNode | NonNullTypeNode):
        node = node.type
    assert isinstance(node, NamedTypeNode)
    return node.name.value


def made() -> dict[str, bytes]:
    """Return what belongs into `schemas/`, uncompressed, by file name."""
    assert rest.MODULES, "the routes are registered by importing them"
    whole = json.loads(published(OPENAPI, "generated/api.github.com.json"))
    described = json.dumps(reduced_rest(whole), separators=(",", ":"), sort_keys=True).encode()
    return {
        "rest.json.gz": described,
        "schema.graphql.gz": reduced_graphql(published(GRAPHQL, "schema.graphql").decode()).encode(),
    }


def main() -> None:
    """Write `schemas/` again."""
    for name, content in made().items():
        packed = gzip.compress(content, 9, mtime=0)
        (PLACE / name).write_bytes(packed)
        sys.stdout.write(f"{name}: {len(content)} bytes, {len(packed)} compressed{os.linesep}")


if __name__ == "__main__":
    main()
