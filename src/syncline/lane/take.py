"""Files settled by an order with one side's version: one commit on the branch, which counts as people's.

The commit carries the names of the orders, so that none is carried out twice. What somebody else has put on the
branch is never changed by it: such files are refused, and the push is fenced by the head that was looked at.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from syncline import trailer_names
from syncline.audit.finding import Finding
from syncline.audit.policy import changed_protected, split_coupled_sets
from syncline.errors import FenceError, GitError
from syncline.forge.orders import Order
from syncline.git import CommitId, Entry, Mode
from syncline.git.commit import read_commit, read_commits, write_commit
from syncline.git.paths import json_path
from syncline.lane.context import LaneContext
from syncline.lane.shape import target_below
from syncline.lane.state import State
from syncline.merge.model import RULES, ConflictKind, Decision
from syncline.merge.resolvers.path_rule import first_rule, rule_text
from syncline.merge.side_version import file_at, side_version
from syncline.propose.commit_message import taken_message
from syncline.propose.model import Settled
from syncline.propose.settle import trailer_pattern

_WHOLE = frozenset((
    ConflictKind.CONTENT, ConflictKind.ADD_ADD, ConflictKind.MODIFY_DELETE, ConflictKind.SUBMODULE,
    ConflictKind.SYMLINK, ConflictKind.MODE, ConflictKind.BINARY,
))  # fmt: skip
"""Kinds of conflicts in which a side has one answer for one path."""


@dataclass(frozen=True, slots=True)
class _Taken:
    """What a path is to hold."""

    path: bytes
    entry: Entry | None


def take(
    context: LaneContext, state: State, target: CommitId, orders: Sequence[Order], now: datetime
) -> list[tuple[bool, str]]:
    """Commit what is ordered, push it, and return for each order whether it holds, and the answer in words.

    Args:
        context: the lane.
        state: the run at the head that the orders are carried out on.
        target: target's tip.
        orders: the `take` orders.
        now: the date of the commit.

    Raises:
        FenceError: the branch moved meanwhile; nothing was changed.
    """
    before = _carried_out_before(context, state)
    answers: dict[str, tuple[bool, str]] = {}
    wanted: dict[str, _Taken] = {}
    for order in orders:
        if order.key in before:
            answers[order.key] = True, f"committed as {before[order.key].short}"
            continue
        found = _wanted(context, state, order, wanted.values())
        if isinstance(found, _Taken):
            wanted[order.key] = found
        else:
            answers[order.key] = found
    if wanted:
        said = _commit(context, state, target, [one for one in orders if one.key in wanted], wanted, now)
        answers |= dict.fromkeys(wanted, said)
    return [answers[order.key] for order in orders]


def _carried_out_before(context: LaneContext, state: State) -> dict[str, CommitId]:
    people = read_commits(context.repository, state.shape.people)
    return {key: commit.oid for commit in people for key in commit.trailers(trailer_names.ORDER)}


def _wanted(
    context: LaneContext, state: State, order: Order, others: Iterable[_Taken]
) -> _Taken | tuple[bool, str]:
    """Return what the path is to hold; or the answer, where nothing is to be done or it cannot be done."""
    repository, (side, words) = context.repository, order.args
    decision = _decision(state, words)
    if decision is None or decision.conflict is None:
        return False, _not_in_conflict(context, words, decision)
    path, conflict = decision.path, decision.conflict
    if decision.resolver in RULES:
        return False, f"the lane's policy settles it: {'; '.join(map(str, decision.evidence[:2]))}"
    if not _WHOLE.issuperset({conflict.kind, *conflict.also}) or conflict.aside:
        return False, f"a conflict of kind {conflict.kind.value} is to be settled on the branch itself"
    ours = side == "ours"
    commit = read_commit(repository, state.shape.target if ours else state.shape.source)
    staged = conflict.stages.ours if ours else conflict.stages.theirs
    entry = side_version(repository, commit.tree, conflict, staged)
    if any(one.path == path and one.entry != entry for one in others):
        return False, "another order here takes the other side"
    head = read_commit(repository, state.shape.head).tree
    standing = repository.entry(head, path)
    settled = next((one for one in state.settled if one.path == path), None)
    overruled = settled is not None and _by_agents_alone(context, settled, standing) and standing != entry
    if settled is not None and not overruled:
        where = f" in {settled.commit.short}" if settled.commit is not None else ""
        if standing == entry:
            return True, f"it holds that already, settled{where}"
        return False, f"somebody settled it otherwise{where}: revert that first"
    written = read_commit(repository, state.shape.repair or state.shape.merge.oid).tree
    if (not overruled and standing not in {repository.entry(written, path), entry}) or (
        standing is not None and standing.mode is Mode.DIRECTORY
    ):
        return False, "somebody changed it on the branch: settle it there"
    return _Taken(path, entry)


def _by_agents_alone(context: LaneContext, settled: Settled, standing: Entry | None) -> bool:
    """Whether a path stands as agents answered: people are asked after them, and overrule them."""
    if not settled.agents or settled.commit is None:
        return False
    return context.repository.entry(read_commit(context.repository, settled.commit).tree, settled.path) == standing


def _decision(state: State, words: str) -> Decision | None:
    """Return the decision on a path as people write it: as syncline shows it, or from the root."""
    plain = words.removeprefix("./").lstrip("/")
    by_words = {json_path(decision.path): decision for decision in state.result.decisions}
    return by_words.get(words) or by_words.get(plain)


def _not_in_conflict(context: LaneContext, words: str, decision: Decision | None) -> str:
    path = decision.path if decision is not None else words.removeprefix("./").lstrip("/").encode()
    rule = first_rule(context.lane.paths, [path])
    if rule is not None:
        held = "protects it" if rule.take == "protect" else "decides it"
        return f"it is not in conflict; {rule_text(rule)} {held}"
    return "it is not in conflict"


def _commit(
    context: LaneContext,
    state: State,
    target: CommitId,
    orders: Sequence[Order],
    wanted: dict[str, _Taken],
    now: datetime,
) -> tuple[bool, str]:
    repository, shape, person = context.repository, state.shape, context.person
    head = read_commit(repository, shape.head)
    entries = {one.path: one.entry for one in wanted.values()}
    kept = {path: entry for path, entry in entries.items() if file_at(repository, head.tree, path) != entry}
    try:
        tree = repository.edit_tree(head.tree, kept) if kept else head.tree
    except ValueError as error:
        return False, f"it does not fit beside the other files of the branch: {error}"
    made = write_commit(
        repository,
        tree=tree,
        parents=(head.oid,),
        message=taken_message(
            lines=[
                f"take {one.args[0]} of {json_path(wanted[one.key].path)}, ordered by {one.who}" for one in orders
            ],
            settled=[trailer_pattern(path) for path in entries],
            orders=[one.key for one in orders],
            signed_off_by=context.signed_off_by,
        ),
        author=person,
        committer=person,
        when=now,
        signature=context.signature,
    )
    broken = _broken(context, state, target, made) - _broken(context, state, target, head.oid)
    if broken:
        return False, f"the lane's policy forbids it: {'; '.join(sorted(broken)[:3])}"
    proposal = context.forge.proposal(orders[0].proposal)
    if context.branches.tip(proposal.branch) != head.oid:
        raise FenceError(f"branch {proposal.branch} moved from {head.oid.short}")
    if not proposal.draft:
        context.forge.mark_draft(proposal.number)
    try:
        context.branches.advance(proposal.branch, made, old=head.oid)
    except FenceError:
        raise
    except GitError as error:
        return False, f"it could not be pushed: {error.message}"
    return True, f"committed as {made.short}"


def _broken(context: LaneContext, state: State, target: CommitId, head: CommitId) -> set[str]:
    repository, lane, shape = context.repository, context.lane, state.shape
    ours = target_below(repository, shape, target)
    found: list[Finding] = [
        *changed_protected(repository, lane, ours, head),
        *split_coupled_sets(repository, lane, ours=ours, theirs=shape.source, head=head),
    ]
    return {f"{json_path(one.path)} {one.message}" for one in found}
