"""A lane stepped without any effect: in a shadow of the repository, before a forge that only tells.

What git or the forge would be told to change is told to people instead, and from then on shows as if it were done.
"""

import shutil
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from syncline.config.models import Lane
from syncline.errors import FenceError, GitError
from syncline.forge.dry_run import DryRunForge, Write
from syncline.forge.protocol import Forge
from syncline.git import CommitId, Repository
from syncline.git.commit import read_commit
from syncline.git.refs import RefChange, branch_ref, list_refs
from syncline.git.shadow import refs_of, shadow
from syncline.lane.context import LaneContext
from syncline.lane.ends import Branches
from syncline.lane.run_name import learned_ref, run_ref

Tell = Callable[[Write], None]


@dataclass(frozen=True, slots=True)
class DryRun:
    """A lane in a dry run, and what was told instead of done."""

    context: LaneContext
    _told: list[Write]
    _refs_before: dict[str, str]

    def writes(self) -> list[Write]:
        """Every write until now, the refs of syncline's own at the end."""
        return [*self._told, *_of_refs(self._refs_before, _own_refs(self.context.repository, self.context.lane))]


@contextmanager
def dry_run(repository: Repository, lane: Lane, forge: Forge) -> Generator[DryRun]:
    """Yield a lane whose steps change neither `repository`, nor its remotes, nor the forge.

    Args:
        repository: where the lane is; it is only read.
        lane: the lane.
        forge: answers the reads.
    """
    told: list[Write] = []
    with shadow(repository) as other:
        learned = repository.state_dir / "learned"
        if learned.is_dir():
            shutil.copytree(learned, other.state_dir / "learned")

        def tell(write: Write) -> None:
            # Files would lie where the repository is, not where they lie for the moment.
            place = str(repository.state_dir)
            told.append(replace(write, text=write.text.replace(str(other.state_dir), place)))

        context = replace(
            LaneContext.of(other, lane, DryRunForge(forge, tell)),
            branches=_ToldBranches(other, lane, repository, tell),
            dry_run=True,
        )
        yield DryRun(context, told, _own_refs(other, lane))


def _own_refs(repository: Repository, lane: Lane) -> dict[str, str]:
    prefixes = (run_ref(lane.name, ""), learned_ref(lane.name, ""))
    return {name: oid for prefix in prefixes for name, oid in refs_of(repository, prefix).items()}


def _of_refs(before: dict[str, str], after: dict[str, str]) -> list[Write]:
    changed = [name for name in sorted({*before, *after}) if before.get(name) != after.get(name)]
    return [
        Write(f"set the ref {name} to {after[name]}" if name in after else f"delete the ref {name}")
        for name in changed
    ]


class _ToldBranches(Branches):
    """Branches of a shadow; pushes to its remotes, which are the real ones, are only told."""

    def __init__(self, repository: Repository, lane: Lane, original: Repository, tell: Tell) -> None:
        super().__init__(repository, lane)
        self._original = original
        self._tell = tell
        self._pushed: dict[str, CommitId | None] = {}

    def tip(self, branch: str) -> CommitId | None:
        """Return where a branch would stand."""
        return self._pushed[branch] if branch in self._pushed else super().tip(branch)

    def create(self, branch: str, commit: CommitId, *, target: CommitId) -> None:
        """Tell of a branch that would be created, and of the commits that would be new there."""
        super().create(branch, commit, target=target)
        made = [read_commit(self._repository, commit)]
        if len(made[0].parents) == 1:  # a repair commit, upon the merge
            made.append(read_commit(self._repository, made[0].parents[0]))
        messages = "\n".join(f"commit {one.oid}\n\n{one.message}" for one in reversed(made))
        self._tell(Write(f"create the branch {branch}{self._where} at {commit}", messages))

    def advance(self, branch: str, commit: CommitId, *, old: CommitId) -> None:
        """Tell of a commit that a branch would be moved on to."""
        super().advance(branch, commit, old=old)
        made = read_commit(self._repository, commit)
        words = f"move the branch {branch}{self._where} from {old} to {commit}"
        self._tell(Write(words, f"commit {commit}\n\n{made.message}"))

    def move(self, branch: str, *, old: CommitId, new: CommitId, kept: RefChange) -> None:
        """Tell of a branch that would be moved to another repair commit."""
        super().move(branch, old=old, new=new, kept=kept)
        message = f"commit {new}\n\n{read_commit(self._repository, new).message}"
        self._tell(Write(f"move the branch {branch}{self._where} from {old} to {new}", message))

    def delete(self, branch: str, old: CommitId) -> None:
        """Tell of a branch that would be deleted.

        Raises:
            FenceError: it moved.
            GitError: a work tree has it checked out.
        """
        if self._lane.target_at is None:
            user = next((ref.checked_out for ref in list_refs(self._original, branch_ref(branch))), "")
            if user:
                raise GitError(f"branch {branch} is checked out at {user}")
        super().delete(branch, old)
        self._tell(Write(f"delete the branch {branch}{self._where} at {old}"))

    @property
    def _where(self) -> str:
        return f" of {self._lane.target_at}" if self._lane.target_at is not None else ""

    def _push(self, remote: str, branch: str, *, new: CommitId | None, old: CommitId | None) -> None:
        if self.tip(branch) != old:
            raise FenceError(f"branch {branch} at {remote} moved before the push")
        self._pushed[branch] = new
