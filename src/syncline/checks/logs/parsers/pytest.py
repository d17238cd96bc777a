"""pytest: its sections of errors and failures, its short summary, and what stops it before there are any."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from syncline.checks.logs.exceptions import Frame, Raised, excerpt_of, failure_of, weight_of
from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.pytest_block import Block, told_in
from syncline.checks.logs.parsers.python import PythonTraceback
from syncline.checks.logs.paths import repository_path, under, without_places

_SECTION = re.compile(r"={3,} (.+?) ={3,}$")
_HEADER = re.compile(r"_+ (?![ _]*$)(.+?) _+$")
_CONFTEST = re.compile(r"ImportError while loading conftest '([^']+)'")
_SHORT = re.compile(r"(FAILED|ERROR|SUBFAIL(?:ED)?(?:\([^)]*\)|\[[^]]*\])*) (\S+\.py(?:::.+?)?)(?: - (.*))?$")
_LIVE = re.compile(
    r"(?:\[gw\d+\] )?(?:\[ *\d+%\] )?(?:(FAILED|ERROR) ((?>\S+?\.py::)\S+)|((?>\S+?\.py::).+?) (FAILED|ERROR)(?: +\[.*)?) *$"
)
_ROOT = re.compile(r"rootdir: (/[^,\s]+)")
_USAGE = re.compile(r"(?:ERROR: )?(?:usage: |(?:pytest|__main__\.py|py\.test): error: (.+))")
_NOT_FOUND = re.compile(
    r"ERROR: (?:(?:file or directory not found|not found): (\S+)|(found no collectors for) (\S+))"
)
_COVERAGE = re.compile(
    r"(?:FAIL |ERROR: )(Required test coverage of .+ not reached.*|Coverage failure: .+ is less than .+)"
)
_TIMEOUT = re.compile(r"\++ Timeout \++$")
_STACK = re.compile(r'  File "([^"]+)", line (\d+), in (.+)')
_CRASH = re.compile(r"worker '(gw\d+)' crashed while running '([^']+)'")
_NONE_RAN = re.compile(r"no tests ran in [\d.]+s")
_INTERNAL = "INTERNALERROR>"
_MOST = 1500
"""Failures held until the short summary names their tests."""


class Pytest:
    """Reads one run of pytest after another."""

    tool: ClassVar[str] = "pytest"
    words: ClassVar[tuple[str, ...]] = (
        "= ERRORS =", "= FAILURES =", "short test summary info", "ImportError while loading conftest",
        "FAILED", "ERROR ", "SUBFAIL", "rootdir: ", "pytest: error: ", "__main__.py: error: ", "ERROR: ",
        "Required test coverage of", "+ Timeout +", "INTERNALERROR>", "no tests ran in", "crashed while running '",
    )  # fmt: skip

    def __init__(self) -> None:
        self.busy = False
        self._root = ""
        self._forget()

    def _forget(self) -> None:
        self._section = ""
        self._block: Block | None = None
        self._held: list[tuple[str, LogFailure]] = []
        self._named: dict[str, LogFailure] = {}
        self._live: dict[str, LogFailure] = {}
        self._said: list[LogFailure] = []
        self._internal: PythonTraceback | None = None
        self._hung: Raised | None = None
        self.busy = False

    def feed(self, line: Line) -> Iterator[LogFailure]:
        """Take a line."""
        text = line.text
        if text.startswith(_INTERNAL):
            self._feed_internal(line)
        elif self._hung is not None:
            self._feed_stack(line)
        elif (section := _SECTION.match(text)) is not None:
            yield from self._enter(section[1], line)
        elif self._section in {"ERRORS", "FAILURES"}:
            self._feed_block(line)
        elif self._block is not None and self._block.take(line):
            pass
        else:
            self._close()
            self._feed_other(line)

    def end(self) -> Iterator[LogFailure]:
        """Tell all failures, with the names that the short summary has for their tests."""
        self._close()
        ids = {_as_title(one): one for one in self._named}
        told = []
        for title, failure in self._held:
            # A subtest's title ends in its parameters.
            test = (ids.get(title) or ids.get(title.partition(" (")[0])) if failure.test else ""
            told.append(replace(failure, test=test) if test else failure)
        known = {one.test for one in told} | {one.path for one in told if not one.test}
        known |= {one.chain[0] for one in told if one.chain and not one.test}
        for more in (self._named, self._live):
            for test, failure in more.items():
                if test not in known:
                    known.add(test)
                    told.append(failure)
        told.extend(one for one in self._said if one.weight is not Weight.END or not told)
        self._forget()
        yield from sorted(told, key=lambda one: one.at)

    def _enter(self, name: str, line: Line) -> Iterator[LogFailure]:
        if name == "test session starts":
            yield from self.end()
        self._close()
        self._section = name if name in {"ERRORS", "FAILURES", "short test summary info"} else ""
        self.busy = self._section in {"ERRORS", "FAILURES"}
        if _NONE_RAN.search(line.text):
            self._say("no tests ran", "no tests ran", line, weight=Weight.END)

    def _feed_block(self, line: Line) -> None:
        header = _HEADER.match(line.text)
        if header is not None:
            self._close()
            self._block = Block(header[1], line)
            self.busy = True
        elif self._block is not None:
            self._block.take(line)

    def _close(self) -> None:
        """A block is over: hold what it tells."""
        block, self._block = self._block, None
        if block is not None:
            for failure in block.failures(self._root):
                if len(self._held) < _MOST:
                    self._held.append((block.title, failure))
        if self._section not in {"ERRORS", "FAILURES"}:
            self.busy = False
        if self._internal is not None:
            internal, self._internal = self._internal, None
            self._said.extend(internal.end())

    def _feed_other(self, line: Line) -> None:
        text = line.text
        if (conftest := _CONFTEST.match(text)) is not None:
            self._block = Block(f"ERROR collecting {repository_path(conftest[1])}", line, conftest=True)
            self.busy = True
        elif (short := _SHORT.match(text)) is not None:
            self._name(short[2], short[3] or "", line)
        elif (live := _LIVE.match(text)) is not None:
            test = (live[2] or live[3]).strip()
            if len(self._live) < _MOST:
                self._live.setdefault(test, _unexplained(test, "failed", "failed", line))
        elif (root := _ROOT.match(text)) is not None:
            self._root = root[1]
        else:
            self._feed_said(line)

    def _feed_said(self, line: Line) -> None:
        text = line.text
        if (coverage := _COVERAGE.match(text)) is not None:
            self._say("fail-under", coverage[1], line, tool="pytest-cov")
        elif (missing := _NOT_FOUND.match(text)) is not None:
            path = under(missing[1] or missing[3], self._root)
            self._say("not found", f"{missing[2] or 'not found'}: {path}", line, path=path.partition("::")[0])
        elif (usage := _USAGE.match(text)) is not None and usage[1]:
            self._say("usage", usage[1], line)
        elif _TIMEOUT.match(text):
            self._hung = Raised(line.number, "timeout", "a test ran longer than its time limit")
            self.busy = True
        elif _NONE_RAN.match(text):
            self._say("no tests ran", "no tests ran", line, weight=Weight.END)
        elif (crash := _CRASH.search(text)) is not None:
            self._say("worker crashed", "a worker of xdist crashed", line, test=crash[2])

    def _say(
        self, kind: str, message: str, line: Line, *,
        tool: str = "pytest", path: str = "", test: str = "", weight: Weight = Weight.CAUSE,
    ) -> None:  # fmt: skip
        known = any(one.kind == kind for one in self._said) and kind in {"fail-under", "no tests ran"}
        if not known and len(self._said) < _MOST:
            failure = LogFailure(
                tool, kind, message, weight, line.number, path=path, test=test, excerpt=excerpt_of([line.text])
            )
            self._said.append(failure)

    def _name(self, test: str, words: str, line: Line) -> None:
        if test in self._named or len(self._named) >= _MOST:
            return
        kind, message = told_in(words) or ("failed", words or "failed")
        self._named[test] = _unexplained(test, kind, message or kind, line)

    def _feed_internal(self, line: Line) -> None:
        if self._internal is None:
            self._close()
            self._internal = PythonTraceback("pytest")
            self.busy = True
        text = line.text.removeprefix(_INTERNAL).removeprefix(" ")
        self._said.extend(self._internal.feed(replace(line, text=text)))
        del self._said[_MOST:]

    def _feed_stack(self, line: Line) -> None:
        hung = self._hung
        if hung is None:
            return
        frame = _STACK.match(line.text)
        if frame is not None:
            hung.add(Frame(frame[1], int(frame[2]), frame[3]))
        elif _TIMEOUT.match(line.text) or line.number > hung.at + 2000:
            self._hung, self.busy = None, False
            calls = [f"{one.path}:{one.line} in {one.function}" for one in hung.frames]
            failure = failure_of("pytest", [hung], calls, root=self._root)
            if failure is not None:
                self._said.append(failure)
        elif "Stack of" in line.text and "MainThread" in line.text:
            hung.frames.clear()


def _as_title(test: str) -> str:
    """Return how the header of a test's block names it: `a.py::TestX::test_y[1]` is `TestX.test_y[1]` there."""
    path, _, inner = test.partition("::")
    name, bracket, parameters = inner.partition("[")
    return f"{name.replace('::', '.')}{bracket}{parameters}" if inner else path


def _unexplained(test: str, kind: str, message: str, line: Line) -> LogFailure:
    path, _, inner = test.partition("::")
    message = without_places(message)
    return LogFailure(
        "pytest", kind, message, weight_of(kind, message), line.number, path=repository_path(path),
        symbol=inner.partition("[")[0].rpartition("::")[2], test=test if inner else "",
        excerpt=excerpt_of([line.text]),
    )  # fmt: skip
