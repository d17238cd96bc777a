"""Imports that the merge broke: of a module that the other side moved, of a name that it took away, in a circle.

Each is right in the side it comes from. What was deleted altogether is told as such (see `deleted`).
"""

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from syncline.audit.evidence import asks_for
from syncline.audit.finding import Asked, Did, Edit, Finding, Severity
from syncline.audit.four_trees import LARGEST, SIDES, Versions, other
from syncline.audit.modules.cycles import Step, new_cycles
from syncline.audit.modules.import_words import words_imported
from syncline.audit.modules.imports import Force, imports
from syncline.audit.modules.load_order import failing_orders
from syncline.audit.modules.lost import Lost, Use, lost_files, users
from syncline.audit.occurrences import stands_in
from syncline.audit.same_ends import same_ends
from syncline.audit.task import Task
from syncline.git.paths import json_path
from syncline.merge.hunks import split_lines
from syncline.merge.model import Side

_NAMES = {Side.OURS: "target", Side.THEIRS: "source"}
_MOST_CYCLES = 3
_SEVERITY = {Force.FAILS: Severity.STOP, Force.LATER: Severity.FIX}


def import_cycles(task: Task) -> Iterator[Finding]:
    """Yield the imports that resolve in the side they come from and not in the merge, and the new cycles."""
    yield from _moved(task)
    yield from _lost_names(task)
    yield from _cycles(task)
    yield from _orders(task)


# --- modules that moved -----------------------------------------------------------------------------------------


def _moved(task: Task) -> Iterator[Finding]:
    lost = {one.path: one for one in lost_files(task) if one.moved_to is not None}
    for path, uses in users(task, list(lost.values())).items():
        for use in uses:
            yield _of_moved(task, lost[path], use)


def _of_moved(task: Task, lost: Lost, use: Use) -> Finding:
    old, new = _module(lost.path), _module(lost.moved_to or b"")
    by = _NAMES[lost.by] if lost.by is not None else "the merge"
    return Finding(
        "import-moved", _SEVERITY.get(use.what.force, Severity.LOOK), use.path,
        f"imports {json_path(lost.path)}, which {by} moved to {json_path(lost.moved_to or b'')}",
        line=use.what.line, symbol=_shown(posixpath.basename(old).rpartition(b".")[2] or old),
        side=lost.sides[0].value, text=(_shown(use.what.words),),
        suggestion=f"import {_shown(new)} instead", edits=tuple(_renamed(task, use, old, new)),
        asks=asks_for(lost.sides[0], use.path, [use.what.words], Did.ADDED, "added the import"),
    )  # fmt: skip


def _module(path: bytes) -> bytes:
    """Return what Python calls a file, as far as its path tells; the path itself for other languages."""
    if not path.endswith(b".py"):
        return path
    return path.removesuffix(b".py").removesuffix(b"/__init__").removeprefix(b"src/").replace(b"/", b".")


def _renamed(task: Task, use: Use, old: bytes, new: bytes) -> Iterator[Edit]:
    file = task.trees.by_path.get(use.path)
    lines = split_lines(task.trees.text(file.merged)) if file is not None else []
    line = lines[use.what.line - 1] if use.what.line <= len(lines) else b""
    whole = re.compile(rb"(?<![\w.])%b(?![\w.])" % re.escape(old))
    if use.path.endswith(b".py") and len(whole.findall(line)) == 1:
        yield Edit(use.path, use.what.line - 1, use.what.line, (whole.sub(new, line),))


# --- names that went --------------------------------------------------------------------------------------------

_BOUND = re.compile(rb"\n(?:(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)|(\w+)[ \t]*(?::|=(?!=)))")
_ANYTHING = re.compile(rb"^from[ \t]+\S+[ \t]+import[ \t]+\*|\b__getattr__\b|\bglobals\(\)", re.MULTILINE)


def _lost_names(task: Task) -> Iterator[Finding]:
    """Yield imports of a name that its module had in the importing line's side, and has not in the merge."""
    modules = [
        file for file in task.files
        if file.path.endswith(b".py") and file.merged is not None and file.merged.mode.is_file
    ]  # fmt: skip
    task.trees.read_ahead(entry for file in modules for entry in (file.merged, file.ours, file.theirs))
    for side in SIDES:
        gone: dict[bytes, list[Versions]] = defaultdict(list)
        for file in modules:
            for name in _names_lost(task, file, side):
                gone[name].append(file)
        if gone:
            for file in modules:
                if file.merged is None or file.merged == file.of(other(side)):
                    continue
                if not gone.keys().isdisjoint(words_imported(task.trees, file.merged)):
                    yield from _importing(task, file, side, gone)


def _names_lost(task: Task, file: Versions, side: Side) -> list[bytes]:
    """Return the names that a side's module binds and the merged one does not even mention."""
    if file.of(side) is None or file.of(side) == file.merged:
        return []
    merged = task.trees.text(file.merged)
    if len(merged) > LARGEST:
        return []
    text = task.trees.text(file.of(side))
    start, end = same_ends(text, merged)
    had = {one or two for one, two in _BOUND.findall(b"\n" + text[start : len(text) - end])}
    gone = [name for name in had if not stands_in(merged, name)]
    return [] if gone and _ANYTHING.search(merged) else sorted(gone)


def _importing(
    task: Task, file: Versions, side: Side, gone: Mapping[bytes, Sequence[Versions]]
) -> Iterator[Finding]:
    content = task.trees.text(file.merged)
    if len(content) > LARGEST:
        return
    known: set[bytes] | None = None
    for what in imports(file.path, content):
        severity = _SEVERITY.get(what.force)
        if severity is None or what.name not in gone:
            continue
        places = {place for group in what.exact for place in group}
        ends = tuple(b"/" + end for group in what.ends for end in group)
        module = next(
            (one for one in gone[what.name] if one.path in places or (b"/" + one.path).endswith(ends)), None
        )
        if module is None or module is file:
            continue
        if known is None:
            known = {one.words for one in imports(file.path, task.trees.text(file.of(other(side))))}
        if what.words in known:
            continue  # broken there as well
        name = _shown(what.name)
        yield Finding(
            "import-lost-name", severity, file.path,
            f"imports {name} from {json_path(module.path)}, which has it in {_NAMES[side]} and not in the merge",
            line=what.line, symbol=name, side=side.value, text=(_shown(what.words),),
            suggestion=f"bring {name} back, or use what {_NAMES[other(side)]} has in its place",
            asks=(
                *asks_for(other(side), module.path_of(other(side)), [what.name], Did.REMOVED, f"removed {name}"),
                *asks_for(side, file.path_of(side), [what.name], Did.ADDED, f"began to use {name}"),
            ),
        )  # fmt: skip


# --- cycles -----------------------------------------------------------------------------------------------------


def _cycles(task: Task) -> Iterator[Finding]:
    for number, cycle in enumerate(new_cycles(task)):
        if number >= _MOST_CYCLES:
            return
        first = cycle[0]
        way = " -> ".join([*(json_path(step.path) for step in cycle), json_path(first.path)])
        fails = all(step.by_name for step in cycle)
        yield Finding(
            "import-cycle", Severity.FIX if fails else Severity.LOOK, first.path,
            f"a circle of imports that neither side has: {way}"
            + ("; each takes names out of the next, which are not there yet" if fails else ""),
            line=first.line, side=Side.THEIRS.value,
            text=tuple(f"{json_path(step.path)}: {_shown(step.words)}" for step in cycle),
            suggestion="import inside the function that needs it, or move what both need to a module of its own",
            asks=tuple(ask for step in cycle for ask in _asks(task, step)),
        )  # fmt: skip


def _orders(task: Task) -> Iterator[Finding]:
    for one in failing_orders(task):
        at, name = one.failure, one.failure.name
        yield Finding(
            "import-order", Severity.FIX, one.path,
            f"in this order of imports, which is neither side's, loading {json_path(one.start)} fails: "
            f"{json_path(at.path)} takes {name} out of {json_path(at.target)} before it is there",
            symbol=name, text=(f"{json_path(at.path)}: {at.words}",),
            suggestion="bring the imports back to the order that a side has",
        )  # fmt: skip


def _asks(task: Task, step: Step) -> tuple[Asked, ...]:
    file = task.trees.by_path.get(step.path)
    if step.side is None or file is None:
        return ()
    module = step.words.split()[1]
    return asks_for(step.side, file.path_of(step.side), [module], Did.ADDED, f"imported in {_NAMES[step.side]}")


def _shown(text: bytes) -> str:
    return text.decode("utf-8", "replace")
