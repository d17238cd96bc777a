"""pyright and basedpyright."""

import re
from typing import ClassVar

from syncline.checks.logs.parsers.rules import Rule, RuleParser


class Pyright(RuleParser):
    """Its errors; warnings do not fail a check."""

    tool: ClassVar[str] = "pyright"
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule(
            " - error: ",
            re.compile(
                r"^ *(?P<path>\S[^:]*(?:[A-Za-z]:[\\/][^:]*)?\.pyi?):(?P<line>\d+):\d+ - error: (?P<message>.+?)"
                r"(?: \((?P<kind>report\w+)\))?$"
            ),
            "error",
        ),
    )
