"""Takes expected values from what red checks left into the repair commit, where everything speaks for them."""

from collections.abc import Iterator
from datetime import datetime
from fnmatch import fnmatchcase
from pathlib import Path
from tempfile import TemporaryDirectory

from syncline.checks.model import Check
from syncline.checks.triage.saw import is_red
from syncline.config.models import GoldenFiles
from syncline.errors import FenceError, ForgeError
from syncline.git import TreeId
from syncline.git.commit import read_commit
from syncline.git.paths import json_path
from syncline.lane.actions import RefreshGolden
from syncline.lane.context import LaneContext
from syncline.lane.ends import Ends, require_tip
from syncline.lane.golden import note_refreshed, rules_for
from syncline.lane.mended import looker, why_over
from syncline.lane.repair import refuse_broken_promises
from syncline.lane.repair_commit import held, roll, write_repair
from syncline.lane.shape import target_below
from syncline.lane.state import State
from syncline.repair.golden_files import RefusedError, refreshed
from syncline.repair.prove import fault

_SHOWN = 3


def refresh_golden(context: LaneContext, state: State, ends: Ends, action: RefreshGolden, *, now: datetime) -> str:
    """Write the repair commit with new values and push it with a lease; or note why they are not taken.

    Raises:
        FenceError: the branch moved, or nothing may be repaired on it any more.
        SynclineError: git, the remote or the forge refuses.
    """
    repository, shape = context.repository, state.shape
    proposal = context.forge.proposal(action.number)
    require_tip(context.branches, proposal.branch, action.head)
    holds = held(repository, shape)
    over = why_over(
        context.lane, holds.left, shape, checked_out=context.branches.checked_out(proposal.branch)
    )  # fmt: skip
    if over:
        raise FenceError(f"no values are taken over at {action.head.short}: {over}")
    target = target_below(repository, shape, ends.target)
    look = looker(
        repository, context.lane, ours=target, theirs=shape.source, waiting=context.waiting(shape, ends),
        waivers=context.waivers,
    )  # fmt: skip
    tree = read_commit(repository, action.head).tree
    before = look(tree)
    lines: list[str] = []
    refused: list[str] = []
    for_good = True
    for check, rule in _asked(context, action):
        try:
            new, words = _taken(context, tree, check, rule)
        except (RefusedError, ForgeError) as error:
            for_good &= isinstance(error, RefusedError)
            refused.append(f"values that {check.name} left were not taken over: {error}")
            continue
        after = look(new)
        if why := fault(before, after):
            refused.append(f"values that {check.name} left were not taken over: {why}")
        elif new != tree:
            tree, before = new, after
            lines.append(words)
    if not lines:
        note_refreshed(context, action.head, tuple(refused), for_good=for_good)
        return "; ".join(refused) or "what the checks left is what is expected already"
    commit = write_repair(
        context, shape.run, shape.merge.oid, tree, holds.with_repairs(lines, before.left), now
    )  # fmt: skip
    refuse_broken_promises(context, shape.merge.oid, commit)
    if why := roll(context, shape, proposal.branch, commit):
        refused = [f"values were not taken over, since {shape.branch} takes no commit back: {why}"]
        note_refreshed(context, action.head, tuple(refused), for_good=True)
        return refused[0]
    return f"took over new values in {commit.short}: {'; '.join([*lines, *refused])}"


def _asked(context: LaneContext, action: RefreshGolden) -> Iterator[tuple[Check, GoldenFiles]]:
    checks = context.results(action.head).checks
    for name in action.checks:
        mine = [one for one in checks if one.name == name]
        newest = max((one.order for one in mine), default=0)
        for check in mine:
            if check.order == newest and is_red(check):
                yield from ((check, rule) for rule in rules_for(context, name))


def _taken(context: LaneContext, tree: TreeId, check: Check, rule: GoldenFiles) -> tuple[TreeId, str]:
    """Return the tree with the values that a check left, and a line that says so.

    Raises:
        RefusedError: they are not to be believed, or there are none.
        ForgeError: they cannot be had.
    """
    with TemporaryDirectory() as folder:
        beside = context.forge.beside(check, Path(folder), lambda name: fnmatchcase(name, rule.artifact))
        left = [one for one in beside.files if one.suffix != ".log"]  # annotations, on GitHub
        if not left:
            raise RefusedError(
                "; ".join(beside.notes) or f"it left no artifact that is called {rule.artifact!r} and is its own"
            )
        got = refreshed(context.repository, context.lane, tree, rule, left)
    if not got.found:
        raise RefusedError(f"no file of its artifact {rule.artifact!r} is one of {', '.join(rule.match)}")
    names = [json_path(path) for path in got.entries]
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    words = f"{', '.join(names[:_SHOWN])}{more}: the values that {check.name} left at {check.sha[:10]}"
    return context.repository.edit_tree(tree, got.entries), f"{words} (red by the sync's own doing alone)"
