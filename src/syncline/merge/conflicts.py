"""From what `git merge-tree` said to conflicts. Pure.

The types are merge-ort.c's `type_short_descriptions`; git promises their stability:
https://git-scm.com/docs/git-merge-tree ("Informational messages").
"""

from collections import defaultdict
from collections.abc import Iterable

from syncline.git import Mode
from syncline.git.merge_tree import MergeTree, Message, Stages
from syncline.merge.asides import asides, joined
from syncline.merge.model import Conflict, ConflictKind

_KINDS = {
    "CONFLICT (contents)": ConflictKind.CONTENT,
    "CONFLICT (binary)": ConflictKind.BINARY,
    "CONFLICT (file/directory)": ConflictKind.FILE_DIRECTORY,
    "CONFLICT (distinct modes)": ConflictKind.MODE,
    "CONFLICT (modify/delete)": ConflictKind.MODIFY_DELETE,
    "CONFLICT (rename/rename)": ConflictKind.RENAME_RENAME,
    "CONFLICT (rename involved in collision)": ConflictKind.RENAME_ADD,
    "CONFLICT (rename/delete)": ConflictKind.RENAME_DELETE,
    "CONFLICT (directory rename suggested)": ConflictKind.DIRECTORY_RENAME,
    "CONFLICT (file in way of directory rename)": ConflictKind.DIRECTORY_RENAME,
    # Spelt without the blank in merge-ort.c.
    "CONFLICT(directory rename collision)": ConflictKind.DIRECTORY_RENAME,
    "CONFLICT(directory rename unclear split)": ConflictKind.DIRECTORY_RENAME,
    "CONFLICT (directory rename collision)": ConflictKind.DIRECTORY_RENAME,
    "CONFLICT (directory rename unclear split)": ConflictKind.DIRECTORY_RENAME,
}

ORDER = (
    # The most structural kind names a conflict; the others stand in `also`.
    ConflictKind.OTHER,
    ConflictKind.SUBMODULE,
    ConflictKind.FILE_DIRECTORY,
    ConflictKind.RENAME_RENAME,
    ConflictKind.RENAME_DELETE,
    ConflictKind.RENAME_ADD,
    ConflictKind.DIRECTORY_RENAME,
    ConflictKind.MODIFY_DELETE,
    ConflictKind.SYMLINK,
    ConflictKind.BINARY,
    ConflictKind.MODE,
    ConflictKind.ADD_ADD,
    ConflictKind.CONTENT,
)


def conflicts_of(merged: MergeTree, *, ours: str, theirs: str) -> tuple[Conflict, ...]:
    """Return every conflict, sorted by path.

    Args:
        merged: git's answer.
        ours: what merge-tree was called with for our side.
        theirs: the same for theirs.

    A path is in conflict when git left stages for it. A conflict without any (a directory whose files went to
    several places, a file in the way) is about the first path its message names.
    """
    reports = [message for message in merged.messages if _is_conflict(message)]
    moved = asides({*merged.stages, *(path for message in reports for path in message.paths)}, (ours, theirs))
    stages = joined(merged.stages, moved)
    about: dict[bytes, list[Message]] = defaultdict(list)
    ties: list[tuple[bytes, ...]] = []
    for message in reports:
        tied = tuple(dict.fromkeys(moved.get(path, path) for path in message.paths))
        ties.append(tied)
        for path in tied:
            about[path].append(message)
        if tied and not any(path in stages for path in tied):
            stages[tied[0]] = Stages()  # no stages at all, but it must not get lost
    groups = _groups(ties)
    beside: dict[bytes, list[bytes]] = defaultdict(list)
    for name, path in sorted(moved.items()):
        beside[path].append(name)
    return tuple(
        _conflict(path, stages[path], about[path], groups.get(path, (path,)), tuple(beside[path]))
        for path in sorted(stages)
    )


def notes_of(merged: MergeTree) -> tuple[str, ...]:
    """Return what git said beside conflicts, without the line for each file it merged."""
    return tuple(
        message.text for message in merged.messages if not _is_conflict(message) and message.type != "Auto-merging"
    )


def _is_conflict(message: Message) -> bool:
    return message.type.startswith(("CONFLICT", "ERROR"))


def _conflict(
    path: bytes,
    stages: Stages,
    messages: list[Message],
    group: tuple[bytes, ...],
    aside: tuple[bytes, ...],
) -> Conflict:
    kinds = {kind for message in messages for kind in _kinds(message, stages)} or _kinds_of_stages(stages)
    if Mode.SUBMODULE in {entry.mode for entry in (stages.ours, stages.theirs) if entry is not None}:
        kinds.add(ConflictKind.SUBMODULE)
    first, *others = sorted(kinds, key=ORDER.index)
    texts = tuple(dict.fromkeys(message.text for message in messages))
    return Conflict(path, first, tuple(others), stages, group, texts, aside)


def _kinds(message: Message, stages: Stages) -> set[ConflictKind]:
    if message.type.startswith(("CONFLICT (submodule", "CONFLICT(submodule", "ERROR")):
        return {ConflictKind.SUBMODULE}
    kind = _KINDS.get(message.type, ConflictKind.OTHER)
    if kind in {ConflictKind.CONTENT, ConflictKind.MODE}:
        return _kinds_of_stages(stages)
    return {kind}


def _kinds_of_stages(stages: Stages) -> set[ConflictKind]:
    """Tell apart what ort calls `contents` and `distinct modes`: text, links, submodules, modes."""
    sides = [entry for entry in (stages.ours, stages.theirs) if entry is not None]
    modes = {entry.mode for entry in sides}
    if Mode.SUBMODULE in modes:
        return {ConflictKind.SUBMODULE}
    if Mode.SYMLINK in modes:
        return {ConflictKind.SYMLINK}
    if len(sides) == 1:
        return {ConflictKind.MODIFY_DELETE if stages.base is not None else ConflictKind.CONTENT}
    kinds = set()
    if len(modes) == 2 and (stages.base is None or not stages.base.mode.is_file):
        kinds.add(ConflictKind.MODE)  # with a mode in common to start from, git settles it
    if len({entry.oid for entry in sides}) == 2 or not kinds:
        kinds.add(ConflictKind.CONTENT if stages.base is not None else ConflictKind.ADD_ADD)
    return kinds


def _groups(sets: Iterable[tuple[bytes, ...]]) -> dict[bytes, tuple[bytes, ...]]:
    """Join path lists that share a path."""
    member: dict[bytes, set[bytes]] = {}
    for paths in sets:
        joined = set(paths)
        for path in paths:
            joined |= member.get(path, set())
        for path in joined:
            member[path] = joined
    return {path: tuple(sorted(joined)) for path, joined in member.items()}
