"""pre-commit's own lines: which hook failed. What the hook said is the hook's."""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.block import BlockParser, excerpt
from syncline.checks.logs.parsers.rules import one_line
from syncline.checks.logs.paths import repository_path

_HEAD = re.compile(r"^(?P<name>\S.*?)(?<!\.)\.{3,}+(?:\([^()]*\))?Failed$")
_CHANGED = re.compile(r"^(?:Fixing|reformatted|Rewriting|Formatting|Sorting) (?P<path>\S+)$")


class PreCommit(BlockParser):
    """`name.....Failed`, `- hook id: x`, and perhaps that files were changed."""

    tool: ClassVar[str] = "pre-commit"
    words: ClassVar[tuple[str, ...]] = ("..Failed",)
    longest: ClassVar[int] = 12

    def opens(self, text: str) -> bool:
        """A hook that failed."""
        return text.endswith("..Failed")

    def closes(self, text: str) -> bool:
        """The next hook."""
        return text.endswith(("..Passed", "..Skipped"))

    def read(self, block: Sequence[Line]) -> Iterable[LogFailure]:
        """A hook that changed files is the cause itself; else it is what the hook complained of."""
        head = _HEAD.match(block[0].text)
        hook = next((line.text[11:].strip() for line in block[1:4] if line.text.startswith("- hook id: ")), "")
        if head is None or not hook:
            return
        changed = any("files were modified by this hook" in line.text for line in block[1:6])
        file = next((match for match in (_CHANGED.match(line.text) for line in block) if match), None)
        message = f"{hook}: files were modified by this hook" if changed else f"{hook} failed"
        yield LogFailure(
            self.tool,
            "modified" if changed else "hook",
            one_line(message),
            Weight.CAUSE if changed else Weight.SYMPTOM,
            block[0].number,
            repository_path(file["path"]) if file else "",
            symbol=hook[:200],
            excerpt=excerpt(block),
        )
