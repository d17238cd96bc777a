"""All that is found out about a past merge without looking at any other: its conflicts, their facts, the answers.

This is nearly all the work of a replay, and it is independent from merge to merge, so that jobs can share it.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from syncline.errors import GitError
from syncline.git import CommitId, Repository
from syncline.merge.attempted import Attempted
from syncline.merge.ladder.conflict_facts import conflict_facts
from syncline.merge.ladder.facts import Facts, facts_of_hunk
from syncline.merge.proposals import Further, propose_all
from syncline.replay.attempts import find_attempts
from syncline.replay.past import PastMerge
from syncline.replay.truth import LeftOut, PastConflict, Replayed, replay

if TYPE_CHECKING:
    from syncline.merge.past_versions import PastVersions
    from syncline.merge.proposal import Proposal


@dataclass(frozen=True, slots=True)
class GatheredConflict:
    """A conflict, what people made of it, and the facts of each of its hunks."""

    past: PastConflict
    facts: tuple[Facts, ...]


@dataclass(frozen=True, slots=True)
class Gathered:
    """A past merge with its conflicts, or why it is left out."""

    past: PastMerge
    left_out: LeftOut | None
    conflicts: tuple[GatheredConflict, ...]
    attempted: Attempted = field(default_factory=Attempted, compare=False)
    """What attempts at this merge answered that never landed."""
    merging: float = field(default=0.0, compare=False)
    """CPU seconds it took to merge again and to read what people committed, git's own aside."""
    finding: float = field(default=0.0, compare=False)
    """CPU seconds it took to find out the facts."""


Ask = Callable[[Repository], Further]
"""Makes, of a repository, what is asked for each file beside the resolvers; it is sent to worker processes."""


def gather(
    repository: Repository,
    past: PastMerge,
    *,
    history: bool = True,
    further: Further | None = None,
    attempts: Sequence[str] = (),
) -> Gathered:
    """Merge a past merge again and collect the facts of its conflicts.

    Args:
        repository: where its commits are.
        past: the merge.
        history: whether evidence is sought in the history of both sides, too.
        further: who is asked beside the resolvers.
        attempts: patterns of the branches on which it was attempted; what is younger than source is left out.
    """
    walks = None
    if history:
        from syncline.merge.past_versions import HistoryWalks  # noqa: PLC0415 - not for those who do without

        walks = HistoryWalks(repository, past.ours, past.theirs)
    begun = time.process_time()
    try:
        replayed = replay(repository, past)
    except GitError as error:
        if "common ancestor" in error.message:
            return Gathered(past, LeftOut.UNRELATED, ())
        if "missing" not in str(error):
            raise
        return Gathered(past, LeftOut.INCOMPLETE, ())
    merged = time.process_time()
    known = walks.start(c.conflict for c in replayed.conflicts).finish() if walks and replayed.conflicts else None
    conflicts = tuple(_conflicts(repository, replayed, known, further))
    attempted = Attempted()
    if attempts and conflicts:
        before = _moment(repository, past.theirs)
        attempted = find_attempts(repository, attempts, past.ours, past.theirs, before=before)
    spent = merged - begun, time.process_time() - merged
    return Gathered(past, replayed.left_out, conflicts, attempted, *spent)


def _moment(repository: Repository, commit: CommitId) -> int:
    """Return when a commit was made, in seconds since 1970."""
    return int(repository.sealed("log", "-1", "--format=%ct", commit).stdout)


def _conflicts(
    repository: Repository, replayed: Replayed, known: "PastVersions | None", further: Further | None
) -> Iterator[GatheredConflict]:
    for conflict in replayed.conflicts:
        case = conflict.case
        if case is None:
            yield GatheredConflict(conflict, (conflict_facts(repository, conflict.conflict),))
            continue
        by_hunk: dict[int, list[Proposal]] = defaultdict(list)
        for proposal in propose_all(case, known, further):
            by_hunk[proposal.hunk].append(proposal)
        yield GatheredConflict(conflict, tuple(facts_of_hunk(hunk, by_hunk[hunk.index]) for hunk in case.hunks))


def gather_all(
    directory: Path,
    merges: Sequence[PastMerge],
    *,
    jobs: int,
    history: bool = True,
    ask: Ask | None = None,
    attempts: Sequence[str] = (),
) -> Iterator[Gathered]:
    """Yield every merge gathered, in the order given; `jobs` processes work ahead."""
    if jobs == 1:
        with Repository.open(directory, keep_objects=False) as repository:
            for past in merges:
                further = ask(repository) if ask else None
                yield gather(repository, past, history=history, further=further, attempts=attempts)
        return
    with ProcessPoolExecutor(jobs, initializer=_open, initargs=(directory, history, ask, attempts)) as pool:
        waiting: list[Future[Gathered]] = []
        for past in merges:
            waiting.append(pool.submit(_gather_here, past))
            if len(waiting) > 2 * jobs:
                yield waiting.pop(0).result()
        for future in waiting:
            yield future.result()


_here: list[tuple[Repository, bool, Ask | None, Sequence[str]]] = []
"""The repository of a worker process."""


def _open(
    directory: Path,
    history: bool,  # noqa: FBT001 - the pool passes no names
    ask: Ask | None,
    attempts: Sequence[str],
) -> None:
    import atexit  # noqa: PLC0415

    repository = Repository.open(directory, keep_objects=False)
    atexit.register(repository.close)
    _here.append((repository, history, ask, attempts))


def _gather_here(past: PastMerge) -> Gathered:
    repository, history, ask, attempts = _here[0]
    further = ask(repository) if ask else None
    return gather(repository, past, history=history, further=further, attempts=attempts)
