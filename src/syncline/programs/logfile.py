"""The log of one attempt: a file that grows as output comes, but not without bound; and its last words."""

import os
import re
from collections import deque
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Self

from syncline.errors import ForgeError

LIMIT = 50 * 1024 * 1024
"""Bytes a log may have."""
HEAD = 1024 * 1024
"""Bytes of the beginning that are kept when a log outgrows its limit."""
SUMMARY = 300
"""Characters a summary may have."""

_TAIL = 8192
"""Bytes remembered for the summary: more than it can show, even in four-byte characters with colours."""
_LINES = 3
_ESCAPES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor (ECMA-48, 5.4)
    r"|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)"  # OSC: titles, links
    r"|\x1b[ -/]*[0-~]"  # the short ones
)
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, those that turn the direction of writing, and lone surrogates."""


class BoundedLog:
    """Writes output to `path` at once. Beyond `limit` bytes the first `head` and the newest are kept.

    Whenever the file reaches the limit it is replaced by its head, a line that says how much is left out,
    and its newest half; so what is on disk is never more than the limit, and each byte is copied about
    once.

    A disk that fails does not raise here (the check still has its result); `trouble` then says what
    happened. Only a file that cannot be made at all is a ForgeError.
    """

    def __init__(self, path: Path, *, limit: int = LIMIT, head: int = HEAD) -> None:
        self.path = path
        self.trouble = ""
        self._limit = limit
        self._head = head
        self._left_out = 0
        self._notice = 0
        self._tail: deque[bytes] = deque()
        self._tail_size = 0
        self._size = 0
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("w+b", buffering=0)
        except OSError as error:
            raise ForgeError(
                f"a check's log {path} cannot be written: {error.strerror}",
                hint="make it writable, or make room",
            ) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def write(self, data: bytes) -> None:
        """Append output."""
        self._remember(data)
        self._append(data)

    def note(self, text: str) -> None:
        """Append a line of syncline's own, which the summary does not repeat."""
        last = self._tail[-1][-1:] if self._tail else b"\n"
        self._append((b"" if last == b"\n" else b"\n") + f"[syncline: {text}]\n".encode(errors="replace"))

    def summary(self) -> str:
        """The last lines that say something, at most SUMMARY characters, safe to print."""
        return last_words(b"".join(self._tail))

    def _remember(self, data: bytes) -> None:
        self._tail.append(data[-_TAIL:])
        self._tail_size += len(self._tail[-1])
        while self._tail_size - len(self._tail[0]) >= _TAIL:
            self._tail_size -= len(self._tail.popleft())

    def _append(self, data: bytes) -> None:
        if self.trouble:
            return
        try:
            while data:
                room = self._limit - self._size
                if room <= 0:
                    self._compact()
                    continue
                written = self._file.write(data[:room])
                self._size += written
                data = data[written:]
        except OSError as error:
            self.trouble = f"the log is cut short: {error.strerror or error}"

    def _compact(self) -> None:
        """Replace the file by head, notice and newest half; made aside, so that a reader sees either."""
        start = self._size - self._limit // 2
        kept_from = self._head + self._notice
        self._left_out += start - kept_from
        notice = f"\n[syncline: {self._left_out} bytes are left out here]\n".encode()
        aside = self.path.with_name(self.path.name + ".new")
        with aside.open("w+b", buffering=0) as new:
            self._copy(new, 0, self._head)
            new.write(notice)
            self._copy(new, start, self._size)
        aside.replace(self.path)
        self._file.close()
        self._file = self.path.open("r+b", buffering=0)
        self._size = self._file.seek(0, os.SEEK_END)
        self._notice = len(notice)

    def _copy(self, new: FileIO, start: int, end: int) -> None:
        while start < end:
            part = os.pread(self._file.fileno(), min(end - start, 1 << 20), start)
            if not part:
                break
            start += len(part)
            while part:
                part = part[new.write(part) :]


def last_words(output: bytes) -> str:
    """The last non-empty lines of output as one: at most three, as many as fit into SUMMARY characters."""
    text = _ESCAPES.sub("", output.decode(errors="replace"))
    # A progress bar goes back with \r: what is written last on a line is what a terminal would show.
    lines = [_plain(line) for line in re.split(r"[\r\n]", text)]
    words = ""
    for line in [line for line in lines if line][: -_LINES - 1 : -1]:
        longer = f"{line} | {words}" if words else line
        if words and len(longer) > SUMMARY:
            break
        words = longer
    return one_line(words)


def one_line(text: str) -> str:
    """Any text as at most SUMMARY characters that are safe to print, without line breaks."""
    words = _plain(text)
    return words if len(words) <= SUMMARY else words[: SUMMARY - 1].rstrip() + "…"


def _plain(text: str) -> str:
    return " ".join(_CONTROLS.sub("", text).split())
