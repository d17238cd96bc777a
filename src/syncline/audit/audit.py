"""Runs all audits on a merge, and makes of their answers what people read: deduplicated, with evidence, sorted."""

import gc
import time
from collections.abc import Collection, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from syncline.audit.evidence import with_evidence
from syncline.audit.finding import Finding, Severity
from syncline.audit.task import Answer, Audit, NotRun, Task
from syncline.errors import SynclineError

_APART = frozenset({"fits"})
"""Audits that never ask for git's own merge: for them alone it is not begun."""
_ORDER = {Severity.STOP: 0, Severity.FIX: 1, Severity.LOOK: 2}


@dataclass(frozen=True, slots=True)
class Audited:
    """What the audits found."""

    findings: tuple[Finding, ...]
    """What stops first, then by path and line."""
    not_run: tuple[NotRun, ...]
    seconds: Mapping[str, float]
    """Wall time of each audit."""


def audits() -> dict[str, Audit]:
    """Return every audit by the name that `skip` in the policy takes, in the order in which they run."""
    # The heavy ones (grammars, checkers) are imported only when somebody audits.
    from syncline.audit import registry  # noqa: PLC0415

    return dict(registry.AUDITS)


def audit(task: Task, *, only: Collection[str] | None = None) -> Audited:
    """Run the audits that the policy does not skip.

    Args:
        task: what to audit.
        only: names of audits; None runs all.

    Raises:
        GitError: missing objects.
    """
    if only is None or not _APART.issuperset(only):
        task.trees.start_automatic()
    with _without_collection():
        return _audit(task, only)


@contextmanager
def _without_collection() -> Generator[None]:
    """Keep Python from looking for circles of garbage: audits make many small things and hardly a circle (5 %)."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _audit(task: Task, only: Collection[str] | None) -> Audited:
    answers: list[Answer] = []
    seconds: dict[str, float] = {}
    for name, run in audits().items():
        if name in task.settings.skip or (only is not None and name not in only):
            continue
        begun = time.monotonic()
        try:
            answers += run(task)
        except SynclineError as error:
            answers.append(NotRun(name, f"{error.message} ({error.hint})" if error.hint else error.message))
        except Exception as error:  # noqa: BLE001 - a bug in one audit is told, and costs no other's findings
            words = f"a bug in syncline: {type(error).__name__}: {error}"
            answers += [NotRun(name, words), _failed(name, words)]
        seconds[name] = time.monotonic() - begun
    begun = time.monotonic()
    found = [answer for answer in answers if isinstance(answer, Finding) and not task.ignores(answer.path)]
    findings = with_evidence(task.trees, once_each(found))
    seconds["evidence"] = time.monotonic() - begun
    not_run = [answer for answer in answers if isinstance(answer, NotRun)]
    not_run += [NotRun(what, why) for what, why in task.trees.unread.items()]
    return Audited(tuple(sorted(findings, key=_rank)), tuple(not_run), seconds)


def together(parts: Sequence[Audited]) -> Audited:
    """Return what several groups of audits found as if they had run at once."""
    found = [replace(finding, nth=0) for part in parts for finding in part.findings]
    return Audited(
        tuple(sorted(once_each(found), key=_rank)),
        tuple(dict.fromkeys(left for part in parts for left in part.not_run)),
        {name: seconds for part in parts for name, seconds in part.seconds.items()},
    )


def _failed(name: str, words: str) -> Finding:
    """Return what keeps a proposal a draft while nobody knows what an audit would have said."""
    return Finding(
        "audit-failed", Severity.STOP, b"", f"the audit {name} could not be done: {words}", text=(name,),
        suggestion=f'report it, and go on without: skip = ["{name}"] in the lane\'s audit table',
    )  # fmt: skip


def once_each(findings: Iterable[Finding]) -> list[Finding]:
    """Return one finding for each fault: several audits may see the same one, each its own way.

    What two audits say of one symbol of a file is joined: the gravest stays, and takes the lost text, the evidence
    and the mend of the others where it has none. What one audit says twice is two faults, and numbered.
    """
    known: dict[tuple[bytes, str], list[list[Finding]]] = {}
    for finding in sorted(findings, key=lambda one: (_ORDER[one.severity], one.line or 0)):
        key = (finding.path, finding.symbol or finding.id)
        faults = known.setdefault(key, [])
        if any(finding == one for fault in faults for one in fault):
            continue
        fault = next((one for one in faults if all(other.kind != finding.kind for other in one)), None)
        if fault is None:
            faults.append([finding])
        else:
            fault.append(finding)
    return [
        replace(_joined(fault), nth=number) for faults in known.values() for number, fault in enumerate(faults)
    ]


def _joined(fault: list[Finding]) -> Finding:
    first = fault[0]
    for finding in fault[1:]:
        first = replace(
            first,
            text=first.text or finding.text,
            side=first.side or finding.side,
            asks=(*first.asks, *(ask for ask in finding.asks if ask not in first.asks)),
            evidence=(*first.evidence, *(item for item in finding.evidence if item not in first.evidence)),
            suggestion=first.suggestion or finding.suggestion,
            edits=first.edits or finding.edits,
        )
    return first


def _rank(finding: Finding) -> tuple[int, bytes, int, str]:
    return _ORDER[finding.severity], finding.path, finding.line or 0, finding.id
