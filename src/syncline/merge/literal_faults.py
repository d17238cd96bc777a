"""Why a merged text must not be accepted for its literals: one is new, or one that a side wrote is gone. Pure."""

from collections import Counter
from collections.abc import Iterator

from syncline.merge.case import HunkCase
from syncline.merge.hunks import Lines
from syncline.merge.text.literals import literals


def literal_faults(hunk: HunkCase, lines: Lines) -> Iterator[str]:
    """Yield a sentence for each number, version, date or time of a merged text that no version has as a whole.

    And for each side that added one, where the text has it no more. As words are counted, `1.2.0` would be there
    as long as a 1, a 2 and a 0 are.
    """
    here = Counter(literals(lines))
    base, ours, theirs = (Counter(literals(version)) for version in (hunk.base, hunk.ours, hunk.theirs))
    if not (here or ours or theirs):
        return
    file = hunk.file
    known = {*ours, *theirs, *base, *literals(hunk.outer.base.of(file.base_lines))}
    for literal in here:
        if literal not in known:
            yield f"holds {_shown(literal)}, which no version has"
    for name, side in (("target", ours), ("source", theirs)):
        lost = next(iter(side - base - here), None)
        if lost is not None:
            yield f"lacks {_shown(lost)}, which {name} added"


def _shown(literal: bytes) -> str:
    return literal.decode("utf-8", "replace")[:80]
