"""From the bytes of a log to blocks of clean text: any size, any encoding, lines of any length."""

import codecs
import re
from collections.abc import Iterator
from typing import Protocol

LONGEST = 4000
"""Characters of a line that are looked at. What is longer is data that a program dumped."""

_READ = 1 << 18
_BYTES = 4 * LONGEST
_ESCAPES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor (ECMA-48, 5.4)
    r"|\x1b\][^\x07\x1b\r\n]*(?:\x07|\x1b\\)"  # OSC: titles, links
    r"|\x1b[ -/]*[0-Z\\^-~]"  # the short ones
)
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
"""Control characters, those that turn the direction of writing, and marks without width."""
_UTF16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


class Readable(Protocol):
    """A binary file, or anything that reads like one."""

    def read(self, size: int, /) -> bytes:
        """Return at most `size` bytes; none at the end."""
        ...


def blocks(source: Readable) -> Iterator[str]:
    r"""Yield the text of a log in blocks of whole lines, free of escape sequences.

    Lines end in `\n`, or in `\r` where one was to be written over (progress bars); the last may end in neither.
    What is not UTF-8 (or UTF-16, with a mark at its beginning) is replaced. At most some hundred thousand bytes
    are held at any time; the middle of a longer line is left out.
    """
    carry, skipping = b"", False
    for data in _chunks(source):
        if skipping:
            end = _first_break(data)
            if end < 0:
                continue
            data, skipping = data[end:], False  # noqa: PLW2901 - the rest of it
        data = carry + data  # noqa: PLW2901 - with what was held back
        # A \r at the very end may be half of a \r\n.
        cut = max(data.rfind(b"\n"), data.rfind(b"\r", 0, -1)) + 1
        carry = data[cut:]
        if len(carry) > _BYTES:
            carry, skipping = carry[:_BYTES], not carry.endswith(b"\r")
        if cut:
            yield _text(data[:cut])
    if carry:
        yield _text(carry)


def without_controls(text: str) -> str:
    """Return a line without characters that steer a terminal or cannot be seen; tabs stay."""
    return text if text.isprintable() else _CONTROLS.sub("", text)


def _chunks(source: Readable) -> Iterator[bytes]:
    first = source.read(_READ)
    encoding = _UTF16.get(first[:2])
    if encoding is None:
        while first:
            yield first
            first = source.read(_READ)
        return
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    while first:
        yield decoder.decode(first).encode("utf-8", "replace")
        first = source.read(_READ)


def _first_break(data: bytes) -> int:
    places = [place for place in (data.find(b"\n"), data.find(b"\r")) if place >= 0]
    return min(places, default=-1)


def _text(data: bytes) -> str:
    text = data.decode("utf-8", "replace")
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    return _ESCAPES.sub("", text) if "\x1b" in text else text
