"""What white space an answer must not lose, and lines that it must not join. Pure.

Answers are told apart without their white space (`ladder.facts`); so what white space means is judged here, on the
very text that would be written.
"""

import re
from collections.abc import Iterator, Sequence

from syncline.merge.alignment import squeezed
from syncline.merge.case import HunkCase
from syncline.merge.hunks import Lines
from syncline.merge.proposal import Proposal
from syncline.merge.text.layout_key import layout_key, same_layout

LAID_OUT = frozenset({"whitespace", "format-only", "token-merge"})
"""Resolvers that merge white space, too."""


def best_layout(hunk: HunkCase, side: Lines | None, proposals: Sequence[Proposal]) -> Lines:
    """Return which of several texts that differ in white space alone is written.

    What somebody wrote for this conflict goes first. Where white space that may mean something differs, what
    was merged with it is next; else a side as it is, and the text that has fewest lines nobody had.

    Args:
        hunk: the conflict.
        side: the side that says the same; None when neither does.
        proposals: who else says it, at least one where `side` is None.
    """
    path = hunk.file.path
    texts = [*([(side, "")] if side is not None else []), *((one.lines, one.resolver) for one in proposals)]
    if len({text for text, _ in texts}) == 1:
        return texts[0][0]
    written = next((one.lines for one in proposals if one.written), None)
    if written is not None:
        return written
    if not all(same_layout(texts[0][0], text, path) for text, _ in texts):
        merged = next((text for text, resolver in texts if resolver in LAID_OUT), None)
        if merged is not None:
            return merged
    known = {line.rstrip() for version in (hunk.base, hunk.ours, hunk.theirs) for line in version}
    return min(
        texts, key=lambda one: (sum(line.rstrip() not in known for line in one[0]), one[1] not in LAID_OUT)
    )[0]


def layout_faults(hunk: HunkCase, lines: Lines, proposals: Sequence[Proposal]) -> Iterator[str]:
    """Yield why a text must not stand in place of a hunk: white space that a side changed is lost, or lines are.

    Args:
        hunk: the conflict.
        lines: the text.
        proposals: who offers it, whatever white space they give it.
    """
    if any(one.lines == lines and one.written for one in proposals):
        return
    # What equals a side holds nothing of the other's white space, whoever offers it.
    laid_out = lines not in {hunk.ours, hunk.theirs} and any(
        one.lines == lines and one.resolver in LAID_OUT for one in proposals
    )
    yield from _lost_space(hunk, lines, laid_out=laid_out)
    if lines not in {hunk.ours, hunk.theirs}:
        others = (one.lines for one in proposals if one.lines not in {hunk.ours, hunk.theirs})
        if not all(same_layout(lines, other, hunk.file.path) for other in others):
            yield "those who offer it differ in white space that may mean something"
        known = {squeezed(line) for version in (hunk.base, hunk.ours, hunk.theirs) for line in version} - {b""}
        yield from _joined(lines, known)


def _lost_space(hunk: HunkCase, lines: Lines, *, laid_out: bool) -> Iterator[str]:
    """Yield a sentence where a side changed white space alone that may mean something, and the text lacks it."""
    path = hunk.file.path
    plain = [squeezed(b"".join(version)) for version in (hunk.base, hunk.ours, hunk.theirs)]
    text = squeezed(b"".join(lines))
    if not text or text not in plain[1:] or len(set(plain)) == len(plain):
        return
    base, ours, theirs = (layout_key(version, path) for version in (hunk.base, hunk.ours, hunk.theirs))
    key = layout_key(lines, path)
    if plain[1] == plain[2]:
        right = theirs if ours == base else ours if theirs in {base, ours} else None
        if key != right:
            yield "the sides differ in white space alone, and what it means is not known"
    elif laid_out:
        return
    elif plain[0] == plain[1] and ours != base and key == theirs:
        yield "target changed white space alone, which may mean something, and it would be lost"
    elif plain[0] == plain[2] and theirs != base and key == ours:
        yield "source changed white space alone, which may mean something, and it would be lost"


def _joined(lines: Lines, known: set[bytes]) -> Iterator[str]:
    """Yield a sentence for a line that is two lines of the versions with nothing between."""
    sizes = sorted({len(old) for old in known})
    for line in lines:
        key = squeezed(line)
        if key in known:
            continue
        for size in sizes:
            if size >= len(key):
                break
            one, other = key[:size], key[size:]
            if one in known and other in known and _says(one) and _says(other) and _touch(line, size):
                yield f"two lines would be joined: {_shown(line)}"
                return


_WORD = re.compile(rb"\w")


def _says(text: bytes) -> bool:
    return _WORD.search(text) is not None


def _touch(line: bytes, size: int) -> bool:
    """Return whether no white space stands behind the first `size` letters of a line."""
    parts = line.split()
    while size > len(parts[0]):
        size -= len(parts.pop(0))
    return size < len(parts[0])


def _shown(line: bytes) -> str:
    return line.decode("utf-8", "replace").strip()[:100]
