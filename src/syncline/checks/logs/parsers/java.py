"""Programs on the JVM that die of an exception."""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.block import BlockParser, excerpt
from syncline.checks.logs.parsers.rules import one_line

THROWN = re.compile(r"^(?P<kind>(?:[a-z]\w*\.)+[A-Z][\w$]*)(?:: (?P<message>.*))?$")
FRAME = re.compile(r"^\s+at (?P<symbol>[\w.$<>/@ ]+)\((?P<path>[\w$]+\.(?:java|kt|scala|groovy)):(?P<line>\d+)\)")
_HEAD = re.compile(r"^Exception in thread \"[^\"]*\" (?P<rest>.+)")
NOT_OURS = (
    "java.",
    "javax.",
    "jdk.",
    "sun.",
    "org.junit.",
    "org.assertj.",
    "org.hamcrest.",
    "org.opentest4j.",
    "kotlin.",
    "org.gradle.",
    "org.mockito.",
    "org.testng.",
)


def innermost(lines: Sequence[str]) -> tuple[str, str, re.Match[str] | None]:
    """Return the class and the words of the exception that caused the others, and its first frame that is not a library's."""
    kind, message, frame = "", "", None
    for text in lines:
        bare = text.strip()
        thrown = THROWN.match(bare.removeprefix("Caused by: "))
        if thrown is not None and (not kind or bare.startswith("Caused by: ")):
            kind, message, frame = thrown["kind"].rpartition(".")[2], thrown["message"] or "", None
        elif (
            frame is None and (match := FRAME.match(text)) is not None and not match["symbol"].startswith(NOT_OURS)
        ):
            frame = match
    return kind, one_line(message), frame


class Java(BlockParser):
    """`Exception in thread "main" ...`, down to what caused it."""

    tool: ClassVar[str] = "java"
    words: ClassVar[tuple[str, ...]] = ("Exception in thread ",)

    def opens(self, text: str) -> bool:
        """The line that the virtual machine begins with."""
        return text.startswith("Exception in thread ")

    def closes(self, text: str) -> bool:
        """What is neither a frame nor a cause."""
        return not text.startswith(("\t", " ", "Caused by: "))

    def read(self, block: Sequence[Line]) -> Iterable[LogFailure]:
        """Tell the innermost exception."""
        head = _HEAD.match(block[0].text)
        if head is None:
            return
        kind, message, frame = innermost([head["rest"], *(line.text for line in block[1:])])
        if kind:
            yield LogFailure(
                self.tool,
                kind,
                message,
                Weight.CAUSE,
                block[0].number,
                frame["path"] if frame else "",
                int(frame["line"][:9]) if frame else None,
                symbol=frame["symbol"] if frame else "",
                excerpt=excerpt(block),
            )
