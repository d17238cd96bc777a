"""Tests that speak TAP (Test Anything Protocol, version 12 to 14), and Node's own runner."""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.block import BlockParser, excerpt
from syncline.checks.logs.parsers.javascript import ERROR, first_frame
from syncline.checks.logs.parsers.rules import one_line
from syncline.checks.logs.paths import repository_path

_NOT_OK = re.compile(r"^\s*not ok \d+(?: -)? ?(?P<test>[^#]*)(?P<directive># ?(?:TODO|SKIP|todo|skip)\b)?")
_FIELD = re.compile(r"^\s+(?:message|error): (?P<value>.*)$")
_PLACE = re.compile(r"^\s+(?:location|file): ['\"]?(?P<path>[^\s:'\"]+)(?::(?P<line>\d+))?")
_LINE = re.compile(r"^\s+line: (?P<line>\d+)$")
_PERL = re.compile(r"^#\s+at (?P<path>\S+) line (?P<line>\d+)\.$")
_NODE = re.compile(r"^✖ (?P<test>\S.*) \([\d.]+ms\)$")


class Tap(BlockParser):
    """`not ok`, and what is said of it."""

    tool: ClassVar[str] = "tap"
    words: ClassVar[tuple[str, ...]] = ("not ok",)

    def opens(self, text: str) -> bool:
        """A test that is not to be done later."""
        if not text.lstrip().startswith("not ok"):
            return False
        match = _NOT_OK.match(text)
        return match is not None and match["directive"] is None

    def closes(self, text: str) -> bool:
        """The next test, or the plan."""
        return text.lstrip().startswith(("ok ", "1..", "not ok", "# Subtest")) or text.strip() == "..."

    def read(self, block: Sequence[Line]) -> Iterable[LogFailure]:
        """The message and the place of the YAML under it, or of the comments of Perl."""
        head = _NOT_OK.match(block[0].text)
        if head is None:
            return
        texts = [line.text for line in block[1:]]
        message, path, number = "", "", ""
        for at, text in enumerate(texts):
            if (field := _FIELD.match(text)) and not message:
                value = field["value"].strip("'\" ")
                message = (
                    " ".join(said.strip() for said in texts[at + 1 : at + 6]) if value[:1] in {"|", ">"} else value
                )
            elif (place := _PLACE.match(text) or _PERL.match(text)) and not path:
                path, number = place["path"], place["line"] or ""
            elif (place := _LINE.match(text)) and path and not number:
                number = place["line"]
        at_stack = first_frame(text.replace("at:", "at", 1) for text in texts) if not path else None
        if at_stack is not None:
            path, number = at_stack["path"], at_stack["line"]
        subtests = any("subtestsFailed" in text for text in texts)
        yield LogFailure(
            self.tool,
            "subtests" if subtests else "failed",
            one_line(message or head["test"] or "not ok"),
            Weight.SYMPTOM if subtests else Weight.CAUSE,
            block[0].number,
            repository_path(path),
            int(number[:9]) if number else None,
            test=head["test"].strip()[:300],
            excerpt=excerpt(block),
        )


class NodeTest(BlockParser):
    """The reporter for people of Node's runner: `✖ test (1.2ms)`, and the error."""

    tool: ClassVar[str] = "node test"
    words: ClassVar[tuple[str, ...]] = ("✖ ",)

    def opens(self, text: str) -> bool:
        """A test with its time; suites are told so too, without an error."""
        return text.startswith("✖ ") and _NODE.match(text) is not None

    def closes(self, text: str) -> bool:
        """What begins in the first column."""
        return bool(text) and not text[0].isspace()

    def read(self, block: Sequence[Line]) -> Iterable[LogFailure]:
        """The first line with a class is the error."""
        head = _NODE.match(block[0].text)
        texts = [line.text for line in block[1:]]
        thrown = next((match for match in (ERROR.match(text.strip()) for text in texts) if match), None)
        if head is None or thrown is None:
            return
        frame = first_frame(texts)
        said = [thrown["message"], *(text.strip() for text in texts[1:5] if text.strip() and "at " not in text)]
        yield LogFailure(
            self.tool,
            thrown["kind"],
            one_line(" ".join(said)),
            Weight.CAUSE,
            block[0].number,
            repository_path(frame["path"]) if frame else "",
            int(frame["line"][:9]) if frame else None,
            test=head["test"][:300],
            excerpt=excerpt(block),
        )
