"""ctest: which tests failed. What they said is theirs."""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import ClassVar

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.rules import Rule, RuleParser

_KINDS = {"Failed": "failed", "Timeout": "timeout", "Not Run": "not run"}


class Ctest(RuleParser):
    """`2/4 Test #2: name ...***Failed`."""

    tool: ClassVar[str] = "ctest"
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule(
            "***",
            re.compile(
                r"^\s*\d+/\d+ Test +#\d+: (?P<test>\S+) \.*\s*\*\*\*(?P<kind>Failed|Timeout|Not Run|Exception: \w+)"
            ),
            weight=Weight.SYMPTOM,
        ),
    )

    def feed(self, line: Line) -> Iterable[LogFailure]:
        """A test that fails says why; one that crashes or takes too long may say nothing."""
        for failure in super().feed(line):
            kind = _KINDS.get(failure.kind, failure.kind.removeprefix("Exception: ").lower())
            weight = Weight.SYMPTOM if kind in {"failed", "not run"} else Weight.CAUSE
            yield replace(failure, kind=kind, weight=weight, message=f"{failure.test}: {kind}")
