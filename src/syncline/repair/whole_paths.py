"""Mends of whole paths, as the side has them that is right: a lost file, a mode, a submodule, line endings."""

from collections.abc import Iterator

from syncline.audit.finding import Finding
from syncline.audit.task import Task
from syncline.git import Entry
from syncline.git.tree import Mode
from syncline.merge.model import Side
from syncline.repair.mend import Mend

_NAMES = {Side.OURS: "target", Side.THEIRS: "source"}


def put_paths_back(task: Task, finding: Finding) -> Iterator[Mend]:
    """Yield the mend of a path as a whole, where the finding's kind has one."""
    match finding.kind:
        case "deleted-needed":
            yield from _from_side(task, finding, finding.path)
        case "dangling-link" if len(finding.text) == 1:
            yield from _from_side(task, finding, finding.text[0].encode("utf-8", "surrogateescape"))
        case "executable-bit":
            yield from _other_bit(task, finding)
        case "kind-changed" | "submodule-moved":
            yield from _as_the_side(task, finding)
        case "line-endings":
            yield from _endings(task, finding)
        case _:
            return


def _sides(finding: Finding) -> tuple[Side, ...]:
    return (Side(finding.side),) if finding.side else (Side.OURS, Side.THEIRS)


def _from_side(task: Task, finding: Finding, path: bytes) -> Iterator[Mend]:
    """Yield what brings back a path that the merge has not."""
    trees = task.trees
    if trees.repository.entry(trees.merged_tree, path) is not None:
        return
    for side in _sides(finding):
        entry = trees.repository.entry(trees.tree_of(side), path)
        if entry is not None and entry.mode is not Mode.DIRECTORY:
            yield Mend(finding, f"restore the file as {_NAMES[side]} has it", entries=((path, entry),))
            return


def _other_bit(task: Task, finding: Finding) -> Iterator[Mend]:
    entry = task.trees.repository.entry(task.trees.merged_tree, finding.path)
    if entry is None or not entry.mode.is_file:
        return
    lost = entry.mode is Mode.FILE
    mode = Mode.EXECUTABLE if lost else Mode.FILE
    what = f"make it {'' if lost else 'not '}executable, as it is on the sides"
    yield Mend(finding, what, entries=((finding.path, Entry(mode, entry.oid)),))


def _as_the_side(task: Task, finding: Finding) -> Iterator[Mend]:
    file = task.trees.by_path.get(finding.path)
    if file is None:
        return
    for side in _sides(finding):
        entry = file.of(side)
        if entry is not None and entry != file.merged:
            yield Mend(finding, f"take it as {_NAMES[side]} has it", entries=((finding.path, entry),))
            return


def _endings(task: Task, finding: Finding) -> Iterator[Mend]:
    """Yield the file with the line endings that both sides have."""
    file = task.trees.by_path.get(finding.path)
    contents = task.trees.contents(file) if file is not None else None
    if file is None or file.merged is None or contents is None:
        return
    plain = contents.merged.replace(b"\r\n", b"\n")
    crlf = b"\r\n" in (contents.ours or contents.theirs)
    content = plain.replace(b"\n", b"\r\n") if crlf else plain
    blob = task.trees.repository.write_blob(content)
    what = f"write it with {'CRLF' if crlf else 'LF'} line endings again, as both sides have it"
    yield Mend(finding, what, entries=((finding.path, Entry(file.merged.mode, blob)),))
