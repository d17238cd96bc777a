"""What a three-way merge makes of any property that cannot be mixed: a mode, a kind, a commit."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from syncline.git import Entry
from syncline.git.tree import Mode
from syncline.merge.model import Side

Property = TypeVar("Property")


@dataclass(frozen=True, slots=True)
class Expected(Generic[Property]):
    """The value that the merge must have, and the side that changed to it (None: nobody, or both)."""

    value: Property
    side: Side | None


def expected(base: Property | None, ours: Property | None, theirs: Property | None) -> Expected[Property] | None:
    """Return what must come of three values, None standing for a tree that has none; None where either may be.

    https://git-scm.com/docs/git-merge ("How conflicts are presented"): a change of one side is taken.
    """
    if ours is None or theirs is None:
        if ours is None and theirs is None:
            return None
        kept, side = (ours, Side.OURS) if ours is not None else (theirs, Side.THEIRS)
        assert kept is not None  # noqa: S101 - one of the two is there
        return Expected(kept, side)
    if ours == theirs:
        return Expected(ours, None)
    if base == theirs:
        return Expected(ours, Side.OURS)
    if base == ours:
        return Expected(theirs, Side.THEIRS)
    return None


def kind_of(entry: Entry) -> Mode:
    """Return whether an entry is a file (executable or not), a link or a submodule."""
    return Mode.FILE if entry.mode.is_file else entry.mode


NAMES = {Side.OURS: "target", Side.THEIRS: "source"}
