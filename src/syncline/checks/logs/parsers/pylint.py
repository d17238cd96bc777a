"""pylint."""

import re
from typing import ClassVar

from syncline.checks.logs.parsers.rules import Rule, RuleParser
from syncline.checks.logs.parsers.style_lines import WORDS


class Pylint(RuleParser):
    """Its messages, in the default style and that of other tools (`parseable`, `msvs` have the same parts)."""

    tool: ClassVar[str] = "pylint"
    words: ClassVar[tuple[str, ...]] = WORDS
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule(
            ".py",
            re.compile(
                r"^(?P<path>\S[^:]*\.pyi?):(?P<line>\d+):(?:\d+:)? \[?(?P<kind>[CRWEFI]\d{4})(?:\([\w-]+\)(?:, ?[\w.]*)?)?"
                r"[:\]] (?P<message>.+?)(?: \([a-z][a-z0-9-]+\))?$"
            ),
        ),
    )
