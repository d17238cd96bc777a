"""What a lane learned from its past syncs: where it is kept, and how it comes into a merge.

The record lies in syncline's own directory, or in a file that target holds (`learned` of the lane). A run names
the record it was made with by the id of its blob, and is made again with that one, whatever was learned since.
"""

import errno
import os
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from syncline.errors import ConfigError, SynclineError
from syncline.git import BlobId, CommitId, Repository
from syncline.git.commit import read_commit
from syncline.lane.lock import hold_lane
from syncline.merge.ladder import weights
from syncline.merge.ladder.lane_record import LaneRecord
from syncline.merge.ladder.settler import Settler
from syncline.merge.past_versions import HistoryWalks
from syncline.merge.proposals import Further
from syncline.whole_file import written_beside

if TYPE_CHECKING:
    from syncline.config.models import Lane

LARGEST = 64 * 1024 * 1024
"""Bytes a record may have; those of lanes with hundreds of syncs have a few million."""
DEFAULT_PRECISION = 0.95
"""What is asked for where there is no lane to say it."""


@dataclass(frozen=True, slots=True)
class Learned:
    """A record as it was read."""

    record: LaneRecord = field(default_factory=LaneRecord)
    content: bytes = b""
    """The file; empty where nothing has been learned yet."""


def record_file(repository: Repository, lane: "Lane") -> Path:
    """Return where `syncline learn` writes the record of a lane.

    Raises:
        ConfigError: it is to be committed, and there is no work tree to write it to.
    """
    if lane.learned_path is None:
        return repository.state_dir / "learned" / f"{lane.name}.json"
    if repository.work_tree is None:
        raise ConfigError(
            f"lane {lane.name!r} keeps its record in {lane.learned_path}, and this repository has no work tree",
            hint="run `syncline learn` in a clone with a work tree and commit the file to target",
        )
    return repository.work_tree / lane.learned_path


def read_learned(repository: Repository, lane: "Lane", target: CommitId) -> Learned:
    """Return the record that decides merges into `target`; an empty one while nothing was learned.

    Raises:
        SynclineError: what is there cannot be read, or is no record.
    """
    content = content_at(repository, lane, target)
    return parsed(content, where_at(repository, lane, target)) if content is not None else Learned()


def read_blob(repository: Repository, oid: BlobId) -> LaneRecord:
    """Return the record that a run names.

    Raises:
        SynclineError: this repository does not have it, or it is something else.
    """
    return parsed(repository.blob(oid), f"record {oid}").record


def content_at(repository: Repository, lane: "Lane", target: CommitId) -> bytes | None:
    """Return the record that decides merges into `target` as it is written there; None where there is none."""
    if lane.learned_path is None:
        return record_content(record_file(repository, lane))
    entry = repository.entry(read_commit(repository, target).tree, lane.learned_path.encode())
    return repository.blob(entry.oid) if entry is not None and entry.mode.is_file else None


def where_at(repository: Repository, lane: "Lane", target: CommitId) -> str:
    """Return how the place of `content_at` is called in errors."""
    if lane.learned_path is None:
        return str(record_file(repository, lane))
    return f"{lane.learned_path} in {target.short}"


def record_content(file: Path) -> bytes | None:
    """Return what a record's file holds; None where there is none.

    Raises:
        SynclineError: it cannot be read.
    """
    try:
        with file.open("rb") as stream:
            return stream.read(LARGEST + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise SynclineError(f"{file} cannot be read: {error.strerror}", hint="make it readable") from error


def parsed(content: bytes, where: str) -> Learned:
    """Read a record; `where` is how its place is called in the error.

    Raises:
        SynclineError: it is none; one that is empty was lost, and is not the same as no record.
    """
    if len(content) > LARGEST:
        raise SynclineError(
            f"{where} is larger than {LARGEST} bytes: no record", hint="`syncline learn` writes it"
        )
    if not content:
        raise SynclineError(
            f"{where} was expected to hold what a lane learned, it is empty",
            hint="`syncline learn` writes it anew",
        )
    return Learned(LaneRecord.from_bytes(content, where), content)


@contextmanager
def hold_record(repository: Repository, lane: "Lane") -> Generator[None]:
    """Hold the lane's record while the block changes it; a sync that runs meanwhile is not disturbed.

    Raises:
        LaneBusyError: another `learn` holds it.
        SynclineError: the lane cannot be held, since nothing can be written here.
    """
    with ExitStack() as held:
        with _told(repository.state_dir):
            # No lane has this name. A lock of its own: a sync may wait for its checks for hours.
            held.enter_context(hold_lane(repository.state_dir, f"{lane.name} (learning)"))
        yield


def write_record(file: Path, record: LaneRecord) -> None:
    """Write a record; whoever reads meanwhile reads the old one or the new one.

    Raises:
        SynclineError: it cannot be written; the old one is as it was.
    """
    with _told(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        with written_beside(file, record.to_bytes()) as beside:
            beside.replace(file)


def require_writable(file: Path) -> None:
    """Refuse a place where no record can be written: learning takes long, and would be lost.

    Raises:
        SynclineError: nothing can be written there, or somebody made the record read-only.
    """
    with _told(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        with written_beside(file, b""):
            pass
        # A file is put in its place, which its own mode would not hinder.
        if file.exists() and not os.access(file, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
            raise PermissionError(errno.EACCES, "it is read-only", str(file))


@contextmanager
def _told(place: Path) -> Generator[None]:
    """Tell of what the system refuses while the block writes at `place`."""
    try:
        yield
    except OSError as error:
        where = f" ({error.filename})" if error.filename not in {None, str(place)} else ""
        raise SynclineError(
            f"{place} was to be written, the system refused: {error.strerror or error}{where}",
            hint="make the file and its directory writable, or free some space, and run the same command again; "
            "what is there is as it was",
        ) from error


def settler_for(
    repository: Repository, lane: "Lane | None", ours: CommitId, theirs: CommitId, record: LaneRecord
) -> Settler:
    """Return what settles the conflicts of one merge from evidence; its look into history begins now.

    With an empty record it runs in shadow: it shows candidates and accepts none.
    """
    precision = lane.precision if lane is not None else DEFAULT_PRECISION
    walks = HistoryWalks(repository, ours, theirs)
    ask = drivers_of(lane) if lane is not None else None
    further = ask(repository) if ask is not None else None
    return Settler(repository, ours, theirs, weights.shipped(), record, precision, walks, further)


def drivers_of(lane: "Lane") -> Callable[[Repository], Further] | None:
    """Return what makes, of a repository, the lane's merge drivers; None where it has none."""
    if not lane.drivers:
        return None
    from syncline.lane.drivers import Drivers  # noqa: PLC0415 - few lanes have any

    return partial(Drivers, drivers=lane.drivers)
