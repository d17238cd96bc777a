"""One version of a file as the audit looks at it: lines, and the words of its code. All is made when asked."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from syncline.audit.dropped.code_words import WORD, code_of

TOKEN = re.compile(rb"[\w$\x80-\xff]+")
"""A word or a number."""


@dataclass(frozen=True)
class Text:
    """One version of a file."""

    content: bytes
    style: str | None
    """How comments and strings are written (see `code_words`); None where all is taken as it stands."""

    @cached_property
    def lines(self) -> list[bytes]:
        """The lines, without breaks."""
        return self.content.split(b"\n")

    @cached_property
    def bare(self) -> list[bytes]:
        """The lines without the white space around them."""
        return list(map(bytes.strip, self.lines))

    @cached_property
    def exact(self) -> frozenset[bytes]:
        """The lines with the white space around them."""
        return frozenset(self.lines)

    @cached_property
    def counts(self) -> Mapping[bytes, int]:
        """How often each bare line stands there."""
        return Counter(self.bare)

    @cached_property
    def code(self) -> bytes:
        """The text without comments and strings, its lines where they were."""
        return self.content if self.style is None else code_of(self.content, self.style)

    @cached_property
    def code_lines(self) -> list[bytes]:
        """The lines of `code`."""
        return self.code.split(b"\n")

    @cached_property
    def openers(self) -> dict[int, int]:
        """In which line each line's block or bracket begins, as far as `roles.opener` was asked."""
        return {}

    def places(self, name: bytes) -> list[int]:
        """Return the lines (0-based) on which a name stands in the code."""
        return [at for at, line in enumerate(self.code_lines) if name in line and name in WORD.findall(line)]

    @cached_property
    def squeezed(self) -> bytes:
        """The text as it would be on one line (see `squeezed`)."""
        return squeezed(self.content)

    @cached_property
    def filled(self) -> list[int]:
        """The lines (0-based) that are not blank."""
        return [at for at, line in enumerate(self.bare) if line]

    @cached_property
    def once(self) -> Mapping[bytes, int]:
        """Where (as an index into `filled`) the bare lines stand that are there once."""
        return {self.bare[at]: index for index, at in enumerate(self.filled) if self.counts[self.bare[at]] == 1}

    def between(self, above: bytes | None, below: bytes | None) -> list[bytes] | None:
        """Return the bare lines between two that stand once; None for the begin or the end of the file.

        The answer is None where one of them is not there, or not once, or they stand the other way round.
        """
        start = -1 if above is None else self.once.get(above)
        end = len(self.filled) if below is None else self.once.get(below)
        if start is None or end is None or start >= end:
            return None
        return [self.bare[at] for at in self.filled[start + 1 : end]]


def squeezed(text: bytes) -> bytes:
    """Return a text without what formatters change: white space, brackets, commas, kinds of quotes."""
    return text.translate(None, b" \t\r\n\f\v(),;\\'\"")
