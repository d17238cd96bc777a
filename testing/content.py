"""What a path of a test repository can hold, and a whole tree of them as a plain mapping."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, TypeVar

ObjectFormat = Literal["sha1", "sha256"]

REGULAR = b"100644"
EXECUTABLE = b"100755"
SYMLINK = b"120000"
GITLINK = b"160000"


class StoryError(AssertionError):
    """A test tells a history that makes no sense, such as editing a file which is not there."""


@dataclass(frozen=True, slots=True)
class File:
    """A regular file; only needed for executables, a plain str or bytes says the rest."""

    content: str | bytes
    executable: bool = False


@dataclass(frozen=True, slots=True)
class Symlink:
    """A symbolic link to `target`, which need not exist."""

    target: str | bytes


@dataclass(frozen=True, slots=True)
class Submodule:
    """A gitlink to commit `oid` of another repository, which need not exist."""

    oid: str


@dataclass(frozen=True, slots=True)
class Replace:
    """The file as it was, with `old`, which must be in it exactly once, turned into `new`."""

    old: str | bytes
    new: str | bytes


@dataclass(frozen=True, slots=True)
class Append:
    """The file as it was and `text` after it."""

    text: str | bytes


@dataclass(frozen=True, slots=True)
class Chmod:
    """The file as it was, executable or not."""

    executable: bool


AnyPath: TypeAlias = str | bytes
Whole: TypeAlias = str | bytes | File | Symlink | Submodule
Change: TypeAlias = Replace | Append | Chmod
Content: TypeAlias = Whole | Change


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of `git ls-tree -r`: mode as git writes it, object id in hexadecimal."""

    mode: bytes
    oid: str


AnyEntry = TypeVar("AnyEntry")
Tree: TypeAlias = Mapping[bytes, Entry]
"""All files of a commit by their full path; directories are only in the paths."""


def to_bytes(text: str | bytes) -> bytes:
    """UTF-8, with bytes that are not UTF-8 carried as surrogates (PEP 383), as `os.fsencode` does."""
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")


def blob_oid(data: bytes, object_format: ObjectFormat) -> str:
    """The id git gives a blob (gitformat-objects: the digest of header and content)."""
    return hashlib.new(object_format, b"blob %d\0%s" % (len(data), data)).hexdigest()


def below(directory: bytes, paths: Iterable[bytes]) -> list[bytes]:
    """`directory` itself, if it is a file, or the files in it."""
    return [path for path in paths if path == directory or path.startswith(directory + b"/")]


def put(tree: dict[bytes, AnyEntry], path: bytes, entry: AnyEntry) -> None:
    """Sets `path`, taking away the directory, or the files in place of directories, that are in the way."""
    for inside in below(path, list(tree)):
        del tree[inside]
    parts = path.split(b"/")
    for depth in range(1, len(parts)):
        tree.pop(b"/".join(parts[:depth]), None)
    tree[path] = entry


def take(tree: dict[bytes, AnyEntry], path: bytes) -> dict[bytes, AnyEntry]:
    """Takes a file or a directory out of the tree and returns what was there.

    Raises:
        StoryError: nothing is there.
    """
    found = {inside: tree.pop(inside) for inside in below(path, list(tree))}
    if not found:
        raise StoryError(f"no {path!r} in the tree, only {sorted(tree)}")
    return found


def merged_tree(
    bases: Iterable[Tree], ours: Tree, others: Iterable[Tree]
) -> tuple[dict[bytes, Entry], set[bytes]]:
    """Merges whole files: what only one side changed is taken from it.

    Returns the tree, with ours where sides disagree, and the paths where they do. Contents are never mixed:
    a test says itself what such a file becomes.
    """
    known = list(bases)
    result = dict(ours)
    open_paths: set[bytes] = set()
    for other in others:
        for path in {*result, *other}:
            mine, theirs = result.get(path), other.get(path)
            before = {base.get(path) for base in known} or {None}
            if mine == theirs or before == {theirs}:
                continue
            if before != {mine}:
                open_paths.add(path)
            elif theirs is None:
                del result[path]
            else:
                result[path] = theirs
    return result, open_paths
