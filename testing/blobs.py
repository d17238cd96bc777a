"""Turns what a test says about files into tree entries, and keeps the contents git has yet to get."""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from testing.content import (
    EXECUTABLE,
    GITLINK,
    REGULAR,
    SYMLINK,
    AnyPath,
    Append,
    Change,
    Chmod,
    Content,
    Entry,
    File,
    ObjectFormat,
    Replace,
    StoryError,
    Submodule,
    Symlink,
    Tree,
    blob_oid,
    put,
    take,
    to_bytes,
)

# A mapping's keys do not vary: one with str keys only is no mapping with str or bytes keys.
Files: TypeAlias = Mapping[str, Content] | Mapping[bytes, Content] | Mapping[AnyPath, Content]
Moves: TypeAlias = Mapping[str, AnyPath] | Mapping[bytes, AnyPath] | Mapping[AnyPath, AnyPath]


class Blobs:
    """The contents of one repository; `read` fetches one that was there before."""

    def __init__(self, object_format: ObjectFormat, read: Callable[[str], bytes]) -> None:
        self._object_format: ObjectFormat = object_format
        self._read = read
        self._contents: dict[str, bytes] = {}
        self.unsent: dict[str, bytes] = {}

    def changed(
        self,
        before: Tree,
        files: Files | None = None,
        move: Moves | None = None,
        delete: Iterable[AnyPath] = (),
    ) -> Tree:
        """The tree after moves, deletions and writes, in this order."""
        tree = dict(before)
        # All sources are taken out before any is put in place, so that two files can change places.
        moved = [(to_bytes(old), to_bytes(new), take(tree, to_bytes(old))) for old, new in (move or {}).items()]
        for old, new, entries in moved:
            for path, entry in entries.items():
                put(tree, new + path.removeprefix(old), entry)
        for path in delete:
            take(tree, to_bytes(path))
        for path, content in (files or {}).items():
            where = to_bytes(path)
            put(tree, where, self._entry(tree.get(where), where, content))
        return tree

    def _entry(self, before: Entry | None, path: bytes, content: Content) -> Entry:
        match content:
            case Replace() | Append() | Chmod():
                if before is None:
                    raise StoryError(f"no file {path!r} to change")
                return self._changed_entry(before, path, content)
            case File(text, executable):
                return Entry(_mode(executable=executable), self._blob(text))
            case Symlink(target):
                return Entry(SYMLINK, self._blob(target))
            case Submodule(oid):
                return Entry(GITLINK, oid)
            case _:
                return Entry(REGULAR, self._blob(content))

    def _changed_entry(self, before: Entry, path: bytes, change: Change) -> Entry:
        match change:
            case Chmod(executable):
                return Entry(_mode(executable=executable), before.oid)
            case Append(text):
                return Entry(before.mode, self._blob(self._content(before) + to_bytes(text)))
            case Replace(old, new):
                text = self._content(before)
                if text.count(to_bytes(old)) != 1:
                    raise StoryError(f"{text.count(to_bytes(old))} times {old!r} in {path!r}: {text!r}")
                return Entry(before.mode, self._blob(text.replace(to_bytes(old), to_bytes(new))))

    def _blob(self, text: str | bytes) -> str:
        content = to_bytes(text)
        oid = blob_oid(content, self._object_format)
        if oid not in self._contents:
            self._contents[oid] = self.unsent[oid] = content
        return oid

    def _content(self, entry: Entry) -> bytes:
        if entry.oid not in self._contents:
            self._contents[entry.oid] = self._read(entry.oid)
        return self._contents[entry.oid]


def _mode(*, executable: bool) -> bytes:
    return EXECUTABLE if executable else REGULAR
