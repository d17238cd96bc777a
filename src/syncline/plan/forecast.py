"""A plan with the conflicts to expect and the commits behind them. Reads git, changes nothing."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from syncline.git import CommitId, Repository
from syncline.git.ahead import Ahead
from syncline.git.commit import read_commit
from syncline.git.history import RunningTouches, Touch, first_parent_line
from syncline.git.merge_tree import start_merge_tree
from syncline.git.refs import branch_ref, find_commit
from syncline.merge.merge import merge
from syncline.merge.model import Decision, MergeResult
from syncline.merge.sides import StartedMerge
from syncline.plan.make_plan import make_plan
from syncline.plan.model import Plan

if TYPE_CHECKING:
    from syncline.config.models import Lane
    from syncline.config.peek import Glimpse


@dataclass(frozen=True, slots=True)
class Forecast:
    """What the next sync imports and what will be in conflict."""

    plan: Plan
    result: MergeResult | None
    """The merge of the slice, its decisions only (no tree is written); None when there is nothing to import."""
    behind_ours: dict[bytes, Touch]
    """The newest commit of target behind each conflicting path."""
    behind_theirs: dict[bytes, Touch]
    """The newest commit of the slice behind each conflicting path."""

    @property
    def conflicts(self) -> tuple[Decision, ...]:
        """The decisions on conflicting paths."""
        return tuple(d for d in self.result.decisions if d.conflict) if self.result is not None else ()


@dataclass(frozen=True, slots=True)
class Early:
    """What git works on already: plan, merge of the slice, and who touched what on either side of it."""

    plan: Ahead[Plan]
    slice_size: int
    merge: StartedMerge
    behind_ours: RunningTouches
    behind_theirs: RunningTouches

    @classmethod
    def start(
        cls, repository: Repository, *, source: CommitId, target: CommitId, tip: CommitId, slice_size: int
    ) -> "Early":
        """Start all of it. The plan needs no objects read, the merge's look at its sides has the reader alone."""
        plan = Ahead(
            repository, lambda: make_plan(repository, source=source, target=target, slice_size=slice_size)
        )
        return cls(
            plan,
            slice_size,
            StartedMerge(
                repository,
                start_merge_tree(repository, target, tip),
                lambda: bases_of_slice(repository, plan.result()),
            ),
            RunningTouches(repository, [tip], target),
            RunningTouches(repository, [target], tip),
        )

    def is_about(self, source: CommitId, target: CommitId, slice_size: int) -> bool:
        """Whether this is what a sync of these tips would ask."""
        plan = self.plan.result()
        return (plan.source, plan.target, self.slice_size) == (source, target, slice_size)


def bases_of_slice(repository: Repository, plan: Plan) -> tuple[CommitId, ...]:
    """Return the merge bases of target and the slice where they follow from the plan; nothing where they do not.

    When the slice begins upon the one merge base of target and source, it contains it; every common ancestor of
    target and the slice is one of target and source, so there is no better one.
    """
    part = plan.slice
    if part is None or len(plan.bases) != 1:
        return ()
    return plan.bases if read_commit(repository, part.commits[0]).parents[:1] == plan.bases else ()


def start_early(repository: Repository, glimpse: "Glimpse") -> Early | None:
    """Start git on what the next sync would import, before the policy is read; None where that fails."""
    source = find_commit(repository, branch_ref(glimpse.source))
    target = find_commit(repository, branch_ref(glimpse.target))
    if source is None or target is None or repository.is_shallow:
        return None
    line = first_parent_line(repository, target, source)
    if not line:
        return None
    taken = line[: glimpse.slice] if glimpse.slice else line
    return Early.start(repository, source=source, target=target, tip=taken[-1], slice_size=glimpse.slice)


def forecast(
    repository: Repository, lane: "Lane", *, source: CommitId, target: CommitId, early: Early | None = None
) -> Forecast:
    """Return the plan of a lane's next sync with the conflicts to expect.

    Args:
        repository: where both branches are.
        lane: the policy.
        source: source's tip.
        target: target's tip.
        early: what `start_early` gave; used when it is about the same commits.

    Raises:
        GitError: a shallow clone, unrelated histories.
    """
    if early is not None and early.is_about(source, target, lane.slice):
        plan = early.plan.result()
    else:
        plan = make_plan(repository, source=source, target=target, slice_size=lane.slice)
        if early is not None:
            early.merge.sides()  # nobody needs them, but the reader of objects must be free again
        early = None
    if plan.slice is None:
        return Forecast(plan, None, {}, {})
    tip = plan.slice.tip
    if early is None:
        early = Early.start(repository, source=source, target=target, tip=tip, slice_size=lane.slice)
    result = merge(repository, target, tip, lane, early.merge, write=False)
    paths = [decision.path for decision in result.decisions if decision.conflict]
    return Forecast(plan, result, early.behind_ours.of(paths), early.behind_theirs.of(paths))
