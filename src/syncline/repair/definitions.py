"""Mends of single definitions in Python: one that is lacking is brought back, an old one becomes the new one.

A definition that only one side changed since base has one right text, whatever became of the file around it: where
a file in conflict was taken whole from the other side, that is what got lost.
"""

import re
from collections.abc import Iterable, Iterator

from syncline.audit.finding import Edit, Finding
from syncline.audit.four_trees import SIDES, Contents, Versions, other
from syncline.audit.task import Task
from syncline.git import Entry
from syncline.merge.model import Side
from syncline.merge.text import syntax
from syncline.merge.text.combination import combine
from syncline.repair.mend import Mend
from syncline.repair.python_units import PythonUnit, python_units

_NAMES = {Side.OURS: "target", Side.THEIRS: "source"}
_LACKS = frozenset(
    {"import-lost-name", "undefined-name", "missing-attribute", "missing-import", "dropped-still-used"}
)
_CALLED = frozenset({"call-mismatch", "missing-attribute", "dropped-still-used", "dropped-parameter"})
_QUOTED = re.compile(r"`([\w.]+)`")
_WORD = re.compile(rb"[A-Za-z_]\w*")
_MOST_FILES = 400
_MOST_NAMES = 20
"""Definitions that one mend brings back, with those that they need."""


def mend_definitions(task: Task, finding: Finding) -> Iterator[Mend]:
    """Yield mends of the definitions that a finding is about."""
    if finding.kind in _LACKS:
        yield from _brought_back(task, finding)
    if finding.kind in _CALLED:
        yield from _as_changed(task, finding)


# --- definitions that are lacking -------------------------------------------------------------------------------


def _brought_back(task: Task, finding: Finding) -> Iterator[Mend]:
    for file, contents in _files(task, finding.symbol.encode()):
        merged = python_units(contents.merged)
        if merged is None:
            continue
        for side in _sides(finding):
            had = python_units(contents.of(side))
            wanted = [
                name for name in had or () if name.rpartition(".")[2] == finding.symbol and name not in merged
            ]
            if had is None or len(wanted) != 1:
                continue
            content = _with(contents, side, merged, had, wanted[0])
            if content is None or file.merged is None:
                continue
            blob = task.trees.repository.write_blob(content)
            what = f"bring back `{wanted[0]}` as {_NAMES[side]} has it"
            if wanted[0] in (python_units(contents.base) or {}):
                what += f", which {_NAMES[other(side)]} removed"
            yield Mend(finding, what, entries=((file.path, Entry(file.merged.mode, blob)),))


def _with(
    contents: Contents, side: Side, merged: dict[str, PythonUnit], had: dict[str, PythonUnit], name: str
) -> bytes | None:
    """Return the merged text with a definition of a side, and with those that it needs of what lacks as well."""
    language = syntax.language_of(b"x.py")
    wanted = _needed(merged, had, name)
    if language is None or len(wanted) > _MOST_NAMES:
        return None
    # What the side has beside that, and the merge not, is left out: a base that has it says that it was removed.
    skeleton = _skeleton([one for one in had if one not in merged and one not in wanted], merged, wanted)
    done = combine(language, skeleton, contents.merged, contents.of(side))
    if done is None or {one.name.decode() for one in done.added} != {one.rpartition(".")[2] for one in wanted}:
        return None
    return b"".join(done.lines)


def _needed(merged: dict[str, PythonUnit], had: dict[str, PythonUnit], name: str) -> set[str]:
    wanted, open_still = {name}, [name]
    while open_still and len(wanted) <= _MOST_NAMES:
        words = {word.decode() for line in had[open_still.pop()].lines for word in _WORD.findall(line)}
        for more in words & had.keys() - merged.keys() - wanted:
            wanted.add(more)
            open_still.append(more)
    return wanted


def _skeleton(left_out: Iterable[str], merged: dict[str, PythonUnit], wanted: set[str]) -> bytes:
    """Return a text that defines names, so that they count as removed since."""
    inside: dict[str, list[str]] = {}
    plain: list[str] = []
    for name in left_out:
        around, _, own = name.rpartition(".")
        if not around:
            plain.append(own)
        elif "." not in around and around in merged and around not in wanted:
            inside.setdefault(around, []).append(own)
    lines = [f"def {name}():\n    pass\n" for name in plain]
    for around, names in inside.items():
        lines.append(f"class {around}:\n" + "".join(f"    def {name}(self):\n        pass\n" for name in names))
    return "".join(lines).encode()


# --- definitions that are not as they were changed --------------------------------------------------------------


def _as_changed(task: Task, finding: Finding) -> Iterator[Mend]:
    names = {word.rpartition(".")[2] for word in (finding.symbol, *_QUOTED.findall(finding.message)) if word}
    for file, contents in _files(task, *(name.encode() for name in names)):
        units = [python_units(text) for text in (contents.base, contents.ours, contents.theirs, contents.merged)]
        base, ours, theirs, merged = units
        if base is None or ours is None or theirs is None or merged is None:
            continue
        for name, unit in merged.items():
            here = finding.path == file.path and finding.line is not None
            around = here and unit.start < (finding.line or 0) <= unit.end
            if not unit.is_definition or not (around or name.rpartition(".")[2] in names | {"__init__"}):
                continue
            for side, mine, their in ((Side.OURS, ours, theirs), (Side.THEIRS, theirs, ours)):
                if not all(name in one for one in (base, mine, their)):
                    continue
                alone = their[name].bare == base[name].bare != mine[name].bare
                if alone and unit.bare not in {mine[name].bare, b""}:
                    what = f"take `{name}` as {_NAMES[side]} changed it; {_NAMES[other(side)]} left it alone"
                    yield Mend(finding, what, edits=(Edit(file.path, unit.start, unit.end, mine[name].lines),))


# --- files ------------------------------------------------------------------------------------------------------


def _sides(finding: Finding) -> tuple[Side, ...]:
    return (Side(finding.side),) if finding.side else SIDES


def _files(task: Task, *words: bytes) -> Iterator[tuple[Versions, Contents]]:
    """Yield the settled Python files in which the merge is not a side's and that have one of some words there."""
    files = [
        file for file in task.files
        if file.path.endswith(b".py") and file.merged is not None and file.merged.mode.is_file
        and file.path not in task.unsettled and any(file.lost_by(side) for side in SIDES)
    ][:_MOST_FILES]  # fmt: skip
    for file in files:
        contents = task.trees.contents(file)
        if contents is not None and any(
            word in text for word in words for text in (contents.ours, contents.theirs)
        ):
            yield file, contents
