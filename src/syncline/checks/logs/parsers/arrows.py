"""Findings whose head says what is wrong, and whose next line, with an arrow, says where."""

import re
from collections.abc import Sequence
from typing import ClassVar

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.block import BlockParser, excerpt
from syncline.checks.logs.parsers.rules import one_line, quoted
from syncline.checks.logs.paths import repository_path

_PLACE = re.compile(r"^ *--> ?(?P<path>[^:]+\.(?:pyi?|ipynb|toml)):(?P<line>\d+):\d+")


class ArrowParser(BlockParser):
    """A parser of such findings; `head` has the groups `kind` and `message`."""

    head: ClassVar[re.Pattern[str]]
    longest: ClassVar[int] = 25

    def opens(self, text: str) -> bool:
        """Tell whether a line is a finding's head."""
        return self.head.match(text) is not None

    def read(self, block: Sequence[Line]) -> Sequence[LogFailure]:
        """Give the finding, if it says where."""
        head = self.head.match(block[0].text)
        place = next((found for line in block[1:4] if (found := _PLACE.match(line.text)) is not None), None)
        if head is None or place is None:
            return ()
        message = one_line(head["message"])
        return (
            LogFailure(
                self.tool, head["kind"], message, Weight.CAUSE, block[0].number, path=repository_path(place["path"]),
                line=int(place["line"]), symbol=quoted(message), excerpt=excerpt(block),
            ),
        )  # fmt: skip
