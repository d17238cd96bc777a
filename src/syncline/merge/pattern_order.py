"""Why nothing merged is accepted of a list of patterns whose order decides what holds. Pure."""

import re
from collections.abc import Callable, Iterator

from syncline.merge.case import HunkCase

_IGNORED = re.compile(rb"(^|/)\.[\w-]*ignore$")
_OWNERS = re.compile(rb"(^|/)CODEOWNERS$")
_ALL = frozenset({b"*", b"/*", b"**", b"/**", b"/"})
"""Patterns of `CODEOWNERS` that everything matches."""


def pattern_order(hunk: HunkCase) -> Iterator[str]:
    """Yield a sentence where a side added a pattern that takes from others what they say, or loses it to them.

    The last pattern that matches decides, so that a negation in `.gitignore`, or everything in `CODEOWNERS`, means
    something else behind a line of the other side than before it.
    """
    path = hunk.file.path
    decides: Callable[[bytes], bool]
    if _IGNORED.search(path):
        decides = _negates
    elif _OWNERS.search(path):
        decides = _owns_all
    else:
        return
    known = set(hunk.base)
    added = dict.fromkeys(line for line in (*hunk.ours, *hunk.theirs) if line not in known and decides(line))
    for line in added:
        yield f"its order decides what it means: {line.decode('utf-8', 'replace').strip()[:100]}"


def _negates(line: bytes) -> bool:
    return line.startswith(b"!")


def _owns_all(line: bytes) -> bool:
    words = line.split(maxsplit=1)
    return bool(words) and words[0] in _ALL
