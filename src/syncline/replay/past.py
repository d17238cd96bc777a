"""The past merges that are replayed: from dataset files, or the newest of a branch's own history."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from syncline.errors import ConfigError
from syncline.git import CommitId, Repository
from syncline.given_json import entry, parsed, shown


@dataclass(frozen=True, slots=True)
class PastMerge:
    """A merge that people made: its parents, and the commit whose tree is their answer."""

    merge: CommitId
    ours: CommitId
    theirs: CommitId
    date: str
    """When it was made, ISO 8601 (at least the day)."""

    def __lt__(self, other: "PastMerge") -> bool:
        return _moment(self.date) < _moment(other.date)


def _moment(date: str) -> tuple[float, str]:
    """Return what dates are compared by: ISO dates of different time zones do not sort as texts."""
    try:
        when = datetime.fromisoformat(date)
        return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp(), ""
    except (ValueError, OverflowError):
        return 0.0, date


@dataclass(frozen=True, slots=True)
class Dataset:
    """What one dataset file lists."""

    repository: str
    merges: tuple[PastMerge, ...]
    """Oldest first."""


def read_dataset(file: Path) -> Dataset:
    """Read a dataset: `{"repo": name, "merges": [{"merge", "ours", "theirs", "date"}, ...]}`.

    Raises:
        ConfigError: when the file is missing, is no JSON, or lacks one of these.
    """
    wanted = (
        'a dataset is {"repo": NAME, "merges": [{"merge": SHA, "ours": SHA, "theirs": SHA, "date": DATE}, ...]}'
    )
    try:
        document = parsed(file.read_bytes())
        rows = entry(document, "merges")
        if not isinstance(rows, list):
            raise ConfigError(f'{file} is no dataset: its "merges" is {shown(rows)}, no list', hint=wanted)
        merges = [_merge(row, f"merge {number} of {len(rows)}") for number, row in enumerate(rows, start=1)]
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}", hint="name a dataset file") from error
    except ValueError as error:
        raise ConfigError(f"{file} is no dataset: {error}", hint=wanted) from error
    # Files list the newest first; sorting is stable, so that merges of one day keep their order.
    merges.reverse()
    return Dataset(str(document.get("repo", file.stem)), tuple(sorted(merges)))


def _merge(row: object, where: str) -> PastMerge:
    """Return one merge of a dataset; `where` is how it is called in errors."""
    merge, ours, theirs = (_commit(row, key, where) for key in ("merge", "ours", "theirs"))
    date = entry(row, "date", where)
    if not isinstance(date, str):
        raise ValueError(f'{where}: its "date" is {shown(date)}, no date')  # noqa: TRY004 - bad input
    return PastMerge(merge, ours, theirs, date)


def _commit(row: object, key: str, where: str) -> CommitId:
    found = entry(row, key, where)
    try:
        return CommitId(found if isinstance(found, str) else "")
    except ValueError:
        raise ValueError(f'{where}: its "{key}" is {shown(found)}, no full commit id') from None


def last_merges(repository: Repository, tip: CommitId, count: int) -> tuple[PastMerge, ...]:
    """Return the newest `count` merges of `tip`'s first-parent line, oldest first.

    The first parent is ours. Merges of more than two parents are left out.
    """
    done = repository.sealed(
        "log", "--first-parent", "--min-parents=2", "--max-parents=2", f"--max-count={count}",
        "--format=%H %P %cI", tip,
    )  # fmt: skip
    found = []
    for line in done.stdout.decode().splitlines():
        merge, ours, theirs, date = line.split()
        found.append(PastMerge(CommitId(merge), CommitId(ours), CommitId(theirs), date))
    return tuple(reversed(found))
