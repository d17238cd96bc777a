"""The paths that still need a person, with what the tree holds meanwhile and the commands. Pure."""

from collections.abc import Iterable, Sequence

from syncline.config.models import Lane
from syncline.git.paths import json_path
from syncline.propose.ask_first import Asked
from syncline.propose.category import category_of
from syncline.propose.model import DecisionRow, OpenPath, RunFacts
from syncline.propose.outcome import Outcome
from syncline.propose.settle import accepting_commands, settling_commands

_IN_TREE = {
    Outcome.KEPT: "target's side",
    Outcome.TAKEN: "source's side",
    Outcome.COMBINED: "a combination of both sides",
    Outcome.MARKERS: "git's result with its conflict markers",
    Outcome.RESTORED: "the side that did not delete it",
    Outcome.DELETED: "nothing, as on the side that deleted it",
    Outcome.ABSENT: "nothing, as on both sides",
}


def open_paths(
    lane: Lane, facts: RunFacts, decisions: Iterable[DecisionRow], asked: Iterable[Asked]
) -> tuple[OpenPath, ...]:
    """Return one entry for each unresolved path, in the order in which they are asked."""
    rows = {row.path: row for row in decisions}
    return tuple(_open_path(lane, facts.branch, one, rows.get(json_path(one.path))) for one in asked)


def _open_path(lane: Lane, branch: str, asked: Asked, row: DecisionRow | None) -> OpenPath:
    path = asked.path
    name = json_path(path)
    outcome = Outcome(row.outcome) if row else Outcome.KEPT
    accept = () if outcome is Outcome.MARKERS else accepting_commands(lane, branch, [path], _IN_TREE[outcome])
    return OpenPath(
        path=name,
        category=category_of(name).value,
        kind=row.kind if row else "clean",
        in_tree=_IN_TREE[outcome],
        ours=row.ours if row else None,
        theirs=row.theirs if row else None,
        settle=settling_commands(lane, branch, [path]),
        accept=accept,
        same=asked.same,
        alike=asked.alike,
    )


def whose(opened: Sequence[OpenPath]) -> str:
    """Return whose version all open paths hold, in words; empty when one of them holds conflict markers."""
    held = {path.in_tree for path in opened}
    if not held or _IN_TREE[Outcome.MARKERS] in held:
        return ""
    return held.pop() if len(held) == 1 else "what the tree holds"
