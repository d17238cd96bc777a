"""Merging a built repository, and what must hold of every result."""

from collections.abc import Iterable, Mapping
from typing import Literal, TypeVar

from syncline.config.models import CoupledSet, Lane, PathRule
from syncline.git import CommitId, Entry, Repository
from syncline.merge.merge import merge
from syncline.merge.model import MergeResult, Status
from testing import content
from testing.repository import BuiltRepository

Take = Literal["ours", "theirs", "union", "combine", "delete", "protect"]
Unresolved = Literal["ours", "theirs", "markers"]
Name = TypeVar("Name", bound=str)


def rule(take: Take, *match: str, always: bool = False, line: int = 7) -> PathRule:
    when = "always" if always or take == "protect" else "conflict"
    return PathRule(match=match, take=take, when=when, line=line)


def coupled(take: Literal["together", "ours", "theirs"], *paths: str, name: str = "lock") -> CoupledSet:
    return CoupledSet(name=name, paths=paths, take=take, line=9)


def lane(
    *rules: PathRule, sets: Iterable[CoupledSet] = (), unresolved: Unresolved = "ours", name: str = "nightly"
) -> Lane:
    return Lane(name=name, source="theirs", target="ours", paths=rules, coupled=tuple(sets), unresolved=unresolved)


def merged(built: BuiltRepository, policy: Lane | None = None) -> MergeResult:
    """Merges the branch `theirs` into `ours`, holding the result against the invariants."""
    with Repository.open(built.path) as repository:
        result = merge(repository, CommitId(built["ours"]), CommitId(built["theirs"]), policy)
    holds_what_it_says(built, result)
    return result


def merged_each(built: BuiltRepository, policies: Mapping[Name, Lane]) -> dict[Name, MergeResult]:
    """Merges under several policies, the repository opened once."""
    ours, theirs = CommitId(built["ours"]), CommitId(built["theirs"])
    with Repository.open(built.path) as repository:
        results = {name: merge(repository, ours, theirs, policy) for name, policy in policies.items()}
    for result in results.values():
        holds_what_it_says(built, result)
    return results


def holds_what_it_says(built: BuiltRepository, result: MergeResult) -> None:
    tree, by_git = built.entries(result.tree), built.entries(result.git_tree)
    decisions = {decision.path: decision for decision in result.decisions}
    assert list(decisions) == sorted(decisions)
    assert len(decisions) == len(result.decisions)
    for path, decision in decisions.items():
        assert as_built(decision.result) == tree.get(path), (path, decision)
        assert (decision.resolver == "") == (decision.status is Status.UNRESOLVED)
        assert (decision.confidence is None) == (decision.status is Status.UNRESOLVED)
        assert decision.evidence
    assert {conflict.path for conflict in result.conflicts} <= decisions.keys()
    accounted = decisions.keys() | {name for conflict in result.conflicts for name in conflict.aside}
    differing = {path for path in tree.keys() | by_git.keys() if tree.get(path) != by_git.get(path)}
    assert differing <= accounted, differing - accounted
    assert result.clean == (not result.unresolved)


def as_built(entry: Entry | None) -> content.Entry | None:
    """An entry as the tests' own oracle has it."""
    return None if entry is None else content.Entry(entry.mode.encode(), str(entry.oid))
