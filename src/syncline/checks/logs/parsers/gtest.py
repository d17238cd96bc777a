"""GoogleTest."""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.block import BlockParser, excerpt
from syncline.checks.logs.parsers.rules import one_line
from syncline.checks.logs.paths import repository_path

_RUN = re.compile(r"^\[ RUN      \] (?P<test>\S+)")
_FAILURE = re.compile(
    r"^(?P<path>(?:[A-Z]:)?[^\s:(][^:(]*)(?::(?P<line>\d+)|\((?P<windows>\d+)\)): (?:Failure|error: .*)$"
)
_THROWN = re.compile(r"^(?:unknown file: Failure|C\+\+ exception with description)")


class Gtest(BlockParser):
    """`file:12: Failure` within a test, and what was expected."""

    tool: ClassVar[str] = "gtest"
    words: ClassVar[tuple[str, ...]] = ("[ RUN      ] ", ": Failure", "): error: ")
    longest: ClassVar[int] = 30

    def __init__(self) -> None:
        """Begin outside of any test."""
        super().__init__()
        self._test = ""

    def opens(self, text: str) -> bool:
        """A place and `Failure`; on Windows `error`, which is others' as well: only within a test."""
        run = _RUN.match(text)
        if run is not None:
            self._test = run["test"]
            return False
        if text == "unknown file: Failure":
            return True
        if not text.endswith(": Failure") and "): error: " not in text:
            return False
        return bool(self._test) and _FAILURE.match(text) is not None

    def closes(self, text: str) -> bool:
        """The end of the test, or an empty line after something was said."""
        return text.startswith("[") or (not text.strip() and len(self._block) > 1)

    def read(self, block: Sequence[Line]) -> Iterable[LogFailure]:
        """What was expected, on one line."""
        head = _FAILURE.match(block[0].text)
        thrown = block[0].text == "unknown file: Failure"
        if head is None and not thrown:
            return
        message = one_line(" ".join(line.text.strip() for line in block[1:8])) or "failed"
        number = (head["line"] or head["windows"]) if head and not thrown else ""
        yield LogFailure(
            self.tool,
            "exception" if thrown else "assertion",
            message,
            Weight.CAUSE,
            block[0].number,
            repository_path(head["path"]) if head and not thrown else "",
            int(number[:9]) if number else None,
            test=self._test,
            excerpt=excerpt(block),
        )

    def feed(self, line: Line) -> Iterable[LogFailure]:
        """As any block; a failed test's end also ends its name."""
        found = tuple(super().feed(line))
        if line.text.startswith(("[       OK ]", "[  FAILED  ]")):
            self._test = ""
        return found
