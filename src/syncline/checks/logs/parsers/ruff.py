"""ruff: its linter in the full and the concise style, and its formatter."""

import re
from collections.abc import Iterable, Iterator
from typing import ClassVar

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.rules import Rule, by_rules, one_line, quoted
from syncline.checks.logs.parsers.style_lines import WORDS, StyleLines
from syncline.checks.logs.paths import repository_path

_RULES = (
    Rule(
        "Would reformat: ", re.compile(r"^Would reformat: (?P<path>.+)$"), "unformatted",
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
_CAUSE = re.compile(r"^ *Cause: (.+)")
_FOUND = re.compile(r"^Found \d+ errors?(?: \(\d+ fixed, \d+ remaining\))?\.$")
_LONGEST = 25


class Ruff:
    """What `ruff check` and `ruff format --check` find."""

    tool: ClassVar[str] = "ruff"
    words: ClassVar[tuple[str, ...]] = (
        *WORDS, "Found ", " --> ", "Would reformat: ", "rror: Failed to parse ", "ruff failed", "unformatted: ",
        "invalid-syntax: ", " [*] ", *(f"{letter}{digit}" for letter in "EFWNBDSUIRPTCAQ" for digit in "01234589"),
    )  # fmt: skip

    def __init__(self) -> None:
        self.busy = False
        self._lines = StyleLines("ruff")
        self._says: tuple[Line, str, str] | None = None
        self._told: LogFailure | None = None
        self._shown: list[str] = []
