"""Differences between two trees."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from syncline.git.oid import CommitId, Oid, TreeId
from syncline.git.repository import Repository
from syncline.git.tree import Entry, Mode


@dataclass(frozen=True, slots=True)
class Change:
    """One path that differs; a side is None where the path is absent."""

    path: bytes
    old: Entry | None
    new: Entry | None


def changes(repository: Repository, old: TreeId | CommitId, new: TreeId | CommitId) -> Iterator[Change]:
    """Yield every path that differs between two trees, without looking for renames."""
    done = repository.sealed("diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", old, new)
    fields = done.stdout.split(b"\0")
    for head, path in zip(fields[0:-1:2], fields[1::2], strict=True):
        old_mode, new_mode, old_oid, new_oid, _ = head[1:].decode("ascii").split(" ")
        yield Change(path, _entry(old_mode, old_oid), _entry(new_mode, new_oid))


def statuses(
    repository: Repository, old: TreeId | CommitId, new: TreeId | CommitId
) -> Iterator[tuple[bytes, str]]:
    """Yield (path, status letter) of every path that differs: git-diff-tree(1), `--name-status`."""
    done = repository.sealed("diff-tree", "-r", "-z", "--name-status", "--no-renames", old, new)
    fields = done.stdout.split(b"\0")
    for status, path in zip(fields[0:-1:2], fields[1::2], strict=True):
        yield path, status.decode("ascii")


def _entry(mode: str, oid: str) -> Entry | None:
    return None if mode == "000000" else Entry(Mode.of(mode), Oid.printed(oid))


_MOST_ARGUMENTS = 64 * 1024
"""Bytes of paths given to git; POSIX systems take at least 128 KiB of arguments and environment."""


def renamed(
    repository: Repository, old: TreeId | CommitId, new: TreeId | CommitId, *, among: Sequence[bytes]
) -> dict[bytes, bytes]:
    """Return the files that were renamed between two trees: new path -> old path.

    `among` are the only paths worth looking at, old and new ones; many are cheaper to look at as a whole.
    """
    arguments: list[str | bytes] = ["diff-tree", "-r", "-z", "--name-status", "-M", "--diff-filter=R", old, new]
    if sum(map(len, among)) < _MOST_ARGUMENTS:
        arguments += ["--", *among]
    fields = repository.sealed(*arguments).stdout.split(b"\0")
    return dict(zip(fields[2::3], fields[1::3], strict=True))


@dataclass(frozen=True, slots=True)
class LineCount:
    """Lines added and deleted in one path; None for both when git takes the content for binary."""

    path: bytes
    added: int | None
    deleted: int | None


def line_counts(repository: Repository, old: TreeId | CommitId, new: TreeId | CommitId) -> list[LineCount]:
    """Return the line statistics of every path that differs, renames followed."""
    done = repository.sealed(
        "diff-tree", "-r", "-z", "--numstat", "-M", "--no-ext-diff", "--no-textconv", old, new
    )
    fields = iter(done.stdout.split(b"\0"))
    counts = []
    for field in fields:
        if not field:
            continue
        added, deleted, path = field.split(b"\t", 2)
        if not path:  # a rename: the old and the new name follow
            next(fields)
            path = next(fields)
        binary = added == b"-"
        counts.append(LineCount(path, None if binary else int(added), None if binary else int(deleted)))
    return counts


def patch(
    repository: Repository,
    old: TreeId | CommitId,
    new: TreeId | CommitId,
    paths: Sequence[bytes] = (),
    *,
    context: int = 3,
    binary: bool = False,
) -> bytes:
    """Return the difference as a patch, limited to `paths` (exact names) where given.

    With `binary` it can be applied whatever the content is.
    """
    arguments: list[str | bytes] = ["diff-tree", "-r", "-p", f"-U{context}", "--no-renames", "--no-ext-diff",
                                    "--no-textconv", "--no-color", "--full-index", old, new]  # fmt: skip
    if binary:
        arguments.insert(1, "--binary")
    if paths:
        arguments += ["--", *paths]
    return repository.sealed(*arguments).stdout
