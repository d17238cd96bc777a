"""Commits in one line each, read once."""

import re
from collections.abc import Iterable

from syncline.git import CommitId, Repository
from syncline.git.commit import Commit, read_commits
from syncline.git.history import last_touches
from syncline.markup.plain_text import one_line
from syncline.propose.model import CommitLine

# The suffix of a squash merge, GitHub's merge commits, and any number as the last resort.
_PROPOSAL = (
    re.compile(r"\(#(\d{1,10})\)\s*$"),
    re.compile(r"^Merge pull request #(\d{1,10})\b"),
    re.compile(r"(?:^|[\s(\[])#(\d{1,10})\b"),
)


def proposal_of(subject: str) -> str:
    """Return the proposal a subject names, as `#123`; empty when it names none."""
    found = next((match for pattern in _PROPOSAL if (match := pattern.search(subject))), None)
    return f"#{found[1]}" if found else ""


def commit_line(commit: Commit) -> CommitLine:
    """Return what a list shows of a commit."""
    return CommitLine(
        sha=str(commit.oid),
        short=commit.oid.short,
        author=one_line(commit.author.name, 100),
        date=_date(commit),
        subject=one_line(commit.subject, 300),
        proposal=proposal_of(commit.subject),
    )


def _date(commit: Commit) -> str:
    try:
        return f"{commit.when:%Y-%m-%d}"
    except (OverflowError, ValueError, OSError):  # a commit may claim any 64-bit date
        return ""


class CommitLines:
    """Reads commits in batches and keeps their lines."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._known: dict[CommitId, CommitLine] = {}

    def read(self, commits: Iterable[CommitId]) -> tuple[CommitLine, ...]:
        """Return the lines in the order asked."""
        wanted = list(commits)
        missing = [oid for oid in dict.fromkeys(wanted) if oid not in self._known]
        for commit in read_commits(self._repository, missing):
            self._known[commit.oid] = commit_line(commit)
        return tuple(self._known[oid] for oid in wanted)

    def one(self, commit: CommitId) -> CommitLine:
        """Return one line."""
        return self.read([commit])[0]

    def last_touches(
        self, bases: Iterable[CommitId], tip: CommitId, paths: Iterable[bytes]
    ) -> dict[bytes, CommitLine]:
        """Return the newest commit of `bases..tip` for each path that one of them changed."""
        touches = last_touches(self._repository, tuple(bases), tip, tuple(paths))
        self.read(touch.commit for touch in touches.values())
        return {path: self._known[touch.commit] for path, touch in touches.items()}
