"""The compiler of C#, NuGet, MSBuild, and `dotnet test`."""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.block import BlockParser, excerpt
from syncline.checks.logs.parsers.rules import Rule, RuleParser, one_line
from syncline.checks.logs.paths import repository_path

_FAILED = re.compile(r"^\s+(?:Failed|\[xUnit\.net [\d:.]+\] +) ?(?P<test>\w[^\s\[(]*+(?:\(.*\))?+) \[[^\]]+\]$")
_FRAME = re.compile(r"^\s+at \S.* in (?P<path>\S(?:(?! in ).)*):line (?P<line>\d+)$")
_EXCEPTION = re.compile(r"^(?P<kind>[\w.]+(?:Exception|Error))\s*: (?P<message>.+)")


class Dotnet(RuleParser):
    """Errors of the compiler, of NuGet and MSBuild."""

    tool: ClassVar[str] = "dotnet"
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule(
            "error CS",
            re.compile(
                r"^\s*+(?:\d+>)?(?P<path>[^(]+\.\w+)\((?P<line>\d+),\d+\): error (?P<kind>CS\d+): (?P<message>.+?)(?: \[[^\]\[]+\])?$"
            ),
        ),
        Rule(
            "error NU",
            re.compile(
                r"^\s*(?P<path>\S+)(?:\(\d+,\d+\))? : error (?P<kind>NU\d+): (?P<message>.+?)(?: \[[^\]\[]+\])?$"
            ),
        ),
        Rule("error NETSDK", re.compile(r"error (?P<kind>NETSDK\d+): (?P<message>.+?)(?: \[[^\]\[]+\])?$")),
        Rule(
            "error MSB3073",
            re.compile(r"error (?P<kind>MSB3073): (?P<message>.+?)(?: \[[^\]\[]+\])?$"),
            weight=Weight.SYMPTOM,
        ),
        Rule("error MSB", re.compile(r"error (?P<kind>MSB\d+): (?P<message>.+?)(?: \[[^\]\[]+\])?$")),
    )


class DotnetTest(BlockParser):
    """Tests that `dotnet test` tells as failed, with their messages."""

    tool: ClassVar[str] = "dotnet test"
    words: ClassVar[tuple[str, ...]] = ("  Failed ",)

    def opens(self, text: str) -> bool:
        """`  Failed Name.Of.Test [12 ms]`."""
        return text.startswith("  Failed ") and _FAILED.match(text) is not None

    def read(self, block: Sequence[Line]) -> Iterable[LogFailure]:
        """Take the message and the first frame with a file."""
        head = _FAILED.match(block[0].text)
        texts = [line.text for line in block]
        if head is None or not any("Error Message:" in text for text in texts):
            return
        begin = next(number for number, text in enumerate(texts) if "Error Message:" in text) + 1
        stop = next((number for number, text in enumerate(texts) if "Stack Trace:" in text), len(texts))
        message = one_line(" ".join(texts[begin:stop]))
        frame = next((match for match in map(_FRAME.match, texts) if match), None)
        thrown = _EXCEPTION.match(message)
        yield LogFailure(
            self.tool,
            thrown["kind"].rpartition(".")[2] if thrown else "assertion",
            message,
            Weight.CAUSE,
            block[0].number,
            repository_path(frame["path"]) if frame else "",
            int(frame["line"][:9]) if frame else None,
            test=head["test"],
            excerpt=excerpt(block),
        )
