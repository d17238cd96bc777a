"""Both sides only added something at the same place: both additions are kept, one behind the other.

Source: 263 such hunks of eight public repositories. Whether both are kept can be told (entries with distinct keys
81 %, imports 75 %, texts that are unlike 74 %), their order hardly: so both orders are offered, and the marks say
which one it is and what the additions look like. Where one addition is an edit of the other, nothing is offered.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from syncline.merge.alignment import squeezed
from syncline.merge.case import FileCase, HunkCase
from syncline.merge.file_group import FileGroup, file_group
from syncline.merge.hunks import Lines
from syncline.merge.model import Evidence
from syncline.merge.proposal import Proposal
from syncline.merge.resolvers.cut_edges import between
from syncline.merge.resolvers.never_runs import never_runs
from syncline.merge.text.entries import sorts_better

NAME = "both-added"

MAX_LINES = 400
"""Additions longer than this are no entries but rewritten files."""
ALIKE = 0.6
"""From this share of common words on, one addition counts as an edit of the other."""
VERY_ALIKE = 0.9
"""The same for two single lines, which share much by nature."""

_IMPORT = re.compile(
    rb"\s*(import\b|from\s+\S+\s+import\b|#\s*include\b|using\s|use\s|require\b|require_once\b|include\b|@import\b"
    rb"|export\s+(\*|\{.*\})\s+from\b|extern crate\b|(pub )?mod \w+;)"
)
_ENTRY = re.compile(rb"""\s*("[^"\n]{1,200}"|'[^'\n]{1,200}'|[\w.$@/-]{1,200})\s*(:(?!:)|=>|=(?!=))\s*\S""")
_DEFINITION = re.compile(
    rb"\s*(?:(?:public|private|protected|internal|static|async|export|default|pub|final|abstract|override|virtual)\s+)*"
    rb"(?:def|class|function|func|fn|interface|struct|enum|trait|module|type)\s+(?:\([^)]*\)\s*)?([\w$.]+)"
)
_CALLABLE = re.compile(rb"[ \t]*(?:[\w:<>\[\]*&,@?~.]+\s+)+([\w:~]+)\s*\([^;]*$")
_WORD = re.compile(rb"\w+|[^\w\s]")


def propose(case: FileCase) -> Iterator[Proposal]:
    """Offer both orders of what the sides added at the same place of an existing file."""
    if not case.has_base or file_group(case.path) in {FileGroup.LOCK, FileGroup.GENERATED}:
        return
    for hunk in case.hunks:
        yield from _of_hunk(hunk)


def _of_hunk(hunk: HunkCase) -> Iterator[Proposal]:
    ours, theirs = hunk.ours, hunk.theirs
    if not 0 < len(ours) <= MAX_LINES or not 0 < len(theirs) <= MAX_LINES or any(map(squeezed, hunk.base)):
        return
    our_lines, their_lines = _filled(ours), _filled(theirs)
    if not our_lines or not their_lines or our_lines == their_lines:
        return
    # Both have a line more: then it is not two additions, brackets and ends apart.
    if set(our_lines) & set(their_lines) - {b"}", b"]", b")", b"end", b"*/"}:
        return
    kind = _kinds(ours, theirs)
    if kind is None:
        return
    edges = between(hunk, imports="imports" in kind, entries="distinct-keys" in kind)
    if edges is None:
        return
    union = _sorted(hunk)
    if union is not None:
        what = "kept in the sorted order of the lines around"
        yield _offer(hunk, union, ("sorted-context", *kind), what)
        return
    cut = ("whole",) if edges == ((), ()) else ("cut-edges",)
    after, before = edges
    whole = [((*_ended(side, hunk.hunk.ending), *after), (*before, *side)) for side in (ours, theirs)]
    texts = [(*whole[0][0], *whole[1][1]), (*whole[1][0], *whole[0][1])]
    orders = (("ours-first", *texts, 0, 1), ("theirs-first", *texts[::-1], 1, 0))
    for name, text, other, one, two in orders:
        first, second = whole[one][0], whole[two][1]
        if adopts(first, second, hunk.file.path) or never_runs(second, first, hunk.file.path):
            continue
        side = "target's" if name == "ours-first" else "source's"
        short = sorts_better(text, other) if {"imports", "one-line-each"} & set(kind) else ()
        marks = (name, *short, *cut, *kind)
        yield _offer(hunk, text, marks, f"both are kept, {side} first")


def adopts(first: Lines, second: Lines, path: bytes) -> bool:
    """Return whether a second addition would come to stand under a heading or a block that only the first begins.

    At the place where both were added the second one belonged to what stands above.
    """
    if not second:
        return False
    suffix = path.rpartition(b".")[2].lower()
    heading = _HEADINGS.get(suffix)
    begins = next((index for index, line in enumerate(second) if line.strip()), 0)
    if heading is not None and _has_heading(first, heading):
        return not _has_heading(second[begins : begins + 2], heading)
    if suffix in _INDENTED:
        outermost = min((len(_indent(line)) for line in first if line.strip()), default=0)
        return len(_indent(second[begins])) > outermost
    return False


_UNDERLINE = rb"([=~^*+#\"'`-])\1{2,}\s*$"
_HEADINGS = {
    suffix: re.compile(pattern)
    for suffixes, pattern in (
        (b"md markdown", rb"#{1,6}\s|" + _UNDERLINE),
        (b"rst txt", _UNDERLINE),
        (b"toml ini cfg conf editorconfig", rb"\s*\[.*\]\s*([#;].*)?$"),
    )
    for suffix in suffixes.split()
}
_INDENTED = frozenset((b"py", b"pyi", b"yaml", b"yml"))


def _has_heading(lines: Lines, heading: re.Pattern[bytes]) -> bool:
    return any(heading.match(line) for line in lines)


def _offer(hunk: HunkCase, lines: Lines, marks: tuple[str, ...], what: str) -> Proposal:
    evidence = (
        f"target added {_count(hunk.ours)} and source {_count(hunk.theirs)} at the same place, where nothing "
        f"stood before; {what}"
    )
    return Proposal(hunk.index, lines, NAME, (Evidence(evidence),), marks)


def _count(lines: Lines) -> str:
    number = len(_filled(lines))
    return f"{number} line{'s' if number > 1 else ''}"


def _filled(lines: Sequence[bytes]) -> list[bytes]:
    return [key for line in lines if (key := squeezed(line))]


def _ended(lines: Lines, ending: bytes) -> Lines:
    """A last line without its end must not swallow the line that now follows."""
    if lines and not lines[-1].endswith(b"\n"):
        return (*lines[:-1], lines[-1] + ending)
    return lines


def _kinds(ours: Lines, theirs: Lines) -> tuple[str, ...] | None:
    """Return what the additions look like; None where they are two versions of one thing."""
    found = []
    our_words, their_words = _WORD.findall(b"".join(ours)), _WORD.findall(b"".join(theirs))
    like = _likeness(our_words, their_words)
    our_lines, their_lines = _filled(ours), _filled(theirs)
    if all(_IMPORT.match(line) for line in (*ours, *theirs) if line.strip()):
        found.append("imports")
    our_keys, their_keys = _keys(ours), _keys(theirs)
    if our_keys is not None and their_keys is not None:
        if set(our_keys) & set(their_keys):
            return None
        found.append("distinct-keys")
    our_names, their_names = _names(ours), _names(theirs)
    if our_names and their_names:
        if our_names & their_names:
            return None
        found.append("distinct-definitions")
    if len(our_lines) == len(their_lines) == 1:
        found.append("one-line-each")
    if like >= (ALIKE if not found else VERY_ALIKE if found == ["one-line-each"] else 1.01):
        return None
    found.append("unlike" if like < 0.3 else "some-alike" if like < ALIKE else "alike")
    return tuple(found)


def _likeness(ours: Sequence[bytes], theirs: Sequence[bytes]) -> float:
    """Return how many words two texts share, in whatever order: twice the common ones by both lengths."""
    common = Counter(ours) & Counter(theirs)
    return 2 * common.total() / max(len(ours) + len(theirs), 1)


def _keys(lines: Lines) -> list[bytes] | None:
    """Return the keys if all lines are entries."""
    found = [(_ENTRY.match(line)) for line in lines if line.strip()]
    return [match[1] for match in found if match] if all(found) else None


def _names(lines: Lines) -> set[bytes]:
    return {match[1] for line in lines if (match := _DEFINITION.match(line) or _CALLABLE.match(line))}


def _sorted(hunk: HunkCase) -> Lines | None:
    """Return the union in sorted order if the three lines above and below and each side are sorted."""
    file, at = hunk.file, hunk.at
    above = file.our_lines[max(at.ours.start - 3, 0) : at.ours.start]
    below = file.our_lines[at.ours.end : at.ours.end + 3]
    indent = _indent(hunk.ours[0])
    above = _near(above[::-1], indent)[::-1]
    below = _near(below, indent)
    lines = [*hunk.ours, *hunk.theirs]
    if len(above) + len(below) < 2 or len(_near(lines, indent)) < len(lines):
        return None
    union = [line for line in lines if line.endswith(b"\n")]
    if len(union) < len(lines):
        return None
    for key in (_sort_key, lambda line: _sort_key(line).lower()):
        sides = ([*above, *side, *below] for side in (hunk.ours, hunk.theirs))
        if all(_is_sorted([key(line) for line in side]) for side in sides):
            return tuple(sorted(union, key=key))
    return None


def _near(lines: Sequence[bytes], indent: bytes) -> list[bytes]:
    found = []
    for line in lines:
        if not line.strip() or _indent(line) != indent:
            break
        found.append(line)
    return found


def _indent(line: bytes) -> bytes:
    return line[: len(line) - len(line.lstrip())]


def _sort_key(line: bytes) -> bytes:
    return line.strip().rstrip(b",;")


def _is_sorted(keys: Sequence[bytes]) -> bool:
    return all(one <= other for one, other in pairwise(keys))
