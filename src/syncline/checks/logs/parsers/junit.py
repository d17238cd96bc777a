"""JUnit and its kin as Maven (surefire) and Gradle print them, and in XML of any runner."""

import html
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.block import BlockParser, excerpt
from syncline.checks.logs.parsers.java import innermost
from syncline.checks.logs.parsers.rules import one_line
from syncline.checks.logs.paths import repository_path

_SUREFIRE = re.compile(
    r"^(?:\[ERROR\] +)?(?P<test>[\w.$].*?)(?: --)?(?<! ) +Time elapsed: [^<T]*<<< (?:FAILURE|ERROR)!"
)
_GRADLE = re.compile(r"^(?P<test>[\w.$]+ > \S.*) FAILED$")
_GRADLE_AT = re.compile(
    r"^\s+(?:at )?(?P<kind>[\w.$]+?)(?:: (?P<message>.*))? at (?P<path>[\w$]+\.\w+):(?P<line>\d+)$"
)
_TAG = re.compile(r"<(?P<tag>testcase|failure|error)\b(?P<rest>[^<>]*)>")
_ATTRIBUTE = re.compile(r"\b(?P<name>name|classname|file|line|message|type)=\"(?P<value>[^\"]*)\"")


class Junit(BlockParser):
    """Failed tests on the console."""

    tool: ClassVar[str] = "junit"
    words: ClassVar[tuple[str, ...]] = ("<<< FAILURE!", "<<< ERROR!", " FAILED")

    def opens(self, text: str) -> bool:
        """A test's own line, not the sum of its class."""
        if "<<< " in text:
            return "Tests run:" not in text and _SUREFIRE.match(text) is not None
        return " > " in text and text.endswith(" FAILED") and _GRADLE.match(text) is not None

    def closes(self, text: str) -> bool:
        """What is no part of a stack."""
        return not text.strip() or text.startswith(("[ERROR] ", "[INFO] ", "Tests run:"))

    def read(self, block: Sequence[Line]) -> Iterable[LogFailure]:
        """Tell the exception that caused the others."""
        head = _SUREFIRE.match(block[0].text) or _GRADLE.match(block[0].text)
        if head is None or len(block) < 2:
            return
        texts = [line.text for line in block[1:]]
        kind, message, frame = innermost(texts)
        path, line = (frame["path"], frame["line"]) if frame else ("", "")
        short = _GRADLE_AT.match(texts[0])
        if short is not None:
            kind, message = short["kind"].rpartition(".")[2], short["message"] or message
            path, line = short["path"], short["line"]
        yield LogFailure(
            self.tool,
            kind or "failed",
            one_line(message or texts[0]),
            Weight.CAUSE,
            block[0].number,
            path,
            int(line[:9]) if line else None,
            test=head["test"].strip()[:300],
            excerpt=excerpt(block),
        )


class JunitXml:
    """`<testcase>` with a `<failure>` or an `<error>` in it, one tag a line or all on one."""

    tool: ClassVar[str] = "junit"
    words: ClassVar[tuple[str, ...]] = ("<testcase ", "<failure", "<error")
    busy: bool = False

    def __init__(self) -> None:
        """Begin outside of any case."""
        self._case: dict[str, str] = {}

    def feed(self, line: Line) -> Iterator[LogFailure]:
        """Take a line with tags."""
        for tag in _TAG.finditer(line.text):
            attributes = {
                match["name"]: html.unescape(match["value"]) for match in _ATTRIBUTE.finditer(tag["rest"])
            }
            if tag["tag"] == "testcase":
                self._case = {} if tag["rest"].endswith("/") else attributes
            elif self._case:
                number = self._case.get("line", "")
                yield LogFailure(
                    self.tool,
                    attributes.get("type", "").rpartition(".")[2] or tag["tag"],
                    one_line(attributes.get("message", "") or "failed"),
                    Weight.CAUSE,
                    line.number,
                    repository_path(self._case.get("file", "")),
                    int(number[:9]) if number.isascii() and number.isdigit() else None,
                    test=".".join(filter(None, (self._case.get("classname"), self._case.get("name"))))[:300],
                    excerpt=(line.text[:500],),
                )
                self._case = {}

    def end(self) -> Iterable[LogFailure]:
        """Nothing is open: a case without a failure passed."""
        return ()
