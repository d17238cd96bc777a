"""Paths that only the merge brings together and that many file systems cannot tell apart.

macOS and Windows ignore case; macOS takes composed and decomposed letters for the same.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Iterator

from syncline.audit.finding import Finding, Severity
from syncline.audit.four_trees import SIDES, Versions
from syncline.audit.task import Task
from syncline.git import Repository, TreeId
from syncline.git.paths import json_path, path_text
from syncline.merge.model import Side


def colliding_paths(task: Task) -> Iterator[Finding]:
    """Yield a finding for each path that differs from another one by case or Unicode form alone.

    Both sides may have lived with such a pair: only one that is new in the merge is reported.
    """
    trees = task.trees
    # Each side lacks one of two paths that only the merge has together, unless a person made one of them.
    lacking = [
        file for file in task.files if file.merged is not None and any(_lacks(file, side) for side in SIDES)
    ]
    places: dict[str, set[bytes]] = defaultdict(set)
    for file in lacking:
        for place in (file.path, *_directories(file.path)):
            places[folded(place)].add(place)
        if all(_lacks(file, side) for side in SIDES):
            for neighbour in _neighbours(trees.repository, trees.merged_tree, file.path):
                places[folded(neighbour)].add(neighbour)
    new = {file.path for file in lacking}
    told: set[frozenset[bytes]] = set()
    for path in sorted(new):
        for rival in sorted(places[folded(path)] - {path}):
            pair = frozenset((path, rival))
            if pair in told or any(_has_both(trees.repository, trees.tree_of(side), pair) for side in SIDES):
                continue
            told.add(pair)
            how = "case" if unicodedata.normalize("NFC", path_text(path)) != unicodedata.normalize(
                "NFC", path_text(rival)
            ) else "Unicode form"  # fmt: skip
            yield Finding(
                "path-collision", Severity.FIX, path,
                f"it differs from {json_path(rival)} by {how} alone: many file systems can hold only one of them",
                text=tuple(sorted(map(json_path, pair))),
            )  # fmt: skip


def folded(path: bytes) -> str:
    """Return what file systems that ignore case and Unicode form go by."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path_text(path)).casefold())


def _lacks(file: Versions, side: Side) -> bool:
    return file.of(side) is None or file.path_of(side) != file.path


def _directories(path: bytes) -> Iterator[bytes]:
    parts = path.split(b"/")
    return (b"/".join(parts[:count]) for count in range(1, len(parts)))


def _neighbours(repository: Repository, tree: TreeId, path: bytes) -> Iterator[bytes]:
    directory, slash, _ = path.rpartition(b"/")
    here = repository.entry(tree, directory) if slash else None
    names = repository.tree(TreeId(here.oid) if here is not None else tree)
    return (directory + slash + name for name in names)


def _has_both(repository: Repository, tree: TreeId, pair: frozenset[bytes]) -> bool:
    return all(repository.entry(tree, path) is not None for path in pair)
