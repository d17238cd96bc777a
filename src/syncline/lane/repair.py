"""Rounds of mechanical repairs: one with the merge, others when more is to be mended."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from syncline.audit.policy import changed_protected, split_coupled_sets
from syncline.audit.topology import wrong_topology
from syncline.errors import FenceError, SynclineError
from syncline.git import CommitId, TreeId
from syncline.git.commit import read_commit, write_commit
from syncline.git.paths import json_path
from syncline.lane.actions import Repair
from syncline.lane.context import LaneContext
from syncline.lane.ends import Ends, require_tip
from syncline.lane.generated import generated_run
from syncline.lane.mended import looker, mended_run, why_over
from syncline.lane.observation import Observation
from syncline.lane.repair_commit import Held, held, roll, write_repair
from syncline.lane.shape import target_below
from syncline.repair.formatters import format_changed
from syncline.repair.formatters_proven import without_what_is_worse
from syncline.repair.prove import Mended
from syncline.repair.regenerate import Regenerated

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class _Done:
    """A tree, what was done to get there, a line each, and how many findings are left."""

    tree: TreeId
    repairs: tuple[str, ...]
    left: int
    made: Regenerated | None = None
    """What the lane's commands made anew in it."""


def repair_merge(
    context: LaneContext, run: str, merge: CommitId, *, waiting: frozenset[bytes], now: datetime, tell: Tell
) -> CommitId:
    """Mend and format what a merge made, before anybody sees it.

    Args:
        context: the lane.
        run: the run's name.
        merge: its merge commit, just written.
        waiting: paths with a conflict that waits for people.
        now: the date of the commit.
        tell: is told what takes long.

    Returns:
        The repair commit; the merge commit, where there is nothing to repair.

    Raises:
        SynclineError: a formatter fails.
    """
    ours, theirs = read_commit(context.repository, merge).parents
    mended = None
    if context.lane.repair.mechanical and context.lane.repair.rounds:
        tell("looking for what can be mended")
        mended = mended_run(
            context.repository, context.lane, ours=ours, theirs=theirs,
            tree=read_commit(context.repository, merge).tree, waiting=waiting,
        )  # fmt: skip
    done = _done(
        context, merge, merge, mended, ours=ours, waiting=waiting, made=(), now=now, tell=tell
    )  # fmt: skip
    anything = done.made is not None and done.made.done
    if done.tree == read_commit(context.repository, merge).tree and not anything:
        return merge
    left = done.left if (mended is not None and mended.done) or anything else None
    holds = Held().with_repairs(done.repairs, left)
    if done.made is not None:
        holds = holds.with_generated(done.made)
    return write_repair(context, run, merge, done.tree, holds, now)


def repair_branch(context: LaneContext, seen: Observation, action: Repair, *, now: datetime, tell: Tell) -> str:
    """Write the repair commit of the open proposal, or write it anew, and push it with a lease.

    Raises:
        FenceError: the branch moved, or there is nothing to repair any more.
        SynclineError: git or the remote refuses.
    """
    repository, lane = context.repository, context.lane
    proposal, ends = context.forge.proposal(action.number), Ends(seen.plan.source, seen.plan.target)
    shape = context.shape(action.head, proposal.run, ends)
    if shape is None:
        raise FenceError(f"{action.head.short} does not hold the merge commit of run {proposal.run}")
    require_tip(context.branches, proposal.branch, action.head)
    holds = held(repository, shape)
    over = why_over(lane, holds.left, shape, checked_out=context.branches.checked_out(proposal.branch))
    mended, made = context.mended(shape, ends), context.generated(shape, ends)
    if over or not (mended.done or (made is not None and made.done)):
        raise FenceError(f"nothing is repaired at {action.head.short}: {over or 'there is nothing any more'}")
    merge, ours = shape.merge.oid, target_below(repository, shape, ends.target)
    waiting = context.waiting(shape, ends)
    done = _done(
        context, merge, action.head, mended, ours=ours, waiting=waiting, made=holds.generated, now=now, tell=tell
    )  # fmt: skip
    holds = holds.with_repairs(done.repairs, done.left)
    if done.made is not None:
        holds = holds.with_generated(done.made)
    new = write_repair(context, shape.run, merge, done.tree, holds, now)
    refuse_broken_promises(context, merge, new)
    if why := roll(context, shape, proposal.branch, new):
        return f"what is mended stays undone, since {shape.branch} takes no commit back: {why}"
    more = f", {len(done.made.done)} made anew" if done.made is not None and done.made.done else ""
    return f"repaired {len(mended.done)} findings in {new.short}{more}, {done.left} are left"


def _done(
    context: LaneContext,
    merge: CommitId,
    head: CommitId,
    mended: Mended | None,
    *,
    ours: CommitId,
    waiting: frozenset[bytes],
    made: Sequence[str],
    now: datetime,
    tell: Tell,
) -> _Done:
    """Return what mends, formatters and commands make of a head; `made`: what the latter made before."""
    done = _formatted(context, merge, head, mended, ours=ours, waiting=waiting, now=now, tell=tell)
    lane = context.lane
    if not (lane.repair.regenerate and lane.repair.mechanical and lane.repair.rounds):
        return done
    # Last, so that what is made fits what it is made from.
    tell("looking for what is to be made anew")
    got = generated_run(
        context.repository, lane, ours=ours, theirs=read_commit(context.repository, merge).parents[1],
        tree=done.tree, waiting=waiting, made=made, waivers=context.waivers,
    )  # fmt: skip
    for line in (*(one.words for one in got.done), *got.failed):
        tell(line)
    return replace(done, tree=got.tree, left=got.left, made=got)


def _formatted(
    context: LaneContext,
    merge: CommitId,
    head: CommitId,
    mended: Mended | None,
    *,
    ours: CommitId,
    waiting: frozenset[bytes],
    now: datetime,
    tell: Tell,
) -> _Done:
    repository, lane = context.repository, context.lane
    tree = mended.tree if mended is not None else read_commit(repository, head).tree
    repairs = tuple(mend.words for mend in mended.done) if mended is not None else ()
    left = mended.left if mended is not None else 0
    if not lane.formatters:
        return _Done(tree, repairs, left)
    tell("running formatters")
    at = merge
    if tree != read_commit(repository, merge).tree:
        # Of no ref, and nobody's: formatters run where a commit is checked out.
        person = context.person
        at = write_commit(
            repository, tree=tree, parents=(merge,), message="mended\n", author=person, committer=person, when=now
        )
    formatted = format_changed(repository, merge, lane.formatters, at=at)
    if formatted.tree == tree:
        return _Done(tree, repairs, left)
    if lane.repair.mechanical:
        look = looker(
            repository, lane, ours=ours, theirs=read_commit(repository, merge).parents[1], waiting=waiting
        )
        kept = without_what_is_worse(repository, tree, formatted, look)
        for line in kept.left_out:
            tell(line)
        return _Done(kept.tree, (*repairs, *kept.repairs, *kept.left_out), kept.left)
    return _Done(formatted.tree, (*repairs, *formatted.repairs), left)


def refuse_broken_promises(context: LaneContext, merge: CommitId, head: CommitId) -> None:
    """The last look before anything leaves: what policy promises must hold in the commits themselves.

    Raises:
        SynclineError: it does not.
    """
    repository, lane = context.repository, context.lane
    commit = read_commit(repository, merge)
    ours, theirs = commit.parents
    broken = [
        *changed_protected(repository, lane, ours, head),
        *split_coupled_sets(repository, lane, ours=ours, theirs=theirs, head=head),
        *wrong_topology(repository, lane, commit),
    ]
    if broken:
        words = "; ".join(f"{json_path(finding.path)} {finding.message}".strip() for finding in broken[:5])
        raise SynclineError(
            f"the prepared commits break the lane's policy and were not pushed: {words}",
            hint="a formatter may have touched a protected file; exclude it in the formatter's `match`",
        )
