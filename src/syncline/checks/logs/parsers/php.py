"""PHP itself, PHPUnit, PHPStan."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.block import BlockParser, excerpt
from syncline.checks.logs.parsers.rules import Rule, RuleParser, one_line, quoted
from syncline.checks.logs.paths import repository_path

_HEAD = re.compile(r"^\d+\) (?P<test>[\w\\]+::\S.*)$")
_PLACE = re.compile(r"^(?P<path>(?:/|[A-Z]:\\)[^:]+\.php|[\w./-]+\.php):(?P<line>\d+)$")
_THROWN = re.compile(r"^(?P<kind>(?:[A-Za-z_][\w\\]*)?(?:Error|Exception)): (?P<message>.*)")
_TABLE = re.compile(r"^\s{1,3}Line {2,}(?P<path>\S+\.php)(?: \(in context of .*\))?\s*$")
_ROW = re.compile(r"^  (?P<line>\d+|\?) {2,}(?P<message>\S.*)$")
_RULE = re.compile(r"^\s+(?:🪪|\U0001faaa)\s+(?P<rule>[\w.]+)")


class Php(RuleParser):
    """Errors that end a program of PHP."""

    tool: ClassVar[str] = "php"
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule(
            "Fatal error: ",
            re.compile(
                r"^(?:PHP )?Fatal error: ++(?:Uncaught (?P<kind>[\w\\]+): )?(?P<message>.+?) in (?P<path>\S+\.php)(?: on line |:)(?P<line>\d+)"
            ),
            "fatal error",
        ),
        Rule(
            "Parse error: ",
            re.compile(
                r"^(?:PHP )?Parse error: ++(?P<message>.+?) in (?P<path>\S+\.php)(?: on line |:)(?P<line>\d+)"
            ),
            "syntax error",
        ),
    )


class Phpunit(BlockParser):
    """`1) Class::test`, the message, and the place."""

    tool: ClassVar[str] = "phpunit"
    words: ClassVar[tuple[str, ...]] = ("Test::", "Tests::", "Case::")
    longest: ClassVar[int] = 50

    def opens(self, text: str) -> bool:
        """A number and a test."""
        return text[:1].isdigit() and "::" in text and _HEAD.match(text) is not None

    def closes(self, text: str) -> bool:
        """The rule between kinds of failures, or the sum."""
        return text == "--" or text.startswith(("FAILURES!", "ERRORS!", "Tests: "))

    def read(self, block: Sequence[Line]) -> Iterable[LogFailure]:
        """The message goes to the first empty line; the last place is the test's own."""
        head = _HEAD.match(block[0].text)
        places = [match for match in (_PLACE.match(line.text) for line in block) if match]
        ours = [match for match in places if "/vendor/" not in match["path"]]
        if head is None or not places:
            return
        said: list[str] = []
        for line in block[1:8]:
            if not line.text.strip():
                break
            said.append(line.text)
        message = one_line(said[0] if said else "failed")
        thrown = _THROWN.match(message)
        place = (ours or places)[0 if thrown else -1]
        yield LogFailure(
            self.tool,
            thrown["kind"].rpartition("\\")[2] if thrown else "assertion",
            thrown["message"] if thrown else message,
            Weight.CAUSE,
            block[0].number,
            repository_path(place["path"]),
            int(place["line"][:9]),
            quoted(message) if thrown else "",
            head["test"][:300],
            excerpt=excerpt(block),
        )


class Phpstan:
    """A table for each file: line and message, and the rule under it."""

    tool: ClassVar[str] = "phpstan"
    words: ClassVar[tuple[str, ...]] = ("  Line  ",)

    def __init__(self) -> None:
        """Begin outside of any table."""
        self._path = ""
        self._open: LogFailure | None = None
        self._rows = 0

    @property
    def busy(self) -> bool:
        """Whether a table is open."""
        return bool(self._path)

    def feed(self, line: Line) -> Iterator[LogFailure]:
        """Take a line of a table."""
        text = line.text
        table = _TABLE.match(text)
        if table is not None:
            yield from self.end()
            self._path, self._rows = repository_path(table["path"]), 0
            return
        if not self._path:
            return
        row = _ROW.match(text)
        if row is not None:
            yield from self._close()
            self._rows += 1
            number = row["line"]
            message = one_line(row["message"])
            self._open = LogFailure(
                self.tool,
                "analysis",
                message,
                Weight.CAUSE,
                line.number,
                self._path,
                int(number[:9]) if number.isdigit() else None,
                quoted(message),
                excerpt=(text,),
            )
        elif text.startswith(" ---"):
            if self._rows:
                yield from self.end()
        elif not text.startswith("  "):
            yield from self.end()
        elif self._open is not None:
            yield from self._continued(text)

    def end(self) -> Iterable[LogFailure]:
        """Close the table."""
        self._path = ""
        return tuple(self._close())

    def _continued(self, text: str) -> Iterable[LogFailure]:
        rule = _RULE.match(text)
        one = self._open
        if one is None or len(one.excerpt) > 5:
            return
        message = one.message if rule or "💡" in text else one_line(f"{one.message} {text.strip()}")
        self._open = LogFailure(
            one.tool,
            rule["rule"] if rule else one.kind,
            message,
            one.weight,
            one.at,
            one.path,
            one.line,
            one.symbol,
            excerpt=(*one.excerpt, text),
        )
        yield from ()

    def _close(self) -> Iterable[LogFailure]:
        one, self._open = self._open, None
        if one is not None:
            yield one
