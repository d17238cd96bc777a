"""The one repair commit above a run's merge commit: what it says it holds, and writing it (anew)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from syncline import trailer_names
from syncline.errors import GitError
from syncline.git import CommitId, TreeId
from syncline.git.commit import read_commit, read_commits, write_commit
from syncline.git.refs import RefChange, find_commit
from syncline.git.repository import Repository
from syncline.lane.context import LaneContext
from syncline.lane.run_name import run_ref
from syncline.lane.shape import Shape
from syncline.propose.commit_message import harmless, repair_message
from syncline.propose.settle import trailer_pattern
from syncline.repair.regenerate import Regenerated

_DIGITS = 7


@dataclass(frozen=True, slots=True)
class Held:
    """What a repair commit holds, as its message lists it."""

    repairs: tuple[str, ...] = ()
    """What was done, a line each."""
    left: tuple[int, ...] = ()
    """Of each round of mechanical repairs, how many findings it left."""
    agents: tuple[str, ...] = ()
    """Whose answers it holds."""
    settled: tuple[str, ...] = ()
    """Patterns of the paths whose conflicts these answers settle."""
    generated: tuple[str, ...] = ()
    """Digests of what commands made anew."""
    generated_paths: tuple[str, ...] = ()
    """Patterns of the paths in conflict whose content these made."""
    answered: int = 0
    """In how many rounds agents answered failures."""

    def with_repairs(self, repairs: Sequence[str], left: int | None = None) -> "Held":
        """Return it with one more round of repairs; `left`: None where that counts as none."""
        rounds = self.left if left is None else (*self.left, left)
        return replace(self, repairs=_lines((*self.repairs, *repairs)), left=rounds)

    def with_generated(self, done: Regenerated) -> "Held":
        """Return it with what commands made anew, and what they could not; what was said of that before goes."""
        told = {line.partition(":")[0] for line in (*done.failed, *(f"without {one.name}" for one in done.done))}
        kept = tuple(line for line in self.repairs if line.partition(":")[0] not in told)
        settled = [trailer_pattern(path) for one in done.done for path in one.settles]
        return replace(
            self, repairs=_lines((*kept, *(one.words for one in done.done), *done.failed)),
            generated=_once((*self.generated, *(one.digest for one in done.done))),
            generated_paths=_once((*self.generated_paths, *settled)),
        )  # fmt: skip

    def with_answers(
        self, lines: Sequence[str], agents: Sequence[str], settled: Sequence[str], *, mended: bool
    ) -> "Held":
        """Return it with what agents answered; `mended`: whether failures were among it."""
        return replace(
            self, repairs=_lines((*self.repairs, *lines)), agents=_once((*self.agents, *agents)),
            settled=_once((*self.settled, *settled)), answered=self.answered + mended,
        )  # fmt: skip


def _lines(repairs: Sequence[str]) -> tuple[str, ...]:
    return _once([harmless(repair) for repair in repairs])


def _once(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))


def held(repository: Repository, shape: Shape) -> Held:
    """Return what a run's repair commit holds; nothing where there is none."""
    if shape.repair is None:
        return Held()
    commit = read_commit(repository, shape.repair)
    return Held(
        tuple(line.removeprefix("- ") for line in commit.message.splitlines() if line.startswith("- ")),
        _numbers(commit.trailer(trailer_names.REPAIR_LEFT)),
        commit.trailers(trailer_names.AGENT),
        commit.trailers(trailer_names.SETTLED),
        commit.trailers(trailer_names.REPAIR_GENERATED),
        commit.trailers(trailer_names.REPAIR_SETTLED),
        sum(_numbers(commit.trailer(trailer_names.REPAIR_ANSWERED))),
    )


def answered_rounds(repository: Repository, shape: Shape) -> int:
    """Return in how many rounds agents answered failures of a run, in whatever commits of its branch."""
    commits = read_commits(repository, shape.people)
    above = sum(sum(_numbers(commit.trailer(trailer_names.REPAIR_ANSWERED))) for commit in commits)
    return held(repository, shape).answered + above


def _numbers(trailer: str | None) -> tuple[int, ...]:
    words = (trailer or "").split()
    return tuple(int(word) for word in words if word.isascii() and word.isdigit() and len(word) < _DIGITS)


def write_repair(
    context: LaneContext, run: str, merge: CommitId, tree: TreeId, holds: Held, now: datetime
) -> CommitId:
    """Write a repair commit; nothing points to it yet."""
    message = repair_message(
        run=run, target=context.lane.target, repairs=holds.repairs, left=holds.left, tree=tree, merge=merge,
        signed_off_by=context.signed_off_by, agents=holds.agents, settled=holds.settled,
        answered=holds.answered, generated=holds.generated, generated_paths=holds.generated_paths,
    )  # fmt: skip
    person = context.person
    return write_commit(
        context.repository, tree=tree, parents=(merge,), message=message, author=person, committer=person,
        when=now, signature=context.signature,
    )  # fmt: skip


def roll(context: LaneContext, shape: Shape, branch: str, new: CommitId) -> str:
    """Put a repair commit in the place of the head that was looked at, with a lease on it.

    Returns:
        Nothing; or, in words, why the one that is there cannot be replaced: the remote takes no commit back.

    Raises:
        FenceError: the branch moved, or is checked out.
        SynclineError: git or the remote refuses, and would refuse a commit on top as well.
    """
    kept = run_ref(context.lane.name, shape.run)
    change = RefChange(kept, find_commit(context.repository, kept), new)
    try:
        context.branches.move(branch, old=shape.head, new=new, kept=change)
    except GitError as error:
        if shape.repair is None:
            raise
        context.not_rolled[shape.head] = error.message
        return error.message
    context.forget_shapes()
    return ""
