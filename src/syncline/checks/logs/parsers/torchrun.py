"""torchrun: its report of which process failed first."""

import re
from collections.abc import Sequence
from typing import ClassVar

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.block import BlockParser, excerpt

_HEAD = "Root Cause (first observed failure)"
_FIELD = re.compile(r"^ *(rank|exitcode|traceback) *: (.*)$")
_SIGNAL = re.compile(r"Signal (\d+) \((SIG\w+)\)")


class Torchrun(BlockParser):
    """The process that failed first. What it met is in its own log: this only tells where to look."""

    tool: ClassVar[str] = "torchrun"
    words: ClassVar[tuple[str, ...]] = (_HEAD,)
    longest: ClassVar[int] = 12

    def opens(self, text: str) -> bool:
        """Tell whether the report's last part begins."""
        return text.startswith(_HEAD)

    def closes(self, text: str) -> bool:
        """Tell whether the report is over."""
        return text.startswith("=====")

    def read(self, block: Sequence[Line]) -> Sequence[LogFailure]:
        """Give the failure of the process."""
        fields = {found[1]: found[2] for line in block if (found := _FIELD.match(line.text)) is not None}
        rank = re.match(r"\d{1,6}", fields.get("rank", ""))
        code = re.match(r"-?\d{1,4}", fields.get("exitcode", ""))
        if rank is None or code is None:
            return ()
        signal = _SIGNAL.search(fields.get("traceback", ""))
        kind = signal[2] if signal is not None else "ChildFailedError"
        weight = Weight.END if signal is not None else Weight.SYMPTOM
        message = (
            f"a process ended first, by {signal[2]}" if signal else f"a process failed first, exit code {code[0]}"
        )
        return (
            LogFailure(
                "torchrun", kind, message, weight, block[0].number, rank=int(rank[0]), excerpt=excerpt(block),
            ),
        )  # fmt: skip
