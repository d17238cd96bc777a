"""Where the hunks of a conflicted file stand in another version of the same file. Pure.

A hunk's region in that version is what stands between the unconflicted lines around it, the two being aligned by
their difference. So a committed file tells what people did with each hunk, and a resolver that works on the whole
file tells what it would do with each.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import lru_cache

from syncline.merge.hunks import ConflictedFile, Hunk, Lines
from syncline.merge.text.diff import matches


def squeezed(line: bytes) -> bytes:
    """Return a line without its white space: the key under which two lines say the same."""
    return line.translate(None, _SPACE)


def squeezed_lines(content: bytes) -> list[bytes]:
    """Return all lines of a text without their white space: `squeezed` of each, at a tenth of the time."""
    lines = content.translate(None, _BLANK).split(b"\n")
    if not content or content.endswith(b"\n"):
        lines.pop()
    return lines


_BLANK = b" \t\r\v\f"
_SPACE = _BLANK + b"\n"


def regions(
    cut: ConflictedFile, whole: Sequence[bytes], key: Callable[[bytes], bytes] = squeezed
) -> tuple[Lines | None, ...]:
    """Return what stands in `whole` (lines) in the place of each hunk of `cut`.

    Lines are compared by `key`; those with an empty key (blank ones) align nothing. None stands for a hunk whose
    borders cross, because the lines around it went elsewhere.
    """
    keys, spans = _keys(cut, key)
    wholly = list(map(key, whole))
    kept = [place for place, line in enumerate(wholly) if line]
    found = matches(keys, [line for line in wholly if line])
    starts = [match.a for match in found]

    def behind(position: int) -> int:
        """Return the place in `whole` after the last matched line before `position`."""
        at = bisect_right(starts, position - 1) - 1
        if position <= 0 or at < 0:
            return 0
        match = found[at]
        return kept[match.b + min(position - match.a, match.size) - 1] + 1

    def before(position: int) -> int:
        """Return the place in `whole` of the first matched line at or after `position`."""
        at = bisect_right(starts, position) - 1
        if at >= 0 and position < found[at].a + found[at].size:
            return kept[found[at].b + position - found[at].a]
        return kept[found[at + 1].b] if at + 1 < len(found) else len(whole)

    answers: list[Lines | None] = []
    for start, end in spans:
        low, high = behind(start), before(end)
        answers.append(tuple(whole[low:high]) if low <= high else None)
    return tuple(answers)


@lru_cache(maxsize=4)  # one file is aligned many times, by two keys
def _keys(cut: ConflictedFile, key: Callable[[bytes], bytes]) -> tuple[list[bytes], list[tuple[int, int]]]:
    """Return the keys of a conflicted file's lines, and which of them are each hunk's."""
    keys: list[bytes] = []
    spans: list[tuple[int, int]] = []
    for part in cut.parts:
        if isinstance(part, Hunk):
            lines = [k for line in (*part.ours, *part.theirs) if (k := key(line))]
            spans.append((len(keys), len(keys) + len(lines)))
        else:
            lines = [k for line in part if (k := key(line))]
        keys += lines
    return keys, spans
