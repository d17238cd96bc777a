"""Merges to audit: four trees in one call."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from syncline.audit.finding import Finding
from syncline.audit.four_trees import FourTrees
from syncline.audit.task import Audit, NotRun, Task
from syncline.config.models import Lane
from syncline.git import CommitId, Repository
from testing.blobs import Files
from testing.builder import RepositoryBuilder


@contextmanager
def task_of(
    place: Path,
    base: Files,
    ours: Files,
    theirs: Files,
    merged: Files,
    *,
    delete: tuple[Sequence[str], Sequence[str], Sequence[str]] = ((), (), ()),
    lane: Lane | None = None,
) -> Generator[Task]:
    """Yield the audit of a merge: what base has, what each side and the merge change of it.

    Args:
        place: an empty directory.
        base: the first commit's files.
        ours: what target changed.
        theirs: what source changed.
        merged: what the merge commit has of the paths it names; of others it has what the side that changed it
            has (target's version where both did).
        delete: paths that target, source and the merge delete.
        lane: the policy.
    """
    builder = RepositoryBuilder(place / "audited")
    dev = builder.branch("dev")
    dev.commit("base", base)
    main = dev.branch("main")
    dev.commit("ours (#1)", ours, delete=delete[0], author="Tara <tara@example.org>")
    main.commit("theirs (#2)", theirs, delete=delete[1], author="Sam <sam@example.org>")
    dev.merge(main, "merge", merged, take="ours", delete=delete[2])
    built = builder.finish()
    with Repository.open(built.path) as repository:
        sides = CommitId(built.oid("ours (#1)")), CommitId(built.oid("theirs (#2)"))
        yield Task(FourTrees(repository, *sides, CommitId(built.oid("merge"))), lane)


def findings_of(audit: Audit, task: Task) -> list[Finding]:
    """Return what one audit finds; it must not say that it could not be done."""
    answers = list(audit(task))
    assert not [answer for answer in answers if isinstance(answer, NotRun)]
    return [answer for answer in answers if isinstance(answer, Finding)]
