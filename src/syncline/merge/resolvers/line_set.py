"""Unordered lists of lines: what either side added is in, what either side removed is out.

Only for lines that are entries of one list: one indentation, brackets closed on their line, none twice. Lines stay
behind what they stood behind; where both sides added at one place, both orders are offered. Sorted lists are
`sorted-lines`' business, keys with values `keyed-data`'s; a line that both sides changed is nobody's here.
"""

import re
from collections.abc import Iterator

from syncline.merge.case import FileCase, HunkCase
from syncline.merge.file_group import FileGroup, file_group
from syncline.merge.hunks import Lines
from syncline.merge.model import Evidence
from syncline.merge.proposal import Proposal
from syncline.merge.text.entries import Frame, frames, in_order, sorts_better

NAME = "line-set"

MAX_LINES = 1000
"""Of a hunk's version."""
MAX_WIDTH = 200
"""Of a line in bytes; a longer one is no entry."""

_CODE_LINE = re.compile(
    rb"""\s*(?:["'][^"']*["'],?|[\w.$@/*-]+[,;]?|[\w.$@/-]+\s*\\|[-*+]\s.*|(?:#\s*include|import|from|use|using"""
    rb"""|require\w*|include|export|extern|mod|pub use|pub mod|target_\w+|source|load)\b.*|\|.*\|"""
    rb"""|["'\w.$@/:-]+\s*(?:=>|:|=)[^(){}]*)$"""
)


def propose(case: FileCase) -> Iterator[Proposal]:
    """Offer the three-way merge of a hunk's lines as a set."""
    group = file_group(case.path)
    if group in {FileGroup.LOCK, FileGroup.GENERATED}:
        return
    for hunk in case.hunks:
        sizes = [len(side) for side in (hunk.base, hunk.ours, hunk.theirs)]
        # With nothing before, it is two additions: another resolver's.
        if min(sizes) and max(sizes) <= MAX_LINES:
            yield from _of_hunk(hunk)


def _of_hunk(hunk: HunkCase) -> Iterator[Proposal]:
    for frame in frames(hunk):
        sides = [_keys(side) for side in (frame.base, frame.ours, frame.theirs)]
        base, ours, theirs = sides
        if base is None or ours is None or theirs is None or not base:
            continue
        keep = {key for key in {**ours, **theirs} if (key in ours and key in theirs) or key not in base}
        new = ours.keys() - base.keys() - theirs.keys(), theirs.keys() - base.keys() - ours.keys()
        gone = base.keys() - ours.keys(), base.keys() - theirs.keys()
        if gone[0] & gone[1] and new[0] and new[1]:
            continue  # both put something in place of the same line
        marks = _marks(new, gone)
        evidence = Evidence(f"lines of a list: target {_told(new[0], gone[0])}, source {_told(new[1], gone[1])}")
        texts = []
        for ours_first in (True, False):
            order = in_order(list(base), list(ours), list(theirs), keep, ours_first=ours_first)
            if order is None:
                return
            text = frame.cut(_laid_out([ours.get(key) or theirs[key] for key in order.keys], frame))
            if text is None:
                return
            texts.append(text)
            if not order.ambiguous:
                yield Proposal(hunk.index, text, NAME, (evidence,), ("order-known", *marks))
                return
        for name, text, other in (("ours-first", *texts), ("theirs-first", *texts[::-1])):
            yield Proposal(hunk.index, text, NAME, (evidence,), (name, *sorts_better(text, other), *marks))
        return


def _marks(new: tuple[set[bytes], set[bytes]], gone: tuple[set[bytes], set[bytes]]) -> tuple[str, ...]:
    marks = []
    if new[0] and new[1]:
        marks.append("both-add")
    if gone[0] or gone[1]:
        marks.append("both-remove" if gone[0] and gone[1] else "removals")
    # A side that removes and adds may have changed a line that the other side's work rests on.
    if any(new[side] and gone[side] for side in (0, 1)):
        marks.append("replaces")
    return tuple(marks)


def _told(new: set[bytes], gone: set[bytes]) -> str:
    parts = [f"adds {_shown(new)}"] if new else []
    parts += [f"removes {_shown(gone)}"] if gone else []
    return " and ".join(parts) or "changes nothing"


def _shown(lines: set[bytes]) -> str:
    return f"`{min(lines)[:60].decode(errors='replace')}`" if len(lines) == 1 else f"{len(lines)} lines"


def _keys(lines: Lines) -> dict[bytes, bytes] | None:
    """Return the lines by what they say, without list punctuation; None if they are not entries of one list."""
    found: dict[bytes, bytes] = {}
    indents = set()
    for line in lines:
        if len(line) > MAX_WIDTH or not line.strip() or not _CODE_LINE.match(line):
            return None
        if any(line.count(a) != line.count(b) for a, b in ((b"(", b")"), (b"[", b"]"), (b"{", b"}"))):
            return None
        key = _bare(line)
        if key in found:
            return None
        found[key] = line
        indents.add(line[: len(line) - len(line.lstrip())])
    return found if len(indents) <= 1 else None


def _bare(line: bytes) -> bytes:
    return line.strip().rstrip(b",;|\\ \t")


def _laid_out(lines: list[bytes], frame: Frame) -> Lines:
    """Return the lines with the punctuation of their place: what the sides have between entries and at the end."""
    ends = [_end(line) for side in (frame.ours, frame.theirs) for line in side[:-1]]
    lasts = {_end(side[-1]) for side in (frame.ours, frame.theirs) if side}
    between = max(set(ends), key=ends.count) if ends else max(lasts)
    newline = next((b"\r\n" if line.endswith(b"\r\n") else b"\n" for line in lines if line.endswith(b"\n")), b"\n")
    open_end = any(side and not side[-1].endswith(b"\n") for side in (frame.ours, frame.theirs))
    done = []
    for place, line in enumerate(lines):
        last = place == len(lines) - 1
        text = line.rstrip(b"\r\n")
        if between or any(lasts):
            text = text.rstrip(b",;|\\ \t") + (min(lasts) if last else between)
        done.append(text + (b"" if last and open_end else newline))
    return tuple(done)


def _end(line: bytes) -> bytes:
    text = line.rstrip()
    return text[len(text.rstrip(b",;|\\ \t")) :]
