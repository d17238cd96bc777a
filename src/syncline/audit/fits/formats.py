"""Reads what checkers print: SARIF 2.1, JSON, or lines. Pure; whatever is none of these is `UnreadableError`.

SARIF: https://docs.oasis-open.org/sarif/sarif/v2.1.0/ (section numbers below are its).
"""

import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote

from syncline.audit.fits.diagnostic import Diagnostic

Format = Literal["sarif", "json", "lines"]

_LINE = re.compile(r"(?P<path>[^\s:(][^:(]*?)(?::|\()(?P<line>\d+)(?:[:,]\d+)?(?::|\):?)\s*(?P<message>\S.*)")
_LEVEL = re.compile(r"(?:fatal )?(?:error|warning|note|info)\b:?\s*", re.IGNORECASE)
_RULE_FIRST = re.compile(r"([A-Z]+-?\d+)\b:?\s+(?=\S)")
_RULE_LAST = re.compile(r"\s\[([\w.,/-]+)\]$")
_OPEN = {"fail", "open", "review"}
"""Kinds of SARIF results that are about something wrong (3.27.9)."""
_PATH = ("path", "file", "filename", "file_name")
_RULE = ("rule", "check_name", "code", "ruleId", "name")
_MESSAGE = ("message", "concise_description", "description", "text")
_ROW = ("line", "row", "begin", "start", "positions", "location")


class UnreadableError(Exception):
    """What a checker printed has not the form it should have."""


def read(form: Format, printed: bytes, place: Path) -> list[Diagnostic]:
    """Return what a checker printed about the files below `place`; what is about others is left out.

    Raises:
        UnreadableError: it is not in that form.
    """
    readers = {"sarif": _sarif, "json": _json, "lines": _lines}
    try:
        text = printed.decode("utf-8-sig", "surrogateescape")
        found = list(readers[form](text))
    except (ValueError, RecursionError, TypeError, KeyError, IndexError, AttributeError) as error:
        raise UnreadableError(f"what it printed is no {form}: {error or type(error).__name__}") from error
    tops = tuple(dict.fromkeys(f"{top}/" for top in (str(place), os.path.realpath(place))))
    told = []
    known: dict[str, bytes | None] = {}
    for path, line, rule, message in found:
        if path not in known:
            known[path] = _below(path, tops)
        below = known[path]
        if below is not None:
            for top in tops:
                message = message.replace(top, "")  # noqa: PLW2901 - step by step
            told.append(Diagnostic(below, line, rule, message))
    return told


_Raw = tuple[str, int, str, str]


def _below(path: str, tops: tuple[str, ...]) -> bytes | None:
    """Return a path relative to the tree; None for one outside, or that no file can have."""
    for top in tops:
        if path.startswith(top):
            path = path.removeprefix(top)
            break
    normal = os.path.normpath(path)
    outside = normal.startswith(("/", "../")) or normal in {".", ".."} or "\0" in normal
    try:
        return None if outside else os.fsencode(normal)
    except UnicodeEncodeError:
        return None


# --- SARIF ----------------------------------------------------------------------------------------------------


def _sarif(text: str) -> Iterator[_Raw]:
    document = json.loads(text)
    for run in document["runs"]:
        for invocation in run.get("invocations") or ():
            if invocation.get("executionSuccessful") is False:
                raise ValueError("it says itself that it did not succeed")
        rules = run.get("tool", {}).get("driver", {}).get("rules") or []
        for result in run.get("results") or ():
            counts = result.get("kind", "fail") in _OPEN and result.get("baselineState") != "absent"
            if not counts or result.get("suppressions"):
                continue
            rule = _sarif_rule(result, rules)
            for location in (result.get("locations") or ())[:1]:
                where = location.get("physicalLocation") or {}
                path = _sarif_path(where.get("artifactLocation") or {}, run)
                if path:
                    line = (where.get("region") or {}).get("startLine") or 0
                    name = rule.get("id") or ""
                    yield path, _number(line), str(name), _sarif_text(result.get("message") or {}, rule)


def _sarif_rule(result: Mapping[str, Any], rules: list[Any]) -> Mapping[str, Any]:
    """Return a result's rule: by index or by id (3.27.5 to 3.27.7)."""
    reference = result.get("rule") or {}
    index = result.get("ruleIndex", reference.get("index", -1))
    name = result.get("ruleId") or reference.get("id")
    if isinstance(index, int) and 0 <= index < len(rules):
        return {**rules[index], **({"id": name} if name else {})}
    return next((rule for rule in rules if rule.get("id") == name), {"id": name})


def _sarif_text(message: Mapping[str, Any], rule: Mapping[str, Any]) -> str:
    """Return the words of a message, which may stand in the rule (3.11)."""
    text = message.get("text") or message.get("markdown")
    if not text and message.get("id"):
        text = (rule.get("messageStrings") or {})[message["id"]]["text"]
    arguments = [str(argument) for argument in message.get("arguments") or ()]
    return re.sub(
        r"\{(\d+)\}",
        lambda found: arguments[int(found[1])] if int(found[1]) < len(arguments) else found[0],
        str(text or ""),
    )


def _sarif_path(location: Mapping[str, Any], run: Mapping[str, Any]) -> str:
    """Return the path of an artifact, which may stand in the run's list (3.4)."""
    uri = location.get("uri")
    index = location.get("index")
    if uri is None and isinstance(index, int) and index >= 0:
        uri = run["artifacts"][index]["location"].get("uri")
    path = str(uri or "")
    if path.startswith("file://"):
        path = "/" + path.removeprefix("file://").partition("/")[2]
    return unquote(path, errors="surrogateescape")


# --- JSON -----------------------------------------------------------------------------------------------------


def _json(text: str) -> Iterator[_Raw]:
    """An array of objects, an object with such an array in it, or an object a line."""
    try:
        document = json.loads(text)
    except json.JSONDecodeError:
        document = [json.loads(line) for line in text.splitlines() if line.strip()]
        if not document:
            raise
    if isinstance(document, dict) and not any(isinstance(document.get(key), str) for key in _PATH):
        lists = [value for value in document.values() if isinstance(value, list)]
        if len(lists) != 1:
            raise ValueError("an array of objects was wanted")
        document = lists[0]
    for item in document if isinstance(document, list) else [document]:
        if not isinstance(item, dict):
            raise TypeError(f"an object was wanted, found {type(item).__name__}")
        location = item.get("location")
        path = _first(item, _PATH) or (_first(location, _PATH) if isinstance(location, dict) else "")
        message = _first(item, _MESSAGE)
        if not path or not message:
            raise ValueError("an object without `path` or `message`")
        yield path, _row(item), _first(item, _RULE), message


def _first(item: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    for key in keys:  # no generator: type checkers say tens of thousands of things
        value = item.get(key)
        if isinstance(value, str):
            return value
    return ""


def _row(item: Mapping[str, Any]) -> int:
    """Return the line, however deep it lies: `line`, `location.row`, `location.positions.begin.line`."""
    for key in _ROW:
        value = item.get(key)
        if isinstance(value, int):
            return _number(value)
        if isinstance(value, dict):
            return _row(value)
    return 0


def _number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


# --- lines ----------------------------------------------------------------------------------------------------


def _lines(text: str) -> Iterator[_Raw]:
    """`path:line:column: message` or `path(line,column): message`; other lines say something else."""
    for line in text.splitlines():
        found = _LINE.fullmatch(line.strip())
        if found is None:
            continue
        message = _LEVEL.sub("", found["message"], count=1) if _LEVEL.match(found["message"]) else found["message"]
        rule = ""
        if first := _RULE_FIRST.match(message):
            rule, message = first[1], message[first.end() :]
        elif last := _RULE_LAST.search(message):
            rule, message = last[1], message[: last.start()]
        yield found["path"], int(found["line"]), rule, message
