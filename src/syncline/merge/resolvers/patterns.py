"""Matching paths against gitignore-style patterns.

https://git-scm.com/docs/gitignore ("PATTERN FORMAT"): `*.lock` matches in every directory, `/setup.py` only
at the top, `docs/` everything below.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from syncline.git.paths import path_text

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


@lru_cache(maxsize=256)
def _compiled(patterns: tuple[str, ...]) -> "GitIgnoreSpec":
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 - 40 ms, only where there are rules

    return GitIgnoreSpec.from_lines(patterns)


def is_pattern(text: str) -> bool:
    """Whether `text` is a pattern that can be matched, and not one that takes paths out again."""
    if not text.strip() or text.startswith("!"):
        return False
    try:
        return len(_compiled((text,))) > 0
    except ValueError:  # what pathspec and `re` raise for patterns that are none
        return False
    except re.error:
        return False


def matches(patterns: Sequence[str], path: bytes) -> bool:
    """Whether one of `patterns` matches `path`."""
    return _compiled(tuple(patterns)).match_file(path_text(path))
