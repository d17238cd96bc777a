"""What a checker says of the merge and of neither side. Pure, but for reading the lines concerned."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from syncline.audit.fits.diagnostic import Diagnostic, normal
from syncline.merge.model import Side

Read = Callable[[Side | None, bytes, int], str]
"""Gives a line of a file as a side has it (None: the merge), without white space around it."""


@dataclass(frozen=True, slots=True)
class Fresh:
    """A diagnostic that is new, and its line."""

    diagnostic: Diagnostic
    text: str


Key = tuple[str, bytes, str]
"""Rule, file as the merge has it, message: what makes two diagnostics the same."""
Now = Callable[[bytes], bytes]
"""Gives the path at which the merge has a side's file."""


def surplus(merged: Sequence[Diagnostic], said: Sequence[Diagnostic], now: Now) -> set[Key]:
    """Return what the merge has more often than a side."""
    # What is said of both in the very same words, as most is, need not be made comparable first.
    left = Counter((one.rule, one.path, one.message) for one in merged)
    left.subtract(Counter((one.rule, now(one.path), one.message) for one in said))
    more: Counter[Key] = Counter()
    for (rule, path, message), count in left.items():
        if count:
            more[rule, path, normal(message)] += count
    return {key for key, count in more.items() if count > 0}


def fresh(
    merged: Sequence[Diagnostic], sides: Mapping[Side, Sequence[Diagnostic]], more: set[Key], read: Read
) -> list[Fresh]:
    """Return what is new in the merge, in the order in which the checker said it.

    What the merge has more often than each side is compared line by line, wherever the lines stand: of two faults
    alike, one from each side, the merge has both, and neither is new.

    Args:
        merged: what was said of the merge.
        sides: what was said of each side.
        more: what the merge has more often than each side.
        read: gives lines.
    """
    words = {(rule, message) for rule, _, message in more}
    known: dict[tuple[str, str, str], int] = defaultdict(int)
    for side, said in sides.items():
        lines = Counter(
            (one.rule, one.normal, read(side, one.path, one.line))
            for one in said
            if (one.rule, one.normal) in words
        )
        for key, count in lines.items():
            known[key] = max(known[key], count)
    candidates = [Fresh(one, read(None, one.path, one.line)) for one in merged if (one.rule, one.normal) in words]
    left = Counter((one.diagnostic.rule, one.diagnostic.normal, one.text) for one in candidates)
    left.subtract(known)
    return [
        one
        for one in candidates
        if (one.diagnostic.rule, one.diagnostic.path, one.diagnostic.normal) in more
        and left[one.diagnostic.rule, one.diagnostic.normal, one.text] > 0
    ]
