"""The gate: a pure function from (rule, rollup, head sha) to a verdict that says what it waits for.

No I/O, no clock, no configuration package: the rule is anything shaped like `Rule`. The numbers in the
comments ("rule 5") are those of the table in docs/gate.md, which also says why each rule is there.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Protocol

from syncline.checks.model import Check, CheckState, Conclusion, Rollup, is_commit_id
from syncline.errors import ConfigError


class Rule(Protocol):
    """What a lane demands of the checks of its proposal's head.

    `sentinel` are whole names; the others are regular expressions. Everything is compared without regard to
    case, and a pattern must match from the start of a check's name (`re.match`), not to its end.
    """

    @property
    def sentinel(self) -> tuple[str, ...]:
        """Names of checks that must exist and succeed."""

    @property
    def required(self) -> tuple[str, ...]:
        """Patterns of which each must match a check, and every check it matches must succeed."""

    @property
    def exempt(self) -> tuple[str, ...]:
        """Patterns of checks that do not count."""

    @property
    def may_skip(self) -> tuple[str, ...]:
        """Patterns of required checks that may end skipped or neutral."""

    @property
    def allow_no_checks(self) -> bool:
        """Whether a head on which no check counts may pass."""


class GateState(StrEnum):
    """The gate's answer. Only `GREEN` lets a proposal become ready."""

    GREEN = "green"
    WAITING = "waiting"
    RED = "red"


class Why(StrEnum):
    """Why the gate is not green."""

    BAD_HEAD = "the head is not a full commit id"
    OTHER_ROLLUP = "the results are those of another commit"
    NO_CHECKS = "no check counts for this commit"
    SENTINEL_ABSENT = "sentinel has not reported"
    REQUIRED_ABSENT = "no check matches this required pattern yet"
    RULED_ABSENT = "required by the target branch's rules, and has not reported"
    UNFINISHED = "has not finished"
    FAILED = "did not succeed"
    NOT_RUN = "must succeed but did not really run; skipped by mistake?"


_ABSENT = frozenset({Why.NO_CHECKS, Why.SENTINEL_ABSENT, Why.REQUIRED_ABSENT, Why.RULED_ABSENT})
_WAITS = frozenset({Why.OTHER_ROLLUP, Why.UNFINISHED}) | _ABSENT


OWN_CHECK = "syncline/gate"
"""The check by which the verdict itself is told on a forge: it must not wait for itself."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing between this head and green.

    `check` is a check's name; the sentinel's name or the required pattern where nothing has reported; empty
    where the reason concerns the whole rollup. `detail` is the state or conclusion found, or the commit ids; of
    what has not reported, what there is instead.
    """

    check: str
    why: Why
    detail: str = ""

    @property
    def waits(self) -> bool:
        """True: time may settle it. False: somebody has to act."""
        return self.why in _WAITS

    def __str__(self) -> str:
        subject = f"{self.check}: " if self.check else ""
        detail = f" ({self.detail})" if self.detail else ""
        return f"{'waits' if self.waits else 'red'}: {subject}{self.why.value}{detail}"


class NotCounted(StrEnum):
    """Why a result is left out of the verdict."""

    OTHER_COMMIT = "a result for another commit"
    OLDER = "an older result of the same name"
    EXEMPT = "exempt by the rule"


@dataclass(frozen=True, slots=True)
class Ignored:
    """A result the verdict does not rest on, and why."""

    check: Check
    why: NotCounted


@dataclass(frozen=True, slots=True)
class Verdict:
    """The gate's answer for the commit `sha`: what stands in the way, which results counted and which not.

    Each tuple is sorted, so that equal input in any order gives an equal verdict.
    """

    state: GateState
    sha: str
    reasons: tuple[Reason, ...]
    counted: tuple[Check, ...]
    ignored: tuple[Ignored, ...]

    @property
    def green(self) -> bool:
        """Whether a proposal with this head may become ready."""
        return self.state is GateState.GREEN

    @property
    def unanswered(self) -> bool:
        """Whether it waits for what has not reported at all, while nothing that reported is at work."""
        at_work = any(check.reported and check.state is not CheckState.COMPLETED for check in self.counted)
        return not at_work and any(reason.why in _ABSENT for reason in self.reasons)

    def explain(self) -> tuple[str, ...]:
        """One line for each reason, what is red first; one line in all when the gate is green."""
        if self.green:
            number = len(self.counted)
            return (f"green: {number} check{'' if number == 1 else 's'} counted, nothing in the way",)
        return tuple(str(reason) for reason in self.reasons)


def evaluate(rule: Rule, rollup: Rollup, head_sha: str) -> Verdict:
    """Judge the commit `head_sha` by `rule` on the results in `rollup`.

    The order of the results never matters. Raises ConfigError if a pattern is no regular expression.
    """
    names = _Names(rule)
    counted, ignored = _select(names, rollup, head_sha)
    reasons = {*_head_reasons(rollup, head_sha), *_absent(rule, names, counted)}
    reasons |= {reason for check in counted if (reason := _judge(names, check)) is not None}
    if not counted and not rule.allow_no_checks:  # rule 12
        reasons.add(Reason("", Why.NO_CHECKS))
    return Verdict(
        state=_state(reasons),
        sha=head_sha,
        reasons=tuple(sorted(reasons, key=lambda reason: (reason.waits, reason.check, reason.why, reason.detail))),
        counted=counted,
        ignored=ignored,
    )


class _Names:
    """The rule's patterns, compiled; answers what a name is to the rule."""

    __slots__ = ("_exempt", "_may_skip", "_required", "_sentinel")

    def __init__(self, rule: Rule) -> None:
        self._sentinel = frozenset(name.casefold() for name in rule.sentinel)
        self._required = _compiled(rule.required)
        self._exempt = _compiled(rule.exempt)
        self._may_skip = _compiled(rule.may_skip)

    def sentinel(self, name: str) -> bool:
        return name.casefold() in self._sentinel

    def must_pass(self, check: Check) -> bool:
        return check.required or self.sentinel(check.name) or _matches(self._required, check.name)

    def exempt(self, check: Check) -> bool:
        return _matches(self._exempt, check.name) and not self.must_pass(check)  # rule 5

    def may_skip(self, name: str) -> bool:
        return _matches(self._may_skip, name) and not self.sentinel(name)  # rule 6


@cache
def _compiled(patterns: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(_pattern(pattern) for pattern in patterns)


def _pattern(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern, re.IGNORECASE)
    except re.error as error:
        raise ConfigError(
            f"the gate wants regular expressions, but {pattern!r} is none: {error}",
            hint="escape the characters that should stand for themselves, e.g. \\( and \\+",
        ) from error


def _matches(patterns: Iterable[re.Pattern[str]], name: str) -> bool:
    return any(pattern.match(name) for pattern in patterns)


def _select(names: _Names, rollup: Rollup, head: str) -> tuple[tuple[Check, ...], tuple[Ignored, ...]]:
    """Which results count, and why the others do not."""
    newest: dict[str, int] = {}
    if rollup.sha == head:  # rule 2
        for check in rollup.checks:
            if check.sha == head:
                newest[check.name] = max(check.order, newest.get(check.name, check.order))
    counted: set[Check] = set()
    ignored: set[Ignored] = set()
    for check in rollup.checks:
        if check.sha != head or check.name not in newest:  # rule 3
            ignored.add(Ignored(check, NotCounted.OTHER_COMMIT))
        elif check.order < newest[check.name]:  # rule 4; of equally new ones all count
            ignored.add(Ignored(check, NotCounted.OLDER))
        elif names.exempt(check):  # rule 5
            ignored.add(Ignored(check, NotCounted.EXEMPT))
        else:
            counted.add(check)
    return (
        tuple(sorted(counted, key=_sort_key)),
        tuple(sorted(ignored, key=lambda one: (_sort_key(one.check), one.why))),
    )


def _sort_key(check: Check) -> tuple[str, int, str, str, str, str, str, float, str, bool, bool]:
    return (
        check.name,
        check.order,
        check.sha,
        check.state,
        check.conclusion or "",
        check.summary,
        check.log,
        -1.0 if check.seconds is None else check.seconds,
        check.spec,
        check.required,
        check.reported,
    )


def _head_reasons(rollup: Rollup, head: str) -> Iterator[Reason]:
    if not is_commit_id(head):  # rule 1
        yield Reason("", Why.BAD_HEAD, repr(head))
    elif rollup.sha != head:  # rule 2
        yield Reason("", Why.OTHER_ROLLUP, f"wanted {head}, found {rollup.sha or 'none'}")


def _absent(rule: Rule, names: _Names, counted: tuple[Check, ...]) -> Iterator[Reason]:
    present = {check.name.casefold() for check in counted if names.sentinel(check.name)}
    for name in rule.sentinel:  # rule 6
        if name.casefold() not in present:
            yield Reason(name, Why.SENTINEL_ABSENT)
    for text, pattern in zip(rule.required, _compiled(rule.required), strict=True):  # rule 7
        if not any(pattern.match(check.name) for check in counted):
            yield Reason(text, Why.REQUIRED_ABSENT)


def _judge(names: _Names, check: Check) -> Reason | None:
    """What stands in the way at one counted result.

    Names what passes and takes everything else as red, so that a conclusion nobody thought of can't pass.
    """
    if check.state is not CheckState.COMPLETED or check.conclusion is None:  # rule 9
        why = Why.UNFINISHED if check.reported else Why.RULED_ABSENT
        return Reason(check.name, why, check.state.value if check.reported else check.summary)
    if check.conclusion is Conclusion.SUCCESS:
        return None
    if check.conclusion in {Conclusion.NEUTRAL, Conclusion.SKIPPED}:
        if not names.must_pass(check) or names.may_skip(check.name):  # rules 8 and 11
            return None
        return Reason(check.name, Why.NOT_RUN, check.conclusion.value)  # rules 6 and 8
    return Reason(check.name, Why.FAILED, check.conclusion.value)  # rule 10


def _state(reasons: Iterable[Reason]) -> GateState:  # rule 13
    waits = {reason.waits for reason in reasons}
    if False in waits:
        return GateState.RED
    return GateState.WAITING if waits else GateState.GREEN
