"""Maven and Gradle: what they miss, and that something they ran failed."""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.block import BlockParser, excerpt
from syncline.checks.logs.parsers.rules import Rule, RuleParser, one_line

_TASK = re.compile(r"^Execution failed for task '(?P<task>[^']+)'")
_MISSING = re.compile(r"Could not (?:resolve|find|download|GET) (?P<symbol>[\w.-]+:[\w.-]+(?::\w[\w.+-]*\w)?)?")


class Maven(RuleParser):
    """Lines of Maven itself."""

    tool: ClassVar[str] = "maven"
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule(
            "Could not resolve dependencies",
            re.compile(
                r"^\[ERROR\] (?:Failed to execute goal .*?: )?(?P<message>Could not resolve dependencies for project .+)"
            ),
            "dependency",
        ),
        Rule(
            "Could not find artifact",
            re.compile(r"^\[ERROR\] .*?(?P<message>Could not find artifact (?P<symbol>\S+))"),
            "dependency",
        ),
        Rule("Non-resolvable", re.compile(r"^\[(?:ERROR|FATAL)\] (?P<message>Non-resolvable .+)"), "dependency"),
        Rule(
            "Failed to execute goal",
            re.compile(r"^\[ERROR\] (?P<message>Failed to execute goal (?P<symbol>\S+).*)"),
            "goal",
            Weight.SYMPTOM,
        ),
    )


class Gradle(BlockParser):
    """`* What went wrong:`, and what follows."""

    tool: ClassVar[str] = "gradle"
    words: ClassVar[tuple[str, ...]] = ("* What went wrong:",)

    def opens(self, text: str) -> bool:
        """The heading alone."""
        return text == "* What went wrong:"

    def closes(self, text: str) -> bool:
        """The next heading."""
        return text.startswith(("* ", "BUILD "))

    def read(self, block: Sequence[Line]) -> Iterable[LogFailure]:
        """A dependency or a script that fails is a cause; a task that fails only follows from what it ran."""
        said = [line for line in block[1:] if line.text.strip()]
        if not said:
            return
        message = one_line(" ".join(line.text for line in said[:4]))
        task = _TASK.match(said[0].text)
        found = list(_MISSING.finditer(message))
        missing = next((match for match in found if match["symbol"]), found[0] if found else None)
        if missing is not None:
            kind, weight, symbol = "dependency", Weight.CAUSE, missing["symbol"] or ""
        elif task is not None:
            kind, weight, symbol = "task", Weight.SYMPTOM, task["task"]
        else:
            kind, weight, symbol = "build script", Weight.CAUSE, ""
        yield LogFailure(self.tool, kind, message, weight, said[0].number, symbol=symbol, excerpt=excerpt(block))
