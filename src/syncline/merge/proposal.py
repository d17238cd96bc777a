"""What a resolver offers for a hunk. Whether it is accepted is the ladder's to say."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from syncline.merge.case import FileCase
from syncline.merge.hunks import Lines
from syncline.merge.model import Evidence


@dataclass(frozen=True, slots=True)
class Proposal:
    """One answer to one hunk of a file."""

    hunk: int
    """The hunk's index in its file."""
    lines: Lines
    """What would stand in place of the marked region, each line with its ending; none to delete it."""
    resolver: str
    """The resolver's NAME."""
    evidence: tuple[Evidence, ...]
    """Why, in a sentence each."""
    marks: tuple[str, ...] = ()
    """Which of its own guards hold, in words of a fixed, small vocabulary: what the ladder keeps a record of."""
    written: bool = False
    """Whether somebody wrote just this for just this conflict, white space included."""


class Resolver(Protocol):
    """A way to settle hunks. It declines by offering nothing, in bounded time, whatever it is given."""

    NAME: str

    def propose(self, case: FileCase) -> Iterator[Proposal]:
        """Yield what it offers for the hunks of `case`, at most a few for each."""
        ...
