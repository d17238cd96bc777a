"""Submodules: commits that no side names, moves that were lost, and `.gitmodules` out of step."""

import re
from collections.abc import Iterator

from syncline.audit.files.three_way import NAMES, expected
from syncline.audit.finding import Finding, Severity
from syncline.audit.four_trees import SIDES, Versions
from syncline.audit.task import Task
from syncline.git import Entry, Repository, TreeId
from syncline.git.paths import json_path
from syncline.git.tree import Mode

_LIST = b".gitmodules"
_PATH = re.compile(rb'^[ \t]*path[ \t]*=[ \t]*("?)(.*?)\1[ \t]*\r?$', re.MULTILINE | re.IGNORECASE)


def wrong_submodules(task: Task) -> Iterator[Finding]:
    """Yield a finding for each submodule at a wrong commit, and for each entry of `.gitmodules` without one."""
    found = [file for file in task.files if any(map(_is_submodule, (file.ours, file.theirs, file.merged)))]
    for file in found:
        yield from _wrong_commit(file)
    if found or _LIST in task.trees.by_path:
        yield from _out_of_step(task)


def _is_submodule(entry: Entry | None) -> bool:
    return entry is not None and entry.mode is Mode.SUBMODULE


def _wrong_commit(file: Versions) -> Iterator[Finding]:
    if not _is_submodule(file.merged):
        return  # gone, or another kind: told by the audits of deletions and of modes
    assert file.merged is not None  # noqa: S101 - a submodule is there
    sides = (file.base, file.ours, file.theirs)
    oids = [entry.oid if entry is not None and _is_submodule(entry) else None for entry in sides]
    wanted = expected(*oids)
    here = file.merged.oid
    if wanted is not None and here != wanted.value:
        lost = here == oids[0]
        who = f"{NAMES[wanted.side]} has" if wanted.side else "both sides have"
        yield Finding(
            "submodule-moved", Severity.FIX, file.path,
            f"the submodule is {'back ' if lost else ''}at {here.short}, {who} it at {wanted.value.short}",
            side=wanted.side or "", text=(f"{wanted.value} -> {here}",),
            suggestion=f"git update-index --cacheinfo 160000,{wanted.value},{json_path(file.path)}",
        )  # fmt: skip
    elif wanted is None and here not in oids[1:]:
        yield Finding(
            "submodule-moved", Severity.LOOK, file.path,
            f"both sides moved the submodule; it is at {here.short}, which is neither's commit",
            text=(f"{oids[1]} | {oids[2]} -> {here}",),
        )  # fmt: skip


def _out_of_step(task: Task) -> Iterator[Finding]:
    trees = task.trees
    repository = trees.repository
    here = _listed(repository, trees.merged_tree)
    sides = {side: _listed(repository, trees.tree_of(side)) for side in SIDES}
    for path in sorted(here):
        lost = _has_submodule(repository, trees.merged_tree, path)
        if lost or any(
            path in sides[side] and not _has_submodule(repository, trees.tree_of(side), path) for side in SIDES
        ):
            continue
        yield Finding(
            "submodule-missing", Severity.FIX, _LIST,
            f".gitmodules names {json_path(path)}, where the merge has no submodule", symbol=json_path(path),
        )  # fmt: skip
    listed_before = {path for side in SIDES for path in sides[side]}
    for path in sorted(listed_before - here):
        if _has_submodule(repository, trees.merged_tree, path):
            side = next(side for side in SIDES if path in sides[side])
            yield Finding(
                "submodule-unlisted", Severity.FIX, _LIST,
                f"the submodule {json_path(path)} has no entry in .gitmodules any more, {NAMES[side]} has one",
                side=side, symbol=json_path(path),
            )  # fmt: skip


def _listed(repository: Repository, tree: TreeId) -> set[bytes]:
    entry = repository.entry(tree, _LIST)
    if entry is None or not entry.mode.is_file:
        return set()
    return {match[2] for match in _PATH.finditer(repository.blob(entry.oid)) if match[2]}


def _has_submodule(repository: Repository, tree: TreeId, path: bytes) -> bool:
    return _is_submodule(repository.entry(tree, path))
