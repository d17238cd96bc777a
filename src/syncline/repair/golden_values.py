"""Whether new expected values may take the place of old ones: the same shape, and each a number. Pure.

JSON is compared key by key. Any other text is: the numbers in it may differ, nothing else may.
"""

import json
import math
import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

_NUMBER = re.compile(
    r"""(?<![\w.])[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|\.\d+(?:e[-+]?\d+)?|\.?nan|\.?inf(?:inity)?)(?![\w.])(?!["']?\s*:)""",
    re.IGNORECASE,
)
_NO_NUMBER = re.compile(r"[-+]?\.?(?:nan|inf(?:inity)?)", re.IGNORECASE)
_SHOWN = 60


def objection(name: str, old: bytes, new: bytes) -> str:
    """Return why new values may not take the place of old ones; empty where they may.

    Args:
        name: the file's, which tells what it holds.
        old: its text.
        new: what would take its place.
    """
    try:
        before, after = old.decode(), new.decode()
    except UnicodeDecodeError:
        return "it is not text"
    try:
        if name.endswith(".json"):
            return next(_differences(_parsed(before), _parsed(after), "the values"), "")
        if name.endswith(".jsonl"):
            return next(_differences(_rows(before), _rows(after), "the lines"), "")
    except RecursionError:
        return "it is nested too deeply"
    except ValueError as error:
        return f"it cannot be read: {error}"
    return _of_texts(before, after)


def _rows(text: str) -> list[Any]:
    return [_parsed(line) for line in text.splitlines() if line.strip()]


def _parsed(text: str) -> Any:
    return json.loads(text, object_pairs_hook=_once)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a key stands twice in it")
    return made


def _differences(old: Any, new: Any, where: str) -> Iterator[str]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted({*old} ^ {*new}):
            yield f"{where} have {'no' if key in old else 'a new'} key {key[:_SHOWN]!r}"
        for key in old.keys() & new.keys():
            yield from _differences(old[key], new[key], f"{where} at {key[:_SHOWN]!r}")
    elif isinstance(old, list) and isinstance(new, list):
        if len(old) != len(new):
            yield f"{where} are {len(new)}, and were {len(old)}"
        for number, (before, after) in enumerate(zip(old, new, strict=False)):
            yield from _differences(before, after, f"{where} at {number}")
    elif _kind(old) != _kind(new):
        yield f"{where} are {_kind(new)}, and were {_kind(old)}"
    elif _is_no_number(new) and not _is_no_number(old):
        yield f"{where} are {new}, which is no number"


def _kind(value: object) -> str:
    match value:
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case dict():
            return "a table"
        case list():
            return "a list"
        case _:
            return "nothing"


def _is_no_number(value: object) -> bool:
    if isinstance(value, str):
        return _NO_NUMBER.fullmatch(value.strip()) is not None
    return isinstance(value, float) and not math.isfinite(value)


def _of_texts(old: str, new: str) -> str:
    for number, (before, after) in enumerate(zip_longest(old.splitlines(), new.splitlines()), start=1):
        if before is None or after is None:
            return f"it has {len(new.splitlines())} lines, and had {len(old.splitlines())}"
        if _NUMBER.sub("#", before).split() != _NUMBER.sub("#", after).split():
            return f"line {number} differs in more than its numbers"
        pairs = zip(_NUMBER.findall(before), _NUMBER.findall(after), strict=True)
        for was, now in pairs:
            if not math.isfinite(_value(now)) and math.isfinite(_value(was)):
                return f"line {number} has {now}, which is no number"
    return ""


def _value(number: str) -> float:
    return math.nan if _NO_NUMBER.fullmatch(number) else float(number)
