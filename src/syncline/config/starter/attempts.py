"""Branches on which others attempt the same sync: seen by what they merged and by how they are called."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from syncline.config.starter.files import pattern_of
from syncline.config.starter.pairs import Pair
from syncline.config.starter.places import Place
from syncline.errors import GitError
from syncline.git import CommitId, Repository
from syncline.git.history import is_ancestor, merge_bases
from syncline.git.refs import list_refs
from syncline.git.side_merges import side_merges

_FEWEST = 2
"""One branch that merged source may be anything; where names differ in numbers alone, something makes more."""
_MOST_LOOKED_AT = 6
"""Branches of one kind, the newest; each takes git some hundredths of a second."""
_MOST_KINDS = 20
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class AttemptsSeen:
    """Branches that attempt the sync."""

    pattern: str
    """What matches their names, as in `attempts`."""
    example: str
    """The newest of them."""

    @property
    def shown(self) -> str:
        """As people write it."""
        return f"branches like {self.example}"


def attempts_seen(repository: Repository, places: Iterable[Place], pair: Pair) -> AttemptsSeen | None:
    """Return the branches that merge source into something of target's and did not land, None where none do.

    Of the newest branches whose names differ in numbers alone, at least two and at least half must do so.

    Args:
        repository: where the commits are.
        places: all branches.
        pair: source and target.

    Raises:
        GitError: the refs cannot be read. What a shallow or a partial clone lacks is evidence the fewer.
    """
    for branches in _newest(repository, places):
        prefix = _prefix([place.branch for place in branches])
        # Too short a beginning would match anything.
        if not prefix or any(end.branch.startswith(prefix) for end in (pair.source, pair.target)):
            continue
        found = [place.branch for place in branches if _attempts(repository, place.tip, pair)]
        if len(found) >= max(_FEWEST, len(branches) / 2):
            return AttemptsSeen(f"{pattern_of(prefix)}*", found[0])
    return None


def _newest(repository: Repository, places: Iterable[Place]) -> Iterator[list[Place]]:
    """Yield the newest branches of each kind, whose names differ in numbers; the kind with the newest first."""
    at: dict[CommitId, list[Place]] = defaultdict(list)
    for place in places:
        at[place.tip].append(place)
    kinds: dict[str, dict[str, Place]] = defaultdict(dict)
    for ref in list_refs(repository, "refs/heads/", "refs/remotes/", newest_first=True):
        for place in at.pop(ref.oid, ()):
            kinds[_NUMBER.sub("#", place.branch)].setdefault(place.branch, place)
    several = [list(names.values())[:_MOST_LOOKED_AT] for names in kinds.values() if len(names) >= _FEWEST]
    yield from several[:_MOST_KINDS]


def _attempts(repository: Repository, tip: CommitId, pair: Pair) -> bool:
    source, target = pair.source.tip, pair.target.tip
    try:
        for one in side_merges(repository, tip, target, source):
            # A branch of source's that was brought up to date has nothing of target's in it.
            bases = merge_bases(repository, one.ours, target)
            if any(not is_ancestor(repository, base, source) for base in bases):
                return True
    except GitError:
        return False
    return False


def _prefix(names: Sequence[str]) -> str:
    """Return how all names begin, up to the numbers that differ; empty where that says little."""
    pairs = takewhile(lambda pair: pair[0] == pair[1], zip(min(names), max(names), strict=False))
    prefix = re.sub(r"\d[\d_.\-]*$", "", "".join(one for one, _ in pairs))
    return prefix if re.search(r"[^\W\d_]", prefix) else ""
