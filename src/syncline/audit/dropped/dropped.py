"""The audit: what either side added or changed since base and the merge lost, symmetric.

Only files are looked at that are not as git itself merged them. What is told is, from the gravest to the least:
names that are used and no longer defined; new names of which half was lost (the call, while its definition
stayed); new names that stand in other files and were left out of one; headings, keys and lines that went though
nothing stood against them. What belongs together is one finding.
"""

from collections.abc import Iterator, Sequence

from syncline.audit.dropped.groups import groups
from syncline.audit.dropped.judge import Judge, Judged, most_telling
from syncline.audit.dropped.losses import Loss, losses
from syncline.audit.dropped.lost_lines import Block
from syncline.audit.dropped.lost_names import LostName, lost_names
from syncline.audit.dropped.purpose import place_is_gone, really_lost
from syncline.audit.dropped.roles import Role
from syncline.audit.dropped.say import lines_finding, more_whole_finding, name_finding, whole_finding
from syncline.audit.dropped.sections import lost_sections
from syncline.audit.dropped.standing import Standing
from syncline.audit.finding import Finding, Severity
from syncline.audit.four_trees import SIDES
from syncline.audit.task import Task

_JOINS = 5
"""Letters of a name whose blocks belong together."""
_WHOLE = 8
"""Files taken whole that have a finding of their own; more become one."""
_LOOKED = 2_000
"""Lost lines of one file of which each is looked at."""
_NAMES = 12
"""New names of a file taken whole that are looked at."""
_TELLING = {
    Role.DEFINITION, Role.IMPORT, Role.CALL, Role.DECORATOR, Role.ARGUMENT, Role.PARAMETER, Role.FIELD,
    Role.MEMBER, Role.KEY,
}  # fmt: skip


def dropped(task: Task) -> Iterator[Finding]:
    """Yield a finding for each thing that the merge lost of a side."""
    found = list(losses(task))
    standing = Standing(task)
    mixed = [(loss, lost_names(loss)) for loss in found if not loss.whole]
    old = standing.in_base({name for _, names in mixed for name, lost in names.items() if lost.counts})
    stands = {
        side: standing.in_merge(
            side,
            {
                name
                for loss, names in mixed
                if loss.side is side
                for name, lost in names.items()
                if lost.counts and (lost.role is Role.PARAMETER or name not in old)
            },
            old,
        )
        for side in SIDES
    }
    judge = Judge(task.trees, standing)
    for loss, names in mixed:
        yield from _of_file(loss, names, judge.names(loss, names, old, stands[loss.side]), standing)
    for loss in found:
        if loss.whole and loss.had.style is None:
            yield from (section.finding for section in lost_sections(loss, loss.blocks))
    for side in SIDES:
        yield from _whole([loss for loss in found if loss.whole and loss.side is side])


def _of_file(
    loss: Loss, names: dict[bytes, LostName], judged: dict[bytes, Judged], standing: Standing
) -> Iterator[Finding]:
    blocks = [block for block in loss.blocks if not place_is_gone(loss, block)]
    joining = {
        name
        for name, lost in names.items()
        if len(name) >= _JOINS and ((name in judged and judged[name].new) or (lost.local and not lost.has))
    }
    told: set[Block] = set()
    looks: list[Finding] = []
    for group in groups(loss, blocks, names, joining):
        best = most_telling(group, judged)
        if best is None:
            continue
        told.update(group.blocks)
        counting = [
            judged[lost.name]
            for lost in group.names
            if lost.name in judged and judged[lost.name].severity is not None
        ]
        finding = name_finding(group, best, counting)
        if finding.severity is Severity.LOOK:
            looks.append(finding)
        else:
            yield finding
    for section in lost_sections(loss, [block for block in blocks if block not in told]):
        told.update(section.blocks)
        looks.append(section.finding)
    rest = _lines(loss, [block for block in blocks if block not in told], standing)
    if rest:
        looks.append(lines_finding(loss, rest))
    yield from looks


def _lines(loss: Loss, blocks: Sequence[Block], standing: Standing) -> list[tuple[Block, list[int]]]:
    """Return the lines of some blocks that were lost though nothing stood against them, and did not move."""
    if not blocks:
        return []
    found = []
    looked = 0
    for block in blocks:
        lost = really_lost(loss, block)
        if lost:
            found.append((block, lost))
        looked += len(block.lost)
        if looked > _LOOKED:
            break
    bare = loss.had.bare
    moved = standing.moved(loss.side, loss.path, {bare[at] for _, lost in found for at in lost}) if found else ()
    found = [(block, [at for at in lost if bare[at] not in moved]) for block, lost in found]
    return [(block, lost) for block, lost in found if lost]


def _whole(found: Sequence[Loss]) -> Iterator[Finding]:
    """Yield what files in conflict lost of a side because the other one's was taken whole."""
    listed = []
    for loss in found:
        names = [one for one in lost_names(loss, most=_NAMES).values() if _tells(one)]
        if names:
            names.sort(key=lambda one: (list(Role).index(one.role), -len(one.name), one.name))
            listed.append((loss, [one.name for one in names]))
    for loss, names in listed[:_WHOLE]:
        yield whole_finding(loss, names, len(names))
    if listed[_WHOLE:]:
        yield more_whole_finding(listed[_WHOLE:])


def _tells(lost: LostName) -> bool:
    """Whether a name stands for what a side brought into a file; `append` and `len` are called everywhere."""
    if lost.has or lost.role not in _TELLING:
        return False
    return lost.role is not Role.CALL or b"_" in lost.name[1:-1] or lost.name.lower() != lost.name
