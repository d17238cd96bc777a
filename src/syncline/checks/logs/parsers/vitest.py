"""vitest: failed tests, and files that could not be loaded."""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.block import BlockParser, excerpt
from syncline.checks.logs.parsers.javascript import ERROR, first_frame
from syncline.checks.logs.parsers.rules import one_line, quoted
from syncline.checks.logs.paths import repository_path

_HEAD = re.compile(r"^ *FAIL  (?:\|[^|]+\| )?(?P<path>[^\s>]+\.\w+)(?: > (?P<test>\S.*)| \[ [^\]]* \])$")


class Vitest(BlockParser):
    """`FAIL  file > suite > test`, then the error and its place."""

    tool: ClassVar[str] = "vitest"
    words: ClassVar[tuple[str, ...]] = ("FAIL  ",)

    def opens(self, text: str) -> bool:
        """The line of a test, or of a file."""
        return text.lstrip().startswith("FAIL  ") and _HEAD.match(text) is not None

    def closes(self, text: str) -> bool:
        """The rule under each error."""
        return text.startswith(("⎯⎯", " Test Files ", "      Tests "))

    def read(self, block: Sequence[Line]) -> Iterable[LogFailure]:
        """The first line with a class is the message."""
        head = _HEAD.match(block[0].text)
        if head is None:
            return
        texts = [line.text for line in block[1:]]
        thrown = next((match for match in map(ERROR.match, texts) if match), None)
        if thrown is None:
            return
        frame = first_frame(texts)
        yield LogFailure(
            self.tool,
            thrown["kind"],
            one_line(thrown["message"]),
            Weight.CAUSE,
            block[0].number,
            repository_path(frame["path"] if frame else head["path"]),
            int(frame["line"][:9]) if frame else None,
            quoted(thrown["message"]),
            (head["test"] or "")[:300],
            excerpt=excerpt(block),
        )
