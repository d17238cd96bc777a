"""Whether a definition lost in the merge what a side's has: only then is its use a fault of the merge.

Type checkers also say new things where the merge only taught them more (a parameter now has a type that lists
fewer members than its values have); about that, no side wrote anything.
"""

import re
from collections.abc import Container, Iterator
from functools import cached_property

from syncline.audit.fits.python_text import classes, defined, defines, fields, signature
from syncline.audit.fits.python_tools import reads_python
from syncline.audit.four_trees import SIDES, FourTrees, Versions
from syncline.git import Entry
from syncline.git.oid import Oid
from syncline.merge.model import Side

_BASES = re.compile(rb"[\w.]+")
_DEPTH = 6
"""Classes above one that are looked at, one above the other."""


class Definitions:
    """The definitions in the Python files that differ.

    Those in `open_paths`, in which a conflict is open, have lost nothing yet: they are judged when it is settled.
    """

    def __init__(
        self, trees: FourTrees, files: tuple[Versions, ...], *, open_paths: Container[bytes] = ()
    ) -> None:
        self._trees = trees
        self._files = [file for file in files if reads_python(file.path)]
        self._open = open_paths
        self._known: dict[Side | None, dict[bytes, list[Versions]]] = {}
        self._defined: dict[Oid, frozenset[bytes]] = {}
        self._classes: dict[tuple[Side | None, bytes], list[tuple[Versions, bytes]]] = {}
        self._signatures: dict[tuple[Side | None, str], list[str] | None] = {}

    def lost_member(self, owner: str, name: str) -> bool:
        """Whether a class (or one it derives from), or a module, has `name` on a side and in the merge no more."""
        return (
            not self._has(None, owner, name)
            and not self.is_open(owner)
            and any(self._has(side, owner, name) for side in SIDES)
        )

    def other_signature(self, owner: str) -> bool:
        """Whether a function, method or class takes other arguments on a side than in the merge."""
        now = self._parameters(None, owner)
        return (
            now is not None
            and not any(file.path in self._open for file in self._heads(owner))
            and any((then := self._parameters(side, owner)) is not None and then != now for side in SIDES)
        )

    def still_has(self, module: str, name: str) -> bool:
        """Whether a module has a name in the merge (or is there, where none is given), as far as can be told."""
        file = self._module(_parts(module))
        if file is None:  # it differs in no tree, or is not the project's
            return True
        return file.merged is not None and (not name or defines(self._text(None, file), _bytes(name)))

    def is_open(self, owner: str) -> bool:
        """Whether a conflict is open where the merge has a class, or one it derives from, or a module."""
        parts = _parts(owner)
        module = self._module(parts, whole=True)
        places = [module] if module is not None else [file for file, _ in self._bodies(None, _bytes(parts[-1]))]
        return any(file.path in self._open for file in places)

    def file_of(self, owner: str, *, near: bytes = b"") -> Versions | None:
        """Return the differing file that defines something, if that can be told."""
        parts = _parts(owner)
        module = self._module(parts)
        if module is not None:
            return module
        name = next((part for part in parts if part[:1].isupper()), parts[-1])
        places = list(self._index(None).get(_bytes(name), ()))
        here = [place for place in places if place.path == near]
        return here[0] if here else (places[0] if len(places) == 1 else None)

    # --- members ----------------------------------------------------------------------------------------------

    def _has(self, where: Side | None, owner: str, name: str) -> bool:
        parts = _parts(owner)
        module = self._module(parts, whole=True)
        if module is not None:
            return defines(self._text(where, module), _bytes(name))
        return any(defines(body, _bytes(name)) for _, body in self._bodies(where, _bytes(parts[-1])))

    def _bodies(self, where: Side | None, name: bytes) -> list[tuple[Versions, bytes]]:
        """Return the text of a class and of those it derives from, as far as they are in files that differ."""
        key = where, name
        if key not in self._classes:
            self._classes[key] = list(self._derived(where, name, _DEPTH, set()))
        return self._classes[key]

    def _derived(
        self, where: Side | None, name: bytes, depth: int, seen: set[bytes]
    ) -> Iterator[tuple[Versions, bytes]]:
        if name in seen or not depth:
            return
        seen.add(name)
        for file in self._places(where, name):
            for head, body in classes(self._text(where, file), name):
                yield file, body
                for base in _BASES.findall(head):
                    yield from self._derived(where, base.rpartition(b".")[2], depth - 1, seen)

    # --- signatures -------------------------------------------------------------------------------------------

    def _parameters(self, where: Side | None, owner: str) -> list[str] | None:
        """Return what calls of a function, method or class must heed; None where no differing file has it."""
        key = where, owner
        if key not in self._signatures:
            self._signatures[key] = self._read_parameters(where, _parts(owner))
        return self._signatures[key]

    def _read_parameters(self, where: Side | None, parts: list[str]) -> list[str] | None:
        method = _bytes(parts[-1])
        of = _class_of(parts)
        if of is not None:
            found = [
                signature(body, method) or (fields(body) if method == b"__init__" else None)
                for _, body in self._bodies(where, of)
            ]
            return [words for one in found for words in one or ()] if any(found) else None
        module = self._module(parts)
        here = signature(self._text(where, module), method) if module is not None else None
        if here is not None:
            return here
        # It may have been elsewhere then.
        told = (signature(self._text(where, file), method) for file in self._places(where, method))
        return next((one for one in told if one is not None), None)

    def _heads(self, owner: str) -> list[Versions]:
        """Return the files of the merge in which the parameters of a function, method or class may stand."""
        parts = _parts(owner)
        of = _class_of(parts)
        if of is not None:
            return [file for file, _ in self._bodies(None, of)]
        module = self._module(parts)
        return [module] if module is not None else self._places(None, _bytes(parts[-1]))

    # --- where things are -------------------------------------------------------------------------------------

    def _module(self, parts: list[str], *, whole: bool = False) -> Versions | None:
        """Return the file of the module that a dotted name starts with, or that it names as a whole."""
        for length in (len(parts),) if whole else range(len(parts), 0, -1):
            if length < 2 and not whole:
                break  # the name of one module alone is that of many
            module = "/".join(parts[:length]).encode("utf-8", "replace")
            for end in (b".py", b"/__init__.py"):
                if (found := self._by_end.get(module + end)) is not None:
                    return found
        return None

    @cached_property
    def _by_end(self) -> dict[bytes, Versions]:
        """The differing files by their path and by all ends of it: the directories imports start from are many."""
        ends: dict[bytes, Versions] = {}
        for file in self._files:
            parts = file.path.split(b"/")
            for start in range(len(parts)):
                ends.setdefault(b"/".join(parts[start:]), file)
        return ends

    def _index(self, where: Side | None) -> dict[bytes, list[Versions]]:
        """Return the differing files by the names of what they define."""
        if where not in self._known:
            files = [file for file in self._files if _entry(file, where) is not None]
            self._trees.read_ahead(_entry(file, where) for file in files)
            found: dict[bytes, list[Versions]] = {}
            for file in files:
                for name in self._names(where, file):
                    found.setdefault(name, []).append(file)
            self._known[where] = found
        return self._known[where]

    def _places(self, where: Side | None, name: bytes) -> list[Versions]:
        """Return the differing files that define a name; a side's, in the merge's files if it can be."""
        now = self._index(None).get(name, [])
        if where is None or not now:  # what the merge has in no file that differs has lost nothing
            return now
        same = [file for file in now if name in self._names(where, file)]
        return same or self._index(where).get(name, [])

    def _names(self, where: Side | None, file: Versions) -> frozenset[bytes]:
        """Return the names of what a file defines."""
        entry = _entry(file, where)
        if entry is None:
            return frozenset()
        if entry.oid not in self._defined:
            self._defined[entry.oid] = defined(self._trees.text(entry))
        return self._defined[entry.oid]

    def _text(self, where: Side | None, file: Versions) -> bytes:
        return self._trees.text(_entry(file, where))


def _entry(file: Versions, where: Side | None) -> Entry | None:
    return file.merged if where is None else file.of(where)


def _parts(owner: str) -> list[str]:
    return owner.strip(".").split(".") or [owner]


def _class_of(parts: list[str]) -> bytes | None:
    """Return the class that a dotted name says to hold its last part; None for a function of a module."""
    of = parts[-2] if len(parts) > 1 else ""
    return _bytes(of) if of[:1].isupper() or parts[-1] == "__init__" else None


def _bytes(name: str) -> bytes:
    return name.encode("utf-8", "replace")
