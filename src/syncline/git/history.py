"""Walking history: merge bases, ranges, who touched a path last."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

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


def count_apart(repository: Repository, left: CommitId, right: CommitId) -> tuple[int, int]:
    """Return how many commits only `left` has, and how many only `right` has."""
    done = repository.sealed("rev-list", "--left-right", "--count", f"{left}...{right}")
    first, second = done.stdout.split()
    return int(first), int(second)


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
    repository: Repository, bases: Collection[CommitId], tip: CommitId, paths: Collection[bytes]
) -> dict[bytes, Touch]:
    """Return, for each of `paths`, the newest commit of `bases..tip` that changed it.

    One walk over the range, however many paths there are. Merges are looked at against their first parent,
    so a change that came in by a merge is found at that merge or inside it, whichever is newer.
    """
    found: dict[bytes, Touch] = {}
    missing = set(paths)
    for touch, touched in _walk(repository, bases, tip):
        for path in touched & missing:
            found[path] = touch
        missing -= touched
        if not missing:
            break
    return found


def _walk(
    repository: Repository, bases: Collection[CommitId], tip: CommitId
) -> Iterator[tuple[Touch, set[bytes]]]:
    done = repository.sealed(
        "log",
        "-z",
        "--no-renames",
        "--name-only",
        "--format=%x01%H%x02%an%x02%s",
        tip,
        *(f"^{b}" for b in bases),
    )
    touch: Touch | None = None
    touched: set[bytes] = set()
    for field in done.stdout.split(b"\0"):
        # git puts a newline between the header and the first name.
        text = field.removeprefix(b"\n")
        if text.startswith(b"\x01"):
            if touch is not None:
                yield touch, touched
            oid, author, subject = text[1:].split(b"\x02", 2)
            touch = Touch(
                CommitId.from_bytes(oid),
                author.decode("utf-8", "replace"),
                subject.decode("utf-8", "replace"),
            )
            touched = set()
        elif text:
            touched.add(text)
    if touch is not None:
        yield touch, touched
