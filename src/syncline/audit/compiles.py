"""Every file that could be read on the sides must be readable in the merge.

Python compiles: `compile()` and not `ast.parse`, since a parameter that stands twice is a syntax error that only
the compiler tells (two of 340 clean merges of the reference case had one). JSON and TOML load. What has a grammar
follows it where the sides do.
"""

import re
from collections.abc import Iterator, Sequence

from syncline.audit.finding import Finding, Severity
from syncline.audit.four_trees import SIDES, Contents, FourTrees, Versions
from syncline.audit.merged_files import MergedFile
from syncline.audit.new_statements import new_of
from syncline.audit.pieces import New, future_flags, new_in, stand_alone
from syncline.audit.task import Task
from syncline.git import Repository
from syncline.merge.text import syntax
from syncline.merge.text.languages import Language
from syncline.merge.text.loads import json_fault, python_fault, toml_fault

_PYTHON = (b".py", b".pyi")
_TWICE = re.compile(r"(?:duplicate argument '|keyword argument repeated: )(\w+)")
_LOADERS = {"JSON": json_fault, "TOML": toml_fault}
_LARGEST_LOADED = 200_000
"""Bytes of a JSON or TOML file that is still loaded; TOML of that size takes some 0.1 s."""
_LOCKS = {b"uv.lock": b".toml", b"poetry.lock": b".toml", b"Cargo.lock": b".toml", b"composer.lock": b".json"}
"""Files that have another suffix than their language."""


def compiles(task: Task) -> Iterator[Finding]:
    """Yield a finding for each file that can be read no more, through no side's fault."""
    wanted = [file for file in task.mixed if file.path.endswith(_PYTHON) or _language(file.path) is not None]
    task.trees.read_ahead(entry for file in wanted for entry in (file.ours, file.theirs, file.merged))
    for file in wanted:
        contents = task.trees.contents(file)
        if contents is not None:
            yield from _faults(task.trees, file, contents)


def uncompilable(repository: Repository, files: list[MergedFile]) -> Iterator[Finding]:
    """Yield a finding for each Python file that stopped compiling in the merge, through no side's fault."""
    for file in files:
        if file.path.endswith(_PYTHON):
            sides = [repository.blob(side.oid) for side in file.sides]
            merged = repository.blob(file.head.oid)
            yield from _not_compiling(file.path, merged, sides, new_in(merged, *sides))


def _faults(trees: FourTrees, file: Versions, contents: Contents) -> Iterator[Finding]:
    sides = [contents.of(side) for side in SIDES if file.of(side) is not None]
    if file.path.endswith(_PYTHON):
        yield from _not_compiling(file.path, contents.merged, sides, new_of(trees, file, contents))
    else:
        yield from _not_following(file.path, contents.merged, sides)


# --- Python ---------------------------------------------------------------------------------------------------


def _not_compiling(path: bytes, merged: bytes, sides: Sequence[bytes], new: New) -> Iterator[Finding]:
    fault = _new_fault(merged, sides, new)
    if fault is None:
        return
    line, text = fault
    twice = _TWICE.search(text)
    yield Finding(
        "does-not-compile", Severity.STOP, path, f"does not compile: {text}", line=line,
        symbol=twice[1] if twice else "", suggestion="mend the file on the proposal's branch",
    )  # fmt: skip


def _new_fault(merged: bytes, sides: Sequence[bytes], new: New) -> tuple[int | None, str] | None:
    """Return what keeps a merged file from compiling; None when it compiles, or a side does not either."""
    if sides and stand_alone(merged):
        flags = future_flags(merged)
        if all(python_fault(piece.alone, flags=flags) is None for piece in new.pieces):
            return None
    fault = python_fault(merged)
    if fault is None or any(python_fault(side) is not None for side in sides):
        return None  # a side does not compile here either: not this merge's doing
    return fault


# --- other languages ------------------------------------------------------------------------------------------


def _language(path: bytes) -> Language | None:
    return syntax.language_of(_LOCKS.get(path.rsplit(b"/", 1)[-1], path))


def _not_following(path: bytes, merged: bytes, sides: Sequence[bytes]) -> Iterator[Finding]:
    language = _language(path)
    tree = syntax.parse(language, merged) if language else None
    if language is None or tree is None:
        return
    load = _LOADERS.get(language.name) if len(merged) <= _LARGEST_LOADED else None
    if load is not None and (fault := load(merged)) is not None and all(load(side) is None for side in sides):
        yield Finding(
            "does-not-load", Severity.STOP, path, f"cannot be read as {language.name} any more: {fault}",
            suggestion="mend the file on the proposal's branch",
        )  # fmt: skip
        return
    if not tree.root_node.has_error:
        return
    # Grammars are imperfect (macros, templates, dialects): only where they read every side is an error one.
    read = [syntax.parse(language, side) for side in sides]
    if any(side is None or side.root_node.has_error for side in read):
        return
    place = syntax.first_broken(tree)
    shown = merged.split(b"\n")[place - 1].decode("utf-8", "replace").strip()[:100]
    yield Finding(
        "does-not-parse", Severity.STOP, path,
        f"does not follow the grammar of {language.name} as both sides do, first near {shown!r}",
        line=place, suggestion="mend the file on the proposal's branch",
    )  # fmt: skip
