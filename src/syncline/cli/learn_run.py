"""What `syncline learn` does."""

import time
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from syncline.cli.bar import replay_bar
from syncline.cli.learn_show import FORGOTTEN, Taught, document_of, list_recorded, show
from syncline.cli.options import Common
from syncline.cli.session import open_forge, read_config
from syncline.cli.text import print_json
from syncline.errors import ConfigError, SynclineError
from syncline.git import CommitId, Repository
from syncline.git.command import executable
from syncline.git.missing import missing_hint
from syncline.lane.ends import read_ends
from syncline.lane.learned import (
    content_at,
    drivers_of,
    hold_record,
    read_learned,
    record_file,
    require_writable,
    write_record,
)
from syncline.lane.revoked import read_before, revoked_now
from syncline.merge.ladder import weights
from syncline.merge.ladder.lane_record import LaneRecord
from syncline.merge.model import Side
from syncline.merge.resolvers.path_rule import first_rule
from syncline.merge.resolvers.patterns import matches
from syncline.replay.attempts import find_attempts
from syncline.replay.gather import gather_all
from syncline.replay.lane_syncs import past_syncs
from syncline.replay.run import Played, PlayedFile, play
from syncline.replay.suggest import Seen, Take, suggest
from syncline.replay.truth import LeftOut

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
    anew: bool = False


def run(options: Common, request: Request) -> int:
    """Learn, or list what is recorded; print it, and return the exit code.

    Raises:
        ConfigError: a merge is to be revoked, or taken back, in a listing that changes nothing.
    """
    changing = {"--forget SHA": request.forget, "--remember SHA": request.remember, "--anew": request.anew}
    if request.recorded and any(changing.values()):
        option = next(name for name, given in changing.items() if given)
        raise ConfigError(
            f"--recorded only lists and changes nothing, and {option.partition(' ')[0]} was given with it",
            hint=f"leave --recorded out: `syncline learn {option}` learns anew",
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
    require_writable(file)
    before = read_before(repository, lane, ends.target, anew=request.anew)
    syncs = past_syncs(repository, ends.source, ends.target, request.last, _landed(repository, lane))
    revoked = revoked_now(
        repository,
        before,
        [past.merge for past in syncs],
        ends.target,
        forget=request.forget,
        remember=request.remember,
    )
    wanted = [past for past in syncs if past.merge not in revoked.merges]
    record = LaneRecord(forgotten=revoked.merges)
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
    notes = [*before.notes, *revoked.notes, *_missing(repository, learning, len(wanted), before.learned)]
    write_record(file, record)
    taught = Taught(
        lane=lane,
        file=file,
        record=record,
        levels=weights.shipped().levels,
        syncs=len(syncs),
        left_out=learning.left_out + Counter({FORGOTTEN: len(syncs) - len(wanted)}),
        files=learning.files,
        hunks=learning.hunks,
        suggestions=suggest(learning.seen),
        # To be committed: until then every sync goes on by what target holds.
        committed=lane.learned_path is None or content_at(repository, lane, ends.target) == record.to_bytes(),
        notes=notes,
    )
    return document_of(taught, time.monotonic() - begun)


@dataclass
class _Learning:
    """What the replayed syncs tell beside the record. Grows by one sync at a time."""

    lane: "Lane"
    left_out: Counter[str] = field(default_factory=Counter)
    missing: set[CommitId] = field(default_factory=set)
    """The syncs that cannot be merged again, since objects are missing."""
    files: int = 0
    hunks: int = 0
    seen: list[Seen] = field(default_factory=list)

    def add(self, played: Played) -> None:
        """Take in one sync."""
        if played.gathered.left_out is not None:
            self.left_out[played.gathered.left_out.value] += 1
        if played.gathered.left_out is LeftOut.INCOMPLETE:
            self.missing.add(played.gathered.past.merge)
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


def _missing(repository: Repository, learning: _Learning, wanted: int, learned: Collection[str]) -> list[str]:
    """Tell of syncs whose objects are missing.

    Raises:
        SynclineError: nothing would be learned for that, or less than the record has.
    """
    if not learning.missing:
        return []
    words = f"{len(learning.missing)} of {wanted} syncs cannot be merged again, since objects are missing"
    hint = missing_hint(executable(), repository.common_dir)
    lost = learning.missing.intersection(learned)
    if not lost and len(learning.missing) < wanted:
        return [f"{words}: {hint}"]
    raise SynclineError(
        f"{words} in {repository.common_dir}; nothing was written: "
        + (f"the record has learned from {len(lost)} of these" if lost else "there is nothing to learn from"),
        hint=f"{hint}; where nobody has them any more, --forget SHA goes without a merge",
    )
