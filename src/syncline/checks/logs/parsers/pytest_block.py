"""One block of pytest's sections ERRORS and FAILURES: what one test, fixture or module says, in any style."""

import re
from collections.abc import Iterator
from dataclasses import replace

from syncline.checks.logs.exceptions import Frame, Raised, failure_of, raised
from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.python import PythonTraceback
from syncline.checks.logs.paths import repository_path

_ERROR = re.compile(r"E(?:\s+(.*))?$")
_PLACE = re.compile(
    r"(?=<?[^\s:<>]*(?:[\\/]|\.pyx?:|>:))([^\s:]+):(\d+): ?(?:in (\S+)|(?:[A-Za-z_][\w.]*(?:: .*)?)?)$"
)
_FUNCTION = re.compile(r">?\s+(?:async )?def (\w+)\(")
_FIXTURE = re.compile(r"(?:recursive dependency involving )?fixture '([^']+)' (?:not found|detected)")
_FILE = re.compile(r"file (\S+), line (\d+)")
_SYNTAX_FILE = re.compile(r'\s*File "([^"]+)", line (\d+)')
_CHAINS = ("During handling of the above exception", "The above exception was the direct cause")
_CRASH = re.compile(r"worker '(gw\d+)' crashed while running '([^']+)'")
_WHEN = re.compile(r"ERROR (collecting|at setup of|at teardown of) (.+)")
_CAPTURED = re.compile(r"-+ (?:Captured|live log)")
_MODULE = re.compile(r"ImportError while (?:loading conftest|importing test module) '(/[^']+)'")
_LINES = 60


class Block:
    """Is fed the lines of one block, and then asked what they tell."""

    def __init__(self, title: str, line: Line, *, conftest: bool = False) -> None:
        when = _WHEN.match(title)
        self.title = when[2] if when else title
        self._collecting = when is not None and when[1] == "collecting"
        self._conftest = conftest
        self._at = line.number
        self._chain = [Raised(line.number)]
        self._lines = [line.text] if conftest else []
        self._said: list[str] = []
        self._function = ""
        self._source = ""
        self._captured = False
        self._inner: PythonTraceback | None = None
        self._found: list[LogFailure] = []
        self._file: tuple[str, int] | None = None
        self._module = ""
        if conftest:
            self._take_source(line.text)

    def take(self, line: Line) -> bool:
        """Take a line; False when it is no part of this block (only a block without a header ends by itself)."""
        text = line.text
        if self._captured:
            return True
        if _CAPTURED.match(text):
            self._captured = True
            return True
        if self._inner is not None:
            self._found.extend(self._inner.feed(line))
            del self._found[20:]
        if self._inner is not None or "Traceback (most recent call last)" in text:
            self._take_native(line)
            return True
        if len(self._lines) < 400:
            self._lines.append(text)
        if (error := _ERROR.match(text)) is not None:
            self._take_error(line, error[1] or "")
        elif text.startswith(_CHAINS):
            self._finish()
            self._chain.append(Raised(line.number))
            del self._chain[20:]
        elif (place := _PLACE.match(text)) is not None:
            self._chain[-1].add(Frame(place[1], int(place[2]), place[3] or self._function))
        elif (crash := _CRASH.match(text)) is not None:
            self._chain[-1].kind, self._chain[-1].message = "worker crashed", "a worker of xdist crashed"
            self.title = crash[2]
        else:
            return self._take_source(text)
        return True

    def _take_native(self, line: Line) -> None:
        if self._inner is None:
            self._inner = PythonTraceback("pytest")
            self._found.extend(self._inner.feed(line))

    def _take_error(self, line: Line, words: str) -> None:
        if not self._said:
            self._chain[-1].at = line.number
        if len(self._said) < 40:
            self._said.append(words)

    def _take_source(self, text: str) -> bool:
        if text.startswith("[XPASS(strict)]"):
            self._chain[-1].kind, self._chain[-1].message = "XPASS(strict)", text.strip()
        if (module := _MODULE.match(text)) is not None:
            self._module = module[1]
        elif (file := _FILE.match(text)) is not None:
            self._file = (file[1], int(file[2]))
        elif (function := _FUNCTION.match(text)) is not None:
            self._function = function[1]
        if text.startswith((">", "    ")) and text.strip(" ^~") and not self._said:
            self._source = text.lstrip("> ").strip()
        # A conftest's block has no header after it: it ends with the first line that is none of its own.
        return not (self._conftest and self._said and text.strip() and not text.startswith((" ", "E", ">")))

    def _finish(self) -> None:
        """One exception of the chain is complete."""
        now, said = self._chain[-1], self._said
        self._said = []
        if now.kind or not said:
            return
        first = said[0].strip()
        file = _SYNTAX_FILE.match(said[0])
        if file is not None:
            now.add(Frame(file[1], int(file[2])))
            told = next((one for one in map(raised, map(str.strip, reversed(said))) if one is not None), None)
            now.kind, now.message = told or ("SyntaxError", first)
        elif (fixture := _FIXTURE.match(first)) is not None:
            now.kind, now.message = "fixture not found", f"fixture {fixture[1]!r} not found"
        else:
            now.kind, now.message = told_in(first) or ("AssertionError", first)
            now.message = now.message or self._source

    def failures(self, root: str) -> Iterator[LogFailure]:
        """Yield what the block tells; `root` is the directory of the check-out, where that is known."""
        self._finish()
        root = root or self._root()
        found = self._found
        if self._inner is not None:
            found.extend(self._inner.end())
        if self._file is not None and not self._chain[0].frames:
            self._chain[0].frames.append(Frame(*self._file, self._function))
        told = failure_of("pytest", self._chain, self._shown(), root=root)
        if told is not None:
            found.append(told)
        test = "" if self._collecting else self.title
        for failure in found:
            fixture = _FIXTURE.match(failure.message)
            path = failure.path
            if self._collecting and (not path or path.endswith(f"/{self.title}")):
                path = repository_path(self.title)
            yield replace(
                failure, tool="pytest", test=test, path=path, symbol=fixture[1] if fixture else failure.symbol,
                weight=Weight.CAUSE if failure.kind == "SystemExit" and self._collecting else failure.weight,
            )  # fmt: skip

    def _root(self) -> str:
        """Return the directory of the check-out, where a module is told both from there and from the top."""
        for path in (self.title, *(frame.path for frame in self._chain[0].frames[:10])):
            if not path.startswith("/") and self._module.endswith(f"/{path}"):
                return self._module[: -len(path) - 1]
        return ""

    def _shown(self) -> list[str]:
        """Return the lines that tell: places and errors, the source right above an error."""
        lines = self._lines
        errors = [number for number, text in enumerate(lines) if _ERROR.match(text)]
        if not errors or len(lines) <= 20:
            return lines
        kept = set(errors[:8]) | {number for number, text in enumerate(lines) if _PLACE.match(text)}
        kept |= {errors[0] - 1, errors[0] - 2, *range(errors[0], errors[0] + 6)}
        return [text for number, text in enumerate(lines) if number in kept][-_LINES:]


def told_in(words: str) -> tuple[str, str] | None:
    """Return kind and message of what pytest says of a test, in its E lines or its summary."""
    if words.startswith("[XPASS(strict)]"):
        return "XPASS(strict)", words.strip()
    if words.startswith("assert "):
        return "AssertionError", words
    told = raised(words)
    return ("timeout", told[1]) if told is not None and "from pytest-timeout" in told[1] else told
