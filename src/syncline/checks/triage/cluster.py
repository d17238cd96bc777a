"""Failures of many checks and logs become few faults. Pure; the order of checks and logs does not matter.

Every failure ends up in exactly one cluster:

1. What has the same signature is the same fault, in whichever check, log or rank it is seen.
2. An error that names what is not there ("cannot import name 'x' from 'y'", "undefined reference to `f'") is
   the same fault wherever that thing is missed: one lost definition fails many callers.
3. The same exception at the same place is the same fault, whether Python itself, pytest or unittest tells it; and
   so is a name that is missed at one line of one file, by whichever tool, in whatever words.
4. What only follows from an error, or only tells that something ended, goes to an error of the same check: a
   symptom to the last one before it in its log, an end to the first one of its log, and both to the first one of
   the check where their own log has none.
5. A bare end ("exit code 1") says nothing that two checks could have in common: without an error in its check it
   goes to the first failure there that tells what happened ("no space left on device"), or stays by itself.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Any

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.wording import normalised
from syncline.checks.triage.cause import Cluster, InCheck

Found = tuple[str, LogFailure]
"""The name of a check, and a failure that its logs tell."""

MOST_TESTS = 1_000
"""So many tests are named in a cluster."""

_MISSED = re.compile(
    r"cannot (?:import|find|resolve|locate)|could not (?:import|find|resolve)|can't (?:find|resolve)"
    r"|no module named|has no (?:attribute|member|field|exported member)|is not defined|not declared"
    r"|undeclared|undefined|unresolved"
    r"|unknown (?:name|symbol|identifier|module)|unexpected keyword argument|not found in (?:scope|module)",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"""(['"`\u2018\u201c])(?P<name>[^'"`\u2019\u201d]+)['"`\u2019\u201d]|\bundefined: (?P<bare>[\w.]+)"""
)
_NOTHING = re.compile(r"""['"`\u2018](?:NoneType|null|undefined|nil)['"`\u2019]|of (?:null|undefined)\b""")
_BARE_WORDS = frozenset({
    "the", "a", "process", "command", "script", "step", "job", "task", "run", "exit", "exited", "completed",
    "failed", "failure", "ended", "returned", "error", "with", "by", "non", "zero", "nonzero", "code", "status",
    "signal", "number",
})  # fmt: skip
"""What a message is made of that says no more than that something ended badly."""
_PYTHON = frozenset({"python", "pytest", "unittest"})
"""Who tells of exceptions of Python in Python's words."""
_LONGEST = 2_000


def cluster(found: Iterable[Found]) -> tuple[Cluster, ...]:
    """Return the faults behind failures, those that fail most checks first.

    It takes time about linear in the number of failures.
    """
    failures = sorted(found, key=_place)
    groups = _Groups(len(failures))
    causal: dict[str, list[int]] = {}
    by_fault: dict[tuple[str, ...], int] = {}
    for number, (check, failure) in enumerate(failures):
        if failure.weight is not Weight.CAUSE:
            continue
        causal.setdefault(check, []).append(number)
        for key in _faults(failure):
            groups.join(number, by_fault.setdefault(key, number))
    telling: dict[str, int] = {}
    for number, (check, failure) in enumerate(failures):
        if not is_bare(failure):
            telling.setdefault(check, number)
    logs = {check: _by_log(failures, numbers) for check, numbers in causal.items()}
    for number, (check, failure) in enumerate(failures):
        if failure.weight is Weight.CAUSE:
            continue
        if check in logs:
            groups.join(number, _error_behind(failure, logs[check], causal[check][0]))
        elif check in telling and is_bare(failure):
            groups.join(number, telling[check])
        else:
            groups.join(number, by_fault.setdefault(_alone(check, failure), number))
    made = (_made([failures[number] for number in numbers]) for numbers in groups.all())
    return tuple(sorted(made, key=lambda one: (-len(one.checks), -one.count, one.signature, one.checks)))


def missing_thing(failure: LogFailure) -> str:
    """Return the words by which an error names what is not there, the same wherever it is missed; else nothing."""
    words = normalised(_without_file(failure.message[:_LONGEST].rstrip()))
    if not _MISSED.search(words) or not _NAMED.search(words) or _NOTHING.search(words):
        return ""
    return words.casefold()


def _without_file(message: str) -> str:
    """Take off what `cannot import name 'x' from 'y' (/home/.../y.py)` ends in: it differs by machine."""
    before, bracket, file = message.rpartition("(")
    if not bracket or file.find(")") != len(file) - 1:
        return message
    first = file[:-1].split(maxsplit=1)[:1]
    is_file = not file[:1].isspace() and any("/" in one or "\\" in one for one in first)
    return before.rstrip() if is_file else message


def is_bare(failure: LogFailure) -> bool:
    """Whether a failure says no more than that something ended badly."""
    if failure.weight is Weight.CAUSE or failure.path or failure.test:
        return False
    words = re.findall(r"\w+", normalised(failure.message).casefold())
    return all(word in _BARE_WORDS or word.isdecimal() for word in words)


class _Groups:
    """Which numbers belong together (union by find, with the smallest number as the name of each group)."""

    __slots__ = ("_up",)

    def __init__(self, size: int) -> None:
        self._up = list(range(size))

    def join(self, one: int, other: int) -> None:
        low, high = sorted((self._root(one), self._root(other)))
        self._up[high] = low

    def all(self) -> list[list[int]]:
        found: dict[int, list[int]] = {}
        for number in range(len(self._up)):
            found.setdefault(self._root(number), []).append(number)
        return list(found.values())

    def _root(self, number: int) -> int:
        while self._up[number] != number:
            self._up[number] = self._up[self._up[number]]
            number = self._up[number]
        return number


def _place(one: Found) -> tuple[Any, ...]:
    """A total order of failures, so that equal input in any order gives equal clusters."""
    check, failure = one
    return (
        check,
        failure.log,
        failure.at,
        failure.weight,
        failure.tool,
        failure.kind,
        failure.message,
        failure.path,
        -1 if failure.line is None else failure.line,
        failure.symbol,
        failure.test,
        -1 if failure.rank is None else failure.rank,
        failure.chain,
        failure.excerpt,
    )


def _faults(failure: LogFailure) -> list[tuple[str, ...]]:
    keys: list[tuple[str, ...]] = [("signature", failure.signature)]
    if thing := missing_thing(failure):
        keys.append(("missing", thing))
        if failure.path and failure.line is not None and failure.symbol:
            keys.append(("missing at", failure.path, str(failure.line), failure.symbol))
    if failure.tool in _PYTHON and failure.path:
        # Not by place and kind alone: what raises for a bad argument raises for every bad argument.
        keys.append(("raised", failure.kind, normalised(failure.message), failure.path, failure.symbol))
    return keys


def _alone(check: str, failure: LogFailure) -> tuple[str, ...]:
    return ("end", check) if is_bare(failure) else ("signature", failure.signature)


def _by_log(failures: Sequence[Found], numbers: Sequence[int]) -> dict[str, tuple[list[int], list[int]]]:
    """For each log of a check the lines of its errors, ascending, and their numbers."""
    found: dict[str, tuple[list[int], list[int]]] = {}
    for number in numbers:
        failure = failures[number][1]
        lines, there = found.setdefault(failure.log, ([], []))
        lines.append(failure.at)
        there.append(number)
    return found


def _error_behind(failure: LogFailure, logs: dict[str, tuple[list[int], list[int]]], first: int) -> int:
    """The error that a symptom or an end goes to."""
    if failure.log not in logs:
        return first
    lines, numbers = logs[failure.log]
    if failure.weight is Weight.END:
        return numbers[0]
    return numbers[max(0, bisect_left(lines, failure.at) - 1)]


def _made(members: Sequence[Found]) -> Cluster:
    """The cluster of failures, which are in the order of `_place`."""
    causal = [one for one in members if one[1].weight is Weight.CAUSE] or members
    first = max(causal, key=lambda one: _tells(one[1]))[1]  # of equal ones the first
    by_check: dict[str, list[LogFailure]] = {}
    for check, failure in members:
        by_check.setdefault(check, []).append(failure)
    checks = tuple(by_check)
    tests = sorted({failure.test for _, failure in members if failure.test})
    return Cluster(
        signature=min(failure.signature for _, failure in causal),
        first=first,
        checks=checks,
        tests=tuple(tests[:MOST_TESTS]),
        count=len(members),
        members=tuple(_in_check(check, those) for check, those in by_check.items()),
    )


def _in_check(check: str, failures: Sequence[LogFailure]) -> InCheck:
    causal = [one for one in failures if one.weight is Weight.CAUSE] or failures
    tests = sorted({one.test for one in failures if one.test})
    return InCheck(check, frozenset(one.signature for one in causal), tuple(tests[:MOST_TESTS]))


def _tells(failure: LogFailure) -> tuple[int, ...]:
    """How much a failure tells: where it is counts before how it came there."""
    order = {Weight.CAUSE: 2, Weight.SYMPTOM: 1, Weight.END: 0}
    return (
        order[failure.weight],
        int(bool(failure.path)),
        len(failure.chain),
        int(failure.line is not None),
        int(bool(failure.symbol)),
        min(len(failure.excerpt), 20),
    )
