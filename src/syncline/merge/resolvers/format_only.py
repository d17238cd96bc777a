"""Settles hunks in which a side only formatted: wrapped lines, trailing commas, other quotes.

The other side's change is laid out in the formatted side's way: put into the formatted text, in the place of the
tokens it replaces. Strict: every token of the formatted side that is not base's must be such a comma or the same
string in other quotes; a key that drops more (parentheses, all quotes) was right 4 times of 10.
"""

from collections.abc import Iterator

from syncline.merge.alignment import squeezed
from syncline.merge.case import FileCase, HunkCase
from syncline.merge.model import Evidence
from syncline.merge.proposal import Proposal
from syncline.merge.text.diff import Edit
from syncline.merge.text.edit_marks import broken
from syncline.merge.text.layout import lay_out
from syncline.merge.text.three_way import Place
from syncline.merge.text.token_region import TokenRegion, as_lines, cut_region, without_frame
from syncline.merge.text.tokens import Kind, Tokens

NAME = "format-only"

MAX_HUNKS = 300
"""A file with more was formatted as a whole: its formatter settles it."""

_CLOSING = frozenset((b")", b"]", b"}", b">"))
_OPENING = frozenset((b"(", b"[", b"{", b"<"))
_KEYWORDS = frozenset(
    b"return yield in is not and or if elif else while assert await del lambda case match of".split()
)


def propose(case: FileCase) -> Iterator[Proposal]:
    """Yield the other side's change, formatted, for each hunk that one side formatted beyond white space."""
    if len(case.cut.hunks) > MAX_HUNKS:
        return
    for hunk in case.hunks:
        if hunk.ours == hunk.theirs:
            continue
        if not hunk.certain and hunk.frame is None:
            continue
        region = cut_region(hunk, hunk.at if hunk.certain else hunk.outer)
        if region is None or not len(region.base):
            continue
        ours, theirs = region.our_edits, region.their_edits
        if ours and _formats(region.base, region.ours, ours):
            yield from _proposal(hunk, region, ours, theirs, ours_formats=True)
        elif theirs and _formats(region.base, region.theirs, theirs):
            yield from _proposal(hunk, region, ours, theirs, ours_formats=False)


def _proposal(
    hunk: HunkCase, region: TokenRegion, ours: list[Edit], theirs: list[Edit], *, ours_formats: bool
) -> Iterator[Proposal]:
    places = _replayed(region, ours, theirs, ours_formats=ours_formats)
    text = lay_out(places, region.base, region.ours, region.theirs, ours, theirs)
    if text is None:
        return
    lines = as_lines(hunk, text) if hunk.certain else without_frame(hunk, text)
    if lines is None or broken(lines, (hunk.base, hunk.ours, hunk.theirs)):
        return
    formatter, changer = ("target", "source") if ours_formats else ("source", "target")
    edits, side = (ours, region.ours) if ours_formats else (theirs, region.theirs)
    quotes = any(edit.a < edit.a_end and edit.b < edit.b_end for edit in edits)
    what = "quotes" if quotes else "trailing commas"
    why = f"{formatter} only formatted this (layout, {what}); {changer}'s change is kept, in {formatter}'s format"
    marks = ["ours-formats" if ours_formats else "theirs-formats", "quotes" if quotes else "commas"]
    if squeezed(b"".join(lines)) in {squeezed(b"".join(hunk.ours)), squeezed(b"".join(hunk.theirs))}:
        marks.append("one-side")
    if len(side.lines()) != len(region.base.lines()):
        marks.append("wrapped")
    yield Proposal(hunk.index, lines, NAME, (Evidence(why),), tuple(marks))


def _formats(base: Tokens, side: Tokens, edits: list[Edit]) -> bool:
    """Whether all edits are format: trailing commas that came or went, and strings in other quotes."""
    return all(
        _trailing_comma(side, edit.b, edit.b_end)
        if edit.a == edit.a_end
        else _trailing_comma(base, edit.a, edit.a_end)
        if edit.b == edit.b_end
        else _other_quotes(base, side, edit)
        for edit in edits
    )


def _trailing_comma(tokens: Tokens, start: int, end: int) -> bool:
    """Whether these tokens are one comma before a closing bracket, and not the one that makes a tuple."""
    if end - start != 1 or tokens.texts[start] != b"," or end == len(tokens) or tokens.texts[end] not in _CLOSING:
        return False
    depth = 0
    for at in range(start - 1, -1, -1):
        token = tokens.texts[at]
        if token in _CLOSING:
            depth += 1
        elif token in _OPENING and depth:
            depth -= 1
        elif token == b"," and not depth:
            return True
        elif token in _OPENING:
            return (
                token == b"{"
                or (token == b"[" and not _calls(tokens, at))
                or (token == b"(" and _calls(tokens, at))
            )
    return False


def _calls(tokens: Tokens, opening: int) -> bool:
    """Whether a bracket stands behind a name: a call or a subscript, not a value."""
    return opening > 0 and tokens.kinds[opening - 1] is Kind.WORD and tokens.texts[opening - 1] not in _KEYWORDS


def _other_quotes(base: Tokens, side: Tokens, edit: Edit) -> bool:
    pairs = list(zip(range(edit.a, edit.a_end), range(edit.b, edit.b_end), strict=False))
    return edit.a_end - edit.a == edit.b_end - edit.b and all(
        base.kinds[a] == side.kinds[b] == Kind.STRING
        and base.texts[a][1:-1] == side.texts[b][1:-1]
        and not {*b"'\"`\\"} & {*base.texts[a][1:-1]}
        and b"`" not in {base.texts[a][:1], side.texts[b][:1]}
        for a, b in pairs
    )


def _replayed(region: TokenRegion, ours: list[Edit], theirs: list[Edit], *, ours_formats: bool) -> list[Place]:
    """Put the changing side's edits into the formatted side's tokens."""
    formatted, form_edits = (region.ours, ours) if ours_formats else (region.theirs, theirs)
    changing, edits = (region.theirs, theirs) if ours_formats else (region.ours, ours)
    base, base_of = region.base, _base_of(len(formatted), form_edits)
    ends = _ends(len(base), base_of)
    written: list[tuple[int | None, int | None, int | None]] = []
    at = shift = 0
    for edit in [*edits, Edit(len(base), len(base), len(changing), len(changing))]:
        stop = ends[edit.a] if edit.a < len(base) else len(formatted)
        for form in range(at, stop):
            old = base_of[form]
            if old is None or base.texts[old] != formatted.texts[form]:
                written.append((None, form, None))
            else:
                written.append((old, form, old + shift))
        new = range(edit.b, edit.b_end)
        if edit.a and new and ends[edit.a] == ends[edit.a - 1] and base.texts[edit.a - 1] == b",":
            # What comes after a trailing comma that the format dropped needs it, and has one of its own to drop.
            closes = (
                changing.texts[new[-1]] == b"," and edit.a_end < len(base) and base.texts[edit.a_end] in _CLOSING
            )
            new = range(edit.b - 1, edit.b_end - closes)
        written += [(None, None, change) for change in new]
        at, shift = max(stop, ends[edit.a_end]), edit.b_end - edit.a_end

    def text(form: int | None, change: int | None) -> bytes:
        return formatted.texts[form] if form is not None else changing.texts[change or 0]

    places: list[Place] = []
    before = b""
    for old, form, change in written:
        token = text(form, change)
        # A comma that only formats must not stand behind another one, or alone.
        if not (old is None and change is None and token == b"," and (before == b"," or before in _OPENING)):
            places.append(Place(old, form, change) if ours_formats else Place(old, change, form))
            before = token
    return places


def _ends(size: int, base_of: list[int | None]) -> list[int]:
    """Return for each number of tokens of base how many of the formatted text hold them."""
    ends = [0] * (size + 1)
    for at, old in enumerate(base_of):
        if old is not None:
            ends[old + 1] = at + 1
    for old in range(1, len(ends)):
        ends[old] = max(ends[old], ends[old - 1])
    return ends


def _base_of(size: int, edits: list[Edit]) -> list[int | None]:
    """Return for each token of the formatted side the token of base it is, quotes aside; None for a new comma."""
    found: list[int | None] = []
    base = 0
    for edit in edits:
        found += range(base, edit.a)
        found += (
            range(edit.a, edit.a_end)
            if edit.a_end - edit.a == edit.b_end - edit.b
            else [None] * (edit.b_end - edit.b)
        )
        base = edit.a_end
    return [*found, *range(base, base + size - len(found))]
