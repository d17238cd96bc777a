"""Modes: the executable bit, and whether a path is a file, a link or a submodule.

Each is merged three-way; where the sides disagree over what base had, either will do.
"""

from collections.abc import Iterator

from syncline.audit.files.three_way import NAMES, expected, kind_of
from syncline.audit.finding import Finding, Severity
from syncline.audit.four_trees import Versions
from syncline.audit.task import Task
from syncline.git.paths import json_path
from syncline.git.tree import Mode

_WORDS = {Mode.FILE: "a file", Mode.SYMLINK: "a symbolic link", Mode.SUBMODULE: "a submodule"}


def wrong_modes(task: Task) -> Iterator[Finding]:
    """Yield a finding for each path whose mode in the merge is not what the sides' modes make."""
    for file in task.files:
        if file.merged is None or (file.ours is None and file.theirs is None):
            continue
        yield from _wrong_kind(file)
        yield from _wrong_bit(file)


def _wrong_kind(file: Versions) -> Iterator[Finding]:
    assert file.merged is not None  # noqa: S101 - asked by the caller
    kinds = [None if entry is None else kind_of(entry) for entry in (file.base, file.ours, file.theirs)]
    wanted = expected(*kinds)
    here = kind_of(file.merged)
    if wanted is not None and here != wanted.value:
        side = wanted.side or ""
        who = f"{NAMES[wanted.side]} has" if wanted.side else "both sides have"
        yield Finding(
            "kind-changed", Severity.FIX, file.path,
            f"it is {_WORDS[here]} in the merge, {who} {_WORDS[wanted.value]}",
            side=side, text=(f"{_WORDS[wanted.value]} -> {_WORDS[here]}",),
        )  # fmt: skip


def _wrong_bit(file: Versions) -> Iterator[Finding]:
    assert file.merged is not None  # noqa: S101 - asked by the caller
    entries = (file.base, file.ours, file.theirs)
    modes = [None if entry is None or not entry.mode.is_file else entry.mode for entry in entries]
    wanted = expected(*modes)
    if wanted is None or not file.merged.mode.is_file or file.merged.mode == wanted.value:
        return
    lost = wanted.value is Mode.EXECUTABLE
    who = f"{NAMES[wanted.side]} has" if wanted.side else "both sides have"
    yield Finding(
        "executable-bit", Severity.FIX, file.path,
        f"it is {'not ' if lost else ''}executable in the merge, {who} it {'' if lost else 'not '}so",
        side=wanted.side or "", text=("executable bit lost" if lost else "executable bit added",),
        suggestion=f"git update-index --chmod={'+' if lost else '-'}x -- {json_path(file.path)}",
    )  # fmt: skip
