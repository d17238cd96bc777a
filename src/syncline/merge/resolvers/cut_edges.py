"""What git cut off two additions because both begin or end with it, and whether each of them needs it. Pure."""

import re
from collections.abc import Iterable, Sequence

from syncline.merge.alignment import squeezed
from syncline.merge.case import HunkCase
from syncline.merge.hunks import Lines
from syncline.merge.text.blocks import indent_of
from syncline.merge.text.entries import Frame, untrimmed
from syncline.merge.text.syntax import language_of

_WORD = re.compile(rb"\w")
_CLOSES = re.compile(
    rb"\s*+(?:end(?:\s?[a-z]{2,11})?|END\b[\w ]*+|done|fi|esac|od|wend|</[\w:.-]+>|\\end\{.*|#\s*endif\b.*"
    rb"|\{%-?\s*end.*|<%-?\s*end\b.*|\{\{-?\s*end\b.*)(?:\(.*\))?[\s;,.)\]}]*$"
)
_LONG = 1000
"""Bytes of a line beyond which it is data, and closes nothing."""
_BRANCH = re.compile(rb"[#}\s]*+(?:el\w*|default|except|rescue|ensure|catch|finally)\b")


def between(hunk: HunkCase, *, imports: bool, entries: bool) -> tuple[Lines, Lines] | None:
    """Return what has to stand between the two additions: the end of one, and the beginning of the other.

    Two functions that end alike have lost their common last lines; they belong to each of them. A list of imports
    or entries needs what both lists have only once. Source: of 29 such answers in 15 repositories 12 were right,
    where 7 of 45 were when a common edge was needed once as soon as all brackets were closed without it.

    Args:
        hunk: where both sides added something.
        imports: whether they added nothing but imports.
        entries: whether they added nothing but entries of a list.

    Returns:
        None where it is not to be told: what both are part of was added by both, or the additions are not whole.
    """
    frame = untrimmed(hunk)
    has_grammar = language_of(hunk.file.path, hunk.file.ours) is not None
    balanced = _balanced(hunk.ours) and _balanced(hunk.theirs)
    if frame is None or any(map(squeezed, frame.base)):
        return ((), ()) if balanced and (has_grammar or frame is not None) else None
    edge = [line for line in (*frame.after, *frame.before) if squeezed(line)]
    if not edge or (balanced and (imports or (entries and _is_flat(frame)))):
        return _blank(frame) if balanced else None
    if any(_is_headed(frame.before, side) for side in (hunk.ours, hunk.theirs)):
        return None
    least = min(map(indent_of, filter(squeezed, (*hunk.ours, *hunk.theirs))))
    if not all(indent_of(line) > least or closes(line) for line in frame.after if squeezed(line)):
        return None
    if not has_grammar and not all(closes(line) for line in frame.before if squeezed(line)):
        return None
    return (frame.after, frame.before) if _balanced(frame.ours) and _balanced(frame.theirs) else None


def closes(line: bytes) -> bool:
    """Whether a line does nothing but end what began above."""
    return _WORD.search(line) is None or (len(line) <= _LONG and _CLOSES.match(line) is not None)


def _blank(frame: Frame) -> tuple[Lines, Lines]:
    """Return a blank line that keeps paragraphs apart; the rest of a common edge is needed only once."""
    if frame.after and not squeezed(frame.after[0]):
        return frame.after[:1], ()
    return (), frame.before[-1:] if frame.before and not squeezed(frame.before[-1]) else ()


def _is_flat(frame: Frame) -> bool:
    lines = [line for line in (*frame.ours, *frame.theirs) if squeezed(line)]
    return len(set(map(indent_of, lines))) == 1 and not any(map(closes, lines))


def _is_headed(before: Sequence[bytes], lines: Iterable[bytes]) -> bool:
    """Whether lines begin under a header among those before, or in a branch that can be there only once."""
    depth = next((indent_of(line) for line in lines if squeezed(line)), 0)
    return any(indent_of(line) < depth or _BRANCH.match(line) for line in before if squeezed(line))


def _balanced(lines: Lines) -> bool:
    text = b"".join(lines)
    return all(text.count(left) == text.count(right) for left, right in ((b"(", b")"), (b"[", b"]"), (b"{", b"}")))
