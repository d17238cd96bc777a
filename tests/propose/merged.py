"""Real merges for tests: plan, merge, commit, collect."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from syncline.checks.gate import Verdict, evaluate
from syncline.checks.model import Check, Rollup
from syncline.config.models import Lane
from syncline.git import CommitId, Repository, TreeId
from syncline.git.commit import Person, read_commit, write_commit
from syncline.git.refs import resolve_commit
from syncline.merge.merge import merge
from syncline.merge.model import MergeResult
from syncline.plan.make_plan import make_plan
from syncline.plan.model import Plan
from syncline.propose.report import Report, RunFacts, collect

WHEN = datetime(2026, 11, 29, 3, 0, tzinfo=UTC)
BOT = Person("syncline", "bot@example.org")


@dataclass
class Merged:
    """A merge of `lane.source` into `lane.target`, committed; facts may be changed before `report`."""

    repository: Repository
    lane: Lane
    plan: Plan
    result: MergeResult
    facts: RunFacts

    def commit(self, tree: TreeId, subject: str) -> CommitId:
        """A commit above the head; the new head."""
        head = self._write(tree, [self.facts.head], subject)
        self.facts = replace(self.facts, head=head)
        return head

    def tree(self) -> TreeId:
        """The head's tree."""
        return read_commit(self.repository, self.facts.head).tree

    def report(self, checks: Callable[[CommitId], Sequence[Check]] | None = None) -> Report:
        """What the proposal says; without `checks` nothing was ever checked."""
        rollup: Rollup | None = None
        verdict: Verdict | None = None
        if checks is not None:
            rollup = Rollup(self.facts.head, tuple(checks(self.facts.head)))
            verdict = evaluate(self.lane.gate, rollup, self.facts.head)
        return collect(
            self.repository,
            lane=self.lane,
            plan=self.plan,
            result=self.result,
            facts=self.facts,
            rollup=rollup,
            verdict=verdict,
            created=WHEN,
        )

    def _write(self, tree: TreeId, parents: Sequence[CommitId], subject: str) -> CommitId:
        return write_commit(
            self.repository,
            tree=tree,
            parents=parents,
            message=subject + "\n",
            author=BOT,
            committer=BOT,
            when=WHEN,
        )


def merged(repository: Repository, lane: Lane) -> Merged:
    """Plan and merge the lane, and commit the result."""
    target, source = (resolve_commit(repository, name) for name in (lane.target, lane.source))
    plan = make_plan(repository, source=source, target=target, slice_size=lane.slice)
    assert plan.slice is not None
    result = merge(repository, target, plan.slice.tip, lane)
    made = write_commit(
        repository,
        tree=result.tree,
        parents=[target, plan.slice.tip],
        message="Sync\n",
        author=BOT,
        committer=BOT,
        when=WHEN,
    )
    facts = RunFacts(
        run="run-1",
        branch="syncline/n/1",
        merge_commit=made,
        head=made,
        unresolved=tuple(decision.path for decision in result.unresolved),
    )
    return Merged(repository, lane, plan, result, facts)
