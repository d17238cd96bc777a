"""flake8 and pycodestyle."""

import re
from collections.abc import Iterable
from typing import ClassVar

from syncline.checks.logs.failure import LogFailure
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.style_lines import WORDS, StyleLines

_RUFF = re.compile(r"^Found \d+ errors?(?: \(\d+ fixed, \d+ remaining\))?\.$")


class Flake8:
    """Their findings, which look like ruff's; but ruff counts them in the end."""

    tool: ClassVar[str] = "flake8"
    words: ClassVar[tuple[str, ...]] = (*WORDS, "Found ")

    def __init__(self) -> None:
        self.busy = False
        self._lines = StyleLines("flake8")

    def feed(self, line: Line) -> Iterable[LogFailure]:
        """Take a line."""
        if not self._lines.take(line) and _RUFF.match(line.text):
            self._lines.give()
        return ()

    def end(self) -> Iterable[LogFailure]:
        """Give what nobody else counted."""
        return self._lines.give()
