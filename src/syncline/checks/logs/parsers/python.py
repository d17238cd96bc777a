"""Tracebacks of Python: chained, in groups, of syntax errors; and what the interpreter itself says."""

import re
from collections import deque
from collections.abc import Iterator
from typing import ClassVar

from syncline.checks.logs.exceptions import Frame, Raised, excerpt_of, failure_of, raised
from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.parser import Line
from syncline.checks.logs.paths import is_own, repository_path

_HEADER = "Traceback (most recent call last)"
_GROUP = "Exception Group Traceback (most recent call last)"
_FRAME = re.compile(r'\s+File "([^"]+)", line (\d+)(?:,? in (.+))?$')
_FATAL = re.compile(r"Fatal Python error: (.+)")
_MISSING = re.compile(
    r"\S*python[\d.]*(?:\.exe)?: (?:Error while finding module specification for .*)?No module named (\S+)"
)
_NO_FILE = re.compile(r"\S*python[\d.]*(?:\.exe)?: can't open file '([^']+)'")
_CHAINS = (
    "During handling of the above exception, another exception occurred:",
    "The above exception was the direct cause of the following exception:",
)
_MARGIN = re.compile(r"\s*[|+](?:-\+-+ \d+ -+|-{4,} \d+ -+|-{10,}| ?)")
_PATIENCE = 30
"""Lines after an exception that may belong to its message, before the chain goes on."""
_LINES = 400


class PythonTraceback:
    """Reads tracebacks; `tool` and `test` are told by who has them in its own output."""

    tool: ClassVar[str] = "python"
    words: ClassVar[tuple[str, ...]] = (
        _HEADER, '  File "', "Fatal Python error: ", ": No module named ", ": can't open file '",
    )  # fmt: skip

    def __init__(self, tool: str = "python", test: str = "") -> None:
        self._tool = tool
        self._test = test
        self.busy = False
        self._forget()

    def _forget(self) -> None:
        self._chain: list[Raised] = []
        self._lines: deque[str] = deque(maxlen=_LINES)
        self._first: list[str] = []
        self._prefix = ""
        self._open = False
        self._waiting = 0
        self._linked = False
        self._blank = False
        self._group = False
        self._told: list[LogFailure] = []
        self._fatal = ""
        self.busy = False

    def feed(self, line: Line) -> Iterator[LogFailure]:
        """Take a line."""
        text = self._without_margin(line.text)
        at = text.find(_HEADER)
        if at >= 0 and not text.startswith("INTERNALERROR>"):
            if self.busy and not (self._linked or (self._group and _GROUP not in line.text)):
                yield from self.end()
            self._begin(line, text[:at].removesuffix("Exception Group ").removesuffix("+ "), _GROUP in line.text)
        elif self.busy:
            self._keep(text)
            yield from self._go_on(line, text)
        else:
            yield from self._alone(line)

    def end(self) -> Iterator[LogFailure]:
        """Tell what was read so far."""
        told = [*self._told]
        if self._fatal:
            told.append(self._fatal_failure())
        elif self._chain and not told:
            failure = failure_of(self._tool, self._chain, self._shown(), test=self._test)
            told = [failure] if failure is not None else []
        self._forget()
        yield from told

    def _begin(self, line: Line, prefix: str, group: bool) -> None:  # noqa: FBT001 - private
        if not self.busy:
            self._prefix = prefix
            self._group = group
        self.busy = True
        self._chain.append(Raised(line.number))
        if len(self._chain) > 50:
            del self._chain[25]
        self._open, self._linked, self._waiting = True, False, 0
        self._keep(line.text)

    def _keep(self, text: str) -> None:
        if len(self._first) < 5:
            self._first.append(text)
        else:
            self._lines.append(text)

    def _shown(self) -> tuple[str, ...]:
        return excerpt_of([*self._first, *self._lines])

    def _without_margin(self, text: str) -> str:
        if self._group:
            margin = _MARGIN.match(text)
            return text[margin.end() :] if margin is not None else text
        if self._prefix and text.startswith(self._prefix):
            return text[len(self._prefix) :]
        return text

    def _go_on(self, line: Line, text: str) -> Iterator[LogFailure]:
        if self._fatal:
            yield from self._go_on_fatal(text)
            return
        if self._group and line.text.strip() and not _MARGIN.match(line.text):
            yield from self.end()
            return
        now = self._chain[-1]
        if self._open:
            frame = _FRAME.match(text)
            if frame is not None:
                now.add(Frame(frame[1], int(frame[2]), frame[3] or ""))
                return
            told = raised(text)
            if told is not None and not text.startswith(" "):
                self._raise(now, line, *told)
            elif text.strip() and not text.startswith(" ") and not self._group:
                # Something else came in between, of a process without a prefix; a traceback never has such a line.
                self._waiting += 1
                if self._waiting > 3:
                    yield from self.end()
        else:
            yield from self._wait(line, text)

    def _raise(self, now: Raised, line: Line, kind: str, message: str) -> None:
        now.kind, now.message, now.at = kind, message, line.number
        if not self._group:
            self._open, self._waiting = False, _PATIENCE
            return
        if not kind.endswith("Group"):
            # A group may hold one with calls of its own, or be all that tells where.
            outer = self._chain[0].frames
            leaf = Raised(line.number, kind, message, now.frames if now is not self._chain[0] else [])
            if not any(is_own(repository_path(one.path)) for one in leaf.frames):
                leaf.frames = [*outer, *leaf.frames]
            failure = failure_of(self._tool, [leaf], self._shown(), test=self._test)
            if failure is not None and len(self._told) < 20:
                self._told.append(failure)
            if now is not self._chain[0]:
                self._chain.pop()
        if now is self._chain[-1]:
            # What is in the group comes next.
            self._chain.append(Raised(line.number))

    def _wait(self, line: Line, text: str) -> Iterator[LogFailure]:
        if text.strip() in _CHAINS:
            self._linked = True
            return
        self._waiting -= 1
        if self._blank and text.strip() and not self._linked:
            self._waiting = 0
        self._blank = not text.strip()
        if self._waiting <= 0 or any(word in text for word in self.words):
            yield from self.end()
            yield from self._alone(line)

    def _alone(self, line: Line) -> Iterator[LogFailure]:
        """What comes without a traceback: a syntax error, a crash, a module or script that is not there."""
        text = line.text
        frame = _FRAME.match(text)
        if frame is not None and frame[3] is None:
            self._begin(line, "", group=False)
            self._chain[-1].add(Frame(frame[1], int(frame[2])))
        elif (fatal := _FATAL.match(text)) is not None:
            self._begin(line, "", group=False)
            self._fatal = fatal[1]
        elif (missing := _MISSING.match(text)) is not None:
            yield LogFailure(
                self._tool, "ModuleNotFoundError", f"No module named {missing[1]!r}", Weight.CAUSE, line.number,
                symbol=missing[1], test=self._test, excerpt=(text,),
            )  # fmt: skip
        elif (no_file := _NO_FILE.match(text)) is not None:
            path = repository_path(no_file[1])
            yield LogFailure(
                self._tool, "FileNotFoundError", f"cannot open {path}", Weight.CAUSE, line.number,
                path=path, excerpt=(text,),
            )  # fmt: skip

    def _go_on_fatal(self, text: str) -> Iterator[LogFailure]:
        frame = _FRAME.match(text)
        if frame is not None:
            # The newest call stands first.
            self._chain[-1].frames.insert(0, Frame(frame[1], int(frame[2]), frame[3] or ""))
            del self._chain[-1].frames[:-100]
            return
        self._waiting += 1
        if self._waiting > 3 and not text.startswith(("Current thread", "Thread", "Python runtime", " ")):
            yield from self.end()

    def _fatal_failure(self) -> LogFailure:
        frames = [Frame(repository_path(one.path), one.line, one.function) for one in self._chain[-1].frames]
        place = ([one for one in frames if is_own(one.path)] or frames or [Frame("", None)])[-1]
        return LogFailure(
            self._tool, "crash", self._fatal, Weight.CAUSE, self._chain[-1].at, path=place.path, line=place.line,
            symbol=place.function, test=self._test, excerpt=self._shown(),
        )  # fmt: skip
