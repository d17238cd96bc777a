"""What stands twice in the merge and in neither side: both sides added it, or one moved what the other left.

Git merges two additions of one text at different places without a conflict. Definitions, parameters, fields, keys
and imports are told apart by their names, statements by their text. A file that a side has as it is holds no such
thing: only mixed files are looked at, and of Python only the statements that no side has.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from syncline.audit.doubled_statements import Repeated, Statements
from syncline.audit.doubled_units import in_groups, units_twice
from syncline.audit.evidence import asks_for
from syncline.audit.finding import Asked, Did, Edit, Finding, Severity
from syncline.audit.four_trees import SIDES, Contents, FourTrees, Versions
from syncline.audit.new_statements import new_of
from syncline.audit.pieces import Piece
from syncline.audit.task import Task
from syncline.merge.hunks import split_lines
from syncline.merge.model import Side
from syncline.merge.text import syntax
from syncline.merge.text.languages import Language
from syncline.merge.text.loads import python_fault
from syncline.merge.text.syntax import Unit

_FATAL = {"Python": {"parameter", "argument"}, "Go": {"import", "function", "type", "field", "parameter"}}
"""What may not stand twice, by language: such a file does not compile."""
_IMPORT = re.compile(
    rb"^[ \t]*(?:from[ \t]+\S+[ \t]+)?import[ \t]+(\([^)]*\)|[^\n\\]*(?:\\\r?\n[^\n\\]*)*)", re.MULTILINE
)
_COMMA_BEFORE = re.compile(rb",\s*\Z")
_NAMES = re.compile(rb"[^\s,][^,]*")
_SHOWN = 6
"""Names in one message."""
_LINES = 40
"""Lines of text in one finding."""


def doubled(task: Task) -> Iterator[Finding]:
    """Yield a finding for what stands twice in a scope, more often than in any side."""
    wanted = [file for file in task.mixed if syntax.language_of(file.path) is not None]
    task.trees.read_ahead(entry for file in wanted for entry in (file.ours, file.theirs, file.merged))
    for file in wanted:
        contents = task.trees.contents(file)
        language = syntax.language_of(file.path)
        if contents is not None and language is not None and (file.ours is not None or file.theirs is not None):
            yield from _Look(task.trees, file, contents, language).findings()


@dataclass(frozen=True, slots=True)
class _Look:
    trees: FourTrees
    file: Versions
    contents: Contents
    language: Language

    def findings(self) -> Iterator[Finding]:
        merged, sides = self.contents.merged, (self.contents.ours, self.contents.theirs)
        python = self.language.name == "Python"
        new = new_of(self.trees, self.file, self.contents) if python else None
        told: list[range] = []
        for group in in_groups(units_twice(self.language, merged, sides, new)):
            told += [self._rows(unit) for _, unit in group]
            yield self._of_units(group)
        pieces = (Piece(merged, 1),) if new is None or new.again else new.pieces
        for repeated in Statements(self.language, merged, sides).repeated(pieces):
            known = any(rows.start <= repeated.end and repeated.start < rows.stop for rows in told)
            if not known and _is_suspicious(self.file.path, repeated):
                yield self._of_statements(repeated)

    def _rows(self, unit: Unit) -> range:
        """Return the lines of a unit, 1-based."""
        merged = self.contents.merged
        first = merged.count(b"\n", 0, unit.start) + 1
        return range(first, merged.count(b"\n", 0, max(unit.start, unit.end - 1)) + 2)

    def _mend(self, units: Sequence[Unit]) -> tuple[Edit, ...]:
        """Return what takes units away; nothing where more than they would go, or the rest would not compile."""
        places = self._places(units)
        if places or len(units) > 1 or units[0].word not in {"parameter", "argument"}:
            return self._dropped(places)
        merged, unit = self.contents.merged, units[0]
        before = _COMMA_BEFORE.search(merged[: unit.start])
        rows = self._rows(unit)
        if before is None or len(rows) > 1 or merged.count(b"\n", before.start(), unit.start):
            return ()
        rest = merged[: before.start()] + merged[unit.end :]
        if self.language.name == "Python" and python_fault(rest) is not None:
            return ()
        return (Edit(self.file.path, rows.start - 1, rows.stop - 1, (split_lines(rest)[rows.start - 1],)),)

    def _places(self, units: Sequence[Unit]) -> list[range]:
        """Return the lines that are to go so that the units do; none where more than they would go."""
        if self.language.name == "Python" and units[0].word == "import":
            return self._imports(units)
        rows = [self._rows(unit) for unit in units]
        lines = split_lines(self.contents.merged)
        for unit, place in zip(units, rows, strict=True):
            whole = b"".join(_slice(lines, place)).strip().rstrip(b",;")
            if whole != self.contents.merged[unit.start : unit.end].strip().rstrip(b",;"):
                return []
        return rows

    def _of_units(self, group: Sequence[tuple[Unit, Unit]]) -> Finding:
        merged = self.contents.merged
        first, unit = group[0]
        names = [_shown(one.name) for _, one in group]
        same = all(
            merged[one.start : one.end].split() == merged[two.start : two.end].split() for one, two in group
        )
        fatal = unit.word in _FATAL.get(self.language.name, ())
        harmless = unit.word == "import" and not fatal
        what = f"the {unit.word} {names[0]} stands" if len(names) == 1 else f"{_listed(names)} stand"
        where = f"lines {first.line} and {unit.line}"
        lines = split_lines(merged)
        return Finding(
            "doubled", Severity.STOP if fatal else Severity.LOOK if harmless else Severity.FIX, self.file.path,
            f"{what} twice in one scope ({where}), in neither side"
            + ("" if same else "; the two are not the same"),
            line=unit.line, symbol=names[0],
            text=tuple(_text(line) for _, two in group for line in _slice(lines, self._rows(two)))[:_LINES],
            suggestion=f"keep one of the two {unit.word}s" if not same else f"drop the second {unit.word}",
            edits=self._mend([two for _, two in group]) if same else (),
            asks=self._asks([lines[unit.line - 1].strip()]),
        )  # fmt: skip

    def _of_statements(self, repeated: Repeated) -> Finding:
        lines = split_lines(self.contents.merged)
        rows = range(repeated.start, repeated.end + 1)
        own = _slice(lines, rows)
        what = (
            "a value" if repeated.in_list else "the statement" if len(own) == 1 else f"a block of {len(own)} lines"
        )
        head = own[0].strip()
        return Finding(
            "doubled", Severity.FIX if repeated.next_to or len(own) > 1 else Severity.LOOK, self.file.path,
            f"{what} {_shown(head)!r} stands twice in one {'list' if repeated.in_list else 'block'}"
            f" (lines {repeated.first} and {repeated.start}), in neither side",
            line=repeated.start, symbol=_shown(head),
            text=tuple(map(_text, own))[:_LINES],
            suggestion="drop the second",
            edits=self._dropped([rows]) if repeated.whole_lines else (),
            asks=self._asks([head]),
        )  # fmt: skip

    def _dropped(self, places: Sequence[range]) -> tuple[Edit, ...]:
        """Return what takes lines away, one blank line less where two meet; nothing if that breaks the file."""
        if not places:
            return ()
        lines = split_lines(self.contents.merged)
        gone: set[int] = set()
        for rows in places:
            gone |= set(range(rows.start - 1, rows.stop - 1))
            end = rows.stop - 1
            while (
                rows.start > 1
                and not lines[rows.start - 2].strip()
                and end < len(lines)
                and not lines[end].strip()
            ):
                gone.add(end)
                end += 1
        rest = b"".join(line for number, line in enumerate(lines) if number not in gone)
        if self.language.name == "Python" and python_fault(rest) is not None:
            return ()
        edits: list[Edit] = []
        for number in sorted(gone):
            if edits and edits[-1].end == number:
                edits[-1] = replace(edits[-1], end=number + 1)
            else:
                edits.append(Edit(self.file.path, number, number + 1, ()))
        return tuple(edits)

    def _imports(self, units: Sequence[Unit]) -> list[range]:
        """Return the import statements all of whose names are among the units; none where one holds more."""
        merged = self.contents.merged
        starts = sorted(unit.start for unit in units)
        found: list[range] = []
        covered = 0
        for match in _IMPORT.finditer(merged):
            inside = sum(match.start() <= start < match.end() for start in starts)
            if inside and inside == len(_NAMES.findall(match[1].strip(b"()"))):
                covered += inside
                first = merged.count(b"\n", 0, match.start()) + 1
                found.append(range(first, first + match[0].count(b"\n") + 1))
        return found if covered == len(starts) else []

    def _asks(self, texts: Sequence[bytes]) -> tuple[Asked, ...]:
        found: list[Asked] = []
        for side in SIDES:
            name = "target" if side is Side.OURS else "source"
            wanted = [
                text for text in texts if self.contents.of(side).count(text) > self.contents.base.count(text)
            ]
            found += asks_for(side, self.file.path_of(side), wanted, Did.ADDED, f"added it in {name}")
        return tuple(found)


def _is_suspicious(path: bytes, repeated: Repeated) -> bool:
    """Return whether it was hardly meant to stand twice.

    A check or a call of one line may well be made again later on, and so may what stands in the file often; in a
    test, anything may.
    """
    if repeated.next_to or repeated.in_list:
        return True
    if repeated.common or b"test" in path.lower():
        return False
    return repeated.binds or repeated.end > repeated.start


def _slice(lines: Sequence[bytes], rows: range) -> list[bytes]:
    return list(lines[rows.start - 1 : rows.stop - 1])


def _listed(names: Sequence[str]) -> str:
    listed = ", ".join(names[:_SHOWN])
    return listed if len(names) <= _SHOWN else f"{listed} and {len(names) - _SHOWN} more"


def _shown(name: bytes) -> str:
    return name.decode("utf-8", "replace").split("\n")[0].strip()[:80]


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace").rstrip("\r\n")
