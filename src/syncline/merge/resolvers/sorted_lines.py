"""Lists that are kept sorted: ignore files, requirements, owners, imports, word lists, go.mod blocks.

Both sides' additions and removals are made, and the new lines stand where the order puts them. Only where the
lines around the hunk and all three versions of it are sorted by the same key.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from syncline.merge.case import FileCase, HunkCase
from syncline.merge.file_group import FileGroup, file_group
from syncline.merge.hunks import Lines
from syncline.merge.model import Evidence
from syncline.merge.proposal import Proposal
from syncline.merge.resolvers.versions import version_key
from syncline.merge.text.entries import Frame, frames, kept

NAME = "sorted-lines"

MAX_LINES = 2000
"""Of a hunk's version."""
CONTEXT = 40
"""How many lines above and below are asked whether they are sorted."""
MAX_WIDTH = 300
"""Of a line in bytes; a longer one is no entry."""
MIN_SORTED = 4
"""So many lines in order are no accident (one of 24 orders)."""

_NAME = re.compile(rb"""[\w./@$*?!\\{}\[\]:-]+""")
_TAIL = b",;\\ \t\r\n\v\f"
"""What may end the line of an entry without being part of it."""
_DIGITS = re.compile(rb"(\d+)")
_PINNED = re.compile(
    rb"""\s*["']?([\w./@-]{1,120}?)["']?(?:\[[^\]]{0,80}\])?[ \t]{0,20}[=<>~!^:@ ]{1,3}[ \t]{0,20}["']?v?\d"""
)

Key = Callable[[bytes], object]


def _plain(line: bytes) -> bytes:
    return line.strip()


def _bare(line: bytes) -> bytes:
    """The text without its list punctuation."""
    return line.strip().rstrip(_TAIL)


def _folded(line: bytes) -> bytes:
    return _bare(line).lower()


def _words(line: bytes) -> bytes:
    """Letters and digits alone, as `sort -d -f` and most import sorters compare."""
    return re.sub(rb"[^\w./ -]", b"", _folded(line))


def _path(line: bytes) -> bytes:
    """The quoted path of an import or include, as sorters of TypeScript and C++ compare."""
    found = re.search(rb"""["'<]([^"'<>]+)["'>]""", line)
    return found[1].lower() if found else b"\xff" + _folded(line)


def _natural(line: bytes) -> tuple[tuple[int, bytes], ...]:
    """Numbers by their value."""
    return tuple((len(part), part) if part.isdigit() else (0, part) for part in _DIGITS.split(_folded(line)))


_KEYS: tuple[tuple[str, Key], ...] = (
    ("bytewise", _plain),
    ("bytewise", _bare),
    ("case-ignored", _folded),
    ("words", _words),
    ("natural", _natural),
    ("by-path", _path),
)


def propose(case: FileCase) -> Iterator[Proposal]:
    """Offer the three-way merge of a hunk's lines as a sorted set."""
    if file_group(case.path) in {FileGroup.LOCK, FileGroup.GENERATED}:
        return
    for hunk in case.hunks:
        if not hunk.ours or not hunk.theirs or max(map(len, (hunk.ours, hunk.theirs, hunk.base))) > MAX_LINES:
            continue
        for frame in frames(hunk):
            offer = _of_frame(hunk, frame)
            if offer is not None:
                yield offer
                break


def _of_frame(hunk: HunkCase, frame: Frame) -> Proposal | None:
    sides = (frame.base, frame.ours, frame.theirs)
    if max(map(len, sides)) > MAX_LINES or not _one_list(sides):
        return None
    above, below = _around(hunk, frame)
    merged = _merged(frame)
    if merged is None:
        return None
    lines, marks = merged
    for name, key in _KEYS:
        keys = [[key(line) for line in (*above, *side, *below)] for side in sides]
        # What is sorted although a version of it is not tells nothing of where a new line belongs.
        if min(len(keys[1]), len(keys[2])) < MIN_SORTED or not all(map(_ascending, keys)):
            continue
        ordered = sorted(lines, key=key)  # type: ignore[arg-type]
        if not _ascending([key(line) for line in (*above, *ordered, *below)]):
            return None
        text = frame.cut(_laid_out(ordered, frame))
        if text is None:
            continue
        return Proposal(hunk.index, text, NAME, (_evidence(frame, name),), (name, *marks, *_size(above, below)))
    return None


def _size(above: Sequence[bytes], below: Sequence[bytes]) -> tuple[str, ...]:
    return ("long-list",) if len(above) + len(below) >= 8 else ()


def _evidence(frame: Frame, name: str) -> Evidence:
    base = set(map(_bare, frame.base))
    ours, theirs = set(map(_bare, frame.ours)), set(map(_bare, frame.theirs))

    def change(side: set[bytes]) -> str:
        parts = [f"adds {_shown(side - base)}"] if side - base else []
        parts += [f"removes {_shown(base - side)}"] if base - side else []
        return " and ".join(parts) or "changes nothing"

    return Evidence(f"a sorted list ({name}): target {change(ours)}, source {change(theirs)}")


def _shown(lines: set[bytes]) -> str:
    first = min(lines)[:60].decode(errors="replace")
    return f"`{first}`" if len(lines) == 1 else f"{len(lines)} lines"


def _one_list(sides: Sequence[Lines]) -> bool:
    """Whether all lines are entries of one list: no blank ones, one indentation, brackets closed on their line."""
    indents = set()
    for side in sides:
        for line in side:
            text = line.strip()
            if not text or len(line) > MAX_WIDTH or not _closed(text) or text in {b"}", b"]", b")"}:
                return False
            indents.add(line[: len(line) - len(line.lstrip())])
        if len(set(map(_bare, side))) < len(side):
            return False
    return len(indents) == 1


def _closed(text: bytes) -> bool:
    return all(text.count(a) == text.count(b) for a, b in ((b"(", b")"), (b"[", b"]"), (b"{", b"}")))


def _around(hunk: HunkCase, frame: Frame) -> tuple[list[bytes], list[bytes]]:
    """Return the neighbours above and below that belong to the same list."""
    lines, at = hunk.file.our_lines, hunk.at.ours
    start, end = at.start - len(frame.before), at.end + len(frame.after)
    indent = frame.ours[0][: len(frame.ours[0]) - len(frame.ours[0].lstrip())]
    shape = _shape(frame.ours[0])

    def near(found: Sequence[bytes]) -> list[bytes]:
        taken = []
        for line in found:
            text = line.strip()
            if (
                not text
                or len(line) > MAX_WIDTH
                or not line.startswith(indent)
                or line[len(indent) : len(indent) + 1].isspace()
            ):
                break
            if not _closed(text) or _shape(line) != shape:
                break
            taken.append(line)
        return taken

    above = near(lines[max(start - CONTEXT, 0) : start][::-1])[::-1]
    return above, near(lines[end : end + CONTEXT])


def _shape(line: bytes) -> bytes:
    """Return what tells the lines of one list from others: a leading keyword or comment sign."""
    text = line.strip()
    word = re.match(
        rb"(#|//|import\b|from\b|use\b|using\b|#\s*include\b|export\b|pub use\b|mod\b|const\b|return\b)", text
    )
    return word[0] if word else b""


def _merged(frame: Frame) -> tuple[list[bytes], tuple[str, ...]] | None:
    """Merge by the lines' names where they are pinned (`name==1.2`), by the whole lines elsewhere."""
    named = [{_name(line): line for line in side} for side in (frame.base, frame.ours, frame.theirs)]
    if any(
        len(names) < len(side) for names, side in zip(named, (frame.base, frame.ours, frame.theirs), strict=True)
    ):
        named = [{_bare(line): line for line in side} for side in (frame.base, frame.ours, frame.theirs)]
    base, ours, theirs = named
    values = kept(*({key: _bare(line) for key, line in side.items()} for side in named))
    if values is None:
        return None
    result, marks = [], []
    for key, value in values.items():
        if value is None:
            our, their = ours[key], theirs[key]
            if not _pinned_apart(our, their):
                return None
            result.append(max(our, their, key=version_key))
            marks.append("higher-version")
        else:
            result.append(ours[key] if key in ours and _bare(ours[key]) == value else theirs[key])
    gone = base.keys() - ours.keys(), base.keys() - theirs.keys()
    new = ours.keys() - base.keys(), theirs.keys() - base.keys()
    if gone[0] & gone[1] and new[0] and new[1] and not new[0] & new[1]:
        return None  # both rewrote the same line, each in its way
    if any(gone):
        marks.append("removals")
    if not base:
        marks.append("base-empty")
    if not (new[0] and new[1]):
        marks.append("one-adds")
    return result, tuple(dict.fromkeys(marks))


def _name(line: bytes) -> bytes:
    found = _PINNED.match(line)
    return found[1].lower() if found else _bare(line)


def _pinned_apart(our: bytes, their: bytes) -> bool:
    """Whether two lines pin the same thing at two versions; a number without a point is none."""
    parts = [
        (_PINNED.match(line), re.search(rb"\d\.\d", line), re.sub(rb"[\d.]+", b"", line)) for line in (our, their)
    ]
    return all(pinned and pointed for pinned, pointed, _ in parts) and parts[0][2] == parts[1][2]


def _ascending(keys: Sequence[object]) -> bool:
    return all(one <= other for one, other in pairwise(keys))  # type: ignore[operator]


def _tail(line: bytes) -> bytes:
    text = line.rstrip()
    return text[len(text.rstrip(_TAIL)) :]


def _laid_out(lines: list[bytes], frame: Frame) -> list[bytes]:
    """Return the lines with the ends they need: a comma or backslash on all but the last, a newline on each."""
    every = [line for side in (frame.ours, frame.theirs) for line in side]
    ends = [_tail(line) for side in (frame.ours, frame.theirs) for line in side[:-1]]
    lasts = {_tail(side[-1]) for side in (frame.ours, frame.theirs)}
    mark = max(set(ends), key=ends.count) if ends else max(lasts)
    newline = next((b"\r\n" if line.endswith(b"\r\n") else b"\n" for line in every if line.endswith(b"\n")), b"\n")
    done = []
    for place, line in enumerate(lines):
        text = line.rstrip(b"\r\n")
        if mark.strip():
            text = text.rstrip(_TAIL) + (min(lasts) if place == len(lines) - 1 else mark)
        end = line[len(line.rstrip(b"\r\n")) :]
        done.append(text + (end or newline))
    if not all(side[-1].endswith(b"\n") for side in (frame.ours, frame.theirs)):
        done[-1] = done[-1].rstrip(b"\r\n")
    return done
