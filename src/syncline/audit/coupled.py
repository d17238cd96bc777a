"""Files that only make sense together: manifests and their lock files, and where packages come from (N6, N7).

Only a pair that no side has as it is in the merge can be out of step by the merge's doing.
"""

from collections.abc import Iterator

from syncline.audit.files.lock_formats import FORMATS, Entries, LockFormat, missing
from syncline.audit.files.uv_check import find_uv, uv_check
from syncline.audit.files.uv_sources import lost_sources
from syncline.audit.finding import Finding, Severity
from syncline.audit.four_trees import LARGEST, SIDES, FourTrees, Versions
from syncline.audit.task import Answer, NotRun, Task
from syncline.git import Entry, TreeId
from syncline.git.paths import json_path, path_text

_MOST = 5
"""Entries of one lock file with a finding of their own."""
_LARGEST_LOCK = 20 * LARGEST


def out_of_step(task: Task) -> Iterator[Answer]:
    """Yield a finding for each dependency that a lock file lacks, each contradiction in one, each lost source."""
    trees = task.trees
    for path, lock_path, form in sorted(_pairs(task), key=lambda pair: pair[:2]):
        manifest = trees.repository.entry(trees.merged_tree, path)
        lock = trees.repository.entry(trees.merged_tree, lock_path)
        if manifest is None or lock is None or _is_a_sides(trees, (path, manifest), (lock_path, lock)):
            continue
        yield from _compare(trees, path, lock_path, form, manifest, lock)
    for file in task.mixed:
        if _name(file.path) == b"pyproject.toml" and (contents := trees.contents(file)) is not None:
            yield from lost_sources(file.path, contents)
    for file in task.files:
        # Taken whole from one side, it may have lost the other side's sources.
        if _name(file.path) == b"pyproject.toml" and _is_taken(file) and (contents := trees.contents(file)):
            yield from lost_sources(file.path, contents)


def _name(path: bytes) -> bytes:
    return path.rpartition(b"/")[2]


def _is_taken(file: Versions) -> bool:
    return not file.is_mixed and file.merged is not None and any(file.lost_by(side) for side in SIDES)


def _pairs(task: Task) -> set[tuple[bytes, bytes, LockFormat]]:
    """Return the manifests and lock files of the merge that belong together, one of which is not as everywhere."""
    trees = task.trees
    found = set()
    for file in task.files:
        name = _name(file.path)
        for form in FORMATS:
            if name == form.manifest and (lock := _lock_above(trees, file.path, form)) is not None:
                found.add((file.path, lock, form))
            elif name == form.lock:
                found.add((file.path.removesuffix(form.lock) + form.manifest, file.path, form))
    return found


def _lock_above(trees: FourTrees, path: bytes, form: LockFormat) -> bytes | None:
    """Return the nearest lock file in the directory of a manifest or above it (a workspace has only one)."""
    directory = path.removesuffix(form.manifest)
    while True:
        if trees.repository.entry(trees.merged_tree, directory + form.lock) is not None:
            return directory + form.lock
        if not directory:
            return None
        directory = directory.rstrip(b"/").rpartition(b"/")[0]
        directory += b"/" if directory else b""


def _is_a_sides(trees: FourTrees, manifest: tuple[bytes, Entry], lock: tuple[bytes, Entry]) -> bool:
    return any(
        all(trees.repository.entry(trees.tree_of(side), path) == entry for path, entry in (manifest, lock))
        for side in SIDES
    )


def _compare(
    trees: FourTrees, path: bytes, lock_path: bytes, form: LockFormat, manifest: Entry, lock: Entry
) -> Iterator[Answer]:
    directory = path_text(path.removesuffix(form.manifest).removeprefix(lock_path.removesuffix(form.lock))).rstrip(
        "/"
    )
    wanted, held = trees.text(manifest), trees.text(lock)
    if len(held) > _LARGEST_LOCK:
        yield NotRun(form.tool, f"{json_path(lock_path)} has {len(held):,} bytes")
        return
    lacks = _lacks(form, wanted, held, directory)
    of_sides = [trees.repository.entry(trees.tree_of(side), lock_path) for side in SIDES]
    faults = form.faults(held) if lock not in of_sides else frozenset()
    for side, side_lock in zip(SIDES, of_sides, strict=True):
        if faults and side_lock is not None:
            faults -= form.faults(trees.text(side_lock))
        if lacks and side_lock is not None:
            side_manifest = _content(trees, trees.tree_of(side), path) or b""
            lacks -= _lacks(form, side_manifest, trees.text(side_lock), directory)
    for entry in sorted(lacks)[:_MOST]:
        yield Finding(
            "lock-out-of-step", Severity.FIX, lock_path,
            f"{json_path(path)} wants {entry}, which {json_path(lock_path)} does not hold"
            + (f" (as {len(lacks) - _MOST} more)" if len(lacks) > _MOST else ""),
            symbol=entry.partition(" ")[0], text=(entry,), suggestion=form.tool,
        )  # fmt: skip
    if faults:
        first, *more = sorted(faults)
        yield Finding(
            "lock-broken", Severity.STOP, lock_path,
            f"the lock file contradicts itself: {first}" + (f", and {len(more)} more" if more else ""),
            text=(first, *more[:_MOST]), suggestion=form.tool,
        )  # fmt: skip
    if not lacks and not faults and form.lock == b"uv.lock" and not directory:
        yield from _ask_uv(trees, path, lock_path, wanted, held)


def _lacks(form: LockFormat, manifest: bytes, lock: bytes, directory: str) -> Entries:
    wanted, held = form.wanted(manifest), form.held(lock, directory)
    return frozenset() if wanted is None or held is None else missing(wanted, held)


def _content(trees: FourTrees, tree: TreeId, path: bytes) -> bytes | None:
    entry = trees.repository.entry(tree, path)
    return None if entry is None else trees.text(entry)


def _ask_uv(trees: FourTrees, path: bytes, lock_path: bytes, manifest: bytes, lock: bytes) -> Iterator[Answer]:
    uv = find_uv()
    if uv is None or b"workspace" in manifest or b"path =" in manifest:
        return  # other manifests would be needed; what can be told without uv has been told
    said = uv_check(uv, manifest, lock)
    if said.trouble:
        yield NotRun("uv lock --check", said.trouble)
    if not said.wrong:
        return
    for tree in map(trees.tree_of, SIDES):
        side_manifest, side_lock = _content(trees, tree, path), _content(trees, tree, lock_path)
        if side_manifest is not None and side_lock is not None and uv_check(uv, side_manifest, side_lock).wrong:
            return  # wrong on a side already
    yield Finding(
        "lock-out-of-step", Severity.FIX, lock_path, f"uv does not accept it with {json_path(path)}: {said.wrong}",
        suggestion="uv lock",
    )  # fmt: skip
