"""Choosing source and target among the branches of a repository. Pure: distances come from the caller.

Pairs that are known from practice come first: the main line into the development line, an upstream into its fork,
a release line into the next one and the newest into the main line. Only then any branch that went its own way.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from syncline.config.starter.names import Part, part_of, release_of
from syncline.config.starter.places import Place, Places

UPSTREAM = "upstream"
_OWN = "syncline/"
"""Branches of syncline's own proposals are no lane's."""
# Each pair costs two walks through history.
_MOST_MEASURED = 40
_KNOWN, _ANY = 0, 1


@dataclass(frozen=True, slots=True)
class Wish:
    """What the user asked for; None leaves the choice to syncline."""

    source: str | None = None
    target: str | None = None
    remote: str | None = None


@dataclass(frozen=True, slots=True)
class Distance:
    """Commits that only target has, that only source has, and whether the histories meet at all."""

    ahead: int
    behind: int
    related: bool


Measure = Callable[[Place, Place], Distance]
"""From source and target to their distance."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A possible lane and the reason to think of it."""

    source: Place
    target: Place
    distance: Distance
    why: str

    @property
    def shown(self) -> str:
        """Both branches as people write them."""
        return f"{self.source.shown} -> {self.target.shown}"


@dataclass(frozen=True, slots=True)
class _Candidate:
    source: Place
    target: Place
    why: str
    tier: int = _ANY
    rank: int = 0
    order: int = 0


def rank_pairs(places: Places, wish: Wish, measure: Measure) -> list[Pair]:
    """Return the possible lanes, the most plausible first; empty when nothing is plausible.

    A pair whose two ends were both asked for is always returned.
    """
    sources, targets = _named(places.found, wish.source), _named(places.found, wish.target)
    if wish.source is not None and wish.target is not None:
        ends = _settle(sources, targets)
        if ends is None:
            return []
        return [Pair(*ends, measure(*ends), "both were named")]
    candidates = list(_distinct(_filtered(_known(places, wish), sources if wish.source else None,
                                          targets if wish.target else None)))  # fmt: skip
    guided = bool(wish.source or wish.target)
    candidates += _others(places, sources, targets) if guided else _strays(places)
    judged = [
        (candidate, measure(candidate.source, candidate.target))
        for candidate in list(_distinct(candidates))[:_MOST_MEASURED]
    ]
    plausible = [
        (candidate, distance)
        for candidate, distance in judged
        if distance.related and (guided or candidate.tier == _KNOWN or _state(distance) == 0)
    ]
    plausible.sort(key=lambda item: _key(places, *item))
    return [Pair(candidate.source, candidate.target, distance, candidate.why) for candidate, distance in plausible]


def named(places: Iterable[Place], text: str) -> tuple[Place, ...]:
    """Return the places of a branch named as `branch` or as `remote/branch`."""
    known = tuple(places)
    return tuple(place for place in known if place.branch == text) or tuple(
        place for place in known if place.shown == text
    )


def _named(places: Iterable[Place], text: str | None) -> tuple[Place, ...]:
    return () if text is None else named(places, text)


def _key(places: Places, candidate: _Candidate, distance: Distance) -> tuple[int, ...]:
    # Somebody else's repository is where a proposal is least likely meant to go.
    foreign = candidate.target.remote not in {None, "origin"} and "origin" in places.remotes
    return (candidate.tier, foreign, _state(distance), candidate.rank, candidate.order,
            -(distance.ahead + distance.behind))  # fmt: skip


def _state(distance: Distance) -> int:
    """0 diverged, 1 source has something new, 2 only target has, 3 both are the same."""
    if distance.behind:
        return 0 if distance.ahead else 1
    return 2 if distance.ahead else 3


def _settle(sources: Iterable[Place], targets: Iterable[Place]) -> tuple[Place, Place] | None:
    """Choose where both branches are taken from: both here, else both at one remote, else the most obvious."""
    ends = [(source, target) for source in sources for target in targets if source != target]
    if not ends:
        return None
    if ends[0][0].branch == ends[0][1].branch:  # an upstream's branch into ours of the same name
        return min(ends, key=lambda pair: (pair[0].remote != UPSTREAM, pair[0].remote is None))
    # `min` takes the first of equals, and places are sorted by how obvious they are.
    return min(ends, key=lambda pair: (pair[0].remote != pair[1].remote, pair[0].remote is not None))


def _known(places: Places, wish: Wish) -> Iterator[_Candidate]:
    by_part: dict[Part, list[str]] = {part: [] for part in Part}
    for name in _names(places):
        by_part[part_of(name, places.default)].append(name)
    trunks = by_part[Part.TRUNK]
    for trunk in trunks:
        order = int(trunk != places.default)
        for develop in by_part[Part.DEVELOP]:
            yield from _candidate(places, trunk, develop, "a main line and a development line", 0, order)
        if wish.remote is None:
            yield from _fork(places, trunk, order)
    families: dict[str, list[tuple[tuple[int, ...], str]]] = {}
    for name in by_part[Part.RELEASE]:
        if release := release_of(name):
            families.setdefault(release.family, []).append((release.version, name))
    for releases in families.values():
        newest_first = [name for _, name in sorted(releases, reverse=True)]
        for order, (newer, older) in enumerate(pairwise(newest_first)):
            yield from _candidate(places, older, newer, "a release line and the next one", 2, order)
        for trunk in trunks:
            yield from _candidate(places, newest_first[0], trunk, "the newest release line and the main line", 3)


def _names(places: Places) -> list[str]:
    return sorted({place.branch for place in places.found if not place.branch.startswith(_OWN)})


def _candidate(
    places: Places, source: str, target: str, why: str, rank: int, order: int = 0
) -> Iterator[_Candidate]:
    if ends := _settle(places.of(source), places.of(target)):
        yield _Candidate(*ends, why, _KNOWN, rank, order)


def _fork(places: Places, trunk: str, order: int) -> Iterator[_Candidate]:
    there = [place for place in places.of(trunk) if place.remote == UPSTREAM]
    ours = [place for place in places.of(trunk) if place.remote != UPSTREAM]
    if there and ours:
        yield _Candidate(there[0], ours[0], "an upstream and its fork", _KNOWN, 1, order)


def _filtered(
    candidates: Iterable[_Candidate], sources: tuple[Place, ...] | None, targets: tuple[Place, ...] | None
) -> Iterator[_Candidate]:
    for candidate in candidates:
        if (sources is None or candidate.source in sources) and (targets is None or candidate.target in targets):
            yield candidate


def _others(places: Places, sources: tuple[Place, ...], targets: tuple[Place, ...]) -> list[_Candidate]:
    """Every branch beside the one that was named."""
    fixed = (sources or targets)[0].branch
    found = []
    for name in _names(places):
        ends = _settle(sources or places.of(name), targets or places.of(name)) if name != fixed else None
        if ends is not None:
            rank = part_of(name, places.default)
            found.append(_Candidate(*ends, "one was named, the other is nearest to a lane", _ANY, rank))
    return sorted(found, key=lambda candidate: candidate.rank)


def _strays(places: Places) -> list[_Candidate]:
    """The main line into any branch that is nothing known."""
    parts = {name: part_of(name, places.default) for name in _names(places)}
    first = min(parts.values(), default=Part.OTHER)
    if first not in {Part.TRUNK, Part.DEVELOP}:
        return []
    trunks = [name for name, part in parts.items() if part is first]
    others = [name for name, part in parts.items() if part is Part.OTHER]
    pairs = (_settle(places.of(trunk), places.of(other)) for trunk in trunks for other in others)
    return [_Candidate(*ends, "the main line and a branch that went its own way") for ends in pairs if ends]


def _distinct(candidates: Iterable[_Candidate]) -> Iterator[_Candidate]:
    seen = set()
    for candidate in candidates:
        ends = (candidate.source, candidate.target)
        if ends not in seen:
            seen.add(ends)
            yield candidate
