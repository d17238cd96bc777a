"""mocha: the list of failures at its end."""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.block import BlockParser, excerpt
from syncline.checks.logs.parsers.javascript import ERROR, first_frame
from syncline.checks.logs.parsers.rules import one_line, quoted
from syncline.checks.logs.paths import repository_path

_FAILING = re.compile(r"^ +\d+ failing$")
_HEAD = re.compile(r"^ {2,4}\d+\) (?P<title>\S.*)$")


class Mocha(BlockParser):
    """After `N failing`: numbered titles, each with an error and its stack."""

    tool: ClassVar[str] = "mocha"
    words: ClassVar[tuple[str, ...]] = (" failing",)
    longest: ClassVar[int] = 60

    def __init__(self) -> None:
        """Begin before the list."""
        super().__init__()
        self._listing = 0

    @property
    def busy(self) -> bool:
        """Whether the list may go on."""
        return bool(self._block) or self._listing > 0

    def opens(self, text: str) -> bool:
        """A number and a title, within the list."""
        if _FAILING.match(text):
            self._listing = 20
            return False
        if self._listing and _HEAD.match(text):
            self._listing = 20
            return True
        self._listing = max(0, self._listing - 1)
        return False

    def closes(self, text: str) -> bool:
        """What begins in the first column is another program's."""
        return bool(text) and not text[0].isspace()

    def read(self, block: Sequence[Line]) -> Iterable[LogFailure]:
        """The lines to the first empty one are the title, the next the error."""
        head = _HEAD.match(block[0].text)
        texts = [line.text for line in block[1:]]
        blank = next((number for number, text in enumerate(texts) if not text.strip()), None)
        if head is None:
            return
        title = [head["title"], *(text.strip() for text in texts[:blank] if text.strip())]
        if blank is None or not title[-1].endswith(":"):
            # Titles without a suite: `1) title:` and the error right after.
            blank = blank or 0
        said = [text.strip() for text in texts[blank:] if text.strip()]
        if not said:
            return
        thrown = ERROR.match(said[0])
        frame = first_frame(texts)
        message = thrown["message"] if thrown else said[0]
        timeout = message.startswith("Timeout of ")
        yield LogFailure(
            self.tool,
            "timeout" if timeout else thrown["kind"] if thrown else "failed",
            one_line(message),
            Weight.CAUSE,
            block[0].number,
            repository_path(frame["path"]) if frame else "",
            int(frame["line"][:9]) if frame else None,
            quoted(message),
            " ".join(title).removesuffix(":")[:300],
            excerpt=excerpt(block),
        )
