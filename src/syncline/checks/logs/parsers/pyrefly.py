"""pyrefly."""

import re
from collections.abc import Iterable
from typing import ClassVar

from syncline.checks.logs.failure import LogFailure
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.arrows import ArrowParser
from syncline.checks.logs.parsers.rules import Rule, by_rules

_SHORT = Rule(
    "ERROR ",
    re.compile(
        r"^ *ERROR (?P<path>[^:]+\.pyi?):(?P<line>\d+):[\d:-]+: (?P<message>.+?) \[(?P<kind>[a-z][a-z-]+)\]$"
    ),
)


class Pyrefly(ArrowParser):
    """Its errors in the full and the short style."""

    tool: ClassVar[str] = "pyrefly"
    words: ClassVar[tuple[str, ...]] = ("ERROR ",)
    head: ClassVar[re.Pattern[str]] = re.compile(r"^ *ERROR (?P<message>.+?) \[(?P<kind>[a-z][a-z-]+)\]$")

    def feed(self, line: Line) -> Iterable[LogFailure]:
        """Take a line."""
        short = by_rules(self.tool, (_SHORT,), line)
        return (*super().feed(line), short) if short is not None else super().feed(line)
