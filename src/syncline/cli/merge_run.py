"""What `syncline merge` does first: it starts git, which works while everything else is imported."""

import time

from syncline.cli.options import Common
from syncline.errors import GitError
from syncline.git import Repository
from syncline.git.merge_tree import start_merge_tree
from syncline.git.refs import resolve_commit


def run(
    options: Common,
    ours: str,
    theirs: str,
    *,
    lane_name: str | None,
    evidence: bool,
    commit: bool,
    message: str | None,
) -> int:
    """Merge, print the result, and return the exit code."""
    since = time.monotonic()
    with Repository.open(options.directory) as repository:
        our_commit, their_commit = resolve_commit(repository, ours), resolve_commit(repository, theirs)
        repository.require_whole_history()
        if commit and not repository.keeps_objects:
            raise GitError(
                f"--commit writes a commit, and {repository.objects_dir} cannot be written to",
                hint="make it writable; without --commit the merge is only shown",
            )
        running = start_merge_tree(repository, our_commit, their_commit)
        from syncline.cli.merge_show import show  # noqa: PLC0415 - git is at work already

        words = (message or f"Merge {theirs} into {ours}") if commit else None
        asked = evidence or lane_name is not None
        return show(options, repository, running, lane_name=lane_name, evidence=asked, message=words, since=since)
