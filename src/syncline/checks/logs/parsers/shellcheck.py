"""ShellCheck."""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.block import BlockParser, excerpt
from syncline.checks.logs.parsers.rules import Rule, by_rules, one_line
from syncline.checks.logs.paths import repository_path

_HEAD = re.compile(r"^In (?P<path>\S.*) line (?P<line>\d+):$")
_NOTE = re.compile(r"\^-*\^? (?P<kind>SC\d{4})(?: \(\w+\))?: (?P<message>.+)")
_GCC = (
    Rule(
        " [SC",
        re.compile(
            r"^(?P<path>[^\s:][^:]*):(?P<line>\d+):\d+: (?:error|warning|note): (?P<message>.+) \[(?P<kind>SC\d{4})\]$"
        ),
    ),
)


class Shellcheck(BlockParser):
    """`In file line 3:`, the code, and what is wrong with it."""

    tool: ClassVar[str] = "shellcheck"
    words: ClassVar[tuple[str, ...]] = ("^In ", " [SC")
    longest: ClassVar[int] = 12

    def opens(self, text: str) -> bool:
        """The place, or a line in gcc's way."""
        return (text.startswith("In ") and _HEAD.match(text) is not None) or (
            text.endswith("]") and " [SC" in text
        )

    def read(self, block: Sequence[Line]) -> Iterable[LogFailure]:
        """Each mark under the code is a failure."""
        head = _HEAD.match(block[0].text)
        if head is None:
            failure = by_rules(self.tool, _GCC, block[0])
            if failure is not None:
                yield failure
            return
        for line in block[1:]:
            note = _NOTE.search(line.text)
            if note is not None:
                yield LogFailure(
                    self.tool,
                    note["kind"],
                    one_line(note["message"]),
                    Weight.CAUSE,
                    line.number,
                    repository_path(head["path"]),
                    int(head["line"][:9]),
                    excerpt=excerpt(block),
                )
