"""Tests of cargo, and panics of Rust programs."""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.block import BlockParser, excerpt
from syncline.checks.logs.parsers.rules import one_line
from syncline.checks.logs.paths import repository_path

_TEST = re.compile(r"^---- (?P<test>\S.*) stdout ----$")
_PANIC = re.compile(
    r"^thread '(?P<thread>[^']*)' (?:\(\d+\) )?panicked at (?P<path>[^':]+(?::\\[^:]+)?):(?P<line>\d+):\d+:$"
)
_OLD = re.compile(
    r"^thread '(?P<thread>[^']*)' panicked at '(?P<message>.+)', (?P<path>[^':]+):(?P<line>\d+):\d+$"
)
_ENDS = ("stack backtrace:", "note: ", "failures:", "---- ")


class CargoTest(BlockParser):
    """A failed test with its panic or error; a panic outside of tests."""

    tool: ClassVar[str] = "cargo test"
    words: ClassVar[tuple[str, ...]] = (" stdout ----", "' panicked at ", ") panicked at ")

    def __init__(self) -> None:
        """Begin outside of any test."""
        super().__init__()
        self._test = ""

    def opens(self, text: str) -> bool:
        """`---- tests::name stdout ----`, or a panic outside of such a block."""
        test = text.startswith("---- ") and _TEST.match(text) is not None
        return test or (not self._block and text.startswith("thread '") and " panicked at " in text)

    def closes(self, text: str) -> bool:
        """A test's block goes to the next; a panic's to the end of its message."""
        if self._block[0].text.startswith("---- "):
            return text.startswith(("failures:", "---- ", "test result:", "running "))
        return not text.strip() or text.startswith(_ENDS)

    def read(self, block: Sequence[Line]) -> Iterable[LogFailure]:
        """Take the panic, or the error that the test returned."""
        test = _TEST.match(block[0].text)
        name = test["test"] if test else ""
        for number, line in enumerate(block):
            panic = _PANIC.match(line.text) or _OLD.match(line.text)
            if panic is None:
                continue
            said = panic.groupdict().get("message") or " ".join(_message(block[number + 1 :]))
            kind = "assertion" if said.startswith("assertion") else "panic"
            yield LogFailure(
                self.tool if name else "rust",
                kind,
                one_line(said),
                Weight.CAUSE,
                line.number,
                repository_path(panic["path"]),
                int(panic["line"][:9]),
                test=name,
                excerpt=excerpt(block),
            )
            return
        for line in block[1:]:
            if name and line.text.startswith("Error: "):
                message = one_line(line.text.removeprefix("Error: "))
                yield LogFailure(
                    self.tool, "error", message, Weight.CAUSE, line.number, test=name, excerpt=excerpt(block)
                )
                return


def _message(lines: Sequence[Line]) -> Iterable[str]:
    for line in lines[:8]:
        if not line.text.strip() or line.text.startswith(_ENDS):
            return
        yield line.text
