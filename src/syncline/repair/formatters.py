"""Formatters: run in the configured order on the files the sync changed and on no other (MISSION N12)."""

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from syncline.config.models import Formatter
from syncline.errors import SynclineError
from syncline.git import CommitId, Entry, Repository, TreeId
from syncline.git.checkout import checkout
from syncline.git.commit import read_commit
from syncline.git.diff import changes
from syncline.merge.resolvers.patterns import matches

_KEEP = ("PATH", "HOME", "TMPDIR", "LANG", "LC_ALL")
_BATCH = 500
"""Files named in one call: far below any limit on the length of a command line."""


@dataclass(frozen=True, slots=True)
class Formatted:
    """The tree after formatting, and what was done, a line for each formatter that changed something."""

    tree: TreeId
    repairs: tuple[str, ...]


def format_changed(repository: Repository, merge: CommitId, formatters: Sequence[Formatter]) -> Formatted:
    """Run formatters on the files that differ between the merge commit and both of its parents.

    Files that are exactly one side's stay as that side wrote them: to format those would only make the next
    sync conflict. What a formatter does to any other file is dropped.

    Raises:
        SynclineError: a formatter is missing, fails or takes too long.
    """
    commit = read_commit(repository, merge)
    ours, theirs = commit.parents
    from_theirs = {change.path for change in changes(repository, theirs, merge)}
    merged = {
        change.path: change.new
        for change in changes(repository, ours, merge)
        if change.path in from_theirs and change.new is not None and change.new.mode.is_file
    }
    edits: dict[bytes, Entry | None] = {}
    repairs = []
    if not any(matches(formatter.match, path) for formatter in formatters for path in merged):
        return Formatted(commit.tree, ())
    with checkout(repository, merge) as place:
        for formatter in formatters:
            wanted = sorted(path for path in merged if matches(formatter.match, path))
            for start in range(0, len(wanted), _BATCH):
                _run(formatter, place, wanted[start : start + _BATCH])
            touched = 0
            for path in wanted:
                content = (place / os.fsdecode(path)).read_bytes()
                before = edits.get(path) or merged[path]
                blob = repository.write_blob(content)
                if blob != before.oid:
                    edits[path] = Entry(merged[path].mode, blob)
                    touched += 1
            if touched:
                repairs.append(f"{formatter.name} on {touched} merged file{'s' if touched != 1 else ''}")
    return Formatted(repository.edit_tree(commit.tree, edits), tuple(repairs))


def _run(formatter: Formatter, place: Path, paths: Sequence[bytes]) -> None:
    # "./" keeps a file named like an option from being one.
    arguments = [*map(os.fsencode, formatter.command), *(b"./" + path for path in paths)]
    environment = {name: os.environ[name] for name in _KEEP if name in os.environ}
    shown = " ".join(formatter.command)
    try:
        done = subprocess.run(
            arguments, cwd=place, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False,
            timeout=formatter.timeout,
        )  # fmt: skip
    except FileNotFoundError:
        raise SynclineError(
            f"formatter {formatter.name!r} cannot be started: {formatter.command[0]!r} was not found",
            hint="install it where syncline runs, or take it out of the lane",
        ) from None
    except subprocess.TimeoutExpired:
        raise SynclineError(
            f"formatter {formatter.name!r} (`{shown}`) took more than {formatter.timeout:g} s"
        ) from None
    if done.returncode != 0:
        words = done.stderr.decode("utf-8", "replace").strip()[-500:]
        raise SynclineError(f"formatter {formatter.name!r} (`{shown}`) ended with {done.returncode}: {words}")
