"""Fitting a text into a limit by replacing its least useful parts first. Pure.

A part is replaced as a whole, so nothing is ever cut in the middle of a fence or a folded block.
"""

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Shorter:
    """What can stand for a part; the lower the rank, the sooner it does."""

    rank: int
    text: str


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of text: `text`, then `parts`, then `close`; `shorter` replaces all three, step by step."""

    text: str
    parts: tuple["Part", ...] = ()
    close: str = ""
    shorter: tuple[Shorter, ...] = ()


@dataclass(slots=True)
class _Node:
    """A part while it is being fitted."""

    text: str
    close: str
    steps: list[Shorter]
    below: list["_Node"] = field(default_factory=list)
    gone: bool = False

    @classmethod
    def of(cls, part: Part) -> "_Node":
        return cls(part.text, part.close, list(part.shorter), [cls.of(one) for one in part.parts])

    def everything(self) -> Iterator["_Node"]:
        yield self
        for node in self.below:
            yield from node.everything()

    def size(self) -> int:
        return len(self.text) + len(self.close) + sum(node.size() for node in self.below)

    def shorten(self) -> int:
        """Apply the next step; return how many characters that saves (0 when it would save none)."""
        before = self.size()
        step = self.steps.pop(0)
        if len(step.text) >= before:
            return 0
        for node in self.everything():
            node.gone = node is not self
        self.text, self.close, self.below = step.text, "", []
        return before - len(step.text)

    def joined(self) -> str:
        return self.text + "".join(node.joined() for node in self.below) + self.close


def fit(parts: Sequence[Part], limit: int) -> str:
    """Return the parts joined, as much of them as `limit` characters can hold.

    Of the steps with the lowest rank the one of the longest part comes first. The result is longer than the
    limit only when every part is at its shortest.
    """
    root = _Node("", "", [], [_Node.of(part) for part in parts])
    left = root.size() - limit
    heap = [
        (node.steps[0].rank, -node.size(), number, node)
        for number, node in enumerate(root.everything())
        if node.steps
    ]
    heapq.heapify(heap)
    number = len(heap) + sum(1 for _ in root.everything())
    while left > 0 and heap:
        _, _, _, node = heapq.heappop(heap)
        if node.gone:
            continue
        left -= node.shorten()
        if node.steps:
            number += 1
            heapq.heappush(heap, (node.steps[0].rank, -node.size(), number, node))
    return root.joined()
