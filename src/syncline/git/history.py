"""Walking history: merge bases, ranges, who touched a path last."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from syncline.git.background import Background
from syncline.git.oid import CommitId
from syncline.git.repository import Repository


def merge_bases(repository: Repository, one: CommitId, other: CommitId) -> tuple[CommitId, ...]:
    """Return all best common ancestors; none when the histories are unrelated."""
    done = repository.sealed("merge-base", "--all", one, other, accept=(0, 1))
    return tuple(CommitId.from_bytes(line) for line in done.stdout.split())


def is_ancestor(repository: Repository, ancestor: CommitId, descendant: CommitId) -> bool:
    """Whether `descendant` contains `ancestor` (a commit contains itself)."""
    done = repository.sealed("merge-base", "--is-ancestor", ancestor, descendant, accept=(0, 1))
    return done.returncode == 0


class RunningCount:
    """How many commits each of two has that the other has not, counted in the background."""

    def __init__(self, repository: Repository, left: CommitId, right: CommitId) -> None:
        self._git = Background(repository, ("rev-list", "--left-right", "--count", f"{left}...{right}"))

    def finish(self) -> tuple[int, int]:
        """Return how many commits only `left` has, and how many only `right` has."""
        status, printed, complaint = self._git.finish()
        if status:
            raise self._git.failure(status, complaint)
        first, second = printed.split()
        return int(first), int(second)


def count_apart(repository: Repository, left: CommitId, right: CommitId) -> tuple[int, int]:
    """Return how many commits only `left` has, and how many only `right` has."""
    return RunningCount(repository, left, right).finish()


def count_between(repository: Repository, old: CommitId, new: CommitId) -> int:
    """Return how many commits `new` has that `old` has not."""
    return int(repository.sealed("rev-list", "--count", f"{old}..{new}").stdout)


def first_parent_line(repository: Repository, old: CommitId, new: CommitId) -> list[CommitId]:
    """Return the commits of `new`'s first-parent line that `old` does not contain, oldest first."""
    done = repository.sealed("rev-list", "--first-parent", "--reverse", f"{old}..{new}")
    return [CommitId.from_bytes(line) for line in done.stdout.split()]


@dataclass(frozen=True, slots=True)
class Touch:
    """A commit that changed a path, with what people want to see of it."""

    commit: CommitId
    author: str
    subject: str


def last_touches(
    repository: Repository, without: Collection[CommitId], tip: CommitId, paths: Collection[bytes]
) -> dict[bytes, Touch]:
    """Return, for each of `paths`, the newest commit of `tip` that changed it and is not in `without`.

    One walk over the range, however many paths there are. A merge counts where it differs from all its
    parents (what it settled itself); what it only brought in is found at the commit that made the change.
    """
    return RunningTouches(repository, without, tip).of(paths)


_HEADER = b"//"
"""No path in git begins so."""
_FORMAT = f"--format={_HEADER.decode()}%H%x00%an%x00%s%x00"


def touches_in(
    repository: Repository, commits: Sequence[CommitId], paths: Collection[bytes]
) -> dict[bytes, Touch]:
    """Return, for each of `paths`, the first of `commits` that changed it; merges count as in `last_touches`."""
    if not commits:
        return {}
    words = ("log", "-z", "-c", "--no-renames", "--name-only", "--no-walk=unsorted", _FORMAT, "--stdin")
    done = repository.sealed(*words, input="".join(f"{oid}\n" for oid in commits).encode())
    return _first(_parse_log(done.stdout), paths)


class RunningTouches:
    """The walk of `last_touches`, started before the paths are known."""

    def __init__(self, repository: Repository, without: Collection[CommitId], tip: CommitId) -> None:
        words = ("log", "-z", "-c", "--no-renames", "--name-only", _FORMAT, tip, *(f"^{oid}" for oid in without))
        self._git = Background(repository, words)

    def of(self, paths: Collection[bytes]) -> dict[bytes, Touch]:
        """Return the newest commit for each path that one of them changed."""
        status, printed, complaint = self._git.finish()
        if status:
            raise self._git.failure(status, complaint)
        return _first(_parse_log(printed), paths)


def removals(
    repository: Repository, without: Collection[CommitId], tip: CommitId, paths: Collection[bytes]
) -> dict[bytes, Touch]:
    """Return, for each of `paths`, the newest commit of `tip` that removed it and is not in `without`.

    Merges count as in `last_touches`; a rename removes the old name.
    """
    if not paths:
        return {}
    words = ["log", "-z", "-c", "--no-renames", "--diff-filter=D", "--name-only", _FORMAT, tip]
    words += [f"^{oid}" for oid in without]
    # Git compares each path with each entry of each tree: many are cheaper to sort out here.
    limit = sorted(paths) if len(paths) <= _FEW_PATHS else []
    return _first(_parse_log(repository.sealed(*words, "--", *limit).stdout), paths)


_FEW_PATHS = 64


def _first(walk: Iterator[tuple[Touch, set[bytes]]], paths: Collection[bytes]) -> dict[bytes, Touch]:
    found: dict[bytes, Touch] = {}
    missing = set(paths)
    for touch, touched in walk:
        for path in touched & missing:
            found[path] = touch
        missing -= touched
        if not missing:
            break
    return found


def _parse_log(printed: bytes) -> Iterator[tuple[Touch, set[bytes]]]:
    fields = printed.split(b"\0")
    position = 0
    while position < len(fields) and fields[position].startswith(_HEADER):
        oid, author, subject = fields[position : position + 3]
        touch = Touch(
            CommitId.from_bytes(oid.removeprefix(_HEADER)),
            author.decode("utf-8", "replace"),
            subject.decode("utf-8", "replace"),
        )
        position += 4  # an empty field ends the header
        # git puts a newline between the header and the first name; of a merge it puts an empty field there.
        if position < len(fields):
            fields[position] = fields[position].removeprefix(b"\n")
        touched: set[bytes] = set()
        while position < len(fields) and not fields[position].startswith(_HEADER):
            touched.add(fields[position])
            position += 1
        yield touch, touched - {b""}
