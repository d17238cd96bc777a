"""From what `git merge-tree` said to conflicts. Pure.

The types are merge-ort.c's `type_short_descriptions`; git promises their stability:
https://git-scm.com/docs/git-merge-tree ("Informational messages").
"""

from collections import defaultdict
from collections.abc import Iterable

from syncline.git import Mode
from syncline.git.merge_tree import MergeTree, Message, Stages
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

_ORDER = (
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


def conflicts_of(merged: MergeTree) -> tuple[Conflict, ...]:
    """Return every conflict, sorted by path.

    A path is in conflict when git left stages for it or named it in a CONFLICT message while it stands in no
    clean state (a file that got out of a directory's way, say).
    """
    about: dict[bytes, list[Message]] = defaultdict(list)
    for message in merged.messages:
        if _is_conflict(message):
            for path in message.paths:
                about[path].append(message)
    groups = _groups(message.paths for message in merged.messages if _is_conflict(message))
    paths = set(merged.stages)
    # A conflict that left no stages at all (an unclear directory split) must not get lost.
    for message in merged.messages:
        if (
            _is_conflict(message)
            and message.paths
            and not any(path in merged.stages for path in message.paths)
        ):
            paths.add(message.paths[0])
    return tuple(
        _conflict(path, merged.stages.get(path, Stages()), about.get(path, []), groups.get(path, (path,)))
        for path in sorted(paths)
    )


def notes_of(merged: MergeTree) -> tuple[str, ...]:
    """Return what git said beside conflicts, without the line for each file it merged."""
    return tuple(
        message.text
        for message in merged.messages
        if not _is_conflict(message) and message.type != "Auto-merging"
    )


def _is_conflict(message: Message) -> bool:
    return message.type.startswith(("CONFLICT", "ERROR"))


def _conflict(path: bytes, stages: Stages, messages: list[Message], group: tuple[bytes, ...]) -> Conflict:
    kinds = {_kind(message, stages) for message in messages} or {_kind_of_stages(stages)}
    first, *others = sorted(kinds, key=_ORDER.index)
    texts = tuple(dict.fromkeys(message.text for message in messages))
    return Conflict(path, first, tuple(others), stages, group, texts)


def _kind(message: Message, stages: Stages) -> ConflictKind:
    if message.type.startswith(("CONFLICT (submodule", "CONFLICT(submodule", "ERROR (submodule", "ERROR")):
        return ConflictKind.SUBMODULE
    kind = _KINDS.get(message.type, ConflictKind.OTHER)
    if kind in {ConflictKind.CONTENT, ConflictKind.MODE}:
        return _kind_of_stages(stages)
    return kind


def _kind_of_stages(stages: Stages) -> ConflictKind:
    """Tell apart what ort calls `contents` and `distinct modes`: text, links, submodules, modes."""
    sides = [entry for entry in (stages.ours, stages.theirs) if entry is not None]
    modes = {entry.mode for entry in sides}
    if Mode.SUBMODULE in modes:
        return ConflictKind.SUBMODULE
    if Mode.SYMLINK in modes:
        return ConflictKind.SYMLINK
    if len(sides) == 1:
        return ConflictKind.MODIFY_DELETE if stages.base is not None else ConflictKind.CONTENT
    if len(modes) == 2 and len({entry.oid for entry in sides}) == 1:
        return ConflictKind.MODE
    return ConflictKind.CONTENT if stages.base is not None else ConflictKind.ADD_ADD


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
