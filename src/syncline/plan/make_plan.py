"""Making a plan: divergence and the slice. Reads git, changes nothing."""

from syncline.errors import GitError
from syncline.git import CommitId, Repository
from syncline.git.history import RunningCount, count_between, first_parent_line, merge_bases
from syncline.plan.model import Plan, Slice


def make_plan(
    repository: Repository, *, source: CommitId, target: CommitId, slice_size: int, tip: CommitId | None = None
) -> Plan:
    """Return what a sync of `source` into `target` imports.

    Args:
        repository: where both are.
        source: source's tip.
        target: target's tip.
        slice_size: how many commits of source's first-parent line one sync takes; 0 takes all.
        tip: end the slice there instead (the plan of a run that exists); where source's line does not hold it
            any more, it is taken for source's tip.

    Raises:
        GitError: a shallow clone, or histories without a common ancestor.
    """
    repository.require_whole_history()
    apart = RunningCount(repository, target, source)
    bases = merge_bases(repository, target, source)
    if not bases:
        raise GitError(
            f"source {source.short} and target {target.short} have no common ancestor in {repository.common_dir}",
            hint="a lane needs two branches of one history; join them once by hand "
            "(git merge --allow-unrelated-histories), then syncline keeps them in step",
        )
    line = first_parent_line(repository, target, source)
    ahead, behind = apart.finish()
    if tip is not None and tip not in line:
        return make_plan(repository, source=tip, target=target, slice_size=0)
    size = line.index(tip) + 1 if tip is not None else slice_size
    return Plan(source, target, ahead, behind, bases, _cut(repository, target, line, size))


def _cut(repository: Repository, target: CommitId, line: list[CommitId], size: int) -> Slice | None:
    if not line:
        return None
    taken = line[:size] if size else line
    return Slice(
        tip=taken[-1],
        commits=tuple(taken),
        imported=count_between(repository, target, taken[-1]),
        boundary=line[len(taken)] if len(taken) < len(line) else None,
        left=len(line) - len(taken),
    )
