"""The commits of a story and how they descend from each other."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from testing.content import Tree


class CommitSource(Protocol):
    """What knows the repository a commit is in."""

    def oid_of_mark(self, mark: int) -> str:
        """The object id fast-import gave to a mark."""
        ...

    def tree_of_oid(self, oid: str) -> Tree:
        """The files of a commit that is in the repository already."""
        ...


class Commit:
    """One commit. Its parents and files are known at once, its object id as soon as it is asked for.

    `name` is a fast-import mark, or the object id of a commit that was there before; only the latter may
    leave its tree to be read later.
    """

    def __init__(
        self, source: CommitSource, name: int | str, parents: Sequence["Commit"], tree: Tree | None = None
    ) -> None:
        self._source = source
        self._name = name
        self._oid = name if isinstance(name, str) else None
        self._tree = tree
        self.parents = tuple(parents)

    @property
    def tree(self) -> Tree:
        """All files of the commit."""
        if self._tree is None:
            self._tree = self._source.tree_of_oid(self.oid)
        return self._tree

    @property
    def tree_before(self) -> Tree:
        """All files of its first parent; none for a root commit."""
        return self.parents[0].tree if self.parents else {}

    @property
    def oid(self) -> str:
        """The object id, in hexadecimal."""
        if self._oid is None:
            assert isinstance(self._name, int)
            self._oid = self._source.oid_of_mark(self._name)
        return self._oid

    @property
    def reference(self) -> bytes:
        """How fast-import calls the commit: a new one by its mark, as its id is not on disk yet."""
        return b":%d" % self._name if isinstance(self._name, int) else self._name.encode()


def ancestors(commit: Commit) -> set[Commit]:
    """The commit and everything before it."""
    found: set[Commit] = set()
    ahead = [commit]
    while ahead:
        here = ahead.pop()
        if here not in found:
            found.add(here)
            ahead.extend(here.parents)
    return found


def merge_bases(one: Commit, others: Iterable[Commit]) -> list[Commit]:
    """The best common ancestors of `one` and all `others`: several after a criss-cross merge, or none."""
    common = ancestors(one)
    for other in others:
        common &= ancestors(other)
    older: set[Commit] = set()
    for commit in common:
        # A parent found older was followed to the root already.
        for parent in commit.parents:
            if parent not in older:
                older |= ancestors(parent)
    return list(common - older)
