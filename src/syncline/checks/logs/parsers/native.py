"""Programs of C and C++ that die: sanitizers, assertions, exceptions that nobody caught."""

import re
from typing import ClassVar

from syncline.checks.logs.failure import Weight
from syncline.checks.logs.parsers.rules import Rule, RuleParser


class Native(RuleParser):
    """Lines of the run-time libraries."""

    tool: ClassVar[str] = "native"
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule(
            "Sanitizer: ",
            re.compile(
                r"^(?:==\d+==)?\s*(?:ERROR|WARNING|FATAL): (?P<message>(?:Address|Leak|Memory|Thread|HWAddress)Sanitizer:? (?P<kind>[a-z][\w-]*(?: (?:race|leaks))?).*)"
            ),
        ),
        Rule(
            "SUMMARY: ",
            re.compile(
                r"^SUMMARY: (?P<message>\w+Sanitizer: (?P<kind>[\w-]+) (?P<path>[^\s:()]+):(?P<line>\d+).*)"
            ),
            weight=Weight.SYMPTOM,
        ),
        Rule(
            ": runtime error: ",
            re.compile(r"^(?P<path>[^\s:]+):(?P<line>\d+):\d+: runtime error: (?P<message>.+)"),
            "undefined behaviour",
        ),
        Rule(
            "' failed.",
            re.compile(
                r"^(?:\S+: )?(?P<path>[^\s:]+):(?P<line>\d+): .{1,300}: (?P<message>Assertion [`'\u2018].+['\u2019] failed)\.?"
            ),
            "assertion",
        ),
        Rule(
            "terminate called after throwing",
            re.compile(r"^(?P<message>terminate called after throwing an instance of '(?P<kind>[^']+)')"),
            weight=Weight.SYMPTOM,
        ),
        Rule("what(): ", re.compile(r"^\s*what\(\): +(?P<message>.+)"), "exception"),
        Rule(
            "stack smashing detected",
            re.compile(r"(?P<message>\*\*\* stack smashing detected \*\*\*)"),
            "stack smashing",
        ),
        Rule(
            "double free or corruption",
            re.compile(r"^(?P<message>double free or corruption.*)"),
            "heap corruption",
        ),
        Rule(
            "symbol lookup error",
            re.compile(r"(?P<message>symbol lookup error: .*undefined symbol: (?P<symbol>\S+))"),
            "undefined symbol",
        ),
        Rule(
            "error while loading shared libraries",
            re.compile(r"(?P<message>error while loading shared libraries: (?P<symbol>[^:]+): .+)"),
            "missing library",
        ),
        Rule(
            "' not found (required by",
            re.compile(r"(?P<message>version `(?P<symbol>[^']+)' not found \(required by .+)"),
            "missing library",
        ),
    )
