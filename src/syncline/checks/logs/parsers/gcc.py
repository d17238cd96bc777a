"""gcc and clang, their linkers, and what looks like them: clang-tidy, clang-format."""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import ClassVar

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.rules import Rule, RuleParser

_OTHERS = (
    ".py",
    ".pyi",
    ".java",
    ".kt",
    ".kts",
    ".swift",
    ".go",
    ".rs",
    ".ts",
    ".tsx",
    ".js",
    ".jsx",
    ".cs",
    ".sh",
    ".bash",
    ".scala",
    ".rb",
    ".php",
    ".yml",
    ".yaml",
    ".vue",
    ".tex",
    ".md",
    ".sol",
    ".dart",
    ".zig",
    ".lua",
    ".proto",
)
"""Whose compilers write lines of the same shape, each with a parser of its own, or none."""
_CHECK = re.compile(r" \[(?P<check>[a-z][\w.]*(?:-[\w.]+)+)(?:,[^\]\[]*)?\]$")
_FLAG = re.compile(r" \[-W(?:error[=,])?(?P<flag>[\w+=-]*+)[^\]\[]*\]$")


class Gcc(RuleParser):
    """Errors of compilers of C and its relatives, and of their linkers."""

    tool: ClassVar[str] = "gcc"
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule(
            "error: ",
            re.compile(
                r"^(?P<path>[^\s:][^:]*|[A-Z]:[^:]+):(?P<line>\d+)(?::\d+)?: (?P<kind>fatal )?error: (?P<message>.+)"
            ),
            "compile error",
        ),
        Rule(
            ",-warnings-as-errors]",
            re.compile(
                r"^(?P<path>[^\s:][^:]*):(?P<line>\d+):\d+: warning: (?P<message>.+,-warnings-as-errors\])$"
            ),
        ),
        Rule(
            "undefined reference to",
            re.compile(r"(?P<message>undefined reference to [`'\u2018](?P<symbol>.+)['\u2019])"),
            "undefined reference",
        ),
        Rule(
            "multiple definition of",
            re.compile(r"(?P<message>multiple definition of [`'\u2018](?P<symbol>[^'\u2019]+)['\u2019])"),
            "multiple definition",
        ),
        Rule(
            "cannot find -l",
            re.compile(r"\bld(?:\.\w+)?: (?P<message>cannot find (?P<symbol>-l\S+?))(?::|$)"),
            "missing library",
        ),
        Rule(
            "ld.lld: error: ",
            re.compile(r"ld\.lld: error: (?P<message>undefined symbol: (?P<symbol>.+))"),
            "undefined reference",
        ),
        Rule("ld.lld: error: ", re.compile(r"ld\.lld: error: (?P<message>.+)"), "link error"),
        Rule(
            "Undefined symbols for architecture",
            re.compile(r"^Undefined symbols for architecture \w+:"),
            "undefined reference",
        ),
        Rule(
            "internal compiler error",
            re.compile(r"internal compiler error: (?P<message>.+)"),
            "internal compiler error",
        ),
        Rule("ld returned ", re.compile(r"error: ld returned \d+ exit status"), "link error", Weight.SYMPTOM),
        Rule("linker command failed", re.compile(r"error: linker command failed"), "link error", Weight.SYMPTOM),
        Rule("c++: ", re.compile(r"^(?:\S*/)?(?:g|c)\+\+: (?:fatal )?error: (?P<message>.+)"), "compiler call"),
        Rule("gcc: ", re.compile(r"^(?:\S*/)?gcc: (?:fatal )?error: (?P<message>.+)"), "compiler call"),
        Rule("clang", re.compile(r"^(?:\S*/)?clang(?:\+\+)?(?:-\d+)?: error: (?P<message>.+)"), "compiler call"),
    )

    def feed(self, line: Line) -> Iterable[LogFailure]:
        """Give the error of this line, by the name of the tool it is from."""
        for failure in super().feed(line):
            if failure.path.lower().endswith(_OTHERS) or failure.path.endswith(
                (".csproj", "CMakeLists.txt", "Makefile")
            ):
                continue
            yield _named(failure)


def _named(failure: LogFailure) -> LogFailure:
    message = failure.message
    check = _CHECK.search(message)
    if "-Wclang-format-violations" in message:
        return replace(failure, tool="clang-format", kind="format", symbol="")
    if check is not None:
        return replace(failure, tool="clang-tidy", kind=check["check"], message=message[: check.start()])
    if "file not found" in message or "No such file or directory" in message:
        return replace(failure, kind="missing file", symbol=failure.symbol or message.partition(":")[0])
    flag = _FLAG.search(message)
    if flag is not None and flag["flag"]:
        return replace(failure, kind=f"-W{flag['flag']}", message=message[: flag.start()])
    return replace(failure, kind="compile error") if failure.kind == "fatal " else failure
