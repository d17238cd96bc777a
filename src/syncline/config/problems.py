"""Turns what is wrong with a parsed `syncline.toml` into lines that name key, finding and what is allowed.

Tables and lists are never printed, only counted: an `env` inside them may hold secrets.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime, time
from typing import Any

from pydantic import BaseModel, ValidationError

from syncline.config import crosscheck
from syncline.config.crosscheck import Problem
from syncline.config.keypath import Key, KeyPath, shorten, show
from syncline.config.models import (
    CROSS_CHECK,
    AgentSettings,
    AskedAgent,
    AuditSettings,
    Checker,
    Config,
    CoupledSet,
    Driver,
    Formatter,
    GateRule,
    GitHubTable,
    GoldenFiles,
    Identity,
    Lane,
    Lesson,
    LocalCheck,
    MustPass,
    PathRule,
    Regenerate,
    RepairSettings,
    Signing,
    Waiver,
    WholeFile,
)

_LANE = ("lanes", "*")
_TABLES: Mapping[tuple[str, ...], type[BaseModel]] = {
    (): Config,
    _LANE: Lane,
    (*_LANE, "identity"): Identity,
    (*_LANE, "signing"): Signing,
    (*_LANE, "gate"): GateRule,
    (*_LANE, "github"): GitHubTable,
    (*_LANE, "paths"): PathRule,
    (*_LANE, "coupled"): CoupledSet,
    (*_LANE, "drivers"): Driver,
    (*_LANE, "formatters"): Formatter,
    (*_LANE, "repair"): RepairSettings,
    (*_LANE, "repair", "whole"): WholeFile,
    (*_LANE, "repair", "golden"): GoldenFiles,
    (*_LANE, "repair", "regenerate"): Regenerate,
    (*_LANE, "checks"): LocalCheck,
    (*_LANE, "audit"): AuditSettings,
    (*_LANE, "audit", "checkers"): Checker,
    (*_LANE, "waivers"): Waiver,
    (*_LANE, "agents"): AgentSettings,
    (*_LANE, "agents", "ask"): AskedAgent,
    (*_LANE, "agents", "must_pass"): MustPass,
    (*_LANE, "agents", "lessons"): Lesson,
}
_OURS: Mapping[type[BaseModel], tuple[str, ...]] = {
    Lane: ("name",),
    PathRule: ("line", "file"),
    CoupledSet: ("line", "file"),
    Driver: ("line", "file"),
}
"""Fields that syncline fills in: in the file they are unknown keys."""

_LISTS = frozenset(
    (
        "paths",
        "coupled",
        "drivers",
        "formatters",
        "checks",
        "checkers",
        "waivers",
        "ask",
        "must_pass",
        "lessons",
        "whole",
        "regenerate",
        "golden",
    )
)
_SINGLE = frozenset({"identity", "signing", "gate", "audit", "github", "agents", "repair"})

_WANTED = {
    "string_type": "a text in quotes",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "mapping_type": "a table",
    "dict_type": "a table",
    "model_type": "a table",
    "finite_number": "a finite number",
    "date_type": "a date without quotes, as in 2026-11-30",
}


_LIMITS = {
    "greater_than": "more than {gt}",
    "greater_than_equal": "at least {ge}",
    "less_than_equal": "at most {le}",
}


def find_problems(document: Mapping[str, Any], error: ValidationError | None) -> list[Problem]:
    """All mistakes of a document: those pydantic found, those between keys, keys a file must not hold."""
    found = [*_unwritable(document), *_between(document)]
    crossed = {problem.path[:2] for problem in found}
    for detail in error.errors(include_url=False) if error else ():
        path = _path(document, detail["loc"])
        if detail["type"] == "too_short" and detail["input"]:
            continue  # items that are wrong do not count for pydantic; they are told one by one
        if detail["type"] == CROSS_CHECK:
            if path[:2] not in crossed and not (len(path) < 2 and crossed):
                found.append(Problem(path, detail["msg"]))
        else:
            found.append(Problem(path, _text(path, detail)))
    return found


def _sections(document: Mapping[str, Any]) -> Iterator[tuple[KeyPath, type[BaseModel], Mapping[str, Any]]]:
    """Each table of the document that has a model; tables of the wrong shape are left out."""
    lanes = document.get("lanes")
    for name, lane in lanes.items() if isinstance(lanes, Mapping) else ():
        if not isinstance(lane, Mapping):
            continue
        yield ("lanes", name), Lane, lane
        for shape, model in _TABLES.items():
            value = lane.get(shape[-1]) if len(shape) == len(_LANE) + 1 else None
            if isinstance(value, list):
                for place, item in enumerate(value):
                    if isinstance(item, Mapping):
                        yield ("lanes", name, shape[-1], place), model, item


def _unwritable(document: Mapping[str, Any]) -> Iterator[Problem]:
    """Keys that a model has, or has a default for, but a file must not or must hold."""
    if "version" not in document:
        yield Problem(("version",), "missing; write version = 1")
    for path, model, table in _sections(document):
        for ours in _OURS.get(model, ()):
            if ours in table:
                yield Problem((*path, ours), _unknown((*path, ours)))
        if model is PathRule and table.get("take") == "protect" and "when" in table:
            yield Problem((*path, "when"), '"protect" always applies; it takes no "when": leave it out')
        if model is PathRule and table.get("take") == "combine" and table.get("when") == "always":
            yield Problem((*path, "when"), '"combine" settles conflicts; it cannot be "always"')


def _between(document: Mapping[str, Any]) -> Iterator[Problem]:
    lanes = document.get("lanes")
    if not isinstance(lanes, Mapping):
        return
    for name, lane in lanes.items():
        if isinstance(lane, Mapping):
            for problem in crosscheck.lane_problems(name, lane):
                yield Problem(("lanes", name, *problem.path), problem.text)
    for problem in crosscheck.between_problems(lanes):
        yield Problem(("lanes", *problem.path), problem.text)


def _path(document: Mapping[str, Any], loc: tuple[Key, ...]) -> KeyPath:
    """Where in the file an error is. Pydantic sees `env` as pairs and a lane's name as a key of its own."""
    match loc:
        case ("lanes", str(lane), "name"):
            return ("lanes", lane)
        case ("lanes", str(lane), "checks", int(place), "env", int(pair), *_):
            names = list(document["lanes"][lane]["checks"][place]["env"])
            return (*loc[:5], names[pair])
        case _:
            return loc


def _text(path: KeyPath, detail: Mapping[str, Any]) -> str:
    kind, value, context = detail["type"], detail["input"], detail.get("ctx", {})
    if kind == "extra_forbidden":
        return _unknown(path)
    if kind == "missing":
        return _missing(path)
    if kind == "too_short":
        return _missing(path) if path == ("lanes",) else "found an empty list; wanted at least one item"
    if kind == "value_error":
        wanted = str(context["error"])
    elif kind == "literal_error":
        wanted = f"allowed: {context['expected'].replace(chr(39), chr(34))}"
    elif kind in _WANTED:
        wanted = f"wanted {_WANTED[kind]}{_brackets(path, value)}"
    elif kind in _LIMITS:
        wanted = f"wanted {_LIMITS[kind].format(**context)}"
    else:
        wanted = detail["msg"]
    found = "a text" if _is_secret(path) and isinstance(value, str) else _found(value)
    return f"found {found}; {wanted}"


def _is_secret(path: KeyPath) -> bool:
    """Whether the value is (a part of) the environment of a check, or stands where a secret may be by mistake."""
    environment = path[2:3] == ("checks",) and path[4:5] == ("env",)
    if path[2:3] == ("agents",) and "pass_env" in path:
        return True
    return environment or (path[2:3] == ("github",) and path[3:4] != ("reviewers",))


def _missing(path: KeyPath) -> str:
    return "missing; wanted at least one table [lanes.NAME]" if path == ("lanes",) else "missing; it is required"


def _brackets(path: KeyPath, value: object) -> str:
    """A hint for the commonest slip: one pair of brackets too few or too many."""
    if path[-1] in _LISTS and isinstance(value, Mapping):
        return f" of tables: write [[{show(path)}]]"
    if isinstance(value, list) and path[-1] in _SINGLE:
        return f": write [{show(path)}]"
    return ""


def _found(value: object) -> str:
    """A short description of a value that was read from TOML."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            return shorten(value)
        case int():
            return str(value) if abs(value) < 10**20 else "a very large number"
        case float() | date() | datetime() | time():
            return str(value)
        case list() | tuple():
            return f"a list of {len(value)}"
        case Mapping():
            return "a table"
        case _:
            return f"a value of type {type(value).__name__}"


def _shape(path: KeyPath) -> tuple[str, ...]:
    return tuple("*" if place == 1 else key for place, key in enumerate(path) if isinstance(key, str))


def _keys(model: type[BaseModel]) -> list[str]:
    return [name for name in model.model_fields if name not in _OURS.get(model, ())]


def _unknown(path: KeyPath) -> str:
    import difflib  # noqa: PLC0415 - only for a mistake

    key, model = str(path[-1]), _TABLES[_shape(path[:-1])]
    allowed = _keys(model)
    near = difflib.get_close_matches(key[:100], allowed, n=1)
    advice = ""
    if near:
        advice = f"did you mean {shorten(near[0])}? "
    elif homes := _homes(key, path):
        advice = f"it belongs in {homes}; "
    return f"unknown key; {advice}allowed: {', '.join(sorted(allowed))}"


def _homes(key: str, path: KeyPath) -> str:
    """The tables that know `key`, when it was written in the wrong one."""
    lane = show(path[:2]) if len(path) > 2 else "lanes.NAME"
    homes: Iterable[str] = (
        ".".join([lane, *shape[2:]]) for shape, model in _TABLES.items() if shape and key in _keys(model)
    )
    return " or ".join(f"[[{home}]]" if home.rsplit(".", 1)[-1] in _LISTS else f"[{home}]" for home in homes)
