"""What a user would miss: everything in a repository that syncline has no business to change."""

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from testing.repository import BuiltRepository
from testing.sealed import git

OWN_REFS = ("refs/syncline/", "refs/heads/syncline/")
"""Where syncline may write refs: its own, and the branches it makes unless configured otherwise."""


@dataclass(frozen=True, slots=True)
class FileState:
    """One file: its mode and time as lstat tells, and a digest of its content or link target.

    A directory has a mode only: its time changes with the files in it, which are here themselves.
    """

    mode: int
    mtime_ns: int
    digest: str


@dataclass(frozen=True, slots=True)
class RepositoryState:
    """A repository at one moment. Equal states are the same to the user, down to the files' times."""

    head: str
    refs: Mapping[str, str]
    index: str | None
    config: str
    hooks: Mapping[str, FileState]
    operations: frozenset[str]
    """What is under way or left in the git directory: `MERGE_HEAD`, `ORIG_HEAD`, `rebase-merge` ..."""
    worktrees: frozenset[str]
    status: bytes | None
    files: Mapping[str, FileState]


def snapshot(repo: BuiltRepository | Path, own_refs: Sequence[str] = OWN_REFS) -> RepositoryState:
    """The present state of a repository with or without a work tree, without the refs below `own_refs`.

    Taking it changes nothing: git is kept from refreshing the index on the way.
    """
    path = repo.path if isinstance(repo, BuiltRepository) else repo
    git_dir = _directory(path, "--git-dir")
    shared = _directory(path, "--git-common-dir")
    bare = git(path, "rev-parse", "--is-bare-repository").strip() == b"true"
    return RepositoryState(
        head=(git_dir / "HEAD").read_text(),
        refs=_refs(path, tuple(own_refs)),
        index=_digest(git_dir / "index") if (git_dir / "index").exists() else None,
        config=_digest(shared / "config"),
        hooks=dict(_files(shared / "hooks")),
        operations=_operations(git_dir),
        worktrees=frozenset(os.fsdecode(line) for line in _worktrees(path)),
        status=None if bare else git(path, "--no-optional-locks", "status", "--porcelain=v2", "-z"),
        files={} if bare else dict(_files(path)),
    )


def differences(before: RepositoryState, after: RepositoryState) -> list[str]:
    """What changed, a line each: `refs: refs/heads/dev: 1234... is now 5678...`. Empty if nothing did."""
    lines: list[str] = []
    for field in fields(RepositoryState):
        old, new = getattr(before, field.name), getattr(after, field.name)
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            keys = sorted(key for key in {*old, *new} if old.get(key) != new.get(key))
            lines += [f"{field.name}: {key}: {old.get(key)} is now {new.get(key)}" for key in keys]
        elif old != new:
            lines.append(f"{field.name}: {old} is now {new}")
    return lines


def _directory(path: Path, which: str) -> Path:
    # They differ in a linked work tree: HEAD and index are its own, config and hooks are shared.
    return Path(os.fsdecode(git(path, "rev-parse", "--path-format=absolute", which).removesuffix(b"\n")))


def _refs(path: Path, own: tuple[str, ...]) -> dict[str, str]:
    lines = git(path, "for-each-ref", "--format=%(objectname) %(refname)").decode().splitlines()
    pairs = (line.split(" ", 1) for line in lines)
    return {name: oid for oid, name in pairs if not name.startswith(own)}


def _operations(git_dir: Path) -> frozenset[str]:
    # Everything git leaves beside HEAD is named so; FETCH_HEAD is no state but a note of the last fetch.
    names = {child.name for child in git_dir.iterdir()}
    heads = {name for name in names if name.endswith("_HEAD") or name.startswith("MERGE_")} - {"FETCH_HEAD"}
    return frozenset(heads | (names & {"AUTO_MERGE", "rebase-merge", "rebase-apply", "sequencer", "index.lock"}))


def _worktrees(path: Path) -> list[bytes]:
    lines = git(path, "worktree", "list", "--porcelain", "-z").split(b"\0")
    return [line for line in lines if line.startswith(b"worktree ")]


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _files(root: Path) -> Iterator[tuple[str, FileState]]:
    for directory, names, files in os.walk(root):
        here = Path(directory)
        if here == root and ".git" in names:
            names.remove(".git")
        for path in (here / name for name in (*names, *files)):
            yield str(path.relative_to(root)), _file(path)


def _file(path: Path) -> FileState:
    about = path.lstat()
    if stat.S_ISDIR(about.st_mode):
        return FileState(about.st_mode, 0, "")
    link = stat.S_ISLNK(about.st_mode)
    digest = hashlib.sha256(os.fsencode(path.readlink())).hexdigest() if link else _digest(path)
    return FileState(about.st_mode, about.st_mtime_ns, digest)
