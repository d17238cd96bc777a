"""Rename replay: what one side renamed, renamed in the other side's new text too.

Where all that a side did to a hunk is to write one name, path or phrase for another, its change can be made again
on whatever the other side wrote. The same holds for a rename that a side made over the whole file: new lines of
the other side still use the old name. Measured on eight repositories' history: both sides such a change and both
orders agreeing 77 % right, one side 60 % (the project's study of resolvers).
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from syncline.merge.case import FileCase, HunkCase
from syncline.merge.hunks import split_lines
from syncline.merge.model import Evidence
from syncline.merge.proposal import Proposal
from syncline.merge.resolvers.line_merge import keeps_common, merge_lines
from syncline.merge.text.diff import Edit, edits, edits_between, matches

NAME = "rename-replay"

MAX_BYTES = 30_000
"""A longer version of a hunk is not read."""

MAX_FILE_BYTES = 1_500_000
"""A longer file is not searched for renames."""

MAX_PAIRS = 12
"""A side that replaced more different texts in one hunk did not rename."""

MAX_CHUNK = 1_500
"""Longer changed stretches (bytes) of a file tell no rename: they were rewritten."""

_TOKEN = re.compile(rb"[A-Za-z0-9_\x80-\xff]+|[^\sA-Za-z0-9_\x80-\xff]")
_WORD = re.compile(rb"[A-Za-z0-9_\x80-\xff]")
_VERSION = re.compile(rb"(?<![\w.])(?:\w*\d\.\d[\w.]*(?:[+-][A-Za-z][\w.]*)?|\d{4}-\d\d-\d\d)")
"""A number with points, a version with all that belongs to it, a date."""
_NAME = re.compile(rb"[A-Za-z_\x80-\xff][A-Za-z0-9_\x80-\xff]{2,}\Z")

Tokens = tuple[bytes, ...]
Renames = Mapping[Tokens, bytes]
"""Old tokens to the new text in their place."""


@dataclass(frozen=True, slots=True)
class _Text:
    """A text and its tokens, white space left out."""

    text: bytes
    tokens: Tokens
    spans: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, text: bytes) -> "_Text":
        found = list(_TOKEN.finditer(text))
        return cls(text, tuple(m.group() for m in found), tuple(m.span() for m in found))

    def between(self, start: int, end: int) -> bytes:
        """Return the text of the tokens from `start` up to `end`, with the spacing between them."""
        return self.text[self.spans[start][0] : self.spans[end - 1][1]] if start < end else b""


@dataclass(frozen=True, slots=True)
class _Renamed:
    """A text after the renames."""

    text: bytes
    count: int


def _rename(text: _Text, renames: Renames) -> _Renamed:
    """Return a text with every occurrence of the old tokens replaced, the longest first."""
    by_first: dict[bytes, list[Tokens]] = {}
    for old in sorted(renames, key=len, reverse=True):
        by_first.setdefault(old[0], []).append(old)
    pieces: list[bytes] = []
    at = place = count = 0
    while place < len(text.tokens):
        for old in by_first.get(text.tokens[place], ()):
            end = place + len(old)
            if text.tokens[place:end] == old and not _there_already(text, place, old, renames[old]):
                pieces += [text.text[at : text.spans[place][0]], renames[old]]
                at = text.spans[end - 1][1]
                place = end
                count += 1
                break
        else:
            place += 1
    pieces.append(text.text[at:])
    return _Renamed(b"".join(pieces), count)


def _there_already(text: _Text, start: int, old: Tokens, new: bytes) -> bool:
    """Whether the new text stands there already, the old one being a part of it."""
    wanted = tuple(_TOKEN.findall(new))
    if len(wanted) <= len(old):
        return False
    for shift in range(len(wanted) - len(old) + 1):
        low = start - shift
        if wanted[shift : shift + len(old)] == old and low >= 0 and text.tokens[low : low + len(wanted)] == wanted:
            return True
    return False


def _in_hunk(base: _Text, side: _Text, changes: Sequence[Edit], *, strict: bool) -> Renames | None:
    """Return the renames that make the side's whole change of a hunk; None when it is no such change.

    Args:
        base: the hunk in base.
        side: the hunk in the side.
        changes: what the side changed, by tokens.
        strict: only names, paths and phrases for one another, no lines and no punctuation alone.
    """
    if not changes:
        return None
    for left, right in ((0, 0), (1, 0), (0, 1), (1, 1)):
        renames: dict[Tokens, bytes] = {}
        for change in changes:
            a, a_end, b, b_end = change.a, change.a_end, change.b, change.b_end
            if a == a_end or b == b_end:
                # A text that only appears or goes is known by its neighbours.
                if a < left or b < left or a_end + right > len(base.tokens) or b_end + right > len(side.tokens):
                    break
                a, b, a_end, b_end = a - left, b - left, a_end + right, b_end + right
            old, new = base.tokens[a:a_end], side.between(b, b_end)
            if not old or not new or len(old) > 12 or (strict and not _is_rename(old, new, b_end - b)):
                break
            if renames.setdefault(old, new) != new:
                break
        else:
            if len(renames) <= MAX_PAIRS and _TOKEN.findall(_rename(base, renames).text) == list(side.tokens):
                return renames
    return None


def _is_rename(old: Tokens, new: bytes, size: int) -> bool:
    """Whether a text of `size` tokens is another's new one: both hold a word, in one line, none is a rewriting."""
    return (
        b"\n" not in new
        and 0 < size <= 2 * len(old) + 5
        and len(old) <= 2 * size + 5
        and any(token[:1].isalnum() or token[:1] >= b"\x80" or token[:1] == b"_" for token in old)
        and bool(_WORD.search(new))
    )


def _over_file(case: FileCase, *, ours: bool) -> dict[Tokens, tuple[bytes, int]]:
    """Return the names a side replaced wherever they stood in the file, each with how often."""
    found = case.base_in_ours if ours else case.base_in_theirs
    new_lines = case.our_lines if ours else case.their_lines
    chunks: list[tuple[list[bytes], bytes]] = []
    for edit in edits_between(found, len(case.base_lines), len(new_lines)):
        old = b"".join(case.base_lines[edit.a : edit.a_end])
        new = b"".join(new_lines[edit.b : edit.b_end])
        if not old or not new or len(old) > MAX_CHUNK or len(new) > MAX_CHUNK:
            continue
        chunks.append((_TOKEN.findall(old), new))
    names = {word for old_tokens, _ in chunks for word in old_tokens if _NAME.match(word)}
    # Gone from the file: a rename, not a word that was written over.
    gone = names.difference(_TOKEN.findall(case.ours if ours else case.theirs)) if names else names
    pairs: Counter[tuple[bytes, bytes]] = Counter()
    for old_tokens, new in chunks:
        if gone.isdisjoint(old_tokens):
            continue
        new_tokens = _TOKEN.findall(new)
        for change in edits(old_tokens, new_tokens):
            if change.a_end - change.a == change.b_end - change.b == 1 and old_tokens[change.a] in gone:
                pairs[old_tokens[change.a], new_tokens[change.b]] += 1
    if not pairs:
        return {}
    in_base = Counter(_TOKEN.findall(case.base))
    renames: dict[Tokens, tuple[bytes, int]] = {}
    for (old, new), count in pairs.most_common():
        # Mostly for this one name.
        if _NAME.match(new) and (old,) not in renames and count * 2 > in_base[old]:
            renames[old,] = (new, count)
    return renames


@dataclass(frozen=True, slots=True)
class _Learned:
    """What a side renamed: in the hunk, or over the file."""

    renames: Renames
    whole_file: frozenset[Tokens]
    whole_hunk: bool


def propose(case: FileCase) -> Iterator[Proposal]:
    """Yield, for each hunk, the other side's text with what one side renamed."""
    if not case.has_base:
        return
    big = max(len(case.base), len(case.ours), len(case.theirs)) > MAX_FILE_BYTES
    ours_all = {} if big else _over_file(case, ours=True)
    theirs_all = {} if big else _over_file(case, ours=False)
    for hunk in case.hunks:
        if hunk.ours != hunk.theirs:
            yield from _of_hunk(hunk, ours_all, theirs_all)


FileRenames = Mapping[Tokens, tuple[bytes, int]]


def _of_hunk(hunk: HunkCase, ours_all: FileRenames, theirs_all: FileRenames) -> Iterator[Proposal]:
    base, ours, theirs = (b"".join(lines) for lines in (hunk.base, hunk.ours, hunk.theirs))
    if max(len(base), len(ours), len(theirs)) > MAX_BYTES or not ours.strip() or not theirs.strip():
        return
    if len({text.endswith(b"\n") for text in (base, ours, theirs) if text}) > 1:
        return  # what is put behind a line that has no end would go on in it
    base_text, our_text, their_text = _Text.of(base), _Text.of(ours), _Text.of(theirs)
    offers: dict[bytes, tuple[list[str], str]] = {}
    # What a side calls otherwise wherever it stood must not be left half of it.
    whole: dict[Tokens, bytes] = {}
    if base:
        our_edits, their_edits = (edits(base_text.tokens, side.tokens) for side in (our_text, their_text))
        sides = (
            ("target", our_text, our_edits, their_text, ours_all),
            ("source", their_text, their_edits, our_text, theirs_all),
        )
        for who, side, changes, other, over_file in sides:
            renames = _in_hunk(base_text, side, changes, strict=True)
            if renames is not None:
                _offer(offers, who, base_text, other, renames, over_file)
                whole |= renames if "names" in _kinds(renames) else {}
        agreed = _agreed(base_text, (our_text, our_edits), (their_text, their_edits))
        if agreed in offers:
            offers[agreed][0].append("both-directions-agree")
        elif agreed is not None:
            why = "both sides only wrote one text for another here, and doing both gives the same in either order"
            offers[agreed] = (["both-directions-agree", "not-names"], why)
    _offer_merged(offers, (base_text, our_text, their_text), (ours_all, theirs_all))
    found = {text: told for text, told in offers.items() if _is_whole(text, (base, ours, theirs), whole)}
    for text, (marks, why) in found.items():
        lines = tuple(split_lines(text))
        if lines not in {hunk.ours, hunk.theirs} and keeps_common(hunk, lines):
            yield Proposal(hunk.index, lines, NAME, (Evidence(why),), tuple(dict.fromkeys(marks)))


def _is_whole(text: bytes, versions: tuple[bytes, ...], renames: Renames) -> bool:
    """Whether no number is put together of two, and no rename left half done."""
    known = {number for version in versions for number in _VERSION.findall(version)}
    if not known.issuperset(_VERSION.findall(text)):
        return False
    written = {word for new in renames.values() for word in _TOKEN.findall(new)}
    left = {old: new for old, new in renames.items() if written.isdisjoint(old)}  # what was swapped stays
    return not _rename(_Text.of(text), left).count


def _agreed(base: _Text, ours: tuple[_Text, list[Edit]], theirs: tuple[_Text, list[Edit]]) -> bytes | None:
    """Return what comes out where both sides only replaced texts and either order gives the same."""
    our_renames = _in_hunk(base, *ours, strict=False)
    their_renames = _in_hunk(base, *theirs, strict=False)
    if our_renames is None or their_renames is None:
        return None
    one, other = _rename(theirs[0], our_renames).text, _rename(ours[0], their_renames).text
    return one if one.split() == other.split() else None


def _offer(
    offers: dict[bytes, tuple[list[str], str]],
    who: str,
    base: _Text,
    other: _Text,
    renames: Renames,
    over_file: FileRenames,
) -> None:
    """Offer the other side's text with all that `who` did to the hunk."""
    renamed = _rename(other, renames)
    before = _rename(base, renames).count
    kinds = list(_kinds(renames))
    # Fewer places: the other side took some of the change away with its text (7 % right). More of what is no name,
    # a number say, mean something else in each place (as rarely right).
    if renamed.count < before or (renamed.count > before and "names" not in kinds):
        return
    marks = ["hunk", *kinds, "each-place" if renamed.count == before else "new-places"]
    if any(
        word in other.tokens and word not in base.tokens
        for new in renames.values()
        for word in _TOKEN.findall(new)
    ):
        marks.append("known-there")
    if all(over_file.get(old, (b"", 0))[0] == new for old, new in renames.items()):
        marks.append("whole-file")
    known = offers.setdefault(renamed.text, (marks, _sentence(who, renames, renamed.count)))
    known[0].extend(mark for mark in marks if mark not in known[0])


def _offer_merged(
    offers: dict[bytes, tuple[list[str], str]],
    texts: tuple[_Text, _Text, _Text],
    over_file: tuple[FileRenames, FileRenames],
) -> None:
    """Offer the line merge of the three versions after both sides' file-wide renames were made in all of them."""
    base, ours, theirs = texts
    ours_all, theirs_all = over_file
    clash = {old for old in ours_all.keys() & theirs_all.keys() if ours_all[old][0] != theirs_all[old][0]}
    present = set(base.tokens) | set(ours.tokens) | set(theirs.tokens)
    here = {
        old: new
        for known in over_file
        for old, (new, _) in known.items()
        if old not in clash and old[0] in present
    }
    if not here:
        return
    in_ours, in_theirs = _rename(ours, here), _rename(theirs, here)
    if not in_ours.count and not in_theirs.count:
        return
    old_lines, our_lines, their_lines = (
        split_lines(text) for text in (_rename(base, here).text, in_ours.text, in_theirs.text)
    )
    merged = merge_lines(
        old_lines, our_lines, their_lines, matches(old_lines, our_lines), matches(old_lines, their_lines)
    )
    if not merged.whole:
        return
    who = "target" if in_theirs.count else "source"
    counts = [known[old][1] for known in over_file for old in here if old in known]
    marks = ["file", *_kinds(here), *merged.guards(0, len(old_lines)), f"in-file-{_bucket(max(counts))}"]
    if old_lines in (our_lines, their_lines):
        marks.append("whole-hunk")
    text = b"".join(merged.lines)
    known = offers.setdefault(text, (marks, _sentence(who, here, in_ours.count + in_theirs.count)))
    known[0].extend(mark for mark in marks if mark not in known[0])


def _kinds(renames: Renames) -> Iterator[str]:
    yield "one-rename" if len(renames) == 1 else "many-renames"
    if any(b"/" in old or b"." in old for old in renames):
        yield "path"
    if all(len(old) == 1 and _NAME.match(old[0]) and _NAME.match(new) for old, new in renames.items()):
        yield "names"
    elif all(len(old) == 1 and old[0].isdigit() for old in renames):
        yield "numbers"
    elif all(len(old) == 1 and len(_TOKEN.findall(new)) == 1 for old, new in renames.items()):
        yield "one-token"


def _bucket(count: int) -> str:
    return "1" if count == 1 else "2" if count < 4 else "4" if count < 10 else "10"


def _sentence(who: str, renames: Renames, count: int) -> str:
    other = "source" if who == "target" else "target"
    pairs = [f"`{_show(b' '.join(old))}` to `{_show(new)}`" for old, new in list(renames.items())[:3]]
    more = f" and {len(renames) - 3} more" if len(renames) > 3 else ""
    times = "once" if count == 1 else f"{count} times"
    return f"{who} changed only {', '.join(pairs)}{more} here; {other}'s text has it {times}"


def _show(text: bytes) -> str:
    shown = b" ".join(text.split()).decode("utf-8", "replace")
    return shown if len(shown) <= 60 else shown[:57] + "..."
