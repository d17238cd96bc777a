"""rustc, clippy and cargo."""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.block import BlockParser, excerpt
from syncline.checks.logs.parsers.rules import Rule, by_rules, one_line, quoted
from syncline.checks.logs.paths import repository_path

_ERROR = re.compile(r"^error(?:\[(?P<code>E\d+|[\w:]+)\])?: (?P<message>.+)")
_PLACE = re.compile(r"^\s*--> (?P<path>[^:]+(?::[\\/][^:]+)?):(?P<line>\d+):\d+")
_LINT = re.compile(r"`-D (?P<lint>[\w:-]+)`|#\[deny\((?P<denied>[\w:]+)\)\]")
_SYMPTOM, _CAUSE = Weight.SYMPTOM, Weight.CAUSE

_CARGO = (
    Rule("could not compile", re.compile(r"^error: could not compile `(?P<symbol>[^`]+)`"), "build", _SYMPTOM),
    Rule("aborting due to", re.compile(r"^error: aborting due to "), "build", _SYMPTOM),
    Rule("test failed, to rerun", re.compile(r"^error: test failed, to rerun pass "), "test", _SYMPTOM),
    Rule(
        "didn't exit successfully",
        re.compile(r"^\s*(?:error: )?process didn't exit successfully: "),
        "exit",
        _SYMPTOM,
    ),
    Rule(
        "custom build command",
        re.compile(r"^error: (?P<message>failed to run custom build command for `(?P<symbol>[^` ]+))"),
        "build script",
    ),
    Rule("linking with", re.compile(r"^error: (?P<message>linking with `[^`]+` failed)"), "link error"),
    Rule(
        "failed to select a version",
        re.compile(r"^error: (?P<message>failed to select a version for .+)"),
        "dependency",
    ),
    Rule("no matching package", re.compile(r"^error: (?P<message>no matching package.*)"), "dependency"),
    Rule(
        "as a dependency of",
        re.compile(r"^error: (?P<message>failed to get `(?P<symbol>[^`]+)` as a dependency of .+)"),
        "dependency",
    ),
    Rule("failed to download", re.compile(r"^error: (?P<message>failed to download .+)"), "download"),
    Rule("lock file", re.compile(r"^error: (?P<message>(?:the|cannot update the) lock file .+)"), "lock file"),
    Rule(
        "failed to load manifest",
        re.compile(r"^error: (?P<message>failed to (?:load|parse) manifest.*)"),
        "manifest",
    ),
    Rule(
        "failed to parse manifest",
        re.compile(r"^error: (?P<message>failed to parse manifest at `(?P<path>[^`]+)`)"),
        "manifest",
    ),
    Rule(
        "failed to load source",
        re.compile(r"^error: (?P<message>failed to load source for dependency .+)"),
        "dependency",
    ),
    Rule(
        "is not installed for the toolchain",
        re.compile(r"^error: (?P<message>.+ is not installed for the toolchain .+)"),
        "toolchain",
    ),
)


class Rustc(BlockParser):
    """Errors of the compiler with their place, and those of cargo."""

    tool: ClassVar[str] = "rustc"
    words: ClassVar[tuple[str, ...]] = ("^error: ", "^error[", "process didn't exit successfully")
    longest: ClassVar[int] = 40

    def opens(self, text: str) -> bool:
        """`error[E0425]: cannot find ...`, at the line's beginning."""
        return text.startswith(("error: ", "error[", "  process didn't exit"))

    def read(self, block: Sequence[Line]) -> Iterable[LogFailure]:
        """An error with a place is the compiler's; one without is cargo's, or of another program."""
        head = _ERROR.match(block[0].text)
        place = next((match for match in (_PLACE.match(line.text) for line in block[1:12]) if match), None)
        if head is None or place is None or place["path"].endswith(".py"):
            failure = by_rules("cargo", _CARGO, block[0])
            if failure is not None:
                yield failure
            return
        lint = next((match for match in (_LINT.search(line.text) for line in block) if match), None)
        kind = head["code"] or (lint and (lint["lint"] or lint["denied"])) or "error"
        yield LogFailure(
            self.tool,
            kind.replace("-", "_") if kind.startswith("clippy") else kind,
            one_line(head["message"]),
            Weight.CAUSE,
            block[0].number,
            repository_path(place["path"]),
            int(place["line"][:9]),
            quoted(head["message"]),
            excerpt=excerpt(block),
        )
