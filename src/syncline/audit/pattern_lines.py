"""Which lines each side added and removed, file by file: where the patterns look first, since it costs little."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

from syncline.audit.four_trees import LARGEST, SIDES, FourTrees, Versions
from syncline.audit.same_ends import same_ends
from syncline.audit.task import Task
from syncline.merge.file_group import FileGroup, file_group
from syncline.merge.model import Side

_BLANKED = bytes(
    byte if byte > 127 or chr(byte).isalnum() or byte == ord("_") else ord(" ") for byte in range(256)
)
"""All that is in no word becomes a blank: many times faster than a regular expression."""
_CALLS = bytes(ord("(") if byte == ord("(") else _BLANKED[byte] for byte in range(256))
"""The same, but brackets that open."""


def words_of(text: bytes) -> list[bytes]:
    """Return the words of a text."""
    return text.translate(_BLANKED).split()


@dataclass(frozen=True)
class SideFile:
    """What one side did to one file of source code."""

    file: Versions
    side: Side
    text: bytes
    """The side's version."""
    added: tuple[tuple[int, bytes], ...]
    """Lines that base has not, each with its 0-based place."""
    removed: tuple[bytes, ...]
    """Lines of base that the side has no more."""

    @cached_property
    def blob(self) -> bytes:
        """The added lines as one text."""
        return b"\n".join([line for _, line in self.added])

    @cached_property
    def words(self) -> set[bytes]:
        """The words of the added lines."""
        return set(words_of(self.blob))

    @cached_property
    def calls(self) -> set[bytes]:
        """The words in the added lines behind which a bracket opens."""
        return {
            word[:-1] for word in self.blob.replace(b"(", b"( ").translate(_CALLS).split() if word[-1:] == b"("
        }

    @cached_property
    def lines(self) -> list[bytes]:
        """The side's version, line by line."""
        return self.text.split(b"\n")


@dataclass(frozen=True)
class SideLines:
    """What one side did to the source code."""

    side: Side
    files: tuple[SideFile, ...]

    @cached_property
    def words(self) -> set[bytes]:
        """The words of all lines that the side added."""
        return set().union(*(file.words for file in self.files))

    @cached_property
    def added(self) -> set[bytes]:
        """The same as a set."""
        return {line for file in self.files for _, line in file.added}


_KNOWN: WeakKeyDictionary[FourTrees, dict[tuple[str, ...], Mapping[Side, SideLines]]] = WeakKeyDictionary()
"""More than one audit asks."""


def side_lines(task: Task) -> Mapping[Side, SideLines]:
    """Return what both sides did; files that are larger than people write are left out."""
    known = _KNOWN.setdefault(task.trees, {})
    ignore = task.settings.ignore
    if ignore not in known:
        known[ignore] = _side_lines(task)
    return known[ignore]


def _side_lines(task: Task) -> Mapping[Side, SideLines]:
    trees = task.trees
    code = [file for file in task.files if file_group(file.path) is FileGroup.CODE]
    trees.read_ahead(
        entry for file in code for side in SIDES if file.changed_by(side) for entry in (file.base, file.of(side))
    )
    found = {}
    for side in SIDES:
        files = []
        for file in code:
            if not file.changed_by(side):
                continue
            before, after = trees.text(file.base), trees.text(file.of(side))
            if before == after or max(len(before), len(after)) > LARGEST or b"\0" in after[:8192]:
                continue
            start, end = same_ends(before, after)
            first = after.count(b"\n", 0, start)
            old, new = (text[start : len(text) - end].split(b"\n") for text in (before, after))
            there, here = set(old), set(new)
            files.append(
                SideFile(
                    file, side, after,
                    tuple([(at, line) for at, line in enumerate(new, first) if line not in there]),
                    tuple([line for line in old if line not in here]),
                )
            )  # fmt: skip
        found[side] = SideLines(side, tuple(files))
    return found
