"""What `syncline audit` does."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from syncline.audit.audit import audit
from syncline.audit.explain.told import Told
from syncline.audit.four_trees import FourTrees
from syncline.audit.merge_sides import merge_sides
from syncline.audit.names import check_only, check_skip
from syncline.audit.task import Task
from syncline.audit.waivers import apply
from syncline.cli.audit import Format
from syncline.cli.audit_show import show
from syncline.cli.merge_below import merge_below
from syncline.cli.options import Common
from syncline.cli.session import find_config, optional_lane, read_config
from syncline.errors import ConfigError, GitError, SynclineError
from syncline.git import CommitId, Repository, TreeId
from syncline.git.commit import read_commit
from syncline.git.refs import branch_ref, find_commit, find_object, no_commit, resolve_commit
from syncline.lane.shape import read_shape

if TYPE_CHECKING:
    from syncline.config.models import Lane


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked for."""

    merge: str | None
    ours: str | None
    theirs: str | None
    merged: str | None
    lane: str | None
    only: tuple[str, ...] | None
    output: Format
    verbose: bool


@dataclass(frozen=True, slots=True)
class Subject:
    """What is audited."""

    ours: CommitId
    theirs: CommitId
    merged: CommitId | TreeId
    merge: CommitId | None
    """The merge commit, where there is one."""


def run(options: Common, request: Request) -> int:
    """Audit, print what was found, and return the exit code: 1 when something was, 2 when no audit could run."""
    if options.as_json and request.output not in {Format.TEXT, Format.JSON}:
        raise ConfigError(
            f"--json and --format {request.output.value} were both given", hint="one document has one format"
        )
    output = Format.JSON if options.as_json else request.output
    # Nothing is to stay in the repository of what the audit writes on its way.
    with Repository.open(options.directory, keep_objects=False) as repository:
        repository.require_whole_history()
        lane = lane_of(options, repository, request.lane, _named(request.merge))
        if request.only is not None:
            check_only(request.only)
        subject = find_subject(repository, lane, request)
        told = audited(repository, lane, subject, only=request.only)
    show(told, output, verbose=request.verbose)
    if told.findings:
        return 1
    ran = told.seconds.keys() - {"evidence", *(part.name for part in told.not_run)}
    return 0 if ran or not told.not_run else 2


def lane_of(options: Common, repository: Repository, name: str | None, revision: str) -> "Lane | None":
    """Return the policy to audit by: the lane named, the only one, or that of the sync at a revision.

    Raises:
        ConfigError: there is no such lane, or no telling which of several.
    """
    if name is None and find_config(options, repository) is not None:
        lanes = read_config(options, repository).lanes
        head = find_commit(repository, revision) if len(lanes) > 1 else None
        shape = read_shape(repository, head) if head is not None else None
        if shape is not None and shape.lane in lanes:
            return lanes[shape.lane]
    return optional_lane(options, repository, name)


def audited(
    repository: Repository, lane: "Lane | None", subject: Subject, *, only: tuple[str, ...] | None = None
) -> Told:
    """Audit a merge by a lane's policy, its waivers included.

    Raises:
        ConfigError: the policy skips what there is not.
        GitError: missing objects; without a file to compare nothing was looked at, which is not to pass for "no
            findings".
    """
    if lane is not None:
        check_skip(lane)
    task = Task(FourTrees(repository, subject.ours, subject.theirs, subject.merged), lane)
    if not task.trees.files and "files" in task.trees.unread:
        raise GitError(
            f"there is nothing to compare: {task.trees.unread['files']}",
            hint="this clone lacks objects: fetch them (git fetch --refetch), or clone it again",
        )
    with _busy(f"auditing {subject.merged.short}"):
        found = audit(task, only=only)
        applied = apply(task, found.findings)
    return Told(
        ours=subject.ours,
        theirs=subject.theirs,
        bases=task.trees.bases,
        merged=subject.merged,
        merge=subject.merge,
        lane=lane.name if lane is not None else None,
        applied=applied,
        not_run=found.not_run,
        seconds=found.seconds,
    )


def find_subject(repository: Repository, lane: "Lane | None", request: Request) -> Subject:
    """Return what a request means.

    Raises:
        SynclineError: no merge of two sides is named so.
    """
    sides = {"--ours": request.ours, "--theirs": request.theirs, "--merged": request.merged}
    given = [name for name, value in sides.items() if value is not None]
    if not given:
        return merge_subject(repository, lane, _named(request.merge))
    if request.merge is not None:
        raise ConfigError(f"a merge and {given[0]} were both given", hint="name a merge, or its three trees")
    if request.ours is None or request.theirs is None or request.merged is None:
        missing = " and ".join(name for name, value in sides.items() if value is None)
        raise ConfigError(f"{' and '.join(given)} came without {missing}", hint="all three belong together")
    return Subject(
        resolve_commit(repository, request.ours),
        resolve_commit(repository, request.theirs),
        _commit_or_tree(repository, request.merged),
        None,
    )


def merge_subject(repository: Repository, lane: "Lane | None", revision: str) -> Subject:
    """Return what is audited at a merge commit or a sync's branch.

    Raises:
        SynclineError: there is no merge, or one of more than two sides.
    """
    three = "any two commits and what was made of them: --ours A --theirs B --merged C"
    head = resolve_commit(repository, revision)
    merge, target = merge_below(repository, lane, head, revision, hint=f"name a merge commit, or {three}")
    if len(merge.parents) > 2:
        one, other = merge.parents[0].short, merge.parents[1].short
        raise SynclineError(
            f"{merge.oid.short} is an octopus merge of {len(merge.parents)} parents; an audit compares two sides",
            hint=f"audit it in pairs: syncline audit --ours {one} --theirs {other} --merged {merge.oid.short}",
        )
    for parent in merge.parents:
        read_commit(repository, parent)  # its error tells what is missing, and how to get it
    source = find_commit(repository, branch_ref(lane.source)) if lane is not None else None
    ours, theirs = merge_sides(repository, merge, source)
    return Subject(target or ours, theirs, head, merge.oid)


def _named(merge: str | None) -> str:
    # An empty name is a variable of a script that is not set, and no wish for HEAD.
    return "HEAD" if merge is None else merge


def _commit_or_tree(repository: Repository, revision: str) -> CommitId | TreeId:
    found = find_commit(repository, revision)
    if found is not None:
        return found
    tree = find_object(repository, revision + "^{tree}") if revision and "\0" not in revision else None
    if tree is None:
        raise no_commit(repository, revision, f"no commit or tree is named {revision!r}")
    return TreeId(tree)


@contextmanager
def _busy(what: str) -> Generator[None]:
    """Show on a terminal that something is going on."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console  # noqa: PLC0415 - only in a terminal

    with Console(stderr=True).status(what):
        yield
