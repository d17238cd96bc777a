"""The marked regions of a file that git could not merge. Pure.

Git writes, with its default marker size of 7 and the labels that were given to it:

    <<<<<<< OURS
    ...
    =======
    ...
    >>>>>>> THEIRS
"""

from dataclasses import dataclass

_SIZE = 7


@dataclass(frozen=True, slots=True)
class Hunk:
    """One marked region: `line` is the 1-based line of its first marker in the conflicted file."""

    line: int
    ours: tuple[bytes, ...]
    theirs: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class ConflictedFile:
    """A conflicted file, cut into what git merged (lines) and hunks, in order."""

    parts: tuple[tuple[bytes, ...] | Hunk, ...]

    @property
    def hunks(self) -> tuple[Hunk, ...]:
        """Only the hunks."""
        return tuple(part for part in self.parts if isinstance(part, Hunk))

    def with_union(self) -> bytes:
        """Return the content with both sides of every hunk kept, ours first (`git merge-file --union`)."""
        lines: list[bytes] = []
        for part in self.parts:
            if isinstance(part, Hunk):
                # A last line without a newline must not swallow the line after it.
                if part.ours and part.theirs and not part.ours[-1].endswith(b"\n"):
                    lines += [*part.ours[:-1], part.ours[-1] + b"\n", *part.theirs]
                else:
                    lines += [*part.ours, *part.theirs]
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
    our_lines, their_lines = split_lines(ours), split_lines(theirs)
    parts: list[tuple[bytes, ...] | Hunk] = []
    merged: list[bytes] = []
    position = 0
    our_position = their_position = 0
    while position < len(lines):
        end = _closing(lines, position, closing) if _is_marker(lines[position], opening) else None
        if end is None:
            merged.append(lines[position])
            position += 1
            continue
        middle = _separator(lines, position, end, our_lines, their_lines, our_position, their_position)
        our_run, our_position = _original(our_lines, lines[position + 1 : middle], our_position)
        their_run, their_position = _original(their_lines, lines[middle + 1 : end], their_position)
        parts += [tuple(merged), Hunk(position + 1, our_run, their_run)]
        merged = []
        position = end + 1
    parts.append(tuple(merged))
    return ConflictedFile(tuple(part for part in parts if part != ()))


def _is_marker(line: bytes, marker: bytes) -> bool:
    # With renames git adds ":path" to the label.
    text = line.rstrip(b"\r\n")
    return text == marker or text.startswith(marker + b":")


def _closing(lines: list[bytes], start: int, closing: bytes) -> int | None:
    return next((i for i in range(start + 1, len(lines)) if _is_marker(lines[i], closing)), None)


def _separator(
    lines: list[bytes],
    start: int,
    end: int,
    ours: list[bytes],
    theirs: list[bytes],
    our_position: int,
    their_position: int,
) -> int:
    """Return the line of the `=======` that really parts the sides (a title may be underlined with one)."""
    candidates = [i for i in range(start + 1, end) if lines[i].rstrip(b"\r\n") == b"=" * _SIZE]
    for middle in candidates[:-1] if len(candidates) > 1 else ():
        above, below = tuple(lines[start + 1 : middle]), tuple(lines[middle + 1 : end])
        if _find(ours, above, our_position) is not None and _find(theirs, below, their_position) is not None:
            return middle
    return candidates[-1] if candidates else end


def _find(lines: list[bytes], run: tuple[bytes, ...], start: int) -> int | None:
    if not run:
        return start
    wanted = [_bare(line) for line in run]
    for i in range(start, len(lines) - len(run) + 1):
        if _bare(lines[i]) == wanted[0] and [_bare(line) for line in lines[i : i + len(run)]] == wanted:
            return i
    return None


def _bare(line: bytes) -> bytes:
    # Git ends a side's last line before a marker even where the file has no newline there.
    return line.rstrip(b"\r\n")


def _original(lines: list[bytes], run: list[bytes], start: int) -> tuple[tuple[bytes, ...], int]:
    """Return a hunk's side as it stands in that side's file, and where to look for the next one."""
    found = _find(lines, tuple(run), start)
    if found is None:
        return tuple(run), start
    return tuple(lines[found : found + len(run)]), found + len(run)
