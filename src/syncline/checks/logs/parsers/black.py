"""black, and isort."""

import re
from typing import ClassVar

from syncline.checks.logs.parsers.rules import Rule, RuleParser


class Black(RuleParser):
    """Files that it would change, or cannot read."""

    tool: ClassVar[str] = "black"
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule("would reformat ", re.compile(r"^(?P<message>would reformat) (?P<path>\S.*)$"), "unformatted"),
        Rule(
            "error: cannot format ",
            re.compile(r"^error: cannot format (?P<path>[^:]+): (?P<message>Cannot parse.*?: (?P<line>\d+):\d+.*)"),
            "invalid-syntax",
        ),
        Rule(
            "error: cannot format ", re.compile(r"^error: cannot format (?P<path>[^:]+): (?P<message>.+)"), "error",
        ),
        Rule(
            "error: cannot parse: ",
            re.compile(r"^(?P<message>error: cannot parse): (?P<path>[^:]+):(?P<line>\d+):\d+$"), "invalid-syntax",
        ),
    )  # fmt: skip


class Isort(RuleParser):
    """Files whose imports it would sort."""

    tool: ClassVar[str] = "isort"
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule(
            "Imports are incorrectly sorted",
            re.compile(r"^ERROR: (?P<path>\S.*?) (?P<message>Imports are incorrectly sorted.*)$"), "unsorted",
        ),
    )  # fmt: skip
