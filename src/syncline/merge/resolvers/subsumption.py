"""One side has what the other side had before it went on: the side that went further holds both.

Branches that exchange commits by cherry-pick or squash meet again with a merge base that is too old. Where ours,
with a line of context above and below, reads as theirs read at an earlier commit since the base, theirs' present
text is what became of it; and the other way round. A whole definition that stands as it once stood there is a case
of this.
Sources of the rules, over 32 repositories: with both context lines 88 % right where source is ahead, 75 % where
target is; with none it is worth nothing; a state that base had as well says less; a side that went back to what it
had before looks the same and is told apart. That two commits are twins proves nothing alone (38 % right), but it
supports: where target is ahead, 90 % right with a twin or the same author, 69 % without.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from syncline.git.versions import Version
from syncline.merge.case import FileCase, HunkCase, Span
from syncline.merge.file_group import FileGroup, file_group
from syncline.merge.model import Evidence, Side
from syncline.merge.past_versions import PastVersions
from syncline.merge.proposal import Proposal

NAME = "subsumption"

_MOST_BYTES = 1024 * 1024
"""Larger files are data."""
_MOST_SEARCHED = 512 * 1024 * 1024
"""Bytes of old versions, counted once for each hunk, that are searched for one file: half a second."""
_REACHES = {"wide": 10, "near": 3}
"""How many lines on either side of a hunk agree as well: 88 % right, 77 %, with fewer 56 % (ours and theirs)."""

_BLANK = b" \t\r\v\f"
_NUMBER = re.compile(r"[#!](\d+)\b")
_TITLE_NOISE = re.compile(r"\(?\S*[#!]\d+\)?|^(\s*\[[^\]]*\])+|^\w+(\([^)]*\))?!?:\s")
_NO_WORD = re.compile(r"\W+")


def propose(case: FileCase, history: PastVersions) -> Iterator[Proposal]:
    """Yield, for each hunk of which one side is an older state of the other, that other side.

    Args:
        case: the file.
        history: the older versions of the files of this merge.

    Marks: `new` or `in-base` (whether base had the state as well); `one-line` (of context agrees, not two);
    `empty` (the state is that nothing stood there); `wide` (ten lines around agree too), `near` (three), `scant`
    (fewer); `whole-file`; `revert` (the side ahead went back to something older); `twin` (the commits that brought
    the state to either side have a title or a proposal number in common) and `same-author`; `both-ways` (each side
    was once where the other is).
    """
    if file_group(case.path) in {FileGroup.LOCK, FileGroup.GENERATED}:
        return
    if max(len(case.base), len(case.ours), len(case.theirs)) > _MOST_BYTES or not case.hunks:
        return
    ours = _View(Side.OURS, case.our_lines, _squeezed(case.ours), _past(case, history, Side.OURS))
    theirs = _View(Side.THEIRS, case.their_lines, _squeezed(case.theirs), _past(case, history, Side.THEIRS))
    base = _squeezed(case.base)
    left = _MOST_SEARCHED
    for hunk in case.hunks:
        left -= ours.size + theirs.size
        if left < 0:
            return
        if _squeezed(b"".join(hunk.ours)) == _squeezed(b"".join(hunk.theirs)):
            continue
        found = [
            step
            for ahead, behind in ((theirs, ours), (ours, theirs))
            if (step := _step(hunk, ahead, behind, base)) is not None
        ]
        for step in found:
            marks = (*step.marks, "both-ways") if len(found) == 2 else step.marks
            lines = hunk.theirs if step.ahead.side is Side.THEIRS else hunk.ours
            yield Proposal(hunk.index, lines, NAME, step.evidence, marks)


@dataclass(frozen=True, slots=True)
class _Old:
    version: Version
    text: bytes


@dataclass(frozen=True)
class _View:
    """A side: what it has now, and what it had, newest first; texts without white space."""

    side: Side
    lines: list[bytes]
    now: bytes
    past: list[_Old]

    @cached_property
    def size(self) -> int:
        """How many bytes a search goes through."""
        return sum(len(old.text) for old in self.past)

    @property
    def name(self) -> str:
        """What people call the side."""
        return "target" if self.side is Side.OURS else "source"

    def span(self, hunk: HunkCase) -> Span:
        """Return where a hunk stands in it."""
        return hunk.at.ours if self.side is Side.OURS else hunk.at.theirs


@dataclass(frozen=True, slots=True)
class _Step:
    """That one side is at an older state of the other."""

    ahead: _View
    marks: tuple[str, ...]
    evidence: tuple[Evidence, ...]


def _past(case: FileCase, history: PastVersions, side: Side) -> list[_Old]:
    return [_Old(version, _squeezed(content)) for version, content in history.texts(case.path, side)]


def _squeezed(text: bytes) -> bytes:
    """Return a text without blanks and empty lines, a line feed before and after each line."""
    return b"\n" + b"\n".join(filter(None, text.translate(None, _BLANK).split(b"\n"))) + b"\n"


def _needle(lines: Sequence[bytes], span: Span, above: int, below: int) -> bytes:
    """Return some lines of a side with so many lines around them that are not blank, ready to be searched for."""
    start, end = span.start, span.end
    while above and start > 0:
        start -= 1
        above -= bool(lines[start].strip())
    while below and end < len(lines):
        below -= bool(lines[end].strip())
        end += 1
    return _squeezed(b"".join(lines[start:end]))


def _step(hunk: HunkCase, ahead: _View, behind: _View, base: bytes) -> _Step | None:
    """Return the step from what `behind` has to what `ahead` has; None when `ahead` was never there."""
    span = behind.span(hunk)
    nothing = not b"".join(behind.lines[span.start : span.end]).strip()
    # Without a line of context every closing brace is an old state of something.
    for context in ((1, 1),) if nothing else ((1, 1), (1, 0), (0, 1)):
        needle = _needle(behind.lines, span, *context)
        reach = None if needle in ahead.now else _reach(ahead, needle)
        if reach is None:
            continue
        reached, went_on, before = reach
        present = _needle(ahead.lines, ahead.span(hunk), *context)
        back = present in base or any(present in old.text for old in before)
        got = _arrival(behind, needle)
        twin = got is not None and _are_twins(reached, got)
        marks = {
            "in-base" if needle in base else "new": True,
            "one-line": context != (1, 1),
            "empty": nothing,
            _around(behind.lines, span, ahead): True,
            "whole-file": any(old.text == behind.now for old in ahead.past),
            "revert": back or (went_on is not None and went_on.subject.lower().startswith("revert")),
            "twin": twin,
            "same-author": got is not None and reached.author == got.author,
        }
        evidence = [_had(ahead, behind, reached, nothing=nothing)]
        if went_on is not None:
            how = "went back to what it had before with" if back else "went on with"
            evidence.append(_says(f"{ahead.name} {how}", went_on))
        if got is not None:
            evidence.append(_says(f"{behind.name} got this {'by the same change' if twin else 'with'}", got))
        return _Step(ahead, tuple(mark for mark, holds in marks.items() if holds), tuple(evidence))
    return None


def _around(lines: Sequence[bytes], span: Span, ahead: _View) -> str:
    """Return the mark for how much around a hunk is as it was in an old version; `scant` for less than that."""
    for mark, size in _REACHES.items():
        needle = _needle(lines, span, size, size)
        if any(needle in old.text for old in ahead.past):
            return mark
    return "scant"


def _reach(ahead: _View, needle: bytes) -> tuple[Version, Version | None, list[_Old]] | None:
    """Return which commit brought a state, which one ended it (if it is known), and what was before."""
    newest = next((at for at, old in enumerate(ahead.past) if needle in old.text), None)
    if newest is None:
        return None
    oldest = newest
    while oldest + 1 < len(ahead.past) and needle in ahead.past[oldest + 1].text:
        oldest += 1
    went_on = ahead.past[newest - 1].version if newest else None
    return ahead.past[oldest].version, went_on, ahead.past[oldest + 1 :]


def _arrival(behind: _View, needle: bytes) -> Version | None:
    """Return the commit with which a side got what it has now; None when it had it from the start."""
    missing = next((at for at, old in enumerate(behind.past) if needle not in old.text), len(behind.past))
    return behind.past[missing - 1].version if missing else None


def _had(ahead: _View, behind: _View, reached: Version, *, nothing: bool) -> Evidence:
    what = "nothing here" if nothing else "these lines"
    return _says(f"{ahead.name} had {what}, as {behind.name} has now, since", reached)


def _says(what: str, version: Version) -> Evidence:
    return Evidence(f'{what} "{version.subject}"', version.commit)


def _are_twins(one: Version, other: Version) -> bool:
    numbers = set(_NUMBER.findall(one.subject))
    if numbers & set(_NUMBER.findall(other.subject)):
        return True
    title = _title(one.subject)
    return len(title) > 12 and title == _title(other.subject)


def _title(subject: str) -> str:
    return _NO_WORD.sub(" ", _TITLE_NOISE.sub(" ", subject)).strip().lower()
