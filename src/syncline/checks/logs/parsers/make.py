"""make, ninja and CMake. That a rule failed follows from what it ran; that there is none is a cause."""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.block import BlockParser, excerpt
from syncline.checks.logs.parsers.rules import Rule, RuleParser, one_line, quoted
from syncline.checks.logs.paths import repository_path

_CMAKE = re.compile(
    r"^CMake Error(?: at (?P<path>[^\s:(]+):(?P<line>\d+))?(?: \((?P<command>\w+)\)|: (?P<said>.+)|(?: in .+))?:?"
)


class Make(RuleParser):
    """Lines of make."""

    tool: ClassVar[str] = "make"
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule(
            "No rule to make target",
            re.compile(
                r"^(?:g|m|mingw32-)?make(?:\[\d+\])?: \*\*\* (?:\[[^\]]*\] )?(?P<message>No rule to make target [`'](?P<symbol>[^'`]+)'(?:, needed by [`'][^'`]*')?)"
            ),
            "no rule",
        ),
        Rule(
            "***",
            re.compile(r"^(?P<path>[^\s:]+):(?P<line>\d+): \*\*\* (?P<message>.+?)\.?(?<! ) +Stop\.$"),
            "makefile",
        ),
        Rule(
            "***",
            re.compile(
                r"^(?:g|m|mingw32-)?make(?:\[\d+\])?: \*\*\* \[(?:(?P<path>[^\s:\]]+):(?P<line>\d+): )?(?P<symbol>[^\]]+)\] (?P<message>(?:Error|Killed|Terminated|Segmentation|Aborted).*)"
            ),
            "rule",
            Weight.SYMPTOM,
        ),
    )


class Ninja(RuleParser):
    """Lines of ninja."""

    tool: ClassVar[str] = "ninja"
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule("ninja: error: ", re.compile(r"^ninja: error: (?P<message>.+)"), "no rule"),
        Rule(
            "FAILED: ",
            re.compile(r"^FAILED: (?:\[code=\d+\] )?(?P<symbol>\S+\.\S+|\S+/\S*)(?: .*)?$"),
            "rule",
            Weight.SYMPTOM,
        ),
        Rule(
            "ninja: build stopped",
            re.compile(r"^ninja: build stopped: (?P<message>.+)"),
            "stopped",
            Weight.SYMPTOM,
        ),
    )


class Cmake(BlockParser):
    """`CMake Error at file:line (command):`, and the words under it."""

    tool: ClassVar[str] = "cmake"
    words: ClassVar[tuple[str, ...]] = ("CMake Error",)
    longest: ClassVar[int] = 20

    def opens(self, text: str) -> bool:
        """The error's first line."""
        return text.startswith("CMake Error")

    def closes(self, text: str) -> bool:
        """What is not indented."""
        return bool(text) and not text.startswith(" ")

    def read(self, block: Sequence[Line]) -> Iterable[LogFailure]:
        """The first paragraph is the message."""
        head = _CMAKE.match(block[0].text)
        if head is None:
            return
        said: list[str] = []
        for line in block[1:]:
            if line.text.strip():
                said.append(line.text.strip())
            elif said:
                break
        message = one_line(" ".join(filter(None, (head["said"], *said)))) or block[0].text
        yield LogFailure(
            self.tool,
            head["command"] or "error",
            message,
            Weight.CAUSE,
            block[0].number,
            repository_path(head["path"] or ""),
            int(head["line"][:9]) if head["line"] else None,
            quoted(message),
            excerpt=excerpt(block),
        )
