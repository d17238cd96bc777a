"""Whether a definition lost in the merge what a side's has: only then is its use a fault of the merge.

Type checkers also say new things where the merge only taught them more (a parameter now has a type that lists
fewer members than its values have); about that, no side wrote anything.

Works on text, found by indentation: definitions must be found in hundreds of files, most of them for nothing.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache, cached_property

from syncline.audit.fits.python_tools import reads_python
from syncline.audit.four_trees import SIDES, FourTrees, Versions
from syncline.git import Entry
from syncline.merge.model import Side

_DEFINED = re.compile(rb"^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)", re.MULTILINE)
_BASES = re.compile(r"[\w.]+")
_FIELD = re.compile(r"^(\s+)(\w+)\s*:", re.MULTILINE)
_DEPTH = 6
_LONGEST = 20_000
"""Characters of a signature."""


class Definitions:
    """The definitions in the Python files that differ."""

    def __init__(self, trees: FourTrees, files: tuple[Versions, ...]) -> None:
        self._trees = trees
        self._files = [file for file in files if reads_python(file.path)]
        self._known: dict[Side | None, dict[str, list[Versions]]] = {}

    def lost_member(self, owner: str, name: str) -> bool:
        """Whether a class (or one it derives from), or a module, has `name` on a side and in the merge no more."""
        return any(self._has(side, owner, name) and not self._has(None, owner, name) for side in SIDES)

    def other_signature(self, owner: str) -> bool:
        """Whether a function, method or class takes other arguments on a side than in the merge."""
        now = self._parameters(None, owner)
        return now is not None and any(
            (then := self._parameters(side, owner)) is not None and then != now for side in SIDES
        )

    def still_has(self, module: str, name: str) -> bool:
        """Whether a module has a name in the merge (or is there, where none is given), as far as can be told."""
        file = self._module(_parts(module))
        if file is None:  # it differs in no tree, or is not the project's
            return True
        return file.merged is not None and (not name or _defines(self._text(None, file), name))

    def file_of(self, owner: str, *, near: bytes = b"") -> Versions | None:
        """Return the differing file that defines something, if that can be told."""
        parts = _parts(owner)
        module = self._module(parts)
        if module is not None:
            return module
        name = next((part for part in parts if part[:1].isupper()), parts[-1])
        places = list(self._index(None).get(name, ()))
        here = [place for place in places if place.path == near]
        return here[0] if here else (places[0] if len(places) == 1 else None)

    # --- members ----------------------------------------------------------------------------------------------

    def _has(self, where: Side | None, owner: str, name: str) -> bool:
        parts = _parts(owner)
        module = self._module(parts, whole=True)
        if module is not None:
            return _defines(self._text(where, module), name)
        return any(_defines(body, name) for body in self._bodies(where, parts[-1], _DEPTH))

    def _bodies(self, where: Side | None, name: str, depth: int) -> Iterator[str]:
        """Yield the text of a class and of those it derives from, as far as they are in files that differ."""
        for file in self._places(where, name) if depth else ():
            for head, body in _blocks(self._text(where, file), "class", name):
                yield body
                for base in _BASES.findall(head.partition("(")[2]):
                    if base.rpartition(".")[2] != name:
                        yield from self._bodies(where, base.rpartition(".")[2], depth - 1)

    # --- signatures -------------------------------------------------------------------------------------------

    def _parameters(self, where: Side | None, owner: str) -> list[str] | None:
        """Return what calls of a function, method or class must heed; None where no differing file has it."""
        parts = _parts(owner)
        method, of = parts[-1], parts[-2] if len(parts) > 1 else ""
        if of[:1].isupper() or method == "__init__":
            found = [
                _signature(body, method) or (_fields(body) if method == "__init__" else None)
                for body in self._bodies(where, of, _DEPTH)
            ]
            return [words for one in found for words in one or ()] if any(found) else None
        module = self._module(parts)
        here = _signature(self._text(where, module), method) if module is not None else None
        if here is not None:
            return here
        # It may have been elsewhere then.
        told = (_signature(self._text(where, file), method) for file in self._places(where, method))
        return next((one for one in told if one is not None), None)

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

    def _index(self, where: Side | None) -> dict[str, list[Versions]]:
        """Return the differing files by the names of what they define."""
        if where not in self._known:
            files = [file for file in self._files if _entry(file, where) is not None]
            self._trees.read_ahead(_entry(file, where) for file in files)
            found: dict[str, list[Versions]] = {}
            for file in files:
                for name in set(_DEFINED.findall(self._trees.text(_entry(file, where)))):
                    found.setdefault(name.decode("utf-8", "replace"), []).append(file)
            self._known[where] = found
        return self._known[where]

    def _places(self, where: Side | None, name: str) -> list[Versions]:
        """Return the differing files that define a name; a side's, in the merge's files if it can be."""
        now = self._index(None).get(name, [])
        if where is None or not now:  # what the merge has in no file that differs has lost nothing
            return now
        word = name.encode("utf-8", "replace")
        same = [file for file in now if word in _DEFINED.findall(self._trees.text(_entry(file, where)))]
        return same or self._index(where).get(name, [])

    def _text(self, where: Side | None, file: Versions) -> str:
        return self._trees.text(_entry(file, where)).decode("utf-8", "replace")


def _entry(file: Versions, where: Side | None) -> Entry | None:
    return file.merged if where is None else file.of(where)


def _parts(owner: str) -> list[str]:
    return owner.strip(".").split(".") or [owner]


# --- text -----------------------------------------------------------------------------------------------------


@cache
def _member(name: str) -> re.Pattern[str]:
    word = re.escape(name)
    return re.compile(
        rf"^\s*(?:async\s+)?(?:def|class)\s+{word}\b|^\s*{word}\s*(?::|=(?!=))|\b(?:self|cls)\.{word}\s*(?::[^=\n]*)?=(?!=)"
        rf"|[\"']{word}[\"']|^\s*(?:from\s+\S+\s+)?import\b.*\b{word}\b|^\s*{word},?\s*$",
        re.MULTILINE,
    )


def _defines(text: str, name: str) -> bool:
    """Whether a class or module seems to define a name: also where it only may."""
    return _member(name).search(text) is not None


def _blocks(text: str, word: str, name: str) -> Iterator[tuple[str, str]]:
    """Yield the head and the whole text of each class or function of that name."""
    for found in re.finditer(rf"^([ \t]*)(?:async[ \t]+)?{word}[ \t]+{re.escape(name)}\b", text, re.MULTILINE):
        head = _bracketed(text, found.end())
        # Up to the first line that stands as far left as the head, closing brackets and comments apart.
        ends = re.compile(rf"\n(?!{found[1]}[ \t])(?=[ \t]*[^\s#)\]}}])")
        end = ends.search(text, found.end() + len(head))
        yield head, text[found.start() : end.start() if end else len(text)]


def _bracketed(text: str, start: int) -> str:
    """Return what stands in brackets from `start` on, with them; empty when something else follows."""
    if text[start : start + 1] != "(":
        return ""
    depth = 0
    for found in re.compile(r"[()\[\]{}]|#[^\n]*").finditer(text, start, start + _LONGEST):
        depth += found[0] in "([{"
        depth -= found[0] in ")]}"
        if depth == 0 and not found[0].startswith("#"):
            return text[start : found.end()]
    return ""


def _signature(text: str, name: str) -> list[str] | None:
    """Return the parameters of the first function of that name: kind, name, and whether it may be left out."""
    for head, _ in _blocks(text, "def", name):
        try:
            function = ast.parse(f"def f{head}: ...").body[0]
        except (SyntaxError, ValueError, RecursionError):
            return [" ".join(head.split())]
        if isinstance(function, ast.FunctionDef):
            return _told(function.args)
    return None


def _told(arguments: ast.arguments) -> list[str]:
    plain = [*arguments.posonlyargs, *arguments.args]
    first_optional = len(plain) - len(arguments.defaults)
    told = [f"{one.arg}{'?' if at >= first_optional else ''}" for at, one in enumerate(plain)]
    told += [
        f"*, {one.arg}{'?' if default is not None else ''}"
        for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    ]
    return [*told, *(f"*{one.arg}" for one in (arguments.vararg, arguments.kwarg) if one is not None)]


def _fields(body: str) -> list[str] | None:
    """Return the fields of a class that may be a dataclass."""
    found = _FIELD.findall(body)
    if not found:
        return None
    indent = min(len(space) for space, _ in found)
    return [name for space, name in found if len(space) == indent and name not in {"else", "try", "finally"}]
