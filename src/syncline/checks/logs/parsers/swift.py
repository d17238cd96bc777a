"""The compiler of Swift, and XCTest."""

import re
from typing import ClassVar

from syncline.checks.logs.parsers.rules import Rule, RuleParser


class Swift(RuleParser):
    """Errors with a place in a Swift file, of the compiler or of a test."""

    tool: ClassVar[str] = "swift"
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule(
            ".swift:",
            re.compile(
                r"^(?P<path>/?[^:]+\.swift):(?P<line>\d+): error: (?P<test>-\[[^\]]+\]|[\w.]+) : (?P<message>.+)"
            ),
            "assertion",
        ),
        Rule(
            ".swift:",
            re.compile(r"^(?P<path>/?[^:]+\.swift):(?P<line>\d+):\d+: error: (?P<message>.+)"),
            "compile error",
        ),
        Rule(
            "Fatal error: ",
            re.compile(r"^(?:\w+/)?(?P<path>[\w./-]+\.swift):(?P<line>\d+): Fatal error: (?P<message>.+)"),
            "fatal error",
        ),
    )
