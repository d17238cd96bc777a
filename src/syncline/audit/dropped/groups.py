"""Puts together what was lost together: blocks of one file that share new names are one loss."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from syncline.audit.dropped.losses import Loss
from syncline.audit.dropped.lost_lines import Block
from syncline.audit.dropped.lost_names import LostName


@dataclass(frozen=True)
class Group:
    """Blocks of one file that belong together."""

    loss: Loss
    blocks: tuple[Block, ...]
    names: tuple[LostName, ...]
    """The new names in them."""

    def block_at(self, line: int) -> Block | None:
        """Return the block in which a line of the side's version stands."""
        return next((block for block in self.blocks if block.start <= line < block.end), None)


def groups(
    loss: Loss, blocks: Collection[Block], names: Mapping[bytes, LostName], joining: Collection[bytes]
) -> list[Group]:
    """Return the blocks in groups, in the order of the file.

    Args:
        loss: the file.
        blocks: those that count.
        names: its lost names.
        joining: those that are so much of one thing that all blocks with one belong together.
    """
    listed = list(blocks)
    of_line = {at: index for index, block in enumerate(listed) for at in block.lost}
    leader = list(range(len(listed)))

    def first(index: int) -> int:
        while leader[index] != index:
            leader[index] = leader[leader[index]]
            index = leader[index]
        return index

    inside = {name: sorted({of_line[at] for at in lost.places if at in of_line}) for name, lost in names.items()}
    for name, where in inside.items():
        if name in joining:
            for index in where[1:]:
                one, two = sorted((first(where[0]), first(index)))
                leader[two] = one
    found: dict[int, list[Block]] = {}
    for index, block in enumerate(listed):
        found.setdefault(first(index), []).append(block)
    return [
        Group(
            loss,
            tuple(members),
            tuple(names[name] for name, where in inside.items() if any(first(index) == head for index in where)),
        )
        for head, members in found.items()
    ]
