"""The files of the sides and of the merge, and their lines: what is compared, and where."""

from functools import cached_property

from syncline.audit.fits.put_back import Statement, imports_of
from syncline.audit.four_trees import SIDES, FourTrees
from syncline.git import Entry
from syncline.git.extract import files_of
from syncline.merge.model import Side

Where = Side | None
"""A side, or the merge."""


class ThreeTrees:
    """All files of three trees."""

    def __init__(self, trees: FourTrees) -> None:
        self.trees = trees
        self._files: dict[Where, dict[bytes, Entry]] = {}
        self._lines: dict[tuple[Where, bytes], list[str]] = {}
        self._said: dict[tuple[Where, bytes], frozenset[str]] = {}
        self._imports: dict[tuple[Where, bytes], list[Statement]] = {}

    def files(self, where: Where) -> dict[bytes, Entry]:
        """Return every file of a tree by its path."""
        if where not in self._files:
            tree = self.trees.merged_tree if where is None else self.trees.tree_of(where)
            self._files[where] = dict(files_of(self.trees.repository, tree))
        return self._files[where]

    def now(self, side: Side, path: bytes) -> bytes:
        """Return the path at which the merge has a side's file."""
        return self._moved[side].get(path, path)

    @cached_property
    def _moved(self) -> dict[Side, dict[bytes, bytes]]:
        return {
            side: {file.path_of(side): file.path for file in self.trees.files if file.path_of(side) != file.path}
            for side in SIDES
        }

    def lines(self, where: Where, path: bytes) -> list[str]:
        """Return the lines of a file as a tree has it; none when it has it not."""
        key = (where, path)
        if key not in self._lines:
            content = self.trees.text(self.files(where).get(path))
            # As checkers count them: a form feed ends no line.
            text = content.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
            self._lines[key] = text.split("\n")
        return self._lines[key]

    def said(self, where: Where, path: bytes) -> frozenset[str]:
        """Return the lines of a file as a set, without white space around them."""
        key = (where, path)
        if key not in self._said:
            self._said[key] = frozenset(map(str.strip, self.lines(where, path)))
        return self._said[key]

    def imports(self, where: Where, path: bytes) -> list[Statement]:
        """Return the imports of a Python file outside of any block; none when it cannot be parsed."""
        key = (where, path)
        if key not in self._imports:
            self._imports[key] = imports_of(self.lines(where, path))
        return self._imports[key]

    def line(self, where: Where, path: bytes, number: int) -> str:
        """Return a line without white space around it; empty where there is none."""
        lines = self.lines(where, path)
        return lines[number - 1].strip() if 0 < number <= len(lines) else ""
