"""Which header each line of a text stands under, told by indentation, in whatever language. Pure.

The header of a line is the nearest line above that is less indented. Where code is laid out braces say the same,
and where nothing is indented there is nothing to tell.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from syncline.merge.alignment import squeezed

NEAR = 30
"""Lines above a stretch that are read with it."""
MAX_ABOVE = 2_000
"""Lines above among which headers are looked for; what is nested in longer ones is data."""
_FAR = 200
"""Statements within which a neighbour is sought."""
_MAX_JOINED = 40
"""Lines that one statement may have."""
_COMMENTS = (b"#", b"//", b"/*", b"*", b"--", b"<!--", b";")
"""How lines begin that head nothing: comments, and what the preprocessor reads in C."""
_WORD = re.compile(rb"\w")
_STRING = re.compile(rb"'[^'\\]*'|\"[^\"\\]*\"")


@dataclass(frozen=True, slots=True)
class Manner:
    """How a language lays out its lines."""

    comments: tuple[bytes, ...] = _COMMENTS
    """How lines begin that say nothing about blocks."""
    brackets: tuple[bytes, bytes] = (b"([", b")]")
    """Within which of them a statement goes on, how deep its lines may be indented."""
    heads: tuple[bytes, ...] = ()
    """How lines end that head others; any may, if there are none."""

    def says(self, line: bytes) -> bool:
        """Whether a line is neither blank nor a comment."""
        text = line.strip()
        return bool(text) and not text.startswith(self.comments)

    def statements(self, lines: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
        """Yield what lines say, statement by statement, each with how deep it is indented."""
        parts: list[bytes] = []
        depth = indent = 0
        for line in lines:
            text = line.strip()
            if not text or text.startswith(self.comments):
                continue
            indent = indent if parts else indent_of(line)
            parts.append(text)
            if self.brackets[0]:
                depth = max(0, depth + self._opened(text))
                # A function may begin within brackets: what follows is a block.
                goes_on = depth and not (text.endswith(b"{") and b"{" not in self.brackets[0])
                if (goes_on or text.endswith(b"\\")) and len(parts) < _MAX_JOINED:
                    continue
            yield indent, b" ".join(parts)
            parts, depth = [], 0
        if parts:
            yield indent, b" ".join(parts)

    def _opened(self, text: bytes) -> int:
        opening, closing = self.brackets
        if _BRACKET.search(text) is None:
            return 0
        text = _STRING.sub(b"", text)
        return len(text.translate(None, closing)) - len(text.translate(None, opening))

    def is_header(self, text: bytes) -> bool:
        """Whether what stands below a statement, and deeper, belongs to it."""
        return not self.heads or text.endswith(self.heads) or (b"#" in text and b":" in text)


_BRACKET = re.compile(rb"[()\[\]{}]")
_CODE = Manner()
_MANNERS = {
    suffix: manner
    for suffixes, manner in (
        (b"py pyi", Manner(brackets=(b"([{", b")]}"), heads=(b":",))),
        (b"md markdown rst txt adoc", Manner(comments=(b"\n",), brackets=(b"", b""))),
        (b"yaml yml json jsonc xml html htm svg", Manner(brackets=(b"", b""))),
    )
    for suffix in suffixes.split()
}


def manner_of(path: bytes) -> Manner:
    """Return how the lines of a file are laid out."""
    return _MANNERS.get(path.rpartition(b".")[2].lower(), _CODE)


class Blocks:
    """A stretch of a text with what is around, statement by statement, each with its header."""

    def __init__(
        self, above: Iterable[bytes], lines: Iterable[bytes], below: Iterable[bytes], manner: Manner
    ) -> None:
        """Read a stretch.

        Args:
            above: the lines before it, the nearest first.
            lines: its lines.
            below: the lines behind it that are looked at.
            manner: how they are laid out.
        """
        self._manner = manner
        self._texts: list[bytes] = []
        self._keys: list[bytes] = []
        self._indents: list[int] = []
        self._headers: list[int] = []
        upwards = iter(above)
        near = list(islice(upwards, NEAR))
        open_: list[int] = []
        least = min((indent_of(line) for line in near if manner.says(line)), default=_DEEP)
        for line in reversed(list(self._outwards(islice(upwards, MAX_ABOVE), least)) if least else []):
            open_.append(self._add(indent_of(line), line, open_))
        self._read(reversed(near), open_)
        self._start = len(self._keys)
        self._read(lines, open_)
        self._end = len(self._keys)
        self._read(below, open_)

    def _outwards(self, lines: Iterable[bytes], least: int) -> Iterator[bytes]:
        """Yield of lines, the nearest first, each that heads all before it."""
        for line in lines:
            if not self._manner.says(line) or (indent := indent_of(line)) >= least:
                continue
            if _WORD.search(line) is None:
                continue
            if self._manner.is_header(line.strip()):
                yield line
            least = indent
            if not least:
                return

    def _read(self, lines: Iterable[bytes], open_: list[int]) -> None:
        for indent, text in self._manner.statements(lines):
            if _WORD.search(text) is None:
                continue  # a brace of its own says nothing: what it opens or ends has a header
            while open_ and self._indents[open_[-1]] >= indent:
                open_.pop()
            at = self._add(indent, text, open_)
            if self._manner.is_header(text):
                open_.append(at)

    def _add(self, indent: int, text: bytes, open_: Sequence[int]) -> int:
        self._texts.append(text)
        self._keys.append(statement_key(text))
        self._indents.append(indent)
        self._headers.append(open_[-1] if open_ else -1)
        return len(self._keys) - 1

    @cached_property
    def inside(self) -> dict[bytes, int]:
        """Where the statements are that stand in the stretch once."""
        return self._once(self._start, self._end)

    @cached_property
    def below(self) -> dict[bytes, int]:
        """The same of what stands below."""
        return self._once(self._end, len(self._keys))

    @property
    def least(self) -> int:
        """How deep the outermost statement of the stretch is indented."""
        return min(self._indents[self._start : self._end], default=_DEEP)

    @cached_property
    def around(self) -> dict[bytes, int]:
        """The same of all that was read; first those of the stretch."""
        return self._once(0, len(self._keys)) | self.below | self.inside

    def _once(self, start: int, end: int) -> dict[bytes, int]:
        keys = self._keys[start:end]
        count = Counter(keys)
        return {key: at for at, key in enumerate(keys, start) if count[key] == 1}

    @cached_property
    def counts(self) -> Counter[bytes]:
        """How often each statement was read."""
        return Counter(self._keys)

    def header(self, at: int) -> bytes | None:
        """Return the header of a statement; None for one that has none."""
        header = self._headers[at]
        return self._keys[header] if header >= 0 else None

    def text(self, at: int) -> bytes:
        """Return a statement as it is written, the lines it is broken into joined."""
        return self._texts[at]

    def header_text(self, at: int) -> bytes | None:
        """Return the header of a statement as it is written."""
        header = self._headers[at]
        return self._texts[header].strip() if header >= 0 else None

    def is_above(self, at: int) -> bool:
        """Whether the header of a statement stands above the stretch, or there is none."""
        return self._headers[at] < self._start

    def indent(self, at: int) -> int:
        """Return how deep a statement is indented."""
        return self._indents[at]

    def so_deep(self, indent: int) -> Iterator[bytes]:
        """Yield the statements that are indented just so."""
        return (key for key, own in zip(self._keys, self._indents, strict=True) if own == indent)

    def beside(self, at: int) -> list[bytes]:
        """Return the statements right above and below one that have its header and its depth."""
        found = []
        first, last = max(at - _FAR, 0), min(at + _FAR, len(self._keys))
        for others in (range(at - 1, first - 1, -1), range(at + 1, last)):
            for other in others:
                if self._headers[other] == self._headers[at] and self._indents[other] == self._indents[at]:
                    found.append(self._keys[other])
                    break
                if self._indents[other] < self._indents[at]:
                    break
        return found


_DEEP = 1 << 30


def statement_key(text: bytes) -> bytes:
    """Return what a statement says, however it is laid out and broken into lines."""
    return squeezed(text).translate(None, b"()\\,;")


def indent_of(line: bytes) -> int:
    """Return how deep a line is indented, in columns."""
    space = line[: len(line) - len(line.lstrip())]
    return len(space.expandtabs()) if b"\t" in space else len(space)
