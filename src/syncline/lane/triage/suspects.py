"""What the sync did, as plain values for triage: findings, decisions, and who changed the failing files last."""

from collections.abc import Iterable, Iterator

from syncline.audit.finding import Finding
from syncline.checks.triage.cause import Cluster
from syncline.checks.triage.suspect import Sort, Suspect
from syncline.git import CommitId, Repository
from syncline.git.history import last_touches, merge_bases
from syncline.lane.state import State
from syncline.merge.model import Decision, Side, Status

_HELD = {
    Side.OURS: "target's version", Side.THEIRS: "source's version", Side.BOTH: "a combination of both sides",
    Side.MARKERS: "conflict markers", Side.NEITHER: "no file",
}  # fmt: skip
_MOST_PATHS = 200


def of_state(state: State) -> tuple[Suspect, ...]:
    """Return the findings and decisions of a run."""
    return (*map(_of_finding, state.findings), *map(_of_decision, state.result.decisions))


def of_commits(
    repository: Repository, clusters: Iterable[Cluster], target: CommitId, source: CommitId
) -> tuple[Suspect, ...]:
    """Return the newest commit of each side that changed a file which a fault names."""
    paths = sorted({_bytes(path) for one in clusters for path in _paths(one)})[:_MOST_PATHS]
    if not paths:
        return ()
    bases = merge_bases(repository, target, source)
    found: list[Suspect] = []
    for side, tip in (("source", source), ("target", target)):
        for path, touch in sorted(last_touches(repository, bases, tip, paths).items()):
            words = f"{side} changed it last: {touch.subject}"
            found.append(Suspect(_text(path), "", words, touch.commit, Sort.COMMIT))
    return tuple(found)


def _paths(cluster: Cluster) -> Iterator[str]:
    first = cluster.first
    for path in (first.path, first.test.partition("::")[0], *first.chain):
        if path and "\0" not in path:
            yield path.removeprefix("./")


def _of_finding(finding: Finding) -> Suspect:
    sha = finding.evidence[0].sha if finding.evidence else ""
    return Suspect(
        _text(finding.path),
        finding.symbol,
        f"the audit found {finding.kind}: {finding.message}",
        sha,
        Sort.FINDING,
    )


def _of_decision(decision: Decision) -> Suspect:
    held = _HELD[decision.side]
    if decision.status is Status.UNRESOLVED:
        words = f"its {decision.kind} conflict is open; the tree holds {held}"
    elif decision.status is Status.KEPT:
        words = f"{decision.resolver} kept it at {held}"
    else:
        words = f"its {decision.kind} conflict was settled by {decision.resolver}: {held}"
    sha = next((one.commit for one in decision.evidence if one.commit is not None), "")
    return Suspect(_text(decision.path), "", words, sha, Sort.DECISION)


def _text(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")


def _bytes(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")
