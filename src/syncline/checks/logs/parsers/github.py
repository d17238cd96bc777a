"""GitHub Actions: annotations, and what its runner says."""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import ClassVar

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.rules import Rule, by_rules, from_match, one_line

_E, _S = Weight.END, Weight.SYMPTOM
_RUNNER = (
    Rule(
        "Process completed with exit code",
        re.compile(r"^(?:Error: )?(?P<message>Process completed with exit code -?\d+)\.?$"),
        "exit code",
        _E,
    ),
    Rule(
        "The operation was canceled",
        re.compile(r"^(?:Error: )?(?P<message>The operation was canceled)\.?"),
        "cancelled",
        _E,
    ),
    Rule(
        "exceeded the maximum execution time",
        re.compile(r"(?P<message>The job (?:running on runner .* )?has exceeded the maximum execution time.*)"),
        "timeout",
        _E,
    ),
    Rule(
        "has timed out after",
        re.compile(r"(?P<message>The action '(?P<symbol>[^']{1,200})' has timed out after \d+ minutes)"),
        "timeout",
        _E,
    ),
    Rule(
        "received a shutdown signal",
        re.compile(r"(?P<message>The (?:runner|hosted runner) has received a shutdown signal.*)"),
        "runner shutdown",
        _E,
    ),
    Rule(
        "lost communication with the server",
        re.compile(r"(?P<message>The (?:self-)?hosted runner(?:: .*)? lost communication with the server.*)"),
        "runner lost",
        _E,
    ),
    Rule(
        "Unable to resolve action",
        re.compile(r"(?P<message>Unable to resolve action `?(?P<symbol>[^`\s,]+).*)"),
        "missing action",
    ),
    Rule("Can't find 'action.yml'", re.compile(r"(?P<message>Can't find 'action\.yml'.*)"), "missing action"),
    Rule(
        "The process '",
        re.compile(r"^(?:Error: )?(?P<message>The process '(?P<symbol>[^']{1,200})' failed with exit code \d+)"),
        "process",
        _S,
    ),
    Rule("rate limit exceeded", re.compile(r"(?P<message>API rate limit exceeded.*)"), "rate limit"),
    Rule(
        "Resource not accessible by integration",
        re.compile(r"(?P<message>Resource not accessible by integration.*)"),
        "access",
    ),
)
_COMMAND = re.compile(r"^::error(?: (?P<rest>[^:]*(?::(?!:)[^:]*)*))?::(?P<message>.+)")
_FIELD = re.compile(r"(?:^|,)\s*(?P<name>file|line|title)=(?P<value>[^,]*)")
_PLAIN = Rule("##[error]", re.compile(r"^##\[error\](?P<message>.+)"), "annotation", _S)
_LOCATED = re.compile(r"^(?:\S+(?::\d+|\(\d+|:\[\d+)|(?:fatal )?error[ :\[]|\[ERROR\]|E: |npm |  )")
"""What problem matchers marked: the tools' own parsers read it."""


class Github:
    """`##[error]`, `::error ...::`, and the runner's sentences."""

    tool: ClassVar[str] = "github"
    words: ClassVar[tuple[str, ...]] = ("##[error]", "::error", *dict.fromkeys(rule.word for rule in _RUNNER))
    busy: bool = False

    def feed(self, line: Line) -> Iterable[LogFailure]:
        """Give the annotation of this line, unless another tool's error is in it."""
        failure = by_rules(self.tool, _RUNNER, line)
        if failure is not None:
            return (failure,)
        text = line.text
        command = _COMMAND.match(text)
        if command is not None:
            return (_annotation(self.tool, command, line),)
        match = _PLAIN.pattern.match(text)
        if match is None or _LOCATED.match(match["message"]):
            return ()
        return (from_match(self.tool, _PLAIN, match, line),)

    def end(self) -> Iterable[LogFailure]:
        """Nothing is open."""
        return ()


def _annotation(tool: str, command: re.Match[str], line: Line) -> LogFailure:
    fields = {match["name"]: _unescaped(match["value"]) for match in _FIELD.finditer(command["rest"] or "")}
    number = fields.get("line", "")
    rule = Rule("::error", command.re, "annotation", Weight.CAUSE if fields.get("file") else _S)
    failure = from_match(tool, rule, command, line)
    path = fields.get("file", "")
    return replace(
        failure,
        kind=one_line(fields.get("title", ""))[:100] or "annotation",
        message=one_line(_unescaped(failure.message)),
        path=path.replace("\\", "/").removeprefix("./")[:500],
        line=int(number[:9]) if number.isascii() and number.isdigit() else None,
    )


def _unescaped(text: str) -> str:
    """Return a text without the escapes of workflow commands."""
    for escape, letter in (("%0D", " "), ("%0A", " "), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(escape, letter)
    return text
