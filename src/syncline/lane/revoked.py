"""Which merges must not teach: what the records that are there say, and what became of them since.

A revocation outlives the record it was written in: one that is damaged, and a history that was rewritten.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from syncline.errors import ConfigError, GitError, SynclineError
from syncline.git import CommitId, Repository
from syncline.git.commit import Commit, read_commit, read_commits
from syncline.git.history import is_ancestor
from syncline.git.refs import resolve_commit
from syncline.lane.learned import content_at, parsed, record_content, record_file, where_at

if TYPE_CHECKING:
    from syncline.config.models import Lane


@dataclass(frozen=True, slots=True)
class Before:
    """What the records that are there say of merges."""

    revoked: tuple[CommitId, ...] = ()
    learned: frozenset[str] = frozenset()
    """The merges that they learned from."""
    notes: tuple[str, ...] = ()
    """What people should know of it."""

    def __add__(self, other: "Before") -> "Before":
        revoked = dict.fromkeys((*self.revoked, *other.revoked))
        return Before(tuple(revoked), self.learned | other.learned, (*self.notes, *other.notes))


def read_before(repository: Repository, lane: "Lane", target: CommitId, *, anew: bool) -> Before:
    """Return what was learned and revoked before, in whichever place it was written last.

    Args:
        repository: where.
        lane: whose records.
        target: the commit that holds the record, where it is a committed one.
        anew: whether to go on without what was revoked in a record that is damaged beyond telling.

    Raises:
        SynclineError: a record cannot be read, and `anew` is not given.
    """
    file = record_file(repository, lane)
    found = _told(record_content(file), str(file), anew=anew)
    if lane.learned_path is None:
        return found
    return _told(content_at(repository, lane, target), where_at(repository, lane, target), anew=anew) + found


def _told(content: bytes | None, where: str, *, anew: bool) -> Before:
    if content is None:
        return Before()
    revoked = revoked_in(content)
    try:
        record = parsed(content, where).record
    except SynclineError as error:
        if revoked is not None:
            kept = f"its list of revoked merges ({len(revoked)}) is whole, and kept"
            return Before(revoked, notes=(f"{error.message}; {kept}",))
        if anew:
            return Before(notes=(f"{error.message}; what was revoked there is not known any more",))
        raise SynclineError(
            f"{error.message}; which merges were revoked in it cannot be told, and they would teach again",
            hint="put it back as it was, or go on without what was revoked: `syncline learn --anew`, "
            "with --forget SHA for each merge you know of",
        ) from error
    if revoked is None:
        raise SynclineError(
            f"{where} was expected to list full ids of revoked merges, found {str(record.forgotten)[:300]}",
            hint="mend `forgotten` there",
        )
    return Before(revoked, frozenset(record.learned))


def revoked_in(content: bytes) -> tuple[CommitId, ...] | None:
    """Return the merges that a record revokes, whatever the rest of it is; None where that is in doubt."""
    for text in (content, _beginning(content)):
        try:
            found = json.loads(text)["forgotten"]
            if isinstance(found, list):
                return tuple(map(CommitId, found))
        except (ValueError, KeyError, TypeError, RecursionError):
            continue
    return None


def _beginning(content: bytes) -> bytes:
    """Return the record up to the end of what was revoked, as a document: it stands near the beginning."""
    found = re.match(rb'.*?^"forgotten":\[[^\]]*\]', content, re.DOTALL | re.MULTILINE)
    return found[0] + b"}" if found else b""


@dataclass(frozen=True, slots=True)
class Revoked:
    """Which merges must not teach from now on."""

    merges: tuple[CommitId, ...]
    notes: tuple[str, ...]


def revoked_now(
    repository: Repository,
    before: Before,
    syncs: Sequence[CommitId],
    target: CommitId,
    *,
    forget: Sequence[str] = (),
    remember: Sequence[str] = (),
) -> Revoked:
    """Return which merges must not teach, after what is asked for.

    A merge that is no longer in target's history stays revoked, and with it the sync that has its content now.

    Args:
        repository: where the commits are.
        before: what the records that are there say.
        syncs: the merges that could teach.
        target: target's tip.
        forget: merges to revoke.
        remember: merges whose revocation is taken back.

    Raises:
        ConfigError: a merge to revoke could not teach, or one to be taken back was not revoked.
        GitError: no commit is named so.
    """
    known = dict.fromkeys(before.revoked)
    for words in forget:
        merge = resolve_commit(repository, words)
        if merge not in known and merge not in syncs:
            raise ConfigError(
                f"{merge.short} is none of the {len(syncs)} syncs that this lane learns from",
                hint="`syncline learn --recorded` lists them with what they taught",
            )
        known[merge] = None
    gone = [merge for merge in known if merge not in syncs and not _is_in(repository, merge, target)]
    twins = _twins(repository, gone, syncs)
    told = frozenset(known)
    known |= dict.fromkeys(twins.values())
    for words in remember:
        # A commit that is gone from the repository, too, has no other name.
        merge = next((one for one in known if one == words), None) or resolve_commit(repository, words)
        if merge not in known:
            raise ConfigError(f"{merge.short} was not forgotten", hint="only a --forget can be taken back")
        same = {twins.get(merge, merge), merge}
        for one in [one for one in known if one in same or twins.get(one) in same]:
            del known[one]
    notes = []
    for merge in gone:
        now = twins.get(merge) or _alike(repository, merge, syncs)
        if merge in known and (now is None or now not in told):
            notes.append(_note(merge, now, revoked=now in known))
    return Revoked(tuple(known), tuple(notes))


def _is_in(repository: Repository, commit: CommitId, tip: CommitId) -> bool:
    return repository.has(commit) and is_ancestor(repository, commit, tip)


def _twins(
    repository: Repository, gone: Iterable[CommitId], syncs: Iterable[CommitId]
) -> Mapping[CommitId, CommitId]:
    """Return, for merges that are gone, the syncs that have the same content: they would teach the same."""
    wanted = {merge: content for merge in gone if (content := _content(repository, merge)) is not None}
    if not wanted:
        return {}
    now = {content: merge for merge in syncs if (content := _content(repository, merge)) is not None}
    return {merge: now[content] for merge, content in wanted.items() if content in now}


def _content(repository: Repository, commit: CommitId) -> tuple[str, ...] | None:
    """Return the tree of a commit and those of its parents; None where they are not here any more."""
    try:
        made = read_commit(repository, commit)
        return (made.tree, *(parent.tree for parent in read_commits(repository, made.parents)))
    except GitError:
        return None


def _note(gone: CommitId, now: CommitId | None, *, revoked: bool) -> str:
    words = f"{gone.short} was revoked and is no longer in target's history; it stays revoked"
    if now is None:
        return f"{words}, but what took its place in a rewritten history, if anything, teaches (--forget it)"
    if revoked:
        return f"{words}, and so is {now.short}, which took its place"
    return f"{words}, but {now.short} looks like what became of it, and teaches (--forget {now.short})"


def _alike(repository: Repository, gone: CommitId, syncs: Sequence[CommitId]) -> CommitId | None:
    """Return the one sync that has the author, the date and the subject of a merge that is gone."""
    try:
        mark = _mark(read_commit(repository, gone))
    except GitError:
        return None
    found = [merge for merge in syncs if _mark(read_commit(repository, merge)) == mark]
    return found[0] if len(found) == 1 else None


def _mark(commit: Commit) -> tuple[object, ...]:
    return commit.author, commit.authored, commit.subject
