"""Makes findings of what was lost: one sentence, the lost lines, the commits to look for, the mend."""

from collections.abc import Iterable, Sequence

from syncline.audit.dropped.groups import Group
from syncline.audit.dropped.judge import Judged, Why
from syncline.audit.dropped.losses import Loss
from syncline.audit.dropped.lost_lines import Block
from syncline.audit.dropped.mend import put_back, put_import_back
from syncline.audit.dropped.roles import Role, enclosing, role_in
from syncline.audit.evidence import asks_for
from syncline.audit.files.three_way import NAMES
from syncline.audit.finding import Asked, Did, Edit, Finding, Severity
from syncline.audit.four_trees import other
from syncline.audit.occurrences import stands_in
from syncline.git.paths import json_path
from syncline.merge.text.diff import edits

_SHOWN = 20
"""Lines of a loss that are shown."""
_LISTED = 40
"""Files in a list."""
_NAMED = 4
"""Other names of a loss that its message has."""
_NEAR = 12
"""Lines of base beside a loss in which the other side's change must be, to be named."""


def name_finding(group: Group, best: Judged, counting: Sequence[Judged]) -> Finding:
    """Return the finding for a group of blocks, told by its most telling name."""
    loss, lost = group.loss, best.lost
    # Where it is most telling may be in another block of the file.
    at = next((at for at in (lost.at, *lost.places) if group.block_at(at) is not None), group.blocks[0].start)
    block = group.block_at(at) or group.blocks[0]
    role = role_in(loss.file.path_of(loss.side), loss.had, at, lost.name)
    edit = _mend(group, best, block, at)
    name = shown(lost.name)
    where = enclosing(loss.had, at)
    place = f" in `{shown(where)}`" if where and where != lost.name and role is not Role.IMPORT else ""
    both = stands_in(loss.other.code, lost.name) and stands_in(loss.base.code, lost.name)
    whose = "both sides'" if both else f"{NAMES[loss.side]}'s"
    message = f"{whose} {role} `{name}`{place} is lost{_tail(best, role)}{_others(best, counting)}"
    return Finding(
        _kind(best, role), best.severity or Severity.LOOK, loss.path, message,
        line=near_line(loss, block), symbol=name, side="" if both else loss.side, text=text_of(loss, block, at),
        suggestion=_suggestion(best, loss, edit=bool(edit)), edits=edit,
        asks=(
            *asks_for(loss.side, loss.file.path_of(loss.side), (lost.name,), Did.ADDED, "added it"),
            *(_rewritten(loss, block) if best.severity is not Severity.LOOK else ()),
        ),
    )  # fmt: skip


def lines_finding(loss: Loss, found: Sequence[tuple[Block, Sequence[int]]]) -> Finding:
    """Return the finding for lines that were lost though nothing stood against them.

    Args:
        loss: the file.
        found: the blocks, and of each the lines.
    """
    lines = [loss.had.bare[at] for _, ats in found for at in ats]
    block = found[0][0]
    edit = put_back(loss, block) if len(found) == 1 else ()
    where = enclosing(loss.had, block.start) if loss.had.style is not None else b""
    place = f" in `{shown(where)}`" if where else ""
    count = "a line" if len(lines) == 1 else f"{len(lines)} lines"
    return Finding(
        "dropped-lines", Severity.LOOK, loss.path,
        f"{count} that {NAMES[loss.side]} added{place} {'is' if len(lines) == 1 else 'are'} lost, "
        "though nothing stood against them",
        line=near_line(loss, block), side=loss.side, text=tuple(map(shown, lines[:_SHOWN])), edits=edit,
        suggestion="put them back, or leave them out on purpose",
        asks=asks_for(loss.side, loss.file.path_of(loss.side), lines, Did.ADDED, "added it", most=1),
    )  # fmt: skip


def whole_finding(loss: Loss, names: Sequence[bytes], count: int) -> Finding:
    """Return the finding for a file in conflict that was taken whole from the other side."""
    listed = ", ".join(f"`{shown(name)}`" for name in names[:_NAMED])
    more = f" and {count - _NAMED} more" if count > _NAMED else ""
    return Finding(
        "dropped-file-change", Severity.LOOK, loss.path,
        f"{NAMES[other(loss.side)]}'s whole file was taken; what {NAMES[loss.side]} brought into it is lost: "
        f"{listed}{more}",
        symbol=shown(names[0]), side=loss.side, text=text_of(loss, loss.blocks[0]),
        asks=asks_for(loss.side, loss.file.path_of(loss.side), names, Did.ADDED, "added it", most=2),
    )  # fmt: skip


def more_whole_finding(found: Sequence[tuple[Loss, Sequence[bytes]]]) -> Finding:
    """Return the finding for many files in conflict that were taken whole from the other side."""
    side = found[0][0].side
    return Finding(
        "dropped-file-change", Severity.LOOK, b"",
        f"{NAMES[other(side)]}'s whole file was taken in {len(found)} more files; what {NAMES[side]} brought into "
        "them is lost",
        side=side,
        text=tuple(f"{json_path(loss.path)}: {shown(names[0])}" for loss, names in found[:_LISTED]),
    )  # fmt: skip


def shown(text: bytes) -> str:
    """Return bytes for people."""
    return text.decode("utf-8", "replace")


def text_of(loss: Loss, block: Block, at: int | None = None) -> tuple[str, ...]:
    """Return the lost lines of a block; of a long one those around line `at`."""
    start = block.lost.index(at) - _SHOWN // 2 if at is not None and at in block.lost else 0
    start = max(0, min(start, len(block.lost) - _SHOWN))
    return tuple(shown(loss.had.lines[one].rstrip()) for one in block.lost[start : start + _SHOWN])


def near_line(loss: Loss, block: Block) -> int | None:
    """Return the 1-based line of the merge behind which a block would stand; None where nothing tells."""
    for at in range(block.start - 1, max(-1, block.start - 60), -1):
        place = loss.merged.once.get(loss.had.bare[at])
        if place is not None:
            return loss.merged.filled[place] + 1
    return None


def _kind(best: Judged, role: Role) -> str:
    if best.why is Why.UNDEFINED:
        return "dropped-still-used"
    return {
        Role.DEFINITION: "dropped-definition", Role.IMPORT: "dropped-import", Role.CALL: "dropped-call",
        Role.DECORATOR: "dropped-decorator", Role.ARGUMENT: "dropped-argument",
        Role.PARAMETER: "dropped-parameter", Role.FIELD: "dropped-field", Role.MEMBER: "dropped-member",
        Role.KEY: "dropped-key",
    }.get(role, "dropped-use")  # fmt: skip


def _tail(best: Judged, role: Role) -> str:
    lost = best.lost
    match best.why:
        case Why.UNDEFINED if role is Role.IMPORT:
            return "; the name is still used, and nothing here defines it"
        case Why.UNDEFINED:
            return "; it is still called, and nothing defines it"
        case Why.UNUSED:
            return "; what it names is still defined, and nothing uses it any more"
        case Why.HALF:
            return f"; of its {lost.had} uses here {lost.has} {'is' if lost.has == 1 else 'are'} left"
        case Why.ELSEWHERE:
            files = len(best.stand.paths)
            return f"; it still stands in {'another file' if files == 1 else f'{files} other files'}"
        case Why.GONE:
            return "; nothing of it is left"


def _others(best: Judged, counting: Sequence[Judged]) -> str:
    names = [shown(one.lost.name) for one in counting if one is not best]
    if not names:
        return ""
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f" (with it {', '.join(f'`{name}`' for name in names[:_NAMED])}{more})"


def _suggestion(best: Judged, loss: Loss, *, edit: bool) -> str:
    if edit:
        return "put the lost lines back"
    if best.why is Why.UNDEFINED:
        return f"bring back what {NAMES[loss.side]} has, or take the uses out"
    return f"see whether what {NAMES[other(loss.side)]} has here needs it too"


def _mend(group: Group, best: Judged, block: Block, at: int) -> tuple[Edit, ...]:
    sure = put_back(group.loss, block) if len(group.blocks) == 1 else ()
    if not sure and best.lost.role is Role.IMPORT and best.why is Why.UNDEFINED:
        return put_import_back(group.loss, at, best.lost.name)
    return sure


def _rewritten(loss: Loss, block: Block) -> Iterable[Asked]:
    """Ask for the commit by which the other side removed or rewrote what stood beside a block."""
    base = loss.base.bare
    at = next(
        (
            loss.base.filled[place]
            for line in reversed(loss.had.bare[max(0, block.start - 60) : block.start])
            if (place := loss.base.once.get(line)) is not None
        ),
        None,
    )
    if at is None:
        return ()
    near = [
        line
        for edit in edits(base, loss.other.bare)
        if edit.a < edit.a_end and at - _NEAR <= edit.a_end and edit.a <= at + _NEAR
        for line in base[edit.a : edit.a_end]
        if len(line) > 3
    ]
    if not near:
        return ()
    return asks_for(
        other(loss.side), loss.file.path_of(other(loss.side)), (max(near, key=len),), Did.REMOVED,
        "changed the code around it",
    )  # fmt: skip
