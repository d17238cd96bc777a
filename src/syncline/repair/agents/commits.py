"""The commits behind each side of some files, for whoever has to understand what the sides wanted."""

from collections.abc import Collection, Sequence

from syncline.git import CommitId, Repository
from syncline.propose.commit_lines import CommitLines
from syncline.repair.agents.task import TaskCommit

_MOST = 15
"""Of one side."""


def commits_behind(
    repository: Repository,
    *,
    ours: CommitId,
    theirs: CommitId,
    bases: Sequence[CommitId],
    paths: Collection[bytes],
) -> tuple[TaskCommit, ...]:
    """Return the newest commits of each side, since the base, that touch one of the paths.

    Raises:
        GitError: missing objects.
    """
    lines = CommitLines(repository)
    found = []
    for side, tip in (("ours", ours), ("theirs", theirs)):
        done = repository.sealed(
            "rev-list", f"--max-count={_MOST}", tip, *(f"^{base}" for base in bases), "--", *paths
        )
        shas = [CommitId.from_bytes(line) for line in done.stdout.split()]
        found += [
            TaskCommit(side, one.sha, one.author, one.date, one.subject, one.proposal) for one in lines.read(shas)
        ]
    return tuple(found)
