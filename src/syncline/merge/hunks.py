"""The marked regions of a file that git could not merge. Pure.

Git writes, with its default marker size of 7 and the labels that were given to it:

    <<<<<<< OURS
    ...
    =======
    ...
    >>>>>>> THEIRS
"""

from dataclasses import dataclass
from functools import cached_property

_SIZE = 7

Lines = tuple[bytes, ...]
"""Consecutive lines, each with its ending."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """One marked region: `line` is the 1-based line of its first marker in the conflicted file."""

    line: int
    ours: tuple[bytes, ...]
    theirs: tuple[bytes, ...]
    ending: bytes = b"\n"
    """What git ends its own lines with here: CRLF where the text around does."""


@dataclass(frozen=True)
class ConflictedFile:
    """A conflicted file, cut into what git merged (lines) and hunks, in order."""

    parts: tuple[tuple[bytes, ...] | Hunk, ...]

    @cached_property
    def hunks(self) -> tuple[Hunk, ...]:
        """Only the hunks."""
        return tuple(part for part in self.parts if isinstance(part, Hunk))

    def with_union(self) -> bytes:
        """Return the content with both sides of every hunk kept, ours first (`git merge-file --union`)."""
        lines: list[bytes] = []
        for part in self.parts:
            if isinstance(part, Hunk):
                lines += part.ours
                # A last line without a newline must not swallow the line after it.
                if part.ours and not part.ours[-1].endswith(b"\n"):
                    lines.append(part.ending)
                lines += part.theirs
            else:
                lines += part
        return b"".join(lines)


def count_hunks(content: bytes, *, ours_label: str) -> int:
    """Return how many marked regions a conflicted file has, without cutting it."""
    opening = b"<" * _SIZE + b" " + ours_label.encode()
    return content.count(b"\n" + opening) + content.startswith(opening)


def split_lines(content: bytes) -> list[bytes]:
    """Split at LF only, ends kept; a lone CR or a form feed is content (as in git)."""
    lines = content.split(b"\n")
    last = lines.pop()
    return [line + b"\n" for line in lines] + ([last] if last else [])


def parse_conflicted(
    content: bytes, *, ours: bytes, theirs: bytes, ours_label: str, theirs_label: str
) -> ConflictedFile:
    """Cut a conflicted file into merged lines and hunks.

    Args:
        content: the file as git left it.
        ours: the whole of ours, to tell a `=======` in the text from the marker.
        theirs: the whole of theirs.
        ours_label: what stands behind `<<<<<<<` (`merge-tree` writes the names it was called with).
        theirs_label: what stands behind `>>>>>>>`.

    A region whose end is missing is kept as text.
    """
    opening = b"<" * _SIZE + b" " + ours_label.encode()
    closing = b">" * _SIZE + b" " + theirs_label.encode()
    lines = split_lines(content)
    our_side, their_side = _Side(split_lines(ours)), _Side(split_lines(theirs))
    parts: list[tuple[bytes, ...] | Hunk] = []
    merged: list[bytes] = []
    position = 0
    while position < len(lines):
        end = _closing(lines, position, closing) if _is_marker(lines[position], opening) else None
        if end is None:
            merged.append(lines[position])
            position += 1
            continue
        middle = _separator(lines, position, end, our_side, their_side)
        at_end = end + 1 == len(lines)
        our_run = our_side.take(lines[position + 1 : middle], at_end=at_end)
        their_run = their_side.take(lines[middle + 1 : end], at_end=at_end)
        ending = b"\r\n" if lines[position].endswith(b"\r\n") else b"\n"
        parts += [tuple(merged), Hunk(position + 1, our_run, their_run, ending)]
        merged = []
        position = end + 1
    parts.append(tuple(merged))
    return ConflictedFile(tuple(part for part in parts if part != ()))


def _is_marker(line: bytes, marker: bytes) -> bool:
    # With renames git adds ":path" to the label.
    if not line.startswith(marker):
        return False
    text = line.rstrip(b"\r\n")
    return text == marker or text.startswith(marker + b":")


def _closing(lines: list[bytes], start: int, closing: bytes) -> int | None:
    return next((i for i in range(start + 1, len(lines)) if _is_marker(lines[i], closing)), None)


@dataclass(slots=True)
class _Side:
    """A side's whole file, read from hunk to hunk."""

    lines: list[bytes]
    position: int = 0

    def find(self, run: list[bytes], *, at_end: bool) -> int | None:
        """Return where the next hunk's `run` stands; `at_end` says that nothing comes after the hunk."""
        if not run:
            return self.position
        last = len(self.lines) - len(run)
        if at_end:
            # Only here a line may have no newline; git puts one before the marker.
            exact = last >= self.position and self.lines[last:-1] == run[:-1] and _shows(self.lines[-1], run[-1])
            return last if exact else None
        starts = range(self.position, last + 1)
        return next((start for start in starts if self.lines[start : start + len(run)] == run), None)

    def original(self, run: list[bytes], *, at_end: bool) -> list[bytes] | None:
        """Return the next hunk's `run` as it stands in the file; None when it is not there."""
        found = self.find(run, at_end=at_end)
        return None if found is None else self.lines[found : found + len(run)]

    def take(self, run: list[bytes], *, at_end: bool) -> tuple[bytes, ...]:
        """Return a hunk's `run` as it stands in the file, and go on behind it."""
        found = self.find(run, at_end=at_end)
        if found is None:
            return tuple(run)
        self.position = found + len(run)
        return tuple(self.lines[found : self.position])


def _shows(line: bytes, shown: bytes) -> bool:
    return shown == line or (not line.endswith(b"\n") and shown in {line + b"\n", line + b"\r\n"})


def _separator(lines: list[bytes], start: int, end: int, ours: _Side, theirs: _Side) -> int:
    """Return the line of the `=======` that really parts the sides (a title may be underlined with one)."""
    candidates = [i for i in range(start + 1, end) if lines[i].rstrip(b"\r\n") == b"=" * _SIZE]
    at_end = end + 1 == len(lines)
    for middle in candidates[:-1]:
        above = ours.original(lines[start + 1 : middle], at_end=at_end)
        below = theirs.original(lines[middle + 1 : end], at_end=at_end)
        if above is None or below is None:
            continue
        # Git takes what both sides begin or end with out of a region (xdiff's "zealous" merge).
        if not (above and below and (above[0] == below[0] or above[-1] == below[-1])):
            return middle
    return candidates[-1] if candidates else end
