"""Reading `syncline.toml`. One ConfigError lists all mistakes of the file."""

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from syncline.config.crosscheck import Problem
from syncline.config.file import read_file
from syncline.config.find import INIT_HINT
from syncline.config.keypath import show
from syncline.config.models import Config
from syncline.config.positions import Positions, positions
from syncline.config.problems import find_problems
from syncline.errors import ConfigError

_MOST_LINES = 200
_REFERENCE = "docs/config.md explains every key"


def load(path: Path) -> Config:
    """Read and check a configuration file.

    Raises:
        ConfigError: the file cannot be read or is not right; one line for each mistake, in the file's order.
    """
    text = _read(path)
    document = _parse(path, text)
    if not document:
        raise ConfigError(
            f"{path.name}: it has no lanes; wanted version = 1 and at least one table [lanes.NAME]",
            hint=INIT_HINT,
        )
    where = positions(text.encode())
    version = document.get("version", 1)
    if type(version) is not int or version != 1:
        shown = version if isinstance(version, int | float) else "something else"
        raise ConfigError(
            f"{path.name}:{where.line(('version',))}: version: found {shown}; this syncline reads version 1",
            hint="write version = 1, or use a syncline that knows the other one",
        )
    return _build(path, document, where)


def _read(path: Path) -> str:
    try:
        data = read_file(path)
    except FileNotFoundError:
        raise ConfigError(f"there is no configuration file {path}", hint=INIT_HINT) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise ConfigError(
            f"the configuration file {path} cannot be read: {reason}", hint="make it readable"
        ) from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(
            f"{path.name}:{line}: byte 0x{data[error.start]:02x} is not UTF-8; TOML files are UTF-8",
            hint=f"save {path} as UTF-8",
        ) from None


def _parse(path: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ConfigError(
            f"{path.name}: it is nested too deeply", hint="keys lie at most six levels deep"
        ) from None
    except ValueError as error:
        # "Expected ... (at line 3, column 5)" or "... (at end of document)"; a number too long has no place.
        words = str(error)
        found = re.search(r" \(at line (\d+), column (\d+)\)$", words)
        if found:
            place = f":{found[1]}:{found[2]}"
            words = words[: found.start()]
        elif words.endswith(" (at end of document)"):
            place = f":{len(text.splitlines()) or 1}"
            words = words.replace(" (at end of document)", " at the end of the file")
        else:
            place = ""
        raise ConfigError(f"{path.name}{place}: not valid TOML: {words}", hint="see https://toml.io") from None


def _build(path: Path, document: dict[str, Any], where: Positions) -> Config:
    refused: ValidationError | None = None
    try:
        config = Config.model_validate(_with_places(document, path.name, where))
    except ValidationError as error:
        config, refused = None, error
    found = find_problems(document, refused)
    if config is not None and not found:
        return config
    raise ConfigError(_message(path.name, found, where), hint=f"correct {path}; {_REFERENCE}")


def _with_places(document: dict[str, Any], file: str, where: Positions) -> dict[str, Any]:
    """The document, with file and line in each table that may be cited as evidence."""
    lanes = document.get("lanes")
    if not isinstance(lanes, dict):
        return document
    named: dict[str, Any] = dict(lanes)
    for name, lane in lanes.items():
        if not isinstance(lane, dict):
            continue
        named[name] = {key: value for key, value in lane.items() if key != "name"}
        for kind in ("paths", "coupled", "drivers"):
            rules = lane.get(kind)
            if isinstance(rules, list):
                named[name][kind] = [
                    {**rule, "line": where.line(("lanes", name, kind, place)), "file": file}
                    if isinstance(rule, dict)
                    else rule
                    for place, rule in enumerate(rules)
                ]
    return {**document, "lanes": named}


def _message(file: str, found: Iterable[Problem], where: Positions) -> str:
    lines = sorted(
        {(where.line(problem.path), show(problem.path), problem.text) for problem in found},
    )
    shown = [f"{file}:{line}: {key}: {text}" for line, key, text in lines[:_MOST_LINES]]
    if len(lines) > _MOST_LINES:
        shown.append(f"{file}: and {len(lines) - _MOST_LINES} more")
    return "\n".join(shown)
