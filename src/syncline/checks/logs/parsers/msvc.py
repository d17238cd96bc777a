"""Microsoft's compiler of C++ and its linker."""

import re
from typing import ClassVar

from syncline.checks.logs.failure import Weight
from syncline.checks.logs.parsers.rules import Rule, RuleParser


class Msvc(RuleParser):
    """Errors of cl and link; in MSBuild's output too."""

    tool: ClassVar[str] = "msvc"
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule(
            "error LNK1120",
            re.compile(r"(?:fatal )?error (?P<kind>LNK1120): (?P<message>.+?)(?: \[[^\]\[]+\])?$"),
            weight=Weight.SYMPTOM,
        ),
        Rule(
            "error LNK",
            re.compile(
                r"(?:fatal )?error (?P<kind>LNK\d+): (?P<message>unresolved external symbol (?P<symbol>\"[^\"]{1,200}\"|\S+).*?)(?: \[[^\]\[]+\])?$"
            ),
        ),
        Rule("error LNK", re.compile(r"(?:fatal )?error (?P<kind>LNK\d+): (?P<message>.+?)(?: \[[^\]\[]+\])?$")),
        Rule(
            "error C",
            re.compile(
                r"^\s*(?:\d+>)?(?P<path>(?:[A-Za-z]:)?[^\s:(][^:(]*)\((?P<line>\d+)(?:,\d+)?\): (?:fatal )?error (?P<kind>C\d{4}): (?P<message>.+?)(?: \[[^\]\[]+\])?$"
            ),
        ),
        Rule("error D", re.compile(r"^cl : Command line error (?P<kind>D\d{4}) ?: (?P<message>.+)")),
    )
