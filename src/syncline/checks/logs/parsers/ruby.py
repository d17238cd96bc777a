"""Ruby itself, RSpec, minitest."""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.block import BlockParser, excerpt
from syncline.checks.logs.parsers.rules import Rule, RuleParser, one_line, quoted
from syncline.checks.logs.paths import repository_path

_RSPEC = re.compile(r"^  \d+\) (?P<test>\S.*)$")
_LOADING = re.compile(r"^An error occurred while loading (?P<path>\S+\.rb)\.?")
_RSPEC_AT = re.compile(r"^\s*# (?P<path>\./[^:]+\.rb):(?P<line>\d+)")
_CLASS = re.compile(r"^\s*(?P<kind>[A-Z]\w*(?:::\w+)*(?:Error|Exception|Failure)?):$")
_MINITEST = re.compile(r"^ {1,3}\d+\) (?P<what>Failure|Error):$")
_MINITEST_AT = re.compile(r"^(?P<test>[\w:]+#\S+)(?: \[(?P<path>[^\]:]+):(?P<line>\d+)\])?:$")
_MINITEST_FRAME = re.compile(r"^\s+(?P<path>[^\s:]+\.rb):(?P<line>\d+):in ")


class Ruby(RuleParser):
    """An exception that ends a program."""

    tool: ClassVar[str] = "ruby"
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule(
            ":in ",
            re.compile(
                r"^(?P<path>[^\s:]+\.rb):(?P<line>\d+):in [`'][^']+': (?P<message>.*) \((?P<kind>[A-Z][\w:]*)\)$"
            ),
        ),
        Rule(
            ".rb:", re.compile(r"^(?P<path>[^\s:]+\.rb):(?P<line>\d+): (?P<message>syntax error.*)"), "SyntaxError"
        ),
    )


class Rspec(BlockParser):
    """`1) description`, `Failure/Error`, and the place."""

    tool: ClassVar[str] = "rspec"
    words: ClassVar[tuple[str, ...]] = (
        "Failure/Error:",
        "  1) ",
        "  2) ",
        "  3) ",
        "An error occurred while loading ",
    )
    longest: ClassVar[int] = 50

    def opens(self, text: str) -> bool:
        """A number and a description, or a file that does not load."""
        return _RSPEC.match(text) is not None or _LOADING.match(text) is not None

    def closes(self, text: str) -> bool:
        """What begins in the first column."""
        if self._block[0].text.startswith("An error"):
            return text.startswith(("Run options", "Finished in", "Top ", "No examples"))
        return text.startswith(("Finished in", "Failed examples", "rspec ")) or bool(
            text and not text[0].isspace()
        )

    def read(self, block: Sequence[Line]) -> Iterable[LogFailure]:
        """Only with `Failure/Error` it is RSpec's."""
        texts = [line.text for line in block]
        at = next((number for number, text in enumerate(texts) if "Failure/Error:" in text), None)
        if at is None:
            return
        said = [text.strip() for text in texts[at + 1 :] if text.strip() and not text.lstrip().startswith("#")]
        thrown = _CLASS.match(said[0]) if said else None
        message = one_line(" ".join(said[1:3] if thrown else said[:3])) or texts[at].partition(":")[2].strip()
        place = next((match for match in map(_RSPEC_AT.match, texts) if match), None)
        loading, test = _LOADING.match(texts[0]), _RSPEC.match(texts[0])
        path = place["path"] if place else loading["path"] if loading else ""
        yield LogFailure(
            self.tool,
            thrown["kind"] if thrown else "expectation",
            message,
            Weight.CAUSE,
            block[0].number,
            repository_path(path),
            int(place["line"][:9]) if place else None,
            quoted(message) if thrown else "",
            test["test"][:300] if test else "",
            excerpt=excerpt(block),
        )


class Minitest(BlockParser):
    """`1) Failure:`, the test with its place, and what was expected."""

    tool: ClassVar[str] = "minitest"
    words: ClassVar[tuple[str, ...]] = (") Failure:", ") Error:")
    longest: ClassVar[int] = 40

    def opens(self, text: str) -> bool:
        """A number and what it is."""
        return _MINITEST.match(text) is not None

    def read(self, block: Sequence[Line]) -> Iterable[LogFailure]:
        """The second line is the test."""
        head = _MINITEST.match(block[0].text)
        test = _MINITEST_AT.match(block[1].text) if len(block) > 1 else None
        if head is None or test is None:
            return
        said = [line.text for line in block[2:]]
        thrown = _CLASS.match(said[0].partition(": ")[0] + ":") if said and head["what"] == "Error" else None
        message = said[0].partition(": ")[2] if thrown and said else " ".join(said[:3])
        frame = next((match for match in map(_MINITEST_FRAME.match, said) if match), None)
        path = test["path"] or (frame["path"] if frame else "")
        number = test["line"] or (frame["line"] if frame else "")
        yield LogFailure(
            self.tool,
            thrown["kind"] if thrown else "assertion",
            one_line(message) or "failed",
            Weight.CAUSE,
            block[0].number,
            repository_path(path),
            int(number[:9]) if number else None,
            quoted(message) if thrown else "",
            test["test"],
            excerpt=excerpt(block),
        )
