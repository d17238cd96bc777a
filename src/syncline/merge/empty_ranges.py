"""Why a merged requirement must not be accepted: no version is in its range. Pure."""

import re
from collections.abc import Iterable, Iterator

from syncline.merge.case import HunkCase
from syncline.merge.hunks import Lines

_BOUND = re.compile(rb"(<|>)(=?)\s{0,9}v?(\d{1,18}(?:\.\d{1,18}){0,9})(?=\s*[,;\"'\s)\]]|$)")
"""A longer version is none that anybody compares."""
_PART = re.compile(rb"[^|\"']+")
"""What must hold at once: not beyond quotes, nor an alternative."""


def empty_ranges(hunk: HunkCase, lines: Lines) -> Iterator[str]:
    """Yield a sentence for each range, `>=1.5,<1.4`, that ends before it begins, as in no version of the hunk."""
    known = {found for version in (hunk.base, hunk.ours, hunk.theirs) for found in _empty(version)}
    for found in dict.fromkeys(_empty(lines)):
        if found not in known:
            yield f"no version is in the range {found.decode('utf-8', 'replace')[:100]}"


def _empty(lines: Iterable[bytes]) -> Iterator[bytes]:
    for line in lines:
        if b"<" in line and b">" in line:
            yield from (part.group().strip() for part in _PART.finditer(line) if _is_empty(part.group()))


def _is_empty(part: bytes) -> bool:
    first, *others = part.split(b",")
    # What has a name before each bound compares, and is no range.
    bounds = [_BOUND.search(first), *(_BOUND.match(one.strip()) for one in others)]
    single = [found for found in bounds if found is not None]
    # The strictest on either side decide: of equal ones that which leaves the version itself out.
    low = max(((_version(one[3]), not one[2]) for one in single if one[1] == b">"), default=None)
    high = min(((_version(one[3]), bool(one[2])) for one in single if one[1] == b"<"), default=None)
    if low is None or high is None:
        return False
    (begin, above), (end, also) = low, high
    return begin > end or (begin == end and (above or not also))


def _version(text: bytes) -> tuple[int, ...]:
    parts = [int(part) for part in text.split(b".")]
    while parts and not parts[-1]:
        parts.pop()
    return tuple(parts)
