"""What people wrote down for whoever is asked about a file: the lessons of the policy, and target's playbook."""

from collections.abc import Iterable, Sequence

from syncline.config.models import AgentSettings
from syncline.errors import SynclineError
from syncline.git import CommitId, Repository
from syncline.git.commit import read_commit
from syncline.merge.resolvers.patterns import matches
from syncline.merge.side_version import file_at

_LARGEST = 1_000_000


def lessons_for(settings: AgentSettings, paths: Iterable[bytes]) -> tuple[str, ...]:
    """Return the lessons whose patterns match one of the paths, in the policy's order."""
    asked: Sequence[bytes] = tuple(paths)
    return tuple(lesson.text for lesson in settings.lessons if any(matches(lesson.match, path) for path in asked))


def playbook(repository: Repository, settings: AgentSettings, target: CommitId) -> bytes:
    """Return target's playbook as it is at one of target's commits; empty where the lane names none.

    Never source's, nor the merge's: what is to be merged has no say in how it is merged.

    Raises:
        SynclineError: the lane names one that target does not hold as a regular file.
    """
    if settings.playbook is None:
        return b""
    path = settings.playbook.encode("utf-8", "surrogateescape")
    entry = file_at(repository, read_commit(repository, target).tree, path)
    if entry is None or not entry.mode.is_file:
        raise SynclineError(
            f"the playbook {settings.playbook!r} is no file of target at {target.short}",
            hint="commit it to target, or take agents.playbook out of the lane",
        )
    return repository.blob(entry.oid)[:_LARGEST]
