"""ruff: its linter in the full and the concise style, and its formatter."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import ClassVar

from syncline.checks.logs.exceptions import EXCERPT_LINES
from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.rules import Rule, by_rules, one_line, quoted
from syncline.checks.logs.parsers.style_lines import WORDS, StyleLines
from syncline.checks.logs.paths import repository_path

_RULES = (
    Rule(
        "Would reformat: ", re.compile(r"^(?P<message>Would reformat): (?P<path>.+)$"), "unformatted",
    ),
    Rule(
        "rror: Failed to parse ",
        re.compile(r"^[Ee]rror: Failed to parse (?P<path>[^:]+\.pyi?):(?P<line>\d+):\d+: (?P<message>.+)"),
        "invalid-syntax",
    ),
    Rule("ruff failed", re.compile(r"^ruff failed$"), "configuration"),
)  # fmt: skip
_PLACE = re.compile(r"^ *--> (?P<path>[^:]+):(?:cell \d+:)?(?P<line>\d+):\d+$")
_SAYS = re.compile(
    r"^(?P<kind>[A-Z]{1,4}\d{2,4}|invalid-syntax|unformatted|io-error)(?:: | (?:\[\*\] )?)(?P<message>\S.*)$"
)
_FOUND = re.compile(r"^Found \d+ errors?(?: \(\d+ fixed, \d+ remaining\))?\.$")
_CODES = (
    "F4", "F5", "F6", "F7", "F8", "F9", "E1", "E2", "E3", "E4", "E5", "E7", "E9", "W1", "W2", "W3", "W6", "I001",
    "I002", "B0", "B9", "UP0", "N8", "D1", "D2", "D3", "D4", "SIM1", "SIM2", "SIM9", "PLR", "PLE", "PLW", "PLC",
    "RUF", "ANN", "S1", "S2", "S3", "S5", "S6", "S7", "C4", "C90", "T10", "T20", "TRY", "PT0", "PTH", "ARG0", "RET5",
    "ERA0", "PERF", "FURB", "NPY", "PD0", "PGH", "Q00", "RSE1", "TC0", "TID2", "COM8", "DTZ", "EM1", "G0", "ICN",
    "INP0", "ISC0", "LOG0", "PIE", "PYI", "SLF0", "YTT", "ASYNC", "BLE0", "FBT0", "A00", "FA1", "DOC", "CPY",
)  # fmt: skip
"""How the codes of rules begin. The head of a finding has nothing else that all of them share."""


class Ruff:
    """What `ruff check` and `ruff format --check` find."""

    tool: ClassVar[str] = "ruff"
    words: ClassVar[tuple[str, ...]] = (
        *WORDS, "Found ", "Would reformat: ", "rror: Failed to parse ", "ruff failed", "unformatted: ",
        "invalid-syntax: ", " [*] ", *(f"^{code}" for code in _CODES),
    )  # fmt: skip

    def __init__(self) -> None:
        self.busy = False
        self._lines = StyleLines("ruff")
        self._says: tuple[Line, str, str] | None = None
        self._told: LogFailure | None = None

    def feed(self, line: Line) -> Iterator[LogFailure]:
        """Take a line."""
        text = line.text
        if self._told is not None:
            if text.strip():
                self._show(text)
                return
            yield from self._finish()
        says, self._says = self._says, None
        if says is not None and (place := _PLACE.match(text)) is not None:
            self._told = _failure(*says, place)
            self._show(text)
            self.busy = True
        elif self._lines.take(line):
            self.busy = False
        elif _FOUND.match(text):
            self.busy = False
            yield from self._lines.give()
        elif (head := _SAYS.match(text)) is not None:
            self._says, self.busy = (line, head["kind"], head["message"]), True
        else:
            self.busy = False
            failure = by_rules("ruff", _RULES, line)
            if failure is not None:
                yield failure

    def end(self) -> Iterable[LogFailure]:
        """Give what was still open. Lines that nobody counted are flake8's."""
        return tuple(self._finish())

    def _show(self, text: str) -> None:
        if self._told is not None and len(self._told.excerpt) < EXCERPT_LINES:
            self._told = replace(self._told, excerpt=(*self._told.excerpt, text[:300]))

    def _finish(self) -> Iterator[LogFailure]:
        if self._told is not None:
            yield self._told
        self._told, self._says, self.busy = None, None, False


def _failure(line: Line, kind: str, message: str, place: re.Match[str]) -> LogFailure:
    message = one_line(message)
    return LogFailure(
        "ruff", kind, message, Weight.CAUSE, line.number, path=repository_path(place["path"]), line=int(place["line"]),
        symbol=quoted(message), excerpt=(line.text,),
    )  # fmt: skip
