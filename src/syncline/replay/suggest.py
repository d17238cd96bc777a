"""Path rules that a lane's past syncs speak for: where people kept taking the same side. Pure.

A rule takes a whole file, so only files that were committed as one side had them count for a side. A rule is
suggested only where the newest syncs bear it out: a policy that turned is told with its date.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Literal

from syncline.merge.file_group import file_group

Take = Literal["ours", "theirs"]

FEWEST_SYNCS = 3
"""In how many syncs people must have decided so."""
SHARE = 0.95
"""How often, the recent syncs weighing most."""
HALF_LIFE = 8.0
"""After so many further syncs with such files a sync weighs half."""
SAY = 4.0
"""How much all such files of one sync weigh together, at most: one mass edit makes no policy."""
LATELY = 2
"""So many of the newest syncs with such files must hold no exception."""
FEWEST_FILES = 3
"""How many distinct files must bear out a rule that is wider than one path."""
TURNED = (3, 2)
"""Fewer files than this, or in fewer syncs, tell no policy that another one followed."""
_MOST_ROUNDS = 5
"""How often the files that are left are looked through again: what fits apart from exceptions is found then."""
_SPECIAL = frozenset("*?[]\\!# ")
"""What gitignore patterns give a meaning to."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A conflicted file of a past sync, and the side whose file people committed whole."""

    path: bytes
    sync: str
    """The commit that answered it."""
    date: str
    """When, ISO 8601."""
    side: Take | None
    """None for a file that is neither side's."""


@dataclass(frozen=True, slots=True)
class Past:
    """How it was before a policy turned."""

    right: int
    total: int
    until: str
    """The day of the last sync of that time."""
    syncs: int
    """In how many syncs."""

    @property
    def was_another_policy(self) -> bool:
        """Whether people mostly did otherwise, often enough to call it a policy."""
        files, syncs = TURNED
        return 2 * self.right < self.total and self.total >= files and self.syncs >= syncs


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A path rule with its record."""

    pattern: str
    take: Take
    right: int
    total: int
    syncs: int
    since: str
    """The day of the first sync that counts."""
    files: int
    """How many distinct files."""
    before: Past | None
    """The time before, where people did otherwise."""

    @property
    def record(self) -> str:
        """The record in a line."""
        words = f"{self.take} {self.right} of {self.total} times in {self.syncs} syncs since {self.since}"
        if self.before is not None:
            earlier = f"{self.take} {self.before.right} of {self.before.total} times"
            turned = "the policy turned then: " if self.before.was_another_policy else ""
            words += f"; {turned}before, until {self.before.until}, {earlier}"
        return words


class _Kind(IntEnum):
    """Kinds of pattern, the most special first."""

    PATH = 0
    SUFFIX_BELOW = 1
    DIRECTORY = 2
    NAME = 3
    SUFFIX = 4


@dataclass(frozen=True, slots=True)
class _Pattern:
    text: str
    kind: _Kind
    depth: int

    @property
    def speciality(self) -> tuple[int, int]:
        """What sorts the more special first: kinds, and among directories the deeper."""
        return self.kind, -self.depth


def suggest(seen: Iterable[Seen]) -> tuple[Suggestion, ...]:
    """Return rules to paste in this order (the first match wins), none of them for a file that another one takes.

    Args:
        seen: the conflicted files of past syncs, the oldest first, those aside that a rule of the lane decides.
    """
    left = list(seen)
    found: list[Suggestion] = []
    for _ in range(_MOST_ROUNDS):
        fresh = _round(left)
        if not fresh:
            break
        taken = {id(one) for _, members in fresh for one in members}
        found += [suggestion for suggestion, _ in fresh]
        left = [one for one in left if id(one) not in taken]
    return tuple(found)


def _round(seen: Sequence[Seen]) -> list[tuple[Suggestion, list[Seen]]]:
    by_pattern: dict[_Pattern, list[Seen]] = defaultdict(list)
    known: dict[bytes, tuple[_Pattern, ...]] = {}
    for one in seen:
        if one.path not in known:
            known[one.path] = tuple(_patterns(one.path))
        for pattern in known[one.path]:
            by_pattern[pattern].append(one)
    # What covers most comes first; of patterns that cover the same, the most special one.
    ordered = sorted(by_pattern, key=lambda p: (-len(by_pattern[p]), p.speciality, p.text))
    found: list[tuple[Suggestion, list[Seen]]] = []
    taken: set[int] = set()
    for pattern in ordered:
        # What others took is no evidence of a wider one.
        members = [one for one in by_pattern[pattern] if id(one) not in taken]
        suggestion = _judge(pattern.text, members)
        if suggestion is not None and (pattern.kind is _Kind.PATH or _may_be_wide(pattern, suggestion, members)):
            found.append((suggestion, members))
            taken.update(id(one) for one in members)
    return found


def _may_be_wide(pattern: _Pattern, suggestion: Suggestion, members: Iterable[Seen]) -> bool:
    """Whether a pattern may stand for files that nobody has seen yet.

    Not on the strength of one or two, which their paths match; nor with exceptions before the time that counts,
    unless that was another policy; and a whole directory only where its files are of one group: what became of a
    manifest tells nothing of code.
    """
    if suggestion.files < FEWEST_FILES:
        return False
    if suggestion.before is not None and not suggestion.before.was_another_policy:
        return False
    return pattern.kind is not _Kind.DIRECTORY or len({file_group(one.path) for one in members}) == 1


def _patterns(path: bytes) -> Iterable[_Pattern]:
    """Yield the patterns that match a path; none for a path that TOML cannot hold."""
    try:
        text = path.decode()
    except UnicodeDecodeError:
        return
    if not text.isprintable():
        return
    *parents, name = text.split("/")
    stem, dot, suffix = name.rpartition(".")
    ending = f"*.{_literal(suffix)}" if stem and dot and suffix else None
    yield _Pattern("/" + _literal(text), _Kind.PATH, len(parents))
    yield _Pattern(_literal(name), _Kind.NAME, 0)
    if ending is not None:
        yield _Pattern(ending, _Kind.SUFFIX, 0)
    for depth in range(1, len(parents) + 1):
        directory = "/" + _literal("/".join(parents[:depth]))
        yield _Pattern(f"{directory}/", _Kind.DIRECTORY, depth)
        if ending is not None:
            yield _Pattern(f"{directory}/**/{ending}", _Kind.SUFFIX_BELOW, depth)


def _literal(text: str) -> str:
    return "".join(f"\\{char}" if char in _SPECIAL else char for char in text)


@dataclass(frozen=True, slots=True)
class _Sync:
    """The files of one sync that a pattern matches."""

    day: str
    right: int
    total: int


def _judge(pattern: str, members: Sequence[Seen]) -> Suggestion | None:
    if not members or members[-1].side is None:
        return None
    take = members[-1].side
    syncs = _syncs(members, take)
    since = _holds_since(syncs)
    if since is None:
        return None
    counted, earlier = syncs[since:], syncs[:since]
    first = members[sum(sync.total for sync in earlier) :]
    return Suggestion(
        pattern=pattern,
        take=take,
        right=sum(sync.right for sync in counted),
        total=sum(sync.total for sync in counted),
        syncs=len(counted),
        since=counted[0].day,
        files=len({one.path for one in first}),
        before=_past(earlier) if earlier else None,
    )


def _past(syncs: Sequence[_Sync]) -> Past:
    return Past(sum(one.right for one in syncs), sum(one.total for one in syncs), syncs[-1].day, len(syncs))


def _syncs(members: Sequence[Seen], take: Take) -> list[_Sync]:
    by_sync: dict[str, list[Seen]] = defaultdict(list)
    for one in members:
        by_sync[one.sync].append(one)
    return [
        _Sync(files[0].date[:10], sum(one.side == take for one in files), len(files)) for files in by_sync.values()
    ]


def _holds_since(syncs: Sequence[_Sync]) -> int | None:
    """Return the earliest sync from which on the side was taken often enough; None where no policy is seen."""
    if any(sync.right < sync.total for sync in syncs[-LATELY:]):
        return None
    right = total = 0.0
    took = 0
    since = None
    for age, (place, sync) in enumerate(reversed(list(enumerate(syncs)))):
        weight = 0.5 ** (age / HALF_LIFE) * min(1.0, SAY / sync.total)
        right += weight * sync.right
        total += weight * sync.total
        took += sync.right > 0
        # The first of them must bear it out itself: else a policy would begin with its exceptions.
        if right >= SHARE * total and took >= FEWEST_SYNCS and 2 * sync.right > sync.total:
            since = place
    return since
