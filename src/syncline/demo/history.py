"""Writing the history of a repository in a few words: branches that grow by commits made of file edits.

Nothing here touches an index or a work tree, and every commit has the date it is given, so the same calls
make the same commit ids on every machine.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from syncline.errors import GitError
from syncline.git import CommitId, Entry, Mode, Repository, TreeId
from syncline.git.commit import Person, write_commit
from syncline.git.merge_tree import merge_tree
from syncline.git.refs import RefChange, branch_ref, change_refs

Replacement = tuple[str, str]
"""(text that stands in the file exactly once, what takes its place)."""

Changes = Mapping[str, Sequence[Replacement]]
"""The replacements made in each file, by path."""


@dataclass
class Branch:
    """A line of history that grows. `tip` is its newest commit, `tree` the files there."""

    repository: Repository
    name: str
    tree: TreeId
    tip: CommitId | None = None

    def fork(self, name: str) -> Self:
        """Return another branch that starts here."""
        return type(self)(self.repository, name, self.tree, self.tip)

    def text(self, path: str) -> str:
        """Return the content of a file at the tip.

        Raises:
            GitError: there is no file of that name.
        """
        return self.repository.blob(self._entry(path).oid).decode()

    def commit(
        self,
        message: str,
        *,
        by: Person,
        when: datetime,
        write: Mapping[str, str] | None = None,
        change: Changes | None = None,
        move: Mapping[str, str] | None = None,
        delete: Iterable[str] = (),
        executable: Iterable[str] = (),
    ) -> CommitId:
        """Add one commit and return it.

        Args:
            message: the whole message.
            by: author and committer.
            when: both dates; an aware datetime.
            write: files with their whole text.
            change: files with the replacements made in them, after any move.
            move: old name to new name.
            delete: files that go.
            executable: files that become executable.

        Raises:
            GitError: a file to change, move, delete or make executable is not there.
            ValueError: a replacement's text does not stand in its file exactly once.
        """
        edits: dict[str, Entry | None] = {}
        for old, new in (move or {}).items():
            edits |= {old: None, new: self._entry(old)}
        for path, text in (write or {}).items():
            edits[path] = Entry(Mode.FILE, self.repository.write_blob(text.encode()))
        for path, replacements in (change or {}).items():
            before = edits.get(path) or self._entry(path)
            text = self.repository.blob(before.oid).decode()
            after = replaced({path: text}, {path: replacements})[path]
            edits[path] = Entry(before.mode, self.repository.write_blob(after.encode()))
        for path in executable:
            edits[path] = Entry(Mode.EXECUTABLE, (edits.get(path) or self._entry(path)).oid)
        for path in delete:
            self._entry(path)
            edits[path] = None
        tree = self.repository.edit_tree(self.tree, {path.encode(): edits[path] for path in edits})
        return self._advance(tree, message, by, when, parents=(self.tip,) if self.tip else ())

    def merge(self, other: "Branch", message: str, *, by: Person, when: datetime) -> CommitId:
        """Merge another branch, which must go without a conflict, and return the merge commit.

        Raises:
            ValueError: there is nothing to merge yet, or there are conflicts.
        """
        if self.tip is None or other.tip is None:
            raise ValueError(f"both {self.name} and {other.name} need a commit before they can be merged")
        merged = merge_tree(self.repository, self.tip, other.tip)
        if not merged.clean:
            raise ValueError(f"merging {other.name} into {self.name} has conflicts: {list(merged.stages)}")
        return self._advance(merged.tree, message, by, when, parents=(self.tip, other.tip))

    def _entry(self, path: str) -> Entry:
        entry = self.repository.entry(self.tree, path.encode())
        if entry is None or not entry.mode.is_file:
            raise GitError(f"a file {path} was expected on branch {self.name} of {self.repository.common_dir}")
        return entry

    def _advance(
        self, tree: TreeId, message: str, by: Person, when: datetime, parents: Sequence[CommitId]
    ) -> CommitId:
        self.tip = write_commit(
            self.repository, tree=tree, parents=parents, message=message, author=by, committer=by, when=when
        )
        self.tree = tree
        return self.tip


def replaced(texts: Mapping[str, str], changes: Changes) -> dict[str, str]:
    """Return `texts` (by path) with the replacements of `changes` made in them.

    Raises:
        ValueError: a replacement's text does not stand in its file exactly once.
    """
    result = dict(texts)
    for path, replacements in changes.items():
        for replacement in replacements:
            result[path] = _replace(path, result[path], replacement)
    return result


def _replace(path: str, text: str, replacement: Replacement) -> str:
    old, new = replacement
    if text.count(old) != 1:
        raise ValueError(f"{path} holds {old!r} {text.count(old)} times, expected exactly once")
    return text.replace(old, new)


def publish(branches: Sequence[Branch], *, why: str) -> None:
    """Make the branches visible: create their refs, all or none.

    Raises:
        FenceError: one of them is there already.
    """
    changes = [RefChange(branch_ref(branch.name), None, branch.tip) for branch in branches]
    change_refs(branches[0].repository, changes, why=why)
