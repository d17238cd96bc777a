"""The task of one failure: what the log says, why it is there, and the files that have to do with it."""

import hashlib
from collections.abc import Iterable, Sequence

from syncline.audit.finding import Finding
from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.triage.cause import Cause, Cluster, Evidence, Verdict
from syncline.config.models import Lane
from syncline.git import CommitId, Repository, TreeId
from syncline.git.commit import read_commit
from syncline.git.history import merge_bases
from syncline.merge.resolvers.path_rule import first_rule
from syncline.merge.side_version import file_at
from syncline.repair.agents.commits import commits_behind
from syncline.repair.agents.conflict_task import LARGEST
from syncline.repair.agents.guidance import lessons_for, playbook
from syncline.repair.agents.task import AgentTask, TaskFailure, TaskFile, TaskKind
from syncline.secrets.hide import hidden

_AUDITED = 0.95
"""An audit judged it against both parents: as sure as where both passed (rule 6 of triage's verdicts)."""


def failure_task(
    repository: Repository,
    lane: Lane,
    cluster: Cluster,
    *,
    ours: CommitId,
    theirs: CommitId,
    head: CommitId,
    verdict: Verdict | None = None,
    paths: Sequence[bytes] = (),
    excerpt: str = "",
    finding: str = "",
) -> AgentTask | str:
    """Return the task of mending a failure; or, in words, why no agent can be asked.

    Args:
        repository: where the commits are.
        lane: its settings of agents, and its path rules: what they always decide is touched by nobody.
        cluster: the failure.
        ours: target's commit that was merged into.
        theirs: source's.
        head: the commit that fails.
        verdict: why it fails, where that is known.
        paths: files that have to do with it, beside those the log names; the likeliest first.
        excerpt: of the log; secrets in it are masked here.
        finding: the id of the audit's finding that it is, where it is one.

    Raises:
        GitError: missing objects.
        SynclineError: the lane's playbook is not there.
    """
    settings = lane.agents
    told = cluster.first
    named = [told.path, *reversed(told.chain)]
    wanted = dict.fromkeys((*(name.encode("utf-8", "surrogateescape") for name in named if name), *paths))
    bases = merge_bases(repository, ours, theirs)
    trees = [read_commit(repository, commit).tree for commit in (*bases[:1], ours, theirs, head)]
    files = []
    for path in wanted:
        rule = first_rule(lane.paths, [path])
        if rule is not None and rule.when == "always":  # what is protected among it
            continue
        line = told.line if told.line is not None and path == named[0].encode("utf-8", "surrogateescape") else None
        file = _file(repository, trees if bases else [None, *trees], path, line)
        if file is not None:
            files.append(file)
    if not files:
        return "no file of the merge that may be touched is named by its log"
    files = files[: settings.files]
    touched = tuple(file.path for file in files)
    return AgentTask(
        id=_id(told.signature + finding, files),
        kind=TaskKind.FAILURE,
        files=tuple(files),
        symbols=(told.symbol,) if told.symbol else (),
        commits=commits_behind(repository, ours=ours, theirs=theirs, bases=bases, paths=touched),
        lessons=lessons_for(settings, touched),
        playbook=playbook(repository, settings, ours),
        failure=TaskFailure(told, cluster.checks, cluster.tests, verdict, hidden(excerpt)),
        must_pass=settings.must_pass,
        finding=finding,
    )


def finding_task(
    repository: Repository, lane: Lane, finding: Finding, *, ours: CommitId, theirs: CommitId, head: CommitId
) -> AgentTask | str:
    """Return the task of mending what an audit found in the merge and in neither parent; see `failure_task`."""
    failure = LogFailure(
        "syncline audit", finding.kind, finding.message, Weight.CAUSE, 0,
        path=finding.path.decode("utf-8", "surrogateescape"), line=finding.line, symbol=finding.symbol,
    )  # fmt: skip
    evidence = tuple(Evidence(one.why, one.sha) for one in finding.evidence)
    return failure_task(
        repository, lane, Cluster(failure.signature, failure, ()), ours=ours, theirs=theirs, head=head,
        verdict=Verdict(Cause.SYNC, _AUDITED, evidence), excerpt="\n".join(finding.text), finding=finding.id,
    )  # fmt: skip


def _file(
    repository: Repository, trees: Sequence[TreeId | None], path: bytes, line: int | None
) -> TaskFile | None:
    """Return a file in its four versions; None where the head has no text of that name."""
    if not path or path.startswith(b"/") or b"\0" in path or {b"", b".", b".."} & set(path.split(b"/")):
        return None
    entries = [None if tree is None else file_at(repository, tree, path) for tree in trees]
    if entries[-1] is None or not entries[-1].mode.is_file:
        return None
    base, ours, theirs, merged = (
        repository.blob(entry.oid) if entry is not None and entry.mode.is_file else None for entry in entries
    )
    if any(
        len(text) > LARGEST or b"\0" in text[:8192] for text in (base, ours, theirs, merged) if text is not None
    ):
        return None
    return TaskFile(path, base, ours, theirs, merged, near=() if line is None else (line,))


def _id(name: str, files: Iterable[TaskFile]) -> str:
    told = hashlib.sha256(b"failure\0" + name.encode())
    for file in files:
        told.update(b"\0" + file.path + b"\0" + hashlib.sha256(file.merged or b"").digest())
    return told.hexdigest()[:16]
