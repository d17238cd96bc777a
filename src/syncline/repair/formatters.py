"""Formatters: run in the configured order on the files the sync changed and on no other (MISSION N12)."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from syncline.checks.model import Conclusion
from syncline.config.models import Formatter
from syncline.errors import SynclineError
from syncline.git import CommitId, Entry, Repository, TreeId
from syncline.git.checkout import checkout
from syncline.git.commit import read_commit
from syncline.git.diff import changes
from syncline.merge.resolvers.patterns import matches
from syncline.programs.logfile import BoundedLog
from syncline.programs.read_inside import NotTheFileError, held_open, read_inside
from syncline.programs.sealed import run_sealed

_BATCH = 500
"""Files named in one call: far below any limit on the length of a command line."""


@dataclass(frozen=True, slots=True)
class Formatted:
    """The tree after formatting, and what was done, a line for each formatter that changed something."""

    tree: TreeId
    repairs: tuple[str, ...]


def format_changed(
    repository: Repository, merge: CommitId, formatters: Sequence[Formatter], *, at: CommitId | None = None
) -> Formatted:
    """Run formatters on the files that differ between the merge commit and both of its parents.

    With `at`, a commit above the merge, its files are formatted in the place of the merge's.

    Files that are exactly one side's stay as that side wrote them: to format those would only make the next
    sync conflict. What a formatter does to any other file is dropped.

    Raises:
        SynclineError: a formatter is missing, fails, takes too long, or leaves something else than a file
            where one was.
    """
    ours, theirs = read_commit(repository, merge).parents
    at = at or merge
    tree = read_commit(repository, at).tree
    from_theirs = {change.path for change in changes(repository, theirs, at)}
    merged = {
        change.path: change.new
        for change in changes(repository, ours, at)
        if change.path in from_theirs and change.new is not None and change.new.mode.is_file
    }
    edits: dict[bytes, Entry | None] = {}
    repairs = []
    if not any(matches(formatter.match, path) for formatter in formatters for path in merged):
        return Formatted(tree, ())
    with checkout(repository, at) as place, held_open(place) as root:
        for formatter in formatters:
            wanted = sorted(path for path in merged if matches(formatter.match, path))
            for start in range(0, len(wanted), _BATCH):
                _run(repository, formatter, place, wanted[start : start + _BATCH])
            touched = 0
            for path in wanted:
                content = _read(formatter, root, path)
                before = edits.get(path) or merged[path]
                blob = repository.write_blob(content)
                if blob != before.oid:
                    edits[path] = Entry(merged[path].mode, blob)
                    touched += 1
            if touched:
                repairs.append(f"{formatter.name} on {touched} merged file{'s' if touched != 1 else ''}")
    return Formatted(repository.edit_tree(tree, edits), tuple(repairs))


def _read(formatter: Formatter, root: int, path: bytes) -> bytes:
    try:
        return read_inside(root, path)
    except NotTheFileError as error:
        shown = path.decode("utf-8", "backslashreplace")
        raise SynclineError(
            f"formatter {formatter.name!r} (`{' '.join(formatter.command)}`) was to rewrite {shown}, "
            f"which {error} after it ran",
            hint="a formatter must leave each file it is given where it is; exclude the file from its `match`",
        ) from error


def _run(repository: Repository, formatter: Formatter, place: Path, paths: Sequence[bytes]) -> None:
    """Run a formatter to its end, and see that nothing it started is left, whatever that end is."""
    # "./" keeps a file named like an option from being one.
    arguments = [*formatter.command, *("./" + os.fsdecode(path) for path in paths)]
    with repository.temporary_directory("formatter") as aside, BoundedLog(aside / "output") as log:
        ended = run_sealed(arguments, place, formatter.timeout, log)
    if ended.conclusion is Conclusion.SUCCESS:
        return
    hint = ""
    if ended.conclusion is Conclusion.STARTUP_FAILURE:
        hint = "install it where syncline runs, or take it out of the lane"
    raise SynclineError(
        f"formatter {formatter.name!r} (`{' '.join(formatter.command)}`) failed: {ended.summary}", hint=hint
    )
