"""Typed object ids. Hexadecimal, lower case, 40 (SHA-1) or 64 (SHA-256) digits."""

import re
from typing import Self

_HEX = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


class Oid(str):
    """The id of any object. A `str`, so it prints, compares and serialises as git shows it."""

    __slots__ = ()

    def __new__(cls, text: str) -> Self:
        """Take `text`; ValueError when it is no id."""
        if not _HEX.fullmatch(text):
            raise ValueError(f"not an object id: {text[:80]!r}")
        return super().__new__(cls, text)

    @classmethod
    def printed(cls, text: str) -> Self:
        """Take an id as git printed it in a place where nothing else can stand; thousands of them at a time."""
        return str.__new__(cls, text)

    @classmethod
    def from_bytes(cls, text: bytes) -> Self:
        """Read an id that git printed; white space around it is dropped."""
        return cls(text.strip().decode("ascii", "replace"))

    @property
    def is_null(self) -> bool:
        """Whether this is git's all-zero id, which stands for "no object"."""
        return not self.strip("0")

    @property
    def short(self) -> str:
        """The first ten digits, for people."""
        return self[:10]


class CommitId(Oid):
    """The id of a commit."""

    __slots__ = ()


class TreeId(Oid):
    """The id of a tree."""

    __slots__ = ()


class BlobId(Oid):
    """The id of a blob."""

    __slots__ = ()
