"""Matching paths against gitignore-style patterns.

https://git-scm.com/docs/gitignore ("PATTERN FORMAT"): `*.lock` matches in every directory, `/setup.py` only
at the top, `docs/` everything below.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


def path_text(path: bytes) -> str:
    """Return a path as text that can be matched and turned back; bytes that are no UTF-8 are kept."""
    return path.decode("utf-8", "surrogateescape")


@lru_cache(maxsize=256)
def _compiled(patterns: tuple[str, ...]) -> "GitIgnoreSpec":
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 - 40 ms, only where there are rules

    return GitIgnoreSpec.from_lines(patterns)


def matches(patterns: Sequence[str], path: bytes) -> bool:
    """Whether one of `patterns` matches `path`."""
    return _compiled(tuple(patterns)).match_file(path_text(path))
