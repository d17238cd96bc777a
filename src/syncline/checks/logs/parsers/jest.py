"""jest: failed tests, and files that could not be run."""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.block import BlockParser, excerpt
from syncline.checks.logs.parsers.javascript import ERROR, first_frame
from syncline.checks.logs.parsers.rules import one_line, quoted
from syncline.checks.logs.paths import repository_path

_FILE = re.compile(r"^FAIL (?: ?[^\s/]+ )?(?P<path>\S+\.\w+)(?: \([\d.]+ m?s\))?$")
_HEAD = re.compile(r"^  ● (?P<test>\S.*)$")
_COMPARED = ("Expected", "Received")


class Jest(BlockParser):
    """`FAIL file`, then `● name of a test` with message and stack."""

    tool: ClassVar[str] = "jest"
    words: ClassVar[tuple[str, ...]] = ("FAIL ", "  ● ")

    def __init__(self) -> None:
        """Begin before any file."""
        super().__init__()
        self._path = ""
        self._next = ""

    def opens(self, text: str) -> bool:
        """A bullet, after a file that failed."""
        file = _FILE.match(text) if text.startswith("FAIL ") else None
        if file is not None:
            self._next = repository_path(file["path"])
            return False
        return bool(self._next) and text.startswith("  ● ") and not text.startswith("  ● Console")

    def closes(self, text: str) -> bool:
        """The next file, or the sum."""
        return text.startswith(("FAIL ", "PASS ", "Test Suites:", "Tests:", "Snapshot Summary", "Summary of all"))

    def read(self, block: Sequence[Line]) -> Iterable[LogFailure]:
        """The first words under the bullet are the message; the first frame that is ours is the place."""
        head = _HEAD.match(block[0].text)
        if head is None:
            return
        texts = [line.text for line in block[1:]]
        said = [text.strip() for text in texts if text.strip()]
        message = said[0] if said else "failed"
        thrown = ERROR.match(message)
        if message.startswith("expect("):
            message = one_line(" ".join([message, *(text for text in said[1:8] if text.startswith(_COMPARED))]))
        elif message in {"Jest encountered an unexpected token", "● Test suite failed to run"}:
            message = next((text for text in said if "Error: " in text), message)
            thrown = ERROR.match(message.rpartition(": ")[0] and message)
        frame = first_frame(texts)
        suite = head["test"] == "Test suite failed to run"
        kind = (
            thrown["kind"]
            if thrown
            else "assertion"
            if message.startswith("expect(")
            else "suite"
            if suite
            else "failed"
        )
        if message.startswith("thrown: "):
            kind = "timeout" if "Exceeded timeout" in message else "thrown"
        if message.startswith("Cannot find module"):
            kind = "missing module"
        yield LogFailure(
            self.tool,
            kind,
            one_line(thrown["message"] if thrown else message),
            Weight.CAUSE,
            block[0].number,
            repository_path(frame["path"]) if frame else self._path,
            int(frame["line"][:9]) if frame else None,
            quoted(message),
            "" if suite else head["test"][:300],
            excerpt=excerpt(block),
        )

    def feed(self, line: Line) -> Iterable[LogFailure]:
        """As any block, but with the file that the open block began in."""
        found = tuple(super().feed(line))
        if self._block and self._block[0].number == line.number:
            self._path = self._next
        return found
