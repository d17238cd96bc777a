"""What `syncline learn` does."""

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from syncline.cli.bar import replay_bar
from syncline.cli.learn_show import Taught, document_of, list_recorded, show
from syncline.cli.options import Common
from syncline.cli.session import open_forge, read_config
from syncline.cli.text import print_json
from syncline.errors import ConfigError
from syncline.git import CommitId, Repository
from syncline.git.refs import resolve_commit
from syncline.lane.ends import read_ends
from syncline.lane.learned import (
    content_at,
    drivers_of,
    forgotten_in,
    hold_record,
    read_learned,
    record_content,
    record_file,
    write_record,
)
from syncline.merge.ladder import weights
from syncline.merge.ladder.lane_record import LaneRecord
from syncline.merge.model import Side
from syncline.merge.resolvers.path_rule import first_rule
from syncline.merge.resolvers.patterns import matches
from syncline.replay.attempts import find_attempts
from syncline.replay.gather import gather_all
from syncline.replay.lane_syncs import past_syncs
from syncline.replay.past import PastMerge
from syncline.replay.run import Played, PlayedFile, play
from syncline.replay.suggest import Seen, Take, suggest

if TYPE_CHECKING:
    from syncline.config.models import Lane
    from syncline.lane.ends import Ends


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked for."""

    lane: str | None
    last: int
    jobs: int
    recorded: bool
    forget: tuple[str, ...]
    remember: tuple[str, ...]


def run(options: Common, request: Request) -> int:
    """Learn, or list what is recorded; print it, and return the exit code.

    Raises:
        ConfigError: a merge is to be revoked, or taken back, in a listing that changes nothing.
    """
    if request.recorded and (request.forget or request.remember):
        option = "--forget" if request.forget else "--remember"
        raise ConfigError(
            f"--recorded only lists and changes nothing, and {option} was given with it",
            hint=f"leave --recorded out: `syncline learn {option} SHA` learns anew",
        )
    with Repository.open(options.directory) as repository:
        repository.require_whole_history()
        lane = read_config(options, repository).lane(request.lane)
        ends = read_ends(repository, lane)
        if request.recorded:
            list_recorded(options, repository, lane, read_learned(repository, lane, ends.target).record)
            return 0
        file = record_file(repository, lane)
        with hold_record(repository, lane):
            document = _learn(options, repository, lane, ends, file, request)
    if options.as_json:
        print_json(document)
    else:
        show(document)
    return 0


def _learn(
    options: Common, repository: Repository, lane: "Lane", ends: "Ends", file: Path, request: Request
) -> dict[str, Any]:
    begun = time.monotonic()
    syncs = past_syncs(repository, ends.source, ends.target, request.last, _landed(repository, lane))
    forgotten = _forgotten(repository, lane, ends, file, request, syncs)
    wanted = [past for past in syncs if past.merge not in forgotten]
    record = LaneRecord(forgotten=forgotten)
    learning = _Learning(lane)
    gathered = gather_all(
        options.directory, wanted, jobs=request.jobs, ask=drivers_of(lane), attempts=lane.attempts
    )
    with replay_bar(len(wanted), "learning") as advance:
        for played in play(gathered, weights.shipped(), lane.precision, record):
            learning.add(played)
            advance(played)
    if lane.attempts:
        record.attempted = find_attempts(repository, lane.attempts, ends.target, ends.source)
    write_record(file, record)
    taught = Taught(
        lane=lane,
        file=file,
        record=record,
        levels=weights.shipped().levels,
        syncs=len(syncs),
        left_out=learning.left_out,
        files=learning.files,
        hunks=learning.hunks,
        suggestions=suggest(learning.seen),
        # To be committed: until then every sync goes on by what target holds.
        committed=lane.learned_path is None or content_at(repository, lane, ends.target) == record.to_bytes(),
    )
    return document_of(taught, time.monotonic() - begun)


@dataclass
class _Learning:
    """What the replayed syncs tell beside the record. Grows by one sync at a time."""

    lane: "Lane"
    left_out: Counter[str] = field(default_factory=Counter)
    files: int = 0
    hunks: int = 0
    seen: list[Seen] = field(default_factory=list)

    def add(self, played: Played) -> None:
        """Take in one sync."""
        if played.gathered.left_out is not None:
            self.left_out[played.gathered.left_out.value] += 1
        self.files += len(played.files)
        self.hunks += sum(len(file.right) for file in played.files)
        self.seen += self._seen(played)

    def _seen(self, played: Played) -> Iterator[Seen]:
        past = played.gathered.past
        for file in played.files:
            path = file.gathered.past.conflict.path
            if not self._is_ruled(file):
                yield Seen(path, past.merge, past.date, _take(file.gathered.past.side))

    def _is_ruled(self, file: PlayedFile) -> bool:
        conflict = file.gathered.past.conflict
        if first_rule(self.lane.paths, {conflict.path, *conflict.group}) is not None:
            return True
        return any(matches(coupled.paths, conflict.path) for coupled in self.lane.coupled)


def _take(side: Side | None) -> Take | None:
    return "ours" if side is Side.OURS else "theirs" if side is Side.THEIRS else None


def _landed(repository: Repository, lane: "Lane") -> dict[str, CommitId]:
    """Return the heads of the lane's proposals by their runs."""
    if not (repository.state_dir / "forge.db").is_file():
        return {}
    with open_forge(repository) as forge:
        return {proposal.run: CommitId(proposal.head_sha) for proposal in forge.proposals(lane.name)}


def _forgotten(
    repository: Repository, lane: "Lane", ends: "Ends", file: Path, request: Request, syncs: Sequence[PastMerge]
) -> tuple[str, ...]:
    before = content_at(repository, lane, ends.target)
    # What was revoked stays so, in whichever of the two places it was written last.
    known = dict.fromkeys((*forgotten_in(before), *forgotten_in(record_content(file))))
    for words in request.forget:
        merge = resolve_commit(repository, words)
        if merge not in known and all(past.merge != merge for past in syncs):
            raise ConfigError(
                f"{merge.short} is none of the {len(syncs)} syncs that lane {lane.name!r} learns from",
                hint="`syncline learn --recorded` lists them with what they taught",
            )
        known[merge] = None
    for words in request.remember:
        merge = resolve_commit(repository, words)
        if merge not in known:
            raise ConfigError(f"{merge.short} was not forgotten", hint="only a --forget can be taken back")
        del known[merge]
    return tuple(known)
