"""`go test`: failed tests, panics, races, time-outs; and panics of Go programs."""

import re
from collections.abc import Iterable, Iterator
from typing import ClassVar

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.block import excerpt
from syncline.checks.logs.parsers.rules import one_line
from syncline.checks.logs.paths import repository_path

_FAIL = re.compile(r"^\s*--- FAIL: (?P<test>\S+) \(\d")
_SAID = re.compile(r"^\s+(?P<path>[\w./-]+\.go):(?P<line>\d+): ?(?P<message>.*)")
_PANIC = re.compile(r"^(?:panic|fatal error): (?P<message>.+)")
_FRAME = re.compile(r"^\s+(?P<path>/?[^\s:]+(?::/[^\s:]+)?\.go):(?P<line>\d+)(?: \+0x[0-9a-f]+)?$")
_RUNNING = re.compile(r"^\t\t(?P<test>\S+) \(")
_PACKAGE = re.compile(r"^FAIL\t(?P<symbol>\S+)(?:\t[\d.]+s| \[(?P<why>build|setup) failed\])$")
_NOT_OURS = (
    "/src/runtime/",
    "/src/testing/",
    "/src/sync/",
    "/src/time/",
    "/pkg/mod/",
    "_testmain.go",
    "/libexec/src/",
)
_RUN = re.compile(r"^=== (?:RUN|NAME|CONT) +(?P<test>\S+)")
_RECOVERED = re.compile(r" \[recovered[^\]]*\]$")
_TESTS = 100
"""Tests remembered that have said something and have not ended."""
_LONGEST = 200
"""Lines of a dump: a time-out prints every goroutine, and the test's own is not always the first."""


class GoTest:
    """Reads what `go test` prints, with `-v` or without."""

    tool: ClassVar[str] = "go test"
    words: ClassVar[tuple[str, ...]] = (
        "--- FAIL: ",
        "=== RUN ",
        "panic: ",
        "fatal error: ",
        "WARNING: DATA RACE",
        "FAIL\t",
        ".go:",
    )

    def __init__(self) -> None:
        """Begin outside of everything."""
        self._running = ""
        self._said: dict[str, Line] = {}
        """The first thing that each running test said, which `-v` prints before its end."""
        self._failed: Line | None = None
        """A test that failed and has said nothing yet."""
        self._dump: list[Line] = []
        self._test = ""
        """The test that failed last."""

    @property
    def busy(self) -> bool:
        """Whether a dump or a failed test is open."""
        return bool(self._dump) or self._failed is not None

    def feed(self, line: Line) -> Iterator[LogFailure]:
        """Take a line."""
        text = line.text
        if self._dump:
            if len(self._dump) < _LONGEST and not self._dump_ends(text):
                self._dump.append(line)
                return
            yield from self._read_dump()
        if self._failed is not None and not text.startswith((" ", "\t")):
            # A panic right after it is why it failed, and tells more.
            if not _PANIC.match(text):
                yield from self._close()
            self._failed = None
        if text.startswith(("panic: ", "fatal error: ")) or text == "WARNING: DATA RACE":
            self._dump = [line]
        elif (package := _PACKAGE.match(text)) is not None:
            kind = f"{package['why']} failed" if package["why"] else "package"
            yield LogFailure(
                self.tool,
                kind,
                one_line(text),
                Weight.SYMPTOM,
                line.number,
                symbol=package["symbol"],
                excerpt=(text,),
            )
        elif (fail := _FAIL.match(text)) is not None:
            yield from self._fail(fail["test"], line)
        elif text.startswith("=== "):
            match = _RUN.match(text)
            self._running = match["test"] if match else ""
        else:
            yield from self._say(line)

    def end(self) -> Iterable[LogFailure]:
        """Give what is open."""
        if self._dump:
            yield from self._read_dump()
        yield from self._close()
        self._failed = None

    def _fail(self, test: str, line: Line) -> Iterable[LogFailure]:
        if self._failed is not None and not test.startswith(f"{self._test}/"):
            yield from self._close()
        self._failed, self._test = line, test
        said = self._said.pop(test, None)
        if said is not None:
            self._failed = None
            yield self._failure(test, said, (said.text, line.text))

    def _say(self, line: Line) -> Iterable[LogFailure]:
        said = _SAID.match(line.text)
        if self._failed is not None:
            # testify leaves the first line empty, and names the error further down.
            if (said is not None and said["message"]) or line.text.lstrip().startswith("Error:"):
                yield self._failure(self._test, line, (self._failed.text, line.text))
                self._failed = None
        elif said is not None and said["message"] and self._running and self._running not in self._said:
            if len(self._said) >= _TESTS:
                self._said.clear()
            self._said[self._running] = line

    def _close(self) -> Iterable[LogFailure]:
        if self._failed is not None:
            yield self._failure(self._test, self._failed, (self._failed.text,))

    def _failure(self, test: str, line: Line, shown: tuple[str, ...]) -> LogFailure:
        said = _SAID.match(line.text)
        message = said["message"] if said else line.text.strip().removeprefix("Error:").strip()
        race = "race detected during execution" in message
        mute = message.startswith("--- FAIL: ")
        return LogFailure(
            self.tool,
            "data race" if race else "failed",
            "failed" if mute else one_line(message),
            Weight.SYMPTOM if race or mute else Weight.CAUSE,
            line.number,
            repository_path(said["path"]) if said and not race else "",
            int(said["line"][:9]) if said and not race else None,
            test=test,
            excerpt=shown,
        )

    def _dump_ends(self, text: str) -> bool:
        if self._dump[0].text == "WARNING: DATA RACE":
            return text.startswith("======")
        return text.startswith(("FAIL", "exit status", "=== ", "--- ", "ok  \t", "make"))

    def _read_dump(self) -> Iterable[LogFailure]:
        dump, self._dump = self._dump, []
        texts = [line.text for line in dump]
        if texts[0] == "WARNING: DATA RACE":
            kind, message = "data race", "data race"
        else:
            match = _PANIC.match(texts[0])
            message = match["message"] if match else texts[0]
            kind = "timeout" if message.startswith("test timed out") else "panic"
            if texts[0].startswith("fatal error: "):
                kind = "deadlock" if "deadlock" in message else "fatal error"
            if not any(text.startswith("goroutine ") for text in texts):
                return
        frames = [frame for frame in map(_FRAME.match, texts) if frame]
        ours = next((frame for frame in frames if not any(part in frame["path"] for part in _NOT_OURS)), None)
        running = (
            next((match for match in map(_RUNNING.match, texts) if match), None) if kind == "timeout" else None
        )
        yield LogFailure(
            self.tool
            if self._test or running or kind == "data race" or any("testing.tRunner" in text for text in texts)
            else "go",
            kind,
            one_line(_RECOVERED.sub("", message)),
            Weight.CAUSE,
            dump[0].number,
            repository_path(ours["path"]) if ours else "",
            int(ours["line"][:9]) if ours else None,
            test=running["test"] if running else self._test if kind == "panic" else "",
            excerpt=excerpt(dump),
        )
