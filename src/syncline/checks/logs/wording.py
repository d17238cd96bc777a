"""The words of a message without what changes from run to run. Pure."""

import re

_VARIABLE = (
    (re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", re.IGNORECASE), "<id>"),
    (re.compile(r"\b0x[0-9a-f]+\b", re.IGNORECASE), "<address>"),
    (re.compile(r"\b[0-9a-f]{12,64}\b", re.IGNORECASE), "<id>"),
    (re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?"), "<time>"),
    (re.compile(r"[A-Z]:\\(?:[\w.+-]+\\)*Temp(?:\\[\w.+-]+)*"), "<temporary>"),
    (re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b"), "<host>"),
    (re.compile(r"\b(?:rank|pid|process|port|worker)([ =:]*)\d+\b", re.IGNORECASE), "<number>"),
    (re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w.])", re.IGNORECASE), "<number>"),
)  # fmt: skip
_PATH = re.compile(r"(?:/[\w.+-]+)+")
_TEMPORARY = "<temporary>"
_LONGEST = 400


def normalised(message: str) -> str:
    """Return a message without numbers, addresses, times, temporary paths and ids: one line, bounded.

    Numbers inside of words stay (`fp16`, `H100`, `test_2d`), since they tell one thing from another.
    """
    text = " ".join(message[: 4 * _LONGEST].split())
    text = _PATH.sub(_without_temporary, text)
    for pattern, word in _VARIABLE:
        text = pattern.sub(word, text)
    return text[:_LONGEST]


def _without_temporary(path: re.Match[str]) -> str:
    """A temporary directory is another one each time, and so is what a program makes in it."""
    return _TEMPORARY if {"tmp", "temp"} & set(path[0].split("/")) else path[0]
