"""Programs of Node that die of an error."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.block import BlockParser, excerpt
from syncline.checks.logs.parsers.javascript import ERROR, first_frame
from syncline.checks.logs.parsers.rules import one_line, quoted
from syncline.checks.logs.paths import repository_path


class Node(BlockParser):
    """`TypeError: ...` at the line's beginning, with a stack of Node under it."""

    tool: ClassVar[str] = "node"
    words: ClassVar[tuple[str, ...]] = ("Error: ", "Error [")
    longest: ClassVar[int] = 25

    def opens(self, text: str) -> bool:
        """A class and words."""
        return text[:1].isupper() and ERROR.match(text) is not None

    def closes(self, text: str) -> bool:
        """What belongs to no stack."""
        return not text.startswith(("    at ", "- ", "Require stack", "  "))

    def read(self, block: Sequence[Line]) -> Iterable[LogFailure]:
        """Without a stack of Node it is another language's, or prose."""
        head = ERROR.match(block[0].text)
        stack = [line.text for line in block[1:]]
        if head is None or not any(text.startswith("    at ") for text in stack):
            return
        frame = first_frame(stack)
        missing = next((text[2:] for text in stack if text.startswith("- /")), "")
        yield LogFailure(
            self.tool,
            head["kind"],
            one_line(head["message"]),
            Weight.CAUSE,
            block[0].number,
            repository_path(frame["path"] if frame else missing),
            int(frame["line"][:9]) if frame else None,
            quoted(head["message"]),
            excerpt=excerpt(block),
        )
