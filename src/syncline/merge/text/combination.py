"""Puts into one version of a file the definitions that only another version has, with the imports they need. Pure.

A definition is a named unit on lines of its own, at the top of a file or in a class and the like. It goes behind
the unit that it follows in the version it comes from, and behind what stands there already. What a common base had
and the version to be kept dropped is not brought back.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from syncline.merge.hunks import Lines, split_lines
from syncline.merge.text import members, syntax
from syncline.merge.text.languages import Language
from syncline.merge.text.members import Body, Member

MAX_SIZE = 500_000
"""Bytes of a version that is still read: three trees of it take about a second."""

_DATA = frozenset({"JSON", "YAML", "TOML", "XML", "HTML", "CSS"})
"""What has entries, but defines nothing."""
_IMPORTS = frozenset({
    "import_statement", "import_from_statement", "future_import_statement", "import_declaration", "import_spec",
    "namespace_use_declaration", "use_declaration", "using_directive", "preproc_include", "import",
})  # fmt: skip
"""Node types of the grammars."""
_HOLDER = re.compile(
    rb"^[ \t]*(?:[\w@]+[ \t]+)*(?:class|interface|struct|enum|record|impl|trait|mod|module|object|namespace)\b"
    rb"|^[ \t]*#[ \t]*if|^[ \t]*(?:type|import)[ \t(]",
    re.MULTILINE,
)
"""The first lines of a unit whose members are definitions, too; the locals of a function are none."""
_RECEIVER = re.compile(rb"^func[ \t]*\([ \t]*(?:\w+[ \t]+)?\*?[ \t]*(\w+)", re.MULTILINE)
"""Whose method a Go function is."""
_WORD = re.compile(rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*")
_COMMENT = re.compile(rb"#(?!\s*include)[^\n]*|//[^\n]*|/\*.*?\*/", re.DOTALL)
_LIST = re.compile(rb"(\{|\(|\bimport\b(?!\s*[({]))([^(){}]*)", re.DOTALL)
_LISTED = {
    "Python": b"import_from_statement",
    "JavaScript": b"import_statement",
    "TypeScript": b"import_statement",
}


@dataclass(frozen=True, slots=True)
class Added:
    """A definition that was put in."""

    name: bytes
    lines: Lines
    inside: bool
    """Whether it went into a class and the like that both versions have."""
    appended: bool
    """Whether it stands behind all that was there."""


@dataclass(frozen=True, slots=True)
class Combination:
    """A version with the definitions it lacked."""

    lines: Lines
    added: tuple[Added, ...]
    imports: tuple[bytes, ...]
    """The names that are imported in addition."""


def combine(language: Language, base: bytes | None, kept: bytes, other: bytes) -> Combination | None:
    """Return `kept` with the definitions that `other` added.

    Args:
        language: what the file is written in.
        base: the version both come from; None where there is none.
        kept: the version to keep.
        other: the version whose definitions may be missing there.

    Returns:
        None where no definitions can be told: in data, in text that is too big or does not follow the grammar.
    """
    if language.name in _DATA or not language.bodies or max(map(len, (base or b"", kept, other))) > MAX_SIZE:
        return None
    bodies = []
    files = []
    for content in (base, kept, other):
        lines = split_lines(content or b"")
        tree = syntax.parse(language, content) if content else None
        body = members.cut(language, tree, lines) if tree is not None else None
        if body is None and content is not base:
            return None
        bodies.append(body)
        files.append(lines)
    if bodies[0] is None and (base or b"").strip():
        return None
    old, ours, theirs = bodies
    if ours is None or theirs is None:
        return None
    work = _Work(language, files[1], files[2])
    work.fill(old, _Part(ours, 0), _Part(theirs, 0))
    if work.added:
        work.import_for(_Part(ours, 0), _Part(theirs, 0))
    return Combination(work.result(), tuple(work.added), tuple(work.imports))


@dataclass(frozen=True, slots=True)
class _Unit:
    """A member with the lines it stands on."""

    member: Member
    key: bytes | None
    top: int
    """The first of its lines, comments above included."""
    end: int


@dataclass(frozen=True)
class _Part:
    """A body that begins at a line of its file."""

    body: Body
    start: int

    def units(self) -> Iterator[_Unit]:
        at = self.start + len(self.body.head)
        for member in self.body.members:
            at += len(member.blank)
            yield _Unit(member, _key(member), at, at + len(member.lines))
            at += len(member.lines)


def _key(member: Member) -> bytes | None:
    """Return what tells a definition from the others in its scope; None for what is none."""
    if member.name is None:
        return None
    if member.kind in _IMPORTS:
        return b"import " + member.name
    if member.kind == "method_declaration" and (found := _RECEIVER.search(b"".join(member.lines))):
        return found[1] + b"." + member.name
    return member.name


@dataclass
class _Work:
    """Collects what goes in where."""

    language: Language
    kept: list[bytes]
    other: list[bytes]
    inserted: dict[int, list[bytes]] = field(default_factory=dict)
    """Before which line of `kept` what stands."""
    replaced: dict[int, tuple[int, Lines]] = field(default_factory=dict)
    added: list[Added] = field(default_factory=list)
    imports: list[bytes] = field(default_factory=list)

    @property
    def ending(self) -> bytes:
        return b"\r\n" if self.kept and self.kept[0].endswith(b"\r\n") else b"\n"

    def result(self) -> Lines:
        found: list[bytes] = []
        skip = 0
        for place in range(len(self.kept) + 1):
            found += self.inserted.get(place, ())
            if place in self.replaced and not skip:
                skip, lines = self.replaced[place]
                found += lines
            if skip:
                skip -= 1
            elif place < len(self.kept):
                found.append(self.kept[place])
        # What was the last line of a file may have no newline; it must not swallow the next.
        last = len(found) - 1
        return tuple(
            line if line.endswith(b"\n") or at == last else line + self.ending for at, line in enumerate(found)
        )

    def fill(self, base: Body | None, kept: _Part, other: _Part, *, inside: bool = False) -> None:
        """Put in what `other` has and neither `kept` nor `base` has; the same in what both have."""
        before = {_key(member) for member in base.members} if base is not None else set[bytes | None]()
        olds = {_key(member): member for member in base.members} if base is not None else {}
        units = list(kept.units())
        places = {unit.key: at for at, unit in enumerate(units) if unit.key is not None}
        theirs = list(other.units())
        shared: set[bytes | None] = {unit.key for unit in theirs if unit.key in places}
        last: int | None = None
        for at, unit in enumerate(theirs):
            if unit.key in places:
                last = places[unit.key]
                old = olds.get(unit.key)
                self._descend(old, units[last], unit)
            elif unit.key is not None and unit.member.kind not in _IMPORTS and unit.key not in before:
                if unit.member.separator == b",":
                    continue  # an entry of a list: what parts it from the next is not told here
                follower = next((places[u.key] for u in theirs[at + 1 :] if u.key in places), None)
                self._put(unit, units, shared, last, follower, inside=inside)

    def _descend(self, base: Member | None, kept: _Unit, other: _Unit) -> None:
        if kept.member.kind in _IMPORTS or "function" in kept.member.kind or "method" in kept.member.kind:
            return
        mine, their = kept.member.inner, other.member.inner
        if mine is None or their is None or not _HOLDER.search(b"".join(mine.head)):
            return
        old = base.inner if base is not None else None
        if base is not None and old is None:
            return  # what it had cannot be told
        self.fill(old, _Part(mine, kept.top), _Part(their, other.top), inside=True)

    def _put(
        self,
        unit: _Unit,
        units: Sequence[_Unit],
        shared: set[bytes | None],
        last: int | None,
        follower: int | None,
        *,
        inside: bool,
    ) -> None:
        own = self._written(self.other[unit.top : unit.end])
        name = unit.member.name or b""
        blank = self._blank(unit, units)
        if last is None and follower is not None:
            at = units[follower].top
            self.inserted.setdefault(at, []).extend((*own, *blank))
            self.added.append(Added(name, own, inside, appended=False))
            return
        at = len(units) - 1 if last is None else last
        # Behind what only the kept version has there.
        while at + 1 < len(units) and units[at + 1].key not in shared:
            at += 1
        self.inserted.setdefault(units[at].end, []).extend((*blank, *own))
        self.added.append(Added(name, own, inside, appended=at == len(units) - 1))

    def _blank(self, unit: _Unit, units: Sequence[_Unit]) -> Lines:
        """Return the blank lines that part a unit from the one before."""
        if unit.member.blank:
            return self._written(unit.member.blank)
        first = next((u.member.blank for u in units[1:] if u.member.kind == unit.member.kind), ())
        at_start = unit.top == 0 or not self.other[unit.top - 1].strip()
        return first if at_start else ()

    def _written(self, lines: Iterable[bytes]) -> Lines:
        """Return lines that end as the kept version's do."""
        return tuple(line.rstrip(b"\r\n") + self.ending for line in lines)

    # --- imports ------------------------------------------------------------------------------------------

    def import_for(self, kept: _Part, other: _Part) -> None:
        """Put in the imports of what was added, as far as they are missing."""
        used = {word for one in self.added for line in one.lines for word in _WORD.findall(line)}
        mine = [unit for part in (kept, *_import_blocks(kept)) for unit in part.units()]
        known = {unit.member.name for unit in mine if unit.member.kind not in _IMPORTS}
        known |= {name for unit in mine if unit.member.kind in _IMPORTS for name in self._bound(unit.member.lines)}
        wanted = used - known
        for part, mine_part in [(other, kept), *zip(_import_blocks(other), _import_blocks(kept), strict=False)]:
            places = [unit for unit in mine_part.units() if unit.member.kind in _IMPORTS]
            last: _Unit | None = None
            for unit in part.units():
                if unit.member.kind not in _IMPORTS:
                    continue
                here = next((u for u in places if u.key == unit.key), None)
                needed = [name for name in self._bound(unit.member.lines) if name in wanted]
                if needed and unit.member.inner is None:
                    self._import(unit, needed, here, last or (places[-1] if places else None), mine_part)
                    wanted -= set(needed)
                last = here or last

    def _import(
        self, unit: _Unit, names: list[bytes], here: _Unit | None, last: _Unit | None, part: _Part
    ) -> None:
        lines = self._written(self.other[unit.top : unit.end])
        kind = _LISTED.get(self.language.name, b"").decode()
        if unit.member.kind == kind:
            parts = self._parts(lines, names)
            if here is not None and here.member.kind == kind and parts is not None:
                grown = _grown(self.kept[here.top : here.end], parts, self.ending)
                if grown is not None and here.top not in self.replaced:
                    self.replaced[here.top] = here.end - here.top, grown
                    self.imports += names
                    return
            if parts is not None:
                lines = _only(lines, parts)
        if last is not None:
            self.inserted.setdefault(last.end, []).extend(lines)
        else:
            first = next((u for u in part.units() if u.key is not None), None)
            at = first.top if first is not None else part.start + len(part.body.head)
            self.inserted.setdefault(at, []).extend((*lines, self.ending))
        self.imports += names

    def _parts(self, lines: Lines, names: list[bytes]) -> list[bytes] | None:
        """Return the parts of an import's list that bind `names`: `a`, `b as c`; None where it has no list."""
        inside = _inside(b"".join(lines))
        if inside is None:
            return None
        found = [b" ".join(part.split()) for part in inside.split(b",") if part.strip()]
        parts = [part for part in found if _last_word(part) in names]
        return parts if len(parts) == len(names) else None

    def _bound(self, lines: Lines) -> list[bytes]:
        """Return the names that an import makes known; none where its text does not tell."""
        text = _COMMENT.sub(b"", b"".join(lines)).strip().rstrip(b";")
        match self.language.name:
            case "C" | "C++" | "C#":
                return []
            case "Go":
                quoted = re.search(rb"(\w+)?[ \t]*\"([^\"]+)\"", text)
                if quoted is None:
                    return []
                named = quoted[1] if quoted[1] not in (None, b"import") else None
                path = re.sub(rb"/v\d+$", b"", quoted[2]).rsplit(b"/", 1)[-1]
                return [named or path]
            case "Python" if text.startswith(b"import"):
                parts = text.removeprefix(b"import").split(b",")
                firsts = (_WORD.findall(part) for part in parts)
                return [found[-1] if b"as" in found else found[0] for found in firsts if found]
            case "JavaScript" | "TypeScript":
                text = re.split(rb"\bfrom\b", text)[0]
            case _:
                pass
        inside = _inside(text)
        if inside is None:
            words = _WORD.findall(text)
            return words[-1:]
        # import Whole, { part } from "module"
        outer = text.split(b"{")[0].removeprefix(b"import") if b"{" in text else b""
        parts = (*inside.split(b","), *(outer.split(b",") if self.language.name in _LISTED else ()))
        return [word for part in parts if (word := _last_word(part))]


def _import_blocks(part: _Part) -> list[_Part]:
    """Return the lists of imports that stand in one statement, as in Go."""
    return [
        _Part(unit.member.inner, unit.top)
        for unit in part.units()
        if unit.member.kind == "import_declaration" and unit.member.inner is not None
    ]


def _last_word(part: bytes) -> bytes:
    words = _WORD.findall(part)
    return words[-1] if words else b""


def _inside(text: bytes) -> bytes | None:
    """Return the list of names in an import: between braces or parentheses, or behind `import`."""
    if b"{" in text:
        return text[text.find(b"{") + 1 : text.rfind(b"}")]
    found = re.search(rb"\bfrom\b.*?\bimport\b\s*\(?([^()]*)", text, re.DOTALL)
    return found[1] if found else None


def _grown(lines: Sequence[bytes], parts: list[bytes], ending: bytes) -> Lines | None:
    """Return an import with more names in its list, laid out as it is; None where that is not plain."""
    text = b"".join(lines)
    inside = _inside(text)
    if inside is None or b"#" in inside or b"//" in inside or not inside.strip():
        return None
    if len(lines) == 1:
        at = text.rfind(inside) + len(inside.rstrip())
        head = text[:at].rstrip(b",")
        return (head + b", " + b", ".join(parts) + text[at:],)
    rows = list(lines)
    row = rows[-2] if len(rows) > 2 else b""
    if row.count(b",") > 1 or not row.strip():
        return None
    indent = row[: len(row) - len(row.lstrip())]
    comma = b"," if row.rstrip().endswith(b",") else b""
    rows[-2] = row.rstrip().rstrip(b",") + b"," + ending
    new = [indent + part + b"," + ending for part in parts]
    new[-1] = indent + parts[-1] + comma + ending
    return (*rows[:-1], *new, rows[-1])


def _only(lines: Lines, parts: list[bytes]) -> Lines:
    """Return an import with nothing but `parts` in its list; as it is where its layout is not plain."""
    if len(lines) > 1:
        names = [b" ".join(line.split()).rstrip(b",") for line in lines[1:-1]]
        kept = [line for line, name in zip(lines[1:-1], names, strict=True) if name in parts]
        return (lines[0], *kept, lines[-1]) if len(kept) == len(parts) else lines
    line = lines[0]
    inside = _inside(line) or b""
    if not inside.strip() or b"#" in inside:
        return lines
    start = line.rfind(inside)
    lead = inside[: len(inside) - len(inside.lstrip())]
    tail = inside[len(inside.rstrip()) :]
    return (line[:start] + lead + b", ".join(parts) + tail + line[start + len(inside) :],)
