"""What was tested, what was not, and what the gate says of it. Pure."""

from collections.abc import Iterator
from typing import TypedDict

from syncline.audit.explain.told import Told
from syncline.audit.task import NotRun
from syncline.checks.gate import Reason, Verdict, Why
from syncline.checks.model import Check, CheckState, Conclusion, Rollup
from syncline.config.models import Lane
from syncline.git import CommitId
from syncline.markup.plain_text import one_line
from syncline.propose.model import CheckRow, GateRow

_RAN = frozenset({Conclusion.SUCCESS, Conclusion.FAILURE, Conclusion.TIMED_OUT})
_ABSENT = frozenset({Why.SENTINEL_ABSENT, Why.REQUIRED_ABSENT})


class Tested(TypedDict):
    """The two lists of a report."""

    tested: tuple[str, ...]
    not_tested: tuple[str, ...]


def check_rows(rollup: Rollup | None, verdict: Verdict | None, head: CommitId) -> tuple[CheckRow, ...]:
    """Return every result of the head, sorted by name; with a verdict, why some do not count."""
    if verdict is None:
        here = [check for check in _checks(rollup) if check.sha == head]
        return tuple(_row(check, "") for check in sorted(here, key=lambda one: (one.name, -one.order)))
    rows = [(check, "") for check in verdict.counted]
    rows += [(one.check, one.why.value) for one in verdict.ignored if one.check.sha == head]
    return tuple(_row(check, why) for check, why in sorted(rows, key=lambda one: (one[0].name, -one[0].order)))


def _row(check: Check, not_counted: str) -> CheckRow:
    return CheckRow(
        name=one_line(check.name),
        state=check.state.value,
        conclusion=check.conclusion.value if check.conclusion else "",
        seconds=check.seconds,
        summary=one_line(check.summary, 500),
        log=one_line(check.log),
        not_counted=not_counted,
    )


def gate_row(verdict: Verdict | None) -> GateRow:
    """Return the gate's answer in words."""
    if verdict is None:
        return GateRow("none", ())
    return GateRow(verdict.state.value, tuple(one_line(line) for line in verdict.explain()))


def what_was_tested(
    lane: Lane, rollup: Rollup | None, verdict: Verdict | None, head: CommitId, audit: Told | None = None
) -> Tested:
    """Return one sentence for each check that ran to its end, and for each, audits too, that did not."""
    newest = _newest(rollup, head)
    ran = [check for check in newest if check.conclusion in _RAN]
    rest = [check for check in newest if check.conclusion not in _RAN]
    missing = [*(_unfinished(check) for check in rest), *_absent(lane, newest, verdict)]
    if not newest and not missing:
        missing = ["No check ran on this head."]
    if audit is not None:
        missing += [_not_audited(part) for part in audit.not_run]
    return Tested(tested=tuple(_ended(check) for check in ran), not_tested=tuple(missing))


def _not_audited(part: NotRun) -> str:
    return f"the audit's {one_line(part.name)} did not run: {one_line(' '.join(part.why.split()))}"


def _newest(rollup: Rollup | None, head: CommitId) -> list[Check]:
    newest: dict[str, Check] = {}
    for check in _checks(rollup):
        known = newest.get(check.name)
        if check.sha == head and (known is None or check.order >= known.order):
            newest[check.name] = check
    return [newest[name] for name in sorted(newest)]


def _checks(rollup: Rollup | None) -> tuple[Check, ...]:
    return rollup.checks if rollup is not None else ()


def _ended(check: Check) -> str:
    time = f" in {seconds_text(check.seconds)}" if check.seconds is not None else ""
    ended = {Conclusion.SUCCESS: "passed", Conclusion.TIMED_OUT: "ran out of time"}
    return f"{one_line(check.name)} {ended.get(check.conclusion or Conclusion.FAILURE, 'failed')}{time}"


def _unfinished(check: Check) -> str:
    if check.state is not CheckState.COMPLETED:
        return f"{one_line(check.name)} is {check.state.value}"
    words = (check.conclusion or Conclusion.STALE).value.replace("_", " ")
    verb = "was" if check.conclusion in {Conclusion.SKIPPED, Conclusion.CANCELLED} else "ended"
    return f"{one_line(check.name)} {verb} {words}"


def _absent(lane: Lane, newest: list[Check], verdict: Verdict | None) -> Iterator[str]:
    present = {check.name for check in newest}
    yield from (f"{one_line(check.name)} has not started" for check in lane.checks if check.name not in present)
    known = present | {check.name for check in lane.checks}
    for reason in verdict.reasons if verdict else ():
        if reason.why in _ABSENT and reason.check not in known:
            yield _nothing_reported(reason)


def _nothing_reported(reason: Reason) -> str:
    if reason.why is Why.REQUIRED_ABSENT:
        return f"no check matching {one_line(reason.check)} has reported"
    return f"{one_line(reason.check)} has not reported"


def seconds_text(seconds: float) -> str:
    """Return a duration for people."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
