"""mypy."""

import re
from typing import ClassVar

from syncline.checks.logs.parsers.rules import Rule, RuleParser


class Mypy(RuleParser):
    """Its errors; notes belong to them, and a count in the end tells nothing new."""

    tool: ClassVar[str] = "mypy"
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule(
            ": error: ",
            re.compile(
                r"^(?P<path>\S[^:]*\.(?:pyi?|ipynb)):(?:(?P<line>\d+):)?(?:\d+:){0,3} error: (?P<message>.+?)"
                r"(?:  \[(?P<kind>[a-z][a-z0-9-]*)\])?$"
            ),
            "error",
        ),
        Rule(": error: INTERNAL ERROR", re.compile(r"error: INTERNAL ERROR(?P<message>.*)"), "internal error"),
        Rule(
            "mypy: ",
            re.compile(r"^mypy: (?:error: )?(?P<message>(?:can't read file|can't find package|Cannot find) .+)"),
            "usage",
        ),
    )
