"""The first sync of the story, in the few steps that its tests need."""

import functools
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from syncline.config.load import load
from syncline.config.models import Lane
from syncline.demo.people import DANA
from syncline.demo.story import Story, config_text
from syncline.git import CommitId, Entry, Mode, Repository, TreeId
from syncline.git.checkout import checkout
from syncline.git.commit import read_commit, write_commit
from syncline.git.history import first_parent_line
from syncline.git.refs import RefChange, branch_ref, change_refs, resolve_commit
from syncline.merge.merge import merge
from syncline.merge.model import MergeResult

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


@functools.cache
def the_lane() -> Lane:
    with TemporaryDirectory() as holder:
        path = Path(holder) / "syncline.toml"
        path.write_text(config_text(), encoding="utf-8")
        return load(path).lane(Story(path).lane)


def branch_tip(repository: Repository, branch: str) -> CommitId:
    return resolve_commit(repository, branch_ref(branch))


def slice_tip(repository: Repository) -> CommitId:
    line = first_parent_line(repository, branch_tip(repository, "dev"), branch_tip(repository, "main"))
    return line[the_lane().slice - 1]


def merge_slice(repository: Repository) -> MergeResult:
    return merge(repository, branch_tip(repository, "dev"), slice_tip(repository), the_lane())


def commit(repository: Repository, tree: TreeId, *parents: CommitId) -> CommitId:
    when = read_commit(repository, parents[0]).when
    return write_commit(
        repository, tree=tree, parents=parents, message="test\n", author=DANA, committer=DANA, when=when
    )


def start_branch(repository: Repository, name: str, merged: MergeResult) -> CommitId:
    made = commit(repository, merged.tree, merged.ours, merged.theirs)
    change_refs(repository, [RefChange(branch_ref(name), None, made)], why="test")
    return made


def with_files(repository: Repository, tree: TreeId, texts: Mapping[str, str | None]) -> TreeId:
    edits = {
        path.encode(): None if text is None else Entry(Mode.FILE, repository.write_blob(text.encode()))
        for path, text in texts.items()
    }
    return repository.edit_tree(tree, edits)


def failures(repository: Repository, tip: CommitId, only: str = "") -> dict[str, str]:
    """The lane's checks (all, or one) that fail on a commit, each with what it printed."""
    found: dict[str, str] = {}
    for check in the_lane().checks:
        if only not in {"", check.name}:
            continue
        with checkout(repository, tip) as place:
            done = subprocess.run(
                check.command,
                cwd=place,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
        if done.returncode != 0:
            found[check.name] = done.stdout
    return found
