"""Writing blobs and trees through git itself, without an index or a work tree."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING

from syncline.git import command
from syncline.git.oid import BlobId, TreeId
from syncline.git.tree import EditNode, Entry, Mode, edit_nodes, format_tree

if TYPE_CHECKING:
    from syncline.git.repository import Repository


class _Dialogue:
    """A git process that answers each request with one object id."""

    def __init__(self, arguments: list[str], environment: Mapping[str, str], where: Path, scratch: Path) -> None:
        self._arguments = arguments
        self._where = where
        # A file, not a pipe: nobody reads it before the end, and a full pipe would block git for ever.
        self._errors: IO[bytes] = (scratch / f"{arguments[0]}.err").open("w+b")
        self._process = command.start(
            arguments, environment=environment, stdin=subprocess.PIPE, stderr=self._errors
        )

    def ask(self, request: bytes) -> bytes:
        assert self._process.stdin is not None  # noqa: S101 - tells the type checker: both are pipes
        assert self._process.stdout is not None  # noqa: S101
        try:
            self._process.stdin.write(request)
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        except BrokenPipeError:
            answer = b""
        if not answer.strip():
            status = self._process.wait()
            self._errors.seek(0)
            raise command.failure(self._arguments, status, self._errors.read(), self._where)
        return answer

    def close(self) -> None:
        assert self._process.stdin is not None  # noqa: S101
        assert self._process.stdout is not None  # noqa: S101
        try:
            self._process.stdin.close()
        except BrokenPipeError:
            self._process.kill()
        self._process.stdout.close()
        self._process.wait()
        self._errors.close()


class BlobWriter:
    """One long-lived `git hash-object -w`; contents go through a file, since it reads names."""

    def __init__(self, environment: Mapping[str, str], where: Path, scratch: Path) -> None:
        # No filters: what is written is the content itself.
        arguments = ["hash-object", "-w", "-t", "blob", "--no-filters", "--stdin-paths"]
        self._dialogue = _Dialogue(arguments, environment, where, scratch)
        self._file = scratch / "blob"

    def write(self, content: bytes) -> BlobId:
        """Store one blob and return its id."""
        self._file.write_bytes(content)
        return BlobId.from_bytes(self._dialogue.ask(os.fsencode(self._file) + b"\n"))

    def close(self) -> None:
        """End the process."""
        self._dialogue.close()


def write_edited_tree(repository: "Repository", tree: TreeId, edits: Mapping[bytes, Entry | None]) -> TreeId:
    """See `Repository.edit_tree`."""
    dialogue = _Dialogue(
        ["mktree", "-z", "--batch", "--missing"],
        repository.sealed_environment,
        repository.common_dir,
        repository.temporary,
    )
    try:
        written = _write(repository, dialogue, tree, edit_nodes(edits))
        # git knows the empty tree without having it, git fsck does not: an empty record writes it.
        return written or TreeId.from_bytes(dialogue.ask(b"\0"))
    finally:
        dialogue.close()


def _write(repository: "Repository", dialogue: _Dialogue, tree: TreeId | None, node: EditNode) -> TreeId | None:
    """Write one directory with its edits; None when nothing is left in it."""
    before = repository.tree(tree) if tree is not None else {}
    after = dict(before)
    for name, entry in node.here.items():
        if entry is None:
            after.pop(name, None)
        else:
            after[name] = entry
    for name, below in node.below.items():
        own = node.here.get(name)
        if own is not None:
            if _adds(below):
                raise ValueError(f"{name!r} cannot be an entry and a directory at once")
            continue
        found = after.get(name)
        inside = TreeId(found.oid) if found is not None and found.mode is Mode.DIRECTORY else None
        if found is not None and inside is None and not _adds(below):
            continue  # removing something below a file: there is nothing to remove
        written = _write(repository, dialogue, inside, below)
        if written is None:
            after.pop(name, None)
        else:
            after[name] = Entry(Mode.DIRECTORY, written)
    if not after:
        return None
    if tree is not None and after == before:
        return tree
    return TreeId.from_bytes(dialogue.ask(format_tree(after) + b"\0"))


def _adds(node: EditNode) -> bool:
    return any(entry is not None for entry in node.here.values()) or any(map(_adds, node.below.values()))
