"""Which files may have lost something of a side, and the blocks of lines that they lost."""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from syncline.audit.dropped.code_words import IMPORTS, style_of
from syncline.audit.dropped.lost_lines import Block, blocks, lost_lines
from syncline.audit.dropped.text import TOKEN, Text
from syncline.audit.dropped.titles import KEYED, PROSE
from syncline.audit.files.by_hand import HandMade, by_hand
from syncline.audit.four_trees import SIDES, Versions, other
from syncline.audit.task import Task
from syncline.merge.file_group import FileGroup, file_group
from syncline.merge.model import Side
from syncline.merge.resolvers.path_rule import first_rule
from syncline.merge.resolvers.patterns import matches

_PLAIN = 4
"""Files without conflict taken whole from a side that are looked at; of more, `evil` tells that they were."""


_INVENTED = 200
"""New lines of a file whose words are looked at; where more are new, the text was written anew."""
_REACH = 200
"""Lines beside a block in which one is sought that base has."""


@dataclass(frozen=True)
class Loss:
    """One file, and what it lost of one side."""

    file: Versions
    side: Side
    base: Text
    had: Text
    """The side's version."""
    other: Text
    merged: Text
    automatic: Text
    """What git made of it, without the marked regions; empty where git has nothing there."""
    conflicted: bool
    blocks: tuple[Block, ...]

    @property
    def path(self) -> bytes:
        """Where the merge has the file."""
        return self.file.path

    @property
    def whole(self) -> bool:
        """Whether a conflict was settled by taking the other side's version as it is."""
        return self.conflicted and self.file.merged == self.file.of(other(self.side))

    @cached_property
    def lost(self) -> tuple[int, ...]:
        """All lost lines."""
        return tuple(at for block in self.blocks for at in block.lost)

    @cached_property
    def invented(self) -> list[Counter[bytes]]:
        """The words of lines of the merge that nobody else has, git's own merge included: of the first so many."""
        base, had, other, automatic = self.base.counts, self.had.counts, self.other.counts, self.automatic.counts
        lines = (
            line
            for line in self.merged.counts
            if line and line not in had and line not in other and line not in base and line not in automatic
        )
        return [Counter(TOKEN.findall(line)) for line in islice(lines, _INVENTED)]

    def taken_out(self, block: Block) -> list[int]:
        """Return those lost lines of a block that git had merged, so that somebody took them out by hand."""
        had, now = self.automatic.counts, self.merged.counts
        return [at for at in block.lost if had.get(self.had.bare[at], 0) > now.get(self.had.bare[at], 0)]

    def left_alone(self, block: Block) -> bool:
        """Whether the other side changed nothing where a block stands, and the merge has it as it was there."""
        kept = self.base.counts
        lines = self.had.bare
        start, end = max(0, block.start - _REACH), block.end + _REACH
        above = next((line for line in reversed(lines[start : block.start]) if line and line in kept), None)
        below = next((line for line in lines[block.end : end] if line and line in kept), None)
        if (above is None and start) or (below is None and end < len(lines)):
            return False
        before = self.base.between(above, below)
        return before is not None and before == self.other.between(above, below) == self.merged.between(
            above, below
        )


def losses(task: Task) -> Iterator[Loss]:
    """Yield what files lost of a side, for each file that is not as git merged it.

    What git merges itself it never drops; only conflicts, and what was done by hand, can lose something.
    """
    made = [one for one in by_hand(task) if file_group(one.file.path) is not FileGroup.LOCK]
    plain = [one for one in made if not one.conflicted and not one.file.is_mixed]
    if len(plain) > _PLAIN:
        made = [one for one in made if one.conflicted or one.file.is_mixed]
    made = [one for one in made if one.file.is_mixed or not one.conflicted or _may_tell(one.file.path)]
    task.trees.read_ahead(
        entry
        for one in made
        for entry in (one.file.base, one.file.ours, one.file.theirs, one.file.merged, one.automatic)
    )
    for one in made:
        yield from _losses_of(task, one)


def _may_tell(path: bytes) -> bool:
    """Whether a file in conflict that was taken whole may hold something with a name."""
    if file_group(path) is FileGroup.GENERATED:
        return False
    return style_of(path) is not None or path.endswith((*PROSE, *KEYED))


def _losses_of(task: Task, made: HandMade) -> Iterator[Loss]:
    file = made.file
    sides = [side for side in SIDES if file.lost_by(side) and not _ruled(task, file, side, made.conflicted)]
    contents = task.trees.contents(file) if sides else None
    if contents is None:
        return
    style = style_of(file.path)
    base, merged = Text(contents.base, style), Text(contents.merged, style)
    texts = {side: Text(contents.of(side), style) for side in SIDES}
    automatic = Text(outside(task.trees.text(made.automatic), (task.trees.ours, task.trees.theirs)), style)
    kept = (
        _kept_imports(texts[Side.OURS], texts[Side.THEIRS], merged)
        if style is not None and file.is_mixed
        else set()
    )
    for side in sides:
        had = texts[side]
        lost = lost_lines(base, had, texts[other(side)], merged)
        if not made.conflicted:
            lost = sorted({*lost, *_taken_out(base, had, automatic, merged)})
        if kept and side is sides[0]:
            lost = sorted({*lost, *(at for at, line in enumerate(had.bare) if line in kept)})
        if lost:
            found = tuple(blocks(lost, had.lines))
            yield Loss(file, side, base, had, texts[other(side)], merged, automatic, made.conflicted, found)


def _taken_out(base: Text, had: Text, automatic: Text, merged: Text) -> Iterator[int]:
    """Yield the lines that git had merged and the merge has less often; those too that the side indented anew."""
    now = merged.counts
    out = {line for line, count in automatic.counts.items() if line and now.get(line, 0) < count}
    if out:
        yield from (at for at, line in enumerate(had.bare) if line in out and had.lines[at] not in base.exact)


def _kept_imports(ours: Text, theirs: Text, merged: Text) -> set[bytes]:
    """Return the import lines that both sides have and the merge has not: whoever made it took them out."""
    there, now = theirs.counts, merged.counts
    return {line for line in ours.counts if line not in now and line in there and IMPORTS.match(line)}


def _ruled(task: Task, file: Versions, side: Side, conflicted: bool) -> bool:  # noqa: FBT001 - what it was
    """Whether the lane's policy had the merge take the other side's version."""
    lane = task.lane
    if lane is None or file.merged != file.of(other(side)):
        return False
    paths = {file.path, file.our_path, file.their_path}
    if any(matches(coupled.paths, path) for coupled in lane.coupled for path in paths):
        return True
    rule = first_rule(lane.paths, paths)
    if rule is None:
        return False
    keeps = Side.OURS if rule.take == "protect" else rule.take
    return keeps == other(side) and (conflicted or rule.when == "always")


def outside(automatic: bytes, labels: Collection[str]) -> bytes:
    """Return what git merged of a file, without the marked regions; the labels stand behind their markers."""
    opening = tuple(b"<<<<<<< " + label.encode() for label in labels)
    if not any(mark in automatic for mark in opening):
        return automatic
    closing = tuple(b">>>>>>> " + label.encode() for label in labels)
    kept: list[bytes] = []
    inside = False
    for line in automatic.split(b"\n"):
        if not inside and line.startswith(opening):
            inside = True
        elif inside:
            inside = not line.startswith(closing)
        else:
            kept.append(line)
    return b"\n".join(kept)
