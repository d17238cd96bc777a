"""The compiler of TypeScript."""

import re
from typing import ClassVar

from syncline.checks.logs.parsers.rules import Rule, RuleParser


class Tsc(RuleParser):
    """Errors of tsc, with and without `--pretty`."""

    tool: ClassVar[str] = "tsc"
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule(
            "error TS",
            re.compile(r"^(?P<path>[^\s(][^(]*)\((?P<line>\d+),\d+\): error (?P<kind>TS\d+): (?P<message>.+)"),
        ),
        Rule(
            "error TS",
            re.compile(r"^(?P<path>[^\s:][^:]*):(?P<line>\d+):\d+ - error (?P<kind>TS\d+): (?P<message>.+)"),
        ),
        Rule("error TS", re.compile(r"^error (?P<kind>TS\d+): (?P<message>.+)")),
    )
