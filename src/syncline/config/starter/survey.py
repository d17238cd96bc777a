"""What was seen of a repository, as one frozen value: the lane, and what its files ask for."""

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from syncline.config.keypath import shorten
from syncline.config.starter import files
from syncline.config.starter.attempts import AttemptsSeen, attempts_seen
from syncline.config.starter.formatters import FormatterSeen, formatters_seen
from syncline.config.starter.pairs import Distance, Pair, Wish, named, rank_pairs
from syncline.config.starter.places import Place, Places, ask_remote, read_places
from syncline.errors import ConfigError
from syncline.git import Repository
from syncline.git.commit import read_commit
from syncline.git.history import count_apart, merge_bases

_NAME_THEM = "name them: syncline init --source BRANCH --target BRANCH [--remote NAME]"
_MOST_NAMED = 8
_LONGEST_PART = 45


@dataclass(frozen=True, slots=True)
class Survey:
    """Everything the file is made of."""

    lane: str
    pair: Pair
    others: tuple[Pair, ...]
    """Other plausible lanes, the best first."""
    also_at: str | None
    """A remote where both branches are too, when the lane takes local ones."""
    prefix: str
    """What the names of proposals' branches start with."""
    shallow: bool
    attempts: AttemptsSeen | None
    """Branches on which others attempt the same sync."""
    branches_left_out: int
    listing: files.Listing
    owners: tuple[str, ...]
    coupled: tuple[files.FileSet, ...]
    golden: tuple[files.Golden, ...]
    python: int
    test_command: tuple[str, ...]
    formatters: tuple[FormatterSeen, ...]

    @property
    def source(self) -> Place:
        """The branch commits come from."""
        return self.pair.source

    @property
    def target(self) -> Place:
        """The branch they go to."""
        return self.pair.target

    @property
    def remote(self) -> str | None:
        """The remote where both branches live; None when one lives here, or each at its own."""
        return self.source.remote if self.source.remote == self.target.remote else None

    def branch_evidence(self) -> tuple[str, ...]:
        """What speaks for this pair of branches, a sentence each."""
        source, target, distance = self.source.shown, self.target.shown, self.pair.distance
        lines = [f"{source} into {target}: {self.pair.why}"]
        if distance.related:
            ahead = _counted(distance.ahead, "commit")
            unsure = " (counted in a shallow clone, so there may be more)" if self.shallow else ""
            lines.append(f"{target} is {ahead} ahead of {source} and {distance.behind} behind it{unsure}")
        else:
            lines.append(f"{source} and {target} have no common commit: nothing can be merged before they have")
        lines += [
            f"{place.branch} is taken from the remote {place.remote}"
            for place in (self.source, self.target)
            if place.remote
        ]
        if self.attempts:
            lines.append(f"{self.attempts.shown} merge {source} into work of {target} and did not land")
        if self.others:
            lines.append(f"also possible: {', '.join(pair.shown for pair in self.others[:3])}")
        if self.branches_left_out:
            left_out = _counted(self.branches_left_out, "branch", "branches")
            lines.append(f"left out {left_out} with a name this file cannot hold")
        return tuple(lines)

    def file_evidence(self) -> tuple[str, ...]:
        """What was found in the target's files, a sentence each."""
        target = self.target.shown
        lines = [f"{path} exists in {target}" for path in self.owners]
        lines += [f"{_listed(couple.paths)} exist in {target}" for couple in self.coupled]
        lines += [
            f"{_counted(golden.files, 'file')} of recorded values: {golden.pattern}" for golden in self.golden
        ]
        if self.python:
            lines.append(f"{_counted(self.python, 'Python file')} in {target}")
        lines += [f"{seen.where} of {target} has settings for {seen.name}" for seen in self.formatters]
        if self.listing.left_out:
            lines.append(
                f"left out {_counted(self.listing.left_out, 'file')} with a name that is not plain UTF-8 text"
            )
        return tuple(lines)


def look(repository: Repository, wish: Wish) -> Survey:
    """Look at branches and at the files of the target. Nothing is changed.

    A remote is asked only when `wish` names one whose branches were never fetched.

    Raises:
        ConfigError: no branches were found that make a lane; the message says what was seen.
        GitError: the repository, or the remote, cannot be read.
    """
    everywhere = read_places(repository)
    places = _at(repository, everywhere, wish)
    _require_named(places, wish)
    pairs = rank_pairs(places, wish, lambda source, target: _distance(repository, source, target))
    if not pairs:
        raise ConfigError(_nothing(places, wish, repository), hint=_NAME_THEM)
    pair = pairs[0]
    ours, theirs = (read_commit(repository, place.tip).tree for place in (pair.target, pair.source))
    listing = files.list_files(repository, ours)
    lane = lane_name(pair)
    return Survey(
        lane=lane,
        pair=pair,
        others=tuple(pairs[1:]) if not (wish.source or wish.target) else (),
        also_at=_also_at(everywhere, pair),
        prefix=_prefix(everywhere, lane),
        shallow=repository.is_shallow,
        attempts=attempts_seen(repository, everywhere.found, pair),
        branches_left_out=everywhere.left_out,
        listing=listing,
        owners=files.owners(listing.paths),
        coupled=files.coupled_sets(listing.paths),
        golden=files.golden_values(listing.paths),
        python=files.python_files(listing.paths),
        test_command=files.test_command(listing.paths),
        formatters=formatters_seen(repository, theirs, ours),
    )


def lane_name(pair: Pair) -> str:
    """Return a name for the lane: `main-to-dev`, with what a lane's name cannot hold left out."""
    source = pair.source.branch
    if source == pair.target.branch:
        source = f"{pair.source.remote or 'local'}-{source}"
    return f"{_part(source)}-to-{_part(pair.target.branch)}"


def _part(branch: str) -> str:
    plain = re.sub(r"[^A-Za-z0-9._-]+|\.{2,}", "-", branch)[:_LONGEST_PART].strip("-.")
    return re.sub(r"\.lock$", "-lock", plain, flags=re.IGNORECASE) or "branch"


def _at(repository: Repository, places: Places, wish: Wish) -> Places:
    """The places that count: all, or those at the remote that was asked for."""
    if wish.remote is None:
        return places
    if wish.remote == ".":
        return replace(places, found=tuple(places.at(None).values()))
    if wish.remote not in places.remotes:
        there = ", ".join(map(shorten, places.remotes)) or "none"
        raise ConfigError(
            f"wanted the name of a remote, found {shorten(wish.remote)}; there is {there}",
            hint="git remote add NAME URL gives an address a name",
        )
    found = tuple(places.at(wish.remote).values())
    if not found:
        asked = [name for name in (wish.source, wish.target) if name] + sorted(places.at(None))
        found = tuple(ask_remote(repository, wish.remote, asked))
    return replace(places, found=found)


def _require_named(places: Places, wish: Wish) -> None:
    for option, name in (("--source", wish.source), ("--target", wish.target)):
        if name is None or named(places.found, name):
            continue
        there = f" at {wish.remote}" if wish.remote else ""
        near = difflib.get_close_matches(name, sorted({place.shown for place in places.found}), n=1)
        meant = f"did you mean {shorten(near[0])}?" if near else "git fetch may be missing"
        raise ConfigError(f"{option}: there is no branch {shorten(name)}{there}; {_seen(places)}", hint=meant)


def _distance(repository: Repository, source: Place, target: Place) -> Distance:
    ahead, behind = count_apart(repository, target.tip, source.tip)
    # A shallow clone may not reach the common commit.
    related = repository.is_shallow or bool(merge_bases(repository, source.tip, target.tip))
    return Distance(ahead, behind, related)


def _nothing(places: Places, wish: Wish, repository: Repository) -> str:
    if not places.found:
        return f"a lane needs two branches, {repository.common_dir} has none with a commit"
    if len({place.branch for place in places.found}) == 1:
        return f"a lane needs two branches; {_seen(places)}"
    if wish.source and wish.target:
        return f"a lane needs two different branches, found {shorten(wish.source)} twice; {_seen(places)}"
    return f"no two branches look like a lane (both with commits of their own, or known names); {_seen(places)}"


def _seen(places: Places) -> str:
    names = [place.shown for place in places.found]
    return f"there is {_listed(map(shorten, names), _MOST_NAMED)}" if names else "there is none with a commit"


def _also_at(places: Places, pair: Pair) -> str | None:
    if pair.source.remote or pair.target.remote:
        return None
    remotes = [
        [place.remote for place in places.of(end.branch) if place.remote] for end in (pair.source, pair.target)
    ]
    return next((remote for remote in remotes[0] if remote in remotes[1]), None)


def _prefix(places: Places, lane: str) -> str:
    """`syncline`, or a variant: git cannot keep `syncline/x` beside a branch called `syncline`."""
    taken = {place.branch for place in places.found}
    number = 1
    while {prefix := f"syncline-{number}" if number > 1 else "syncline", f"{prefix}/{lane}"} & taken:
        number += 1
    return prefix


def _counted(count: int, one: str, many: str = "") -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"


def _listed(names: Iterable[str], most: int = 1000) -> str:
    known: Sequence[str] = tuple(names)
    return ", ".join(known[:most]) + (f" and {len(known) - most} more" if len(known) > most else "")
