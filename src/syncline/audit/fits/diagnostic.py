"""One thing a checker said."""

import re
from dataclasses import dataclass
from functools import lru_cache

_QUALIFIED = re.compile(r"(?<![\w/])(?:[a-z_]\w*\.)+(?=\w)")
_PLACE = re.compile(r"\(?\b(?:(?:from|on|at|in|see) )?line \d+\)?|(?<=[\w/]):\d+(?::\d+)?\b")


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """What a checker said of one line."""

    path: bytes
    """Below the top of the tree."""
    line: int
    """The first is 1; 0 where it is about the file."""
    rule: str
    """The checker's own name for it; empty where it has none."""
    message: str

    @property
    def normal(self) -> str:
        """The message as `normal` has it."""
        return normal(self.message)


@lru_cache(maxsize=1 << 16)
def normal(message: str) -> str:
    """Return a message without lines, and names without their modules, which a rename of a file changes."""
    return " ".join(_QUALIFIED.sub("", _PLACE.sub("", message)).split())
