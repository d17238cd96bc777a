"""Compilers of the JVM: javac (by itself, in Maven, in Gradle), kotlinc, scalac."""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.block import BlockParser, excerpt
from syncline.checks.logs.parsers.rules import Rule, RuleParser, one_line, quoted
from syncline.checks.logs.paths import repository_path

_JAVAC = re.compile(
    r"^(?:\[ERROR\] (?P<path>\S.*?\.java):\[(?P<line>\d+),\d+\] (?:error: )?"
    r"|(?P<plain>\S[^:]*\.java|[A-Z]:[^:]+\.java):(?P<number>\d+): error: )(?P<message>.+)"
)
_SYMBOL = re.compile(r"^(?:\[ERROR\] )?\s+symbol: +(?P<symbol>\w+ (?P<name>\w+).*)")
_PACKAGE = re.compile(r"^package (?P<symbol>\S+) does not exist")


class Javac(BlockParser):
    """Errors of javac, with the symbol that the lines under them name."""

    tool: ClassVar[str] = "javac"
    words: ClassVar[tuple[str, ...]] = (".java:",)
    longest: ClassVar[int] = 7

    def opens(self, text: str) -> bool:
        """A place and an error."""
        return ".java:" in text and _JAVAC.match(text) is not None

    def closes(self, text: str) -> bool:
        """What is neither code nor a symbol."""
        return not text.strip() or text.startswith(("[INFO]", "FAILURE", "Note: "))

    def read(self, block: Sequence[Line]) -> Iterable[LogFailure]:
        """The first line, and the symbol."""
        head = _JAVAC.match(block[0].text)
        if head is None:
            return
        message = one_line(head["message"])
        symbol = next((match for match in (_SYMBOL.match(line.text) for line in block[1:]) if match), None)
        package = _PACKAGE.match(message)
        path, number = head["path"] or head["plain"], head["line"] or head["number"]
        yield LogFailure(
            self.tool,
            "compile error",
            f"{message}: {symbol['symbol']}" if symbol else message,
            Weight.CAUSE,
            block[0].number,
            repository_path(path),
            int(number[:9]),
            symbol["name"] if symbol else package["symbol"] if package else quoted(message),
            excerpt=excerpt(block),
        )


class Kotlinc(RuleParser):
    """Errors of kotlinc."""

    tool: ClassVar[str] = "kotlinc"
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule(
            ".kt",
            re.compile(r"^e: (?:file://)?(?P<path>/[^:]+\.kts?):(?P<line>\d+):\d+:? (?P<message>.+)"),
            "compile error",
        ),
        Rule(
            ".kt",
            re.compile(r"^e: (?P<path>/[^:]+\.kts?): \((?P<line>\d+), \d+\): (?P<message>.+)"),
            "compile error",
        ),
        Rule(
            ".kt:[",
            re.compile(r"^\[ERROR\] (?P<path>\S.*?\.kt):\[(?P<line>\d+),\d+\] (?P<message>.+)"),
            "compile error",
        ),
    )


class Scalac(RuleParser):
    """Errors of scalac, as sbt and Maven print them."""

    tool: ClassVar[str] = "scalac"
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule(
            ".scala:",
            re.compile(
                r"^\[(?:error|ERROR)\] (?P<path>\S.*?\.scala):(?P<line>\d+)(?::\d+)?: (?:error: )?(?P<message>.+)"
            ),
            "compile error",
        ),
    )
