"""Tree objects: entries, reading paths, and writing a changed tree without an index or a work tree."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from syncline.errors import GitError
from syncline.git.oid import BlobId, Oid, TreeId


class Mode(StrEnum):
    """The modes git stores. https://git-scm.com/docs/git-fast-import (filemodify) lists them."""

    FILE = "100644"
    EXECUTABLE = "100755"
    SYMLINK = "120000"
    SUBMODULE = "160000"
    DIRECTORY = "040000"

    @classmethod
    def of(cls, text: str) -> "Mode":
        """Read a mode as git prints it; historic file modes (100664) are read as plain files."""
        plain = _USUAL.get(text)
        if plain is not None:
            return plain
        value = int(text, 8)
        if value & 0o170000 == 0o100000:
            return cls.EXECUTABLE if value & 0o100 else cls.FILE
        return cls(f"{value:06o}")

    @property
    def is_file(self) -> bool:
        """Whether the entry is a regular file, executable or not."""
        return self in {Mode.FILE, Mode.EXECUTABLE}


_USUAL = {mode.value: mode for mode in Mode} | {"40000": Mode.DIRECTORY}
"""As git prints them; a tree object leaves out a directory's leading zero."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What a tree says of one path."""

    mode: Mode
    oid: Oid

    @property
    def blob(self) -> BlobId:
        """The id of its content; only files and symlinks have one."""
        if self.mode in {Mode.SUBMODULE, Mode.DIRECTORY}:
            raise ValueError(f"an entry of mode {self.mode} has no blob")
        return BlobId(self.oid)


def parse_tree(content: bytes, digest_size: int) -> dict[bytes, Entry]:
    """Read the content of a tree object; `digest_size` is 20 (SHA-1) or 32 (SHA-256) bytes.

    Raises:
        GitError: when the content is not a tree.
    """
    entries: dict[bytes, Entry] = {}
    position = 0
    while position < len(content):
        space = content.find(b" ", position)
        end = content.find(b"\0", space)
        if space < 0 or end < 0 or end + digest_size >= len(content):
            raise _damaged()
        try:
            mode = Mode.of(content[position:space].decode("ascii"))
        except ValueError as error:
            raise _damaged() from error
        oid = content[end + 1 : end + 1 + digest_size].hex()
        entries[content[space + 1 : end]] = Entry(
            mode, TreeId.printed(oid) if mode is Mode.DIRECTORY else Oid.printed(oid)
        )
        position = end + 1 + digest_size
    return entries


def _damaged() -> GitError:
    return GitError("a tree object is damaged", hint="run git fsck in this repository")


def format_tree(entries: Mapping[bytes, Entry]) -> bytes:
    """Return the records that `git mktree -z` takes."""
    kinds = {Mode.DIRECTORY: "tree", Mode.SUBMODULE: "commit"}
    return b"".join(
        f"{entry.mode} {kinds.get(entry.mode, 'blob')} {entry.oid}\t".encode() + name + b"\0"
        for name, entry in entries.items()
    )


@dataclass(frozen=True, slots=True)
class EditNode:
    """The edits below one directory: entries of its own and subdirectories."""

    here: dict[bytes, Entry | None]
    below: dict[bytes, "EditNode"]


def edit_nodes(edits: Mapping[bytes, Entry | None]) -> EditNode:
    """Sort path edits into a tree of directories.

    Raises:
        ValueError: when a path is empty, absolute or has `.`/`..`/empty parts.
    """
    root = EditNode({}, {})
    for path, entry in edits.items():
        parts = path.split(b"/")
        if any(part in {b"", b".", b"..", b".git"} for part in parts):
            raise ValueError(f"not a path inside a tree: {path!r}")
        node = root
        for part in parts[:-1]:
            node = node.below.setdefault(part, EditNode({}, {}))
        node.here[parts[-1]] = entry
    return root
