"""The compiler of Go, vet, the module system, and golangci-lint."""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import ClassVar

from syncline.checks.logs.failure import LogFailure
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.rules import Rule, RuleParser

_LINTER = re.compile(r" \((?P<linter>[a-z][a-z0-9]+)\)$")
_SYMBOL = re.compile(
    r"^(?:undefined: |declared and not used: |missing return|cannot use )?(?P<symbol>[A-Za-z_][\w.]*)"
)
_MODULE = re.compile(
    r"^(?:no required module provides package|cannot find (?:module providing )?package|package) \"?(?P<symbol>[^\s;:\"]+)"
)
_UNUSED = re.compile(r"^(?P<symbol>\S+) declared (?:and|but) not used$")
_NOISE = ("warning: ", "note: ", "info: ", "debug: ")


class GoBuild(RuleParser):
    """Errors with a place in a Go file, and those of modules."""

    tool: ClassVar[str] = "go build"
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule(
            ".go:",
            re.compile(r"^(?:vet: )?(?P<path>(?:[A-Z]:)?[\w./\\@+~-]+\.go):(?P<line>\d+):\d+: (?P<message>\S.*)"),
            "compile error",
        ),
        Rule("missing go.sum entry", re.compile(r"missing go\.sum entry .*"), "go.sum"),
        Rule(
            "go: ",
            re.compile(r"^go: (?P<message>updates to go\.(?:mod|sum) needed.*|inconsistent vendoring.*)"),
            "go.mod",
        ),
        Rule("checksum mismatch", re.compile(r"^(?:go: )?verifying (?P<symbol>\S+): checksum mismatch"), "go.sum"),
        Rule("go: ", re.compile(r"^go: (?P<symbol>\w[\w./~-]*@[\w.+-]+): (?P<message>.+)"), "module"),
        Rule(
            "go: ",
            re.compile(
                r"^go: (?P<message>(?:module |errors parsing |cannot find main module|go\.mod (?:file )?).+)"
            ),
            "module",
        ),
    )

    def feed(self, line: Line) -> Iterable[LogFailure]:
        """Give the error of this line, by the name of the tool it is from."""
        for failure in super().feed(line):
            if not failure.path:
                yield replace(failure, tool="go mod")
                continue
            message = failure.message
            if message.startswith(_NOISE):
                continue
            linter = _LINTER.search(message)
            module = _MODULE.match(message)
            symbol = _UNUSED.match(message) or (_SYMBOL.match(message) if ": " in message else None)
            if linter is not None:
                yield replace(
                    failure, tool="golangci-lint", kind=linter["linter"], message=message[: linter.start()]
                )
            elif module is not None:
                yield replace(failure, tool="go mod", kind="missing module", symbol=module["symbol"])
            elif line.text.startswith("vet: "):
                yield replace(failure, tool="go vet", symbol=symbol["symbol"] if symbol else failure.symbol)
            else:
                found = symbol["symbol"] if symbol and message.startswith(("undefined", "declared")) else ""
                unused = _UNUSED.match(message)
                yield replace(failure, symbol=unused["symbol"] if unused else found or failure.symbol)
