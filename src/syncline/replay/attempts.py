"""Earlier attempts at a sync that never landed: merges of source on other branches, and how they were settled."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from syncline import trailer_names
from syncline.errors import GitError
from syncline.git import CommitId, Repository
from syncline.git.commit import read_commit
from syncline.git.history import is_ancestor, merge_bases
from syncline.git.merge_tree import start_merge_tree
from syncline.git.refs import list_refs
from syncline.git.side_merges import SideMerge, side_merges
from syncline.merge.attempted import Attempt, Attempted
from syncline.merge.conflicts import conflicts_of
from syncline.merge.read_cases import read_cases
from syncline.merge.recorded import Recorded
from syncline.merge.resolvers.patterns import matches
from syncline.replay.truth import past_conflict

MOST = 30
"""Attempts that are looked at, the newest ones."""
MOST_BRANCHES = 300
"""Branches that are looked at, those with the newest commits; each takes git some hundredths of a second."""

_HEADS, _REMOTES = "refs/heads/", "refs/remotes/"


@dataclass(frozen=True, slots=True)
class _Branch:
    """A branch and the merges of source that it has and target has not."""

    date: int
    tip: CommitId
    tries: tuple[SideMerge, ...]


def find_attempts(
    repository: Repository,
    patterns: Sequence[str],
    ours: CommitId,
    theirs: CommitId,
    *,
    before: int | None = None,
) -> Attempted:
    """Return how attempts at merging `theirs` into `ours` settled their conflicts.

    The answers are those of each branch's newest commit: what was mended after the merge is in it. Only an attempt
    that started from the same merge base had the same conflicts. What target contains has landed, and is none.
    Neither is a branch with work of syncline's own: its answers must not bear out each other, and those that
    people gave on its branches are carried on by the sync itself.

    Args:
        repository: where the commits are.
        patterns: names of the branches on which attempts were made, as in gitignore(5).
        ours: target.
        theirs: source.
        before: only what was committed before this moment counts, in seconds since 1970; None for everything.

    Raises:
        GitError: missing objects.
    """
    bases = merge_bases(repository, ours, theirs)
    branches: list[_Branch] = []
    for tip in _tips(repository, patterns) if len(bases) == 1 else ():
        try:
            branch = _branch(repository, tip, ours, theirs, before)
        except GitError:
            continue  # a broken branch of somebody's is evidence the fewer, no reason to stop
        if branch is not None:
            branches.append(branch)
    branches.sort(key=lambda branch: (branch.date, branch.tip), reverse=True)
    attempts: list[Attempt] = []
    seen: set[CommitId] = set()
    for branch in branches:
        # One merge is one attempt, on however many branches it is; the newest has the last word.
        tries = [one for one in branch.tries if one.merge not in seen]
        seen.update(one.merge for one in tries)
        attempt = _attempt(repository, branch.tip, tries)
        if len(attempt.answers):
            attempts.append(attempt)
        if len(attempts) == MOST:
            break
    return Attempted(attempts)


def _tips(repository: Repository, patterns: Sequence[str]) -> Iterator[CommitId]:
    """Yield the newest commits of the branches, here and on remotes, each once."""
    seen: set[CommitId] = set()
    for ref in list_refs(repository, _HEADS, _REMOTES, newest_first=True):
        here = ref.name.startswith(_HEADS)
        name = ref.name.removeprefix(_HEADS) if here else ref.name.removeprefix(_REMOTES).partition("/")[2]
        if ref.oid in seen or not matches(patterns, os.fsencode(name)):
            continue
        seen.add(ref.oid)
        if len(seen) > MOST_BRANCHES:
            return
        yield ref.oid


def _branch(
    repository: Repository, tip: CommitId, ours: CommitId, theirs: CommitId, before: int | None
) -> _Branch | None:
    """Return a branch as it was before a moment; None without a merge of source that target has not."""
    if before is not None:
        words = ("rev-list", "--first-parent", "--max-count=1", f"--until={before - 1}", tip)
        printed = repository.sealed(*words).stdout
        # What holds the very commit to be merged was not there before it, whatever its date says.
        if not printed or is_ancestor(repository, theirs, tip := CommitId.from_bytes(printed)):
            return None
    found = tuple(side_merges(repository, tip, ours, theirs))
    if not found or _has_own_work(repository, tip, ours, theirs):
        return None
    bases = merge_bases(repository, ours, theirs)
    tries = tuple(
        one
        for one in found
        # With nothing of target's in it, it is no merge into target.
        if merge_bases(repository, one.ours, one.theirs) == bases != merge_bases(repository, one.ours, ours)
    )
    if not tries:
        return None
    return _Branch(int(repository.sealed("log", "-1", "--format=%ct", tip, "--").stdout), tip, tries)


def _has_own_work(repository: Repository, tip: CommitId, ours: CommitId, theirs: CommitId) -> bool:
    """Whether a branch has work of syncline's own that neither target nor source has."""
    trailers = f"--format=%(trailers:key={trailer_names.RUN},valueonly,separator=%x2C)"
    return bool(repository.sealed("log", trailers, tip, f"^{ours}", f"^{theirs}", "--").stdout.strip())


def _attempt(repository: Repository, tip: CommitId, tries: Iterable[SideMerge]) -> Attempt:
    """Return how a branch settled the conflicts of its merges; a file that it left with markers tells nothing."""
    attempt = Attempt(tip, Recorded())
    try:
        tree = read_commit(repository, tip).tree
        for one in tries:
            merged = start_merge_tree(repository, one.ours, one.theirs).finish()
            conflicts = conflicts_of(merged, ours=one.ours, theirs=one.theirs)
            for conflict, case in read_cases(repository, merged.tree, conflicts, one.ours, one.theirs):
                outcome = past_conflict(repository, conflict, case, tree) if case is not None else None
                if case is not None and outcome is not None:
                    attempt.answers.add(case, outcome.answers)
                    for hunk, lines in zip(case.hunks, outcome.answers, strict=True):
                        if lines is not None:
                            attempt.taken.note(hunk, lines)
    except GitError as error:
        # What a partial clone lacks nobody misses: it is evidence the fewer.
        if "missing" not in str(error):
            raise
    return attempt
