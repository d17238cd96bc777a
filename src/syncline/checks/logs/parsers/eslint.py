"""ESLint, in the ways it prints."""

import re
from collections.abc import Iterable, Iterator
from typing import ClassVar

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.rules import one_line, quoted
from syncline.checks.logs.paths import repository_path

_FILE = re.compile(r"^(?:/|[A-Z]:\\|[\w.@]+[/\\])\S*\.(?:[cm]?[jt]sx?|vue|svelte|astro|json|md|html)$")
_ROW = re.compile(r"^ +(?P<line>\d+):\d+ +error +(?P<message>\S.*)$")
_UNIX = re.compile(
    r"^(?P<path>[^\s:][^:]*): line (?P<line>\d+), col \d+, Error - (?P<message>.+?)(?: \((?P<rule>[\w@/-]+)\))?$"
)


_WITHIN = 500
"""Lines under a file's path that may still be its own."""


class Eslint:
    """A file, and under it `12:5  error  message  rule`."""

    tool: ClassVar[str] = "eslint"
    words: ClassVar[tuple[str, ...]] = (
        ".js",
        ".ts",
        ".mjs",
        ".cjs",
        ".mts",
        ".cts",
        ".vue",
        ".svelte",
        ".astro",
        "  error  ",
        ", Error - ",
    )
    busy: bool = False

    def __init__(self) -> None:
        """Begin before any file."""
        self._path = ""
        self._at = 0

    def feed(self, line: Line) -> Iterator[LogFailure]:
        """Take a line."""
        text = line.text
        if _FILE.match(text):
            self._path, self._at = repository_path(text), line.number
            return
        row = _ROW.match(text) if self._path and line.number - self._at <= _WITHIN else None
        if row is not None:
            # Two or more blanks part the rule from the message; a parsing error has none.
            message, _, rule = row["message"].rstrip().rpartition("  ")
            if not message or " " in rule:
                message, rule = row["message"], "parsing" if "Parsing error" in row["message"] else "error"
            yield self._failure(line, self._path, row["line"], message, rule)
            return
        unix = _UNIX.match(text)
        if unix is not None:
            yield self._failure(
                line, repository_path(unix["path"]), unix["line"], unix["message"], unix["rule"] or "error"
            )

    def end(self) -> Iterable[LogFailure]:
        """Nothing is open."""
        return ()

    def _failure(self, line: Line, path: str, number: str, message: str, rule: str) -> LogFailure:
        return LogFailure(
            self.tool,
            rule,
            one_line(message),
            Weight.CAUSE,
            line.number,
            path,
            int(number[:9]),
            quoted(message),
            excerpt=(line.text,),
        )
