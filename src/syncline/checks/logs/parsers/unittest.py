"""unittest: one block a test, with the traceback in it."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import ClassVar

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.block import BlockParser, excerpt
from syncline.checks.logs.parsers.python import PythonTraceback

_HEAD = re.compile(
    r"^(ERROR|FAIL|UNEXPECTED SUCCESS): (?P<name>\S+)(?: \((?P<where>[\w.<>]+)\))?(?P<sub>(?: [\[(].*)?)$"
)
_RULER = re.compile(r"^={50,}$")
_END = re.compile(r"^Ran \d+ tests? in ")
_MISSING = "unittest.loader._FailedTest"


class Unittest(BlockParser):
    """Reads what the text runner prints of each test, and of modules it cannot load."""

    tool: ClassVar[str] = "unittest"
    words: ClassVar[tuple[str, ...]] = ("ERROR: ", "FAIL: ", "UNEXPECTED SUCCESS: ")
    longest: ClassVar[int] = 400

    def opens(self, text: str) -> bool:
        """Tell whether a line names a test."""
        return _HEAD.match(text) is not None

    def closes(self, text: str) -> bool:
        """Tell whether the next test begins, or all are over."""
        return _RULER.match(text) is not None or _END.match(text) is not None

    def read(self, block: Sequence[Line]) -> Iterable[LogFailure]:
        """Give what a test's traceback tells. Without one, it is not unittest that wrote this."""
        head = _HEAD.match(block[0].text)
        if head is None or not any(line.text.startswith("-----") for line in block[1:4]):
            return ()
        name, where = head["name"], head["where"] or ""
        if where.startswith(_MISSING):
            test = ""
        else:
            # Python 3.11 and later name the method in brackets too.
            test = where if where.endswith(f".{name}") or not where else f"{where}.{name}"
        inner = PythonTraceback("unittest")
        told = [failure for line in block[1:] for failure in inner.feed(line)]
        told.extend(inner.end())
        if not told:
            kind = "unexpected success" if head[1].startswith("UNEXP") else head[1].lower()
            told = [LogFailure("unittest", kind, kind, Weight.CAUSE, block[0].number, excerpt=excerpt(block))]
        return tuple(replace(one, test=test or (name if not where else "")) for one in told[:10])
