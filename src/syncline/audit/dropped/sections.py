"""Headings of documents and keys of configuration that a side added and the merge has not."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from syncline.audit.dropped.losses import Loss
from syncline.audit.dropped.lost_lines import Block
from syncline.audit.dropped.mend import put_back
from syncline.audit.dropped.say import near_line, shown, text_of
from syncline.audit.dropped.titles import KEYED, PROSE, headings, keys
from syncline.audit.evidence import asks_for
from syncline.audit.files.three_way import NAMES
from syncline.audit.finding import Did, Finding, Severity
from syncline.merge.file_group import FileGroup, file_group

_NAMED = 4
_SAME = 0.5
"""What share of a section must still be there for its heading to be only called something else."""


@dataclass(frozen=True, slots=True)
class Section:
    """Blocks and the finding that tells them."""

    blocks: tuple[Block, ...]
    finding: Finding


def lost_sections(loss: Loss, blocks: Sequence[Block]) -> Iterator[Section]:
    """Yield the lost headings of a document, or the lost keys of a configuration together."""
    if loss.path.endswith(PROSE):
        yield from _headings(loss, blocks)
    elif loss.path.endswith(KEYED):
        yield from _keys(loss, blocks)


def _headings(loss: Loss, blocks: Sequence[Block]) -> Iterator[Section]:
    titles = headings(loss.had.lines)
    known = {*headings(loss.base.lines).values(), *headings(loss.merged.lines).values()}
    for block in blocks:
        lost = [(at, titles[at]) for at in block.lost if at in titles and titles[at] not in known]
        if not lost or _still_there(loss, titles, lost[0][0]):
            continue
        names = [title for _, title in lost]
        below = "" if len(names) == 1 else f" (and {len(names) - 1} below it)"
        yield Section(
            (block,),
            _finding(
                loss, (block,), "dropped-heading", names[0],
                f"{NAMES[loss.side]}'s heading `{shown(names[0])}`{below} is lost, with what stands under it",
            ),
        )  # fmt: skip


def _still_there(loss: Loss, titles: dict[int, bytes], at: int) -> bool:
    """Whether most of what stands under a heading is in the merge, so that it only has another title."""
    end = min((line for line in titles if line > at), default=len(loss.had.lines))
    under = [line for line in loss.had.bare[at + 1 : end] if line]
    return bool(under) and sum(line in loss.merged.counts for line in under) > _SAME * len(under)


def _keys(loss: Loss, blocks: Sequence[Block]) -> Iterator[Section]:
    if file_group(loss.path) is FileGroup.GENERATED:
        return
    known = keys(loss.base.lines).keys() | keys(loss.merged.lines).keys()
    there = keys(loss.had.lines)
    lost = {at: path for path, at in there.items() if path not in known}
    found = [(block, [lost[at] for at in block.lost if at in lost]) for block in blocks]
    found = [(block, paths) for block, paths in found if paths]
    paths = [path for _, some in found for path in some]
    if not paths:
        return
    tops = [path for path in paths if not any(path[: len(one)] == one for one in paths if len(one) < len(path))]
    names = [shown(b".".join(path)) for path in tops]
    listed = ", ".join(f"`{name}`" for name in names[:_NAMED])
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    word = "key" if len(names) == 1 else "keys"
    yield Section(
        tuple(block for block, _ in found),
        _finding(
            loss, tuple(block for block, _ in found), "dropped-key", tops[0][-1],
            f"{NAMES[loss.side]}'s {word} {listed}{more} {'is' if len(names) == 1 else 'are'} lost",
        ),
    )  # fmt: skip


def _finding(loss: Loss, blocks: tuple[Block, ...], kind: str, symbol: bytes, message: str) -> Finding:
    alone = any(loss.left_alone(block) for block in blocks)
    taken = any(len(loss.taken_out(block)) * 2 > len(block.lost) for block in blocks)
    edit = put_back(loss, blocks[0]) if len(blocks) == 1 else ()
    return Finding(
        kind, Severity.FIX if (alone or taken) and edit else Severity.LOOK, loss.path,
        message + (", though nothing stood against it" if alone or taken else ""),
        line=near_line(loss, blocks[0]), symbol=shown(symbol), side=loss.side, text=text_of(loss, blocks[0]),
        suggestion="put it back, or leave it out on purpose", edits=edit,
        asks=asks_for(
            loss.side, loss.file.path_of(loss.side),
            (loss.had.bare[blocks[0].lost[0]] if kind == "dropped-heading" else symbol,), Did.ADDED, "added it",
        ),
    )  # fmt: skip
