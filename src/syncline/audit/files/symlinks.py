"""Symbolic links: those that point to nothing only in the merge, and those that point where no side points."""

import posixpath
from collections.abc import Iterable, Iterator

from syncline.audit.files.three_way import NAMES
from syncline.audit.finding import Finding, Severity
from syncline.audit.four_trees import SIDES, Versions
from syncline.audit.task import Task
from syncline.git import Entry, Repository, TreeId
from syncline.git.diff import changes
from syncline.git.paths import json_path
from syncline.git.tree import Mode

_LONGEST = 4096
"""Bytes of a target; Linux's PATH_MAX."""


def broken_links(task: Task) -> Iterator[Finding]:
    """Yield a finding for each link that leads nowhere in the merge only, or whose text is no side's."""
    trees = task.trees
    repository = trees.repository
    links = {
        file.path: file.merged
        for file in task.files
        if file.merged is not None and file.merged.mode is Mode.SYMLINK
    }
    if any(map(_gone_by_hand, task.files)):
        # A link that nobody touched may have led there.
        links |= _all_links(repository, trees.merged_tree)
    for path, link in sorted(links.items()):
        file = trees.by_path.get(path)
        with_link = [side for side in SIDES if repository.entry(trees.tree_of(side), path) == link]
        if file is not None and not with_link and any(_is_link(file.of(side)) for side in SIDES):
            yield Finding(
                "link-changed", Severity.LOOK, path,
                f"it points to {_shown(repository, link)}, which it does on neither side",
                text=(_shown(repository, link),),
            )  # fmt: skip
        place = _place(path, repository.blob(link.oid))
        if place is None or _leads(repository, trees.merged_tree, place):
            continue
        led = [side for side in with_link if _leads(repository, trees.tree_of(side), place)]
        if not with_link or not led:
            continue
        names = " and ".join(NAMES[side] for side in led) + (" has" if len(led) == 1 else " have")
        yield Finding(
            "dangling-link", Severity.FIX, path,
            f"it points to {json_path(place)}, which {names} and the merge has not",
            side=led[0] if len(led) == 1 else "", text=(json_path(place),),
        )  # fmt: skip


def _gone_by_hand(file: Versions) -> bool:
    """Whether a file that both sides have at one place is there no more."""
    both = file.ours is not None and file.theirs is not None and file.our_path == file.their_path
    return both and (file.merged is None or file.path != file.our_path)


def _all_links(repository: Repository, tree: TreeId) -> dict[bytes, Entry]:
    listed = changes(repository, repository.empty_tree, tree)
    return {change.path: change.new for change in listed if change.new and change.new.mode is Mode.SYMLINK}


def _is_link(entry: Entry | None) -> bool:
    return entry is not None and entry.mode is Mode.SYMLINK


def _shown(repository: Repository, link: Entry) -> str:
    return json_path(repository.blob(link.oid)[:200])


def _place(path: bytes, target: bytes) -> bytes | None:
    """Return the path in the tree that a link leads to; None for what is outside of it."""
    if not target or target.startswith(b"/") or b"\0" in target or len(target) > _LONGEST:
        return None
    place = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
    return None if place == b".." or place.startswith((b"../", b"/")) else place


def _leads(repository: Repository, tree: TreeId, place: bytes) -> bool:
    """Whether something is at `place`; true as well where only a work tree can tell (behind links, submodules)."""
    if place == b".":
        return True
    return repository.entry(tree, place) is not None or any(
        (above := repository.entry(tree, parent)) is not None and above.mode is not Mode.DIRECTORY
        for parent in _above(place)
    )


def _above(place: bytes) -> Iterable[bytes]:
    parts = place.split(b"/")
    return (b"/".join(parts[:count]) for count in range(1, len(parts)))
