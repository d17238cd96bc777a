"""Lines that linters of Python share: `path:line:column: CODE message`. Who wrote them shows only at their end."""

import re
from collections.abc import Iterable

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.rules import Rule, from_match

WORDS = (*(f"{end}:{digit}" for end in (".py", ".pyi", ".ipynb") for digit in range(10)), ".ipynb:cell ")
_LINE = re.compile(
    r"^(?P<path>\S[^:]*\.(?:pyi?|ipynb)):(?:cell \d+:)?(?P<line>\d+):\d+:? "
    r"(?P<kind>[A-Z]{1,4}\d{2,4}|invalid-syntax|[Ss]yntax[Ee]rror)(?P<colon>:)? (?:\[\*\] )?(?P<message>.+)$"
)
_MOST = 1500


class StyleLines:
    """Holds such lines until it is known whose they are."""

    def __init__(self, tool: str) -> None:
        self._tool = tool
        self._held: list[LogFailure] = []

    def take(self, line: Line) -> bool:
        """Take a line, and tell whether it is one of these."""
        found = _LINE.match(line.text)
        # pylint has a colon after its code.
        if found is None or (
            found["colon"] and found["kind"] != "invalid-syntax" and "yntax" not in found["kind"]
        ):
            return False
        if len(self._held) < _MOST:
            self._held.append(from_match(self._tool, Rule("", _LINE, "", Weight.CAUSE), found, line))
        return True

    def give(self) -> Iterable[LogFailure]:
        """Give what is held."""
        held, self._held = self._held, []
        return held
