"""GitHub's check runs and commit statuses as one kind of check. Pure.

The gate takes, of the results with one name, those of the largest `order`, and all of them where several
share it. So everything that must count under one name gets the same order here: results of two apps, of two
workflows, of the `push` and the `pull_request` run of one workflow, of two jobs of one run that share a name.
Older attempts keep a smaller one.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from syncline.checks.model import Check, CheckState, Conclusion
from syncline.forge.github.required import Required

_RUNNING = frozenset({"IN_PROGRESS"})
_STATUS: Mapping[str, tuple[CheckState, Conclusion | None]] = {
    "SUCCESS": (CheckState.COMPLETED, Conclusion.SUCCESS),
    "FAILURE": (CheckState.COMPLETED, Conclusion.FAILURE),
    "ERROR": (CheckState.COMPLETED, Conclusion.FAILURE),
    "PENDING": (CheckState.RUNNING, None),
    "EXPECTED": (CheckState.QUEUED, None),
}


@dataclass(frozen=True, slots=True)
class Result:
    """One result as GitHub tells it, with what the gate does not ask for.

    `id` grows with each attempt; it is the job's id too where the app is Actions. `run` is the workflow run.
    """

    check: Check
    id: int
    kind: str
    app: int | None = None
    app_slug: str = ""
    """Of a commit status: that of the App whose account set it; empty where a person did."""
    workflow: int | str = ""
    """The workflow's id: two workflows may have one name."""
    event: str = ""
    run: int | None = None

    @property
    def source(self) -> tuple[str, str, int | str, int | None, str, str]:
        """What two attempts at the same check have in common."""
        return self.check.name, self.kind, self.workflow, self.app, self.app_slug, self.event


def result_of(node: Mapping[str, Any], sha: str) -> Result:
    """One node of GraphQL's `statusCheckRollup.contexts`."""
    return _status(node, sha) if node["__typename"] == "StatusContext" else _check_run(node, sha)


def ordered(
    results: Sequence[Result], absent: Iterable[Required], sha: str, required: Collection[str] = ()
) -> tuple[Check, ...]:
    """All results as checks, with an order by which the gate counts those that must count.

    Args:
        results: each once. Of jobs of one run that share a name, those of older attempts are left out before.
        absent: required checks that have not reported; they become queued ones that count.
        sha: the commit.
        required: names of the checks that the target's rules require.
    """
    newest: dict[tuple[Any, ...], list[Result]] = {}
    for one in results:
        known = newest.get(one.source)
        if known is None or _age(one) > _age(known[0]):
            newest[one.source] = [one]
        elif _age(one) == _age(known[0]):
            known.append(one)
    counting = _without_superseded(newest.values())
    top: dict[str, int] = defaultdict(int)
    for one in results:
        top[one.check.name] = max(top[one.check.name], one.check.order)
    named = frozenset(top)
    checks = [
        replace(
            one.check,
            order=top[one.check.name] + 1 if id(one) in counting else one.check.order,
            required=one.check.required or one.check.name in required,
        )
        for one in results
    ]
    checks += [
        Check(
            want.name, sha, CheckState.QUEUED, order=top[want.name] + 1, required=True, reported=False,
            summary=f"one of that name has, but not by App {want.app}" if want.name in named else "",
        )
        for want in absent
    ]  # fmt: skip
    return tuple(sorted(checks, key=lambda check: (check.name, check.order, check.log, check.state)))


def missing(required: Iterable[Required], results: Iterable[Result]) -> list[Required]:
    """Those required checks of which there is no result by the App that they must come from."""
    there = {(one.check.name, app) for one in results for app in (None, one.app)}
    return [want for want in required if (want.name, want.app) not in there]


def _age(one: Result) -> tuple[int, int]:
    """Larger is newer; jobs of one run are equal: legs of a matrix may share a name, and all of them count."""
    return (one.run, 0) if one.run is not None else (one.id, one.id)


def _without_superseded(newest: Iterable[list[Result]]) -> set[int]:
    """Which results count (by identity): all that are the newest of their source.

    But one that was cancelled does not, where a newer run of the same workflow for another event has the
    same check: that run is what cancelled it (`concurrency`).
    """
    groups = [group for group in newest if group]
    last: dict[tuple[Any, ...], int] = {}
    for group in groups:
        same = group[0].source[:-1]
        if group[0].run is not None:
            last[same] = max(last.get(same, 0), group[0].run)
    counting: set[int] = set()
    for group in groups:
        for one in group:
            cancelled = one.check.conclusion is Conclusion.CANCELLED
            if not (cancelled and one.run is not None and one.run < last[one.source[:-1]]):
                counting.add(id(one))
    return counting


def _check_run(node: Mapping[str, Any], sha: str) -> Result:
    suite = node.get("checkSuite") or {}
    app = suite.get("app") or {}
    run = suite.get("workflowRun") or {}
    state, conclusion, note = state_of(node.get("status"), node.get("conclusion"))
    started, ended = _when(node.get("startedAt")), _when(node.get("completedAt"))
    number = node.get("databaseId") or 0
    workflow, event = run.get("workflow") or {}, str(run.get("event") or "")
    name = str(workflow.get("name") or "")
    by = ", ".join(part for part in (str(app.get("name") or app.get("slug") or ""), name, event) if part)
    check = Check(
        name=node["name"],
        sha=sha,
        state=state,
        conclusion=conclusion,
        order=number or _milliseconds(started or ended),
        summary=": ".join(part for part in (by, note or str(node.get("title") or "")) if part),
        log=str(node.get("detailsUrl") or node.get("url") or ""),
        seconds=max(0.0, (ended - started).total_seconds()) if started and ended and conclusion else None,
    )
    return Result(
        check, id=number, kind="check", app=app.get("databaseId"), app_slug=str(app.get("slug") or ""),
        workflow=workflow.get("databaseId") or name, event=event, run=run.get("databaseId"),
    )  # fmt: skip


def state_of(status: Any, conclusion: Any) -> tuple[CheckState, Conclusion | None, str]:
    """GitHub's two words as ours, and what is odd about them; empty where nothing is."""
    if status != "COMPLETED":
        return (CheckState.RUNNING if status in _RUNNING else CheckState.QUEUED), None, ""
    if conclusion is None:
        return CheckState.RUNNING, None, "completed without a conclusion"
    try:
        return CheckState.COMPLETED, Conclusion(str(conclusion).lower()), ""
    except ValueError:  # a word that GitHub has not had before: it is not green until somebody says so
        return CheckState.COMPLETED, Conclusion.FAILURE, f"a conclusion syncline does not know: {conclusion}"


def _status(node: Mapping[str, Any], sha: str) -> Result:
    state, conclusion = _STATUS.get(str(node.get("state")), (CheckState.COMPLETED, Conclusion.FAILURE))
    by = node.get("creator") or {}
    creator, expected = str(by.get("login") or ""), node.get("state") == "EXPECTED"
    order = _milliseconds(_when(node.get("createdAt")))
    check = Check(
        name=node["context"],
        sha=sha,
        state=state,
        conclusion=conclusion,
        order=order,
        summary=": ".join(part for part in (creator, str(node.get("description") or "")) if part),
        log=str(node.get("targetUrl") or ""),
        required=expected,  # so GitHub shows what a rule requires and nobody has set
        reported=not expected,
    )
    slug = creator.removesuffix("[bot]") if by.get("__typename") == "Bot" else ""
    return Result(check, id=order, kind="status", app_slug=slug)


def _when(text: Any) -> datetime | None:
    try:
        return datetime.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        return None


def _milliseconds(moment: datetime | None) -> int:
    return round(moment.timestamp() * 1000) if moment is not None else 0
