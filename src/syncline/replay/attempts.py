"""Earlier attempts at a sync that never landed: merges of source on other branches, and how they were settled."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from syncline import trailer_names
from syncline.errors import GitError
from syncline.git import CommitId, Repository
from syncline.git.commit import read_commit
from syncline.git.history import merge_bases
from syncline.git.merge_tree import start_merge_tree
from syncline.git.refs import list_refs
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
_FORMAT = f"%H%x00%P%x00%ct%x00%(trailers:key={trailer_names.RUN},valueonly,separator=%x2C)"


@dataclass(frozen=True, slots=True)
class _Try:
    """A merge of source, and the newest commit of its branch."""

    date: int
    tip: CommitId
    ours: CommitId
    theirs: CommitId


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
    Neither is a run of syncline's own: its answers must not bear out each other, and those that people gave on its
    branches are carried on by the sync itself.

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
    found: dict[tuple[CommitId, CommitId, CommitId], _Try] = {}
    for tip in _tips(repository, patterns, before) if len(bases) == 1 else ():
        for one in _tries(repository, tip, ours, theirs):
            if merge_bases(repository, one.ours, one.theirs) == bases:
                found[one.tip, one.ours, one.theirs] = one
    newest = sorted(found.values(), key=lambda one: (one.date, one.tip), reverse=True)[:MOST]
    attempts = [Attempt(one.tip, _answers(repository, one)) for one in newest]
    return Attempted([one for one in attempts if len(one.answers)])


def _tips(repository: Repository, patterns: Sequence[str], before: int | None) -> Iterator[CommitId]:
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
        if before is None:
            yield ref.oid
            continue
        words = ("rev-list", "--first-parent", "--max-count=1", f"--until={before - 1}", ref.oid)
        for line in repository.sealed(*words).stdout.split():
            yield CommitId.from_bytes(line)


def _tries(repository: Repository, tip: CommitId, ours: CommitId, theirs: CommitId) -> Iterator[_Try]:
    """Yield the merges of source that a branch has and target has not."""
    words = ("log", "-z", f"--format={_FORMAT}", tip, f"^{ours}", f"^{theirs}", "--")
    fields = repository.sealed(*words).stdout.split(b"\0")[:-1]
    rows = list(zip(*(fields[place::4] for place in range(4)), strict=True))
    merges = [parents.split() for _, parents, _, run in rows if not run.strip() and parents.count(b" ") == 1]
    if not merges:
        return
    date = int(rows[0][2])
    # What is on source's side is what source contains.
    printed = repository.sealed("rev-list", tip, f"^{theirs}").stdout
    not_source = frozenset(printed.split())
    for parents in merges:
        one, other = map(CommitId.from_bytes, parents)
        if (parents[0] in not_source) != (parents[1] in not_source):
            yield _Try(date, tip, *((one, other) if parents[0] in not_source else (other, one)))


def _answers(repository: Repository, one: _Try) -> Recorded:
    """Return how an attempt settled its conflicts; a file that it left with markers tells nothing."""
    store = Recorded()
    try:
        merged = start_merge_tree(repository, one.ours, one.theirs).finish()
        tree = read_commit(repository, one.tip).tree
        conflicts = conflicts_of(merged, ours=one.ours, theirs=one.theirs)
        for conflict, case in read_cases(repository, merged.tree, conflicts, one.ours, one.theirs):
            outcome = past_conflict(repository, conflict, case, tree) if case is not None else None
            if case is not None and outcome is not None:
                store.add(case, outcome.answers)
    except GitError as error:
        # What a partial clone lacks nobody misses: it is evidence the fewer.
        if "missing" not in str(error):
            raise
    return store
