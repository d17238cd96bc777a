"""Which files are to be made anew by the lane's commands, and whether what these make is proven."""

import hashlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from syncline.audit.finding import Finding
from syncline.audit.four_trees import SIDES, Versions
from syncline.audit.task import Task
from syncline.config.models import Regenerate
from syncline.git import Entry, Repository, TreeId
from syncline.git.paths import json_path
from syncline.merge.model import Side
from syncline.merge.resolvers.path_rule import first_rule
from syncline.merge.resolvers.patterns import matches
from syncline.repair.generator import Made
from syncline.repair.prove import WORTH, Look, Looked, fault

Run = Callable[[TreeId, Regenerate], Made]
"""Runs a command on a tree."""
LookWithout = Callable[[frozenset[bytes]], Look]
"""Returns what audits a tree, where some paths do not wait for people any more."""
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Generated:
    """What one command made."""

    name: str
    """Of the command."""
    words: str
    """One line for people."""
    digest: str
    """Of the command and of what it was made from: what was made is not made again for that."""
    settles: tuple[bytes, ...]
    """Paths in conflict that have their content now."""


@dataclass(frozen=True, slots=True)
class Regenerated:
    """A tree with what could be made anew."""

    tree: TreeId
    done: tuple[Generated, ...]
    failed: tuple[str, ...]
    """What was due and is not done, and why, a line each."""
    left: int
    """How many findings of severity stop or fix are left."""


def regenerate(
    repository: Repository,
    tree: TreeId,
    look: LookWithout,
    commands: Sequence[Regenerate],
    made: Collection[str],
    run: Run,
) -> Regenerated:
    """Make anew what is due, one command after the other, each result proven by the audits.

    Args:
        repository: where the tree is.
        tree: the tree that the files are made from.
        look: audits a tree.
        commands: the lane's.
        made: digests of what was made before.
        run: runs a command.

    Raises:
        SynclineError: an audit cannot be done at all.
    """
    done: list[Generated] = []
    failed: list[str] = []
    settled: frozenset[bytes] = frozenset()
    state = look(settled)(tree)
    for what in commands:
        findings, digest = _findings_of(state, what), _digest(state.task, what)
        mixed = digest not in made and _mixed(state.task, what)
        if not (findings or mixed) or _waits(state.task, what):
            continue
        opened = _open_outputs(state.task, what) if mixed else {}
        start = repository.edit_tree(tree, opened)
        got = run(start, what)
        if got.trouble:
            failed.append(f"without {what.name}: {got.trouble}")
            continue
        entries = {path: entry for path, entry in got.entries if not _by_rule(state.task, path)}
        trial = repository.edit_tree(start, entries)
        now = look(settled | opened.keys())
        before, after = now(tree), now(trial)
        why = fault(before, after) or _in_vain(after, what, findings, mixed=mixed)
        if why:
            failed.append(f"without {what.name}: {why}")
        elif entries or opened:
            tree, state, settled = trial, after, settled | opened.keys()
            done.append(Generated(what.name, _words(what, entries, got, findings), digest, tuple(sorted(opened))))
    return Regenerated(tree, tuple(done), tuple(failed), state.left)


def _findings_of(state: Looked, what: Regenerate) -> list[Finding]:
    """Return the findings of the files that a command makes, and of those coupled with them."""
    return [one for one in state.findings if one.severity in WORTH and _concerns(state.task, what, one.path)]


def _concerns(task: Task, what: Regenerate, path: bytes) -> bool:
    if matches(what.match, path):
        return True
    sets = [one for one in (task.lane.coupled if task.lane is not None else ()) if matches(one.paths, path)]
    others = [file.path for file in task.trees.files if matches(what.match, file.path)] if sets else []
    return any(matches(one.paths, other) for one in sets for other in others)


def _in_vain(after: Looked, what: Regenerate, findings: Sequence[Finding], *, mixed: bool) -> str:
    """Return that what was made takes none of the findings away for which alone it was made; else nothing."""
    left = {one.id for one in _findings_of(after, what)}
    if mixed or not all(one.id in left for one in findings):
        return ""
    return f"it changes nothing about {findings[0].message}"


def _mixed(task: Task, what: Regenerate) -> bool:
    """Whether what it is made from is neither target's nor source's."""
    return all(
        any((file.path, file.merged) != (file.path_of(side), file.of(side)) for file in _inputs(task, what))
        for side in SIDES
    )


def _inputs(task: Task, what: Regenerate) -> list[Versions]:
    return [file for file in task.trees.files if _is_input(what, file.path)]


def _is_input(what: Regenerate, path: bytes) -> bool:
    # A command that reads what it writes (a lock file's old versions) is not due for that.
    return matches(what.inputs, path) and not matches(what.match, path)


def _waits(task: Task, what: Regenerate) -> bool:
    """Whether people are still to settle what it is made from."""
    return any(_is_input(what, path) for path in (*task.waiting, *task.unsettled))


def _open_outputs(task: Task, what: Regenerate) -> dict[bytes, Entry | None]:
    """Return the files in conflict that a command makes, each as it is to find it: a side's, and no markers."""
    trees = task.trees
    found: dict[bytes, Entry | None] = {}
    for path in task.waiting:
        if not matches(what.match, path):
            continue
        merged, ours, theirs = (
            trees.repository.entry(tree, path)
            for tree in (trees.merged_tree, trees.tree_of(Side.OURS), trees.tree_of(Side.THEIRS))
        )
        found[path] = merged if merged in (ours, theirs) else ours or theirs
    return found


def _by_rule(task: Task, path: bytes) -> bool:
    rule = first_rule(task.lane.paths, [path]) if task.lane is not None else None
    return rule is not None and rule.when == "always"


def _digest(task: Task, what: Regenerate) -> str:
    inputs = sorted(
        (file.path, "" if file.merged is None else f"{file.merged.mode} {file.merged.oid}")
        for file in _inputs(task, what)
    )
    told = repr((what.model_dump(include={"name", "match", "inputs", "command"}), inputs))
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def _words(what: Regenerate, entries: dict[bytes, Entry | None], got: Made, findings: Sequence[Finding]) -> str:
    names = [json_path(path) for path in entries]
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    files = ", ".join(names[:_SHOWN]) + more if names else "nothing different"
    why = findings[0].kind if findings else "what it is made from has changes of both sides"
    beside = f"; left out: what it changed in {got.beside}" if got.beside else ""
    return f"{what.name} made {files} anew ({why}){beside}"
