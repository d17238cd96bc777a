"""The sides differ in nothing but version numbers, dates or hashes.

Offers what target has ("its own version stays") and the text with the highest of each; the marks say which it is,
and what kinds of versions met. Which of the two a lane wants is its own record's to say.
Source: version-only hunks of eight public repositories: the higher one 210 of 222, target's 211 of 234, and each
wrong where the other is right. In lock files no text is right: declined.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from syncline.merge.alignment import squeezed
from syncline.merge.case import FileCase, HunkCase
from syncline.merge.file_group import FileGroup, file_group
from syncline.merge.hunks import Lines, split_lines
from syncline.merge.model import Evidence
from syncline.merge.proposal import Proposal

NAME = "versions"

MAX_BYTES = 20_000
"""A hunk beyond this is data, not a few versions."""

_TOKEN = re.compile(
    rb"(?<![\w.])(?:"
    rb"(?P<hash>(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{7,128}(?![\w]))"
    # Repetitions are bounded, so that no text makes the search go back and forth.
    rb"|(?P<version>v?\d{1,40}(?:[._]\d{1,40}){0,9}"
    rb"(?:[-._+~]?(?:[A-Za-z]{1,40}[-._]?)?\d{0,40}(?:[.+-][0-9A-Za-z]{1,64}){0,9})?(?![\w]))"
    rb")"
)
_PRERELEASE = re.compile(rb"(?i)(snapshot|dev|alpha|beta|preview|pre|nightly|canary|rc|[ab])(?=[\W\d_]|$)")
_OWN_KEY = re.compile(
    rb"""(?ix)^\s*(?:["']?version["']?\s*[:=]|<(?:version|versionprefix|packageversion|revision)>|__version__|.*\bVERSION\b"""
    rb"""|.*_VERSION(?:_\w+)?\b|.*\bversion\b)"""
)
_VERSION = re.compile(rb"v\d|\d+[._]\d+[._+-]|\d[\w.]*[.-]?(?i:snapshot|dev|alpha|beta|preview|pre|rc)")
"""What is a version wherever it stands: with a `v`, of three parts, or a prerelease."""
_PARTS = re.compile(rb"\d+|[A-Za-z]+")


@dataclass(frozen=True, slots=True)
class _Cut:
    """A text cut at its version tokens: the pieces between, and the tokens."""

    pieces: tuple[bytes, ...]
    tokens: tuple[bytes, ...]
    hashes: tuple[bool, ...]

    @property
    def skeleton(self) -> tuple[bytes, ...]:
        return tuple(map(squeezed, self.pieces))


def propose(case: FileCase) -> Iterator[Proposal]:
    """Offer target's and the highest versions for the hunks that differ in nothing else."""
    if file_group(case.path) in {FileGroup.LOCK, FileGroup.GENERATED}:
        return
    for hunk in case.hunks:
        yield from _of_hunk(hunk)


def _of_hunk(hunk: HunkCase) -> Iterator[Proposal]:
    texts = [b"".join(lines) for lines in (hunk.ours, hunk.theirs, hunk.base)]
    if any(len(text) > MAX_BYTES for text in texts) or not texts[0] or not texts[1]:
        return
    ours, theirs, base = map(_cut, texts)
    if ours.skeleton != theirs.skeleton or ours.tokens == theirs.tokens:
        return
    old = base.tokens if hunk.certain and base.skeleton == ours.skeleton else None
    chosen = _highest(ours, theirs, old)
    marks = _marks(hunk, ours, theirs)
    differing = [(a, b) for a, b in zip(ours.tokens, theirs.tokens, strict=True) if a != b]
    if chosen is None:
        yield _offer(hunk, hunk.ours, ("own", "hash-only", *marks), "target's stay", differing)
        yield _offer(hunk, hunk.theirs, ("source", "hash-only", *marks), "source's are taken", differing)
        return
    highest = split_lines(_joined(ours, chosen))
    if chosen == ours.tokens:
        yield _offer(hunk, hunk.ours, ("own", "highest", *marks), "target's are the higher ones", differing)
        return
    what = "the higher of each"
    if chosen == theirs.tokens:
        highest = list(hunk.theirs)
        what = "source's are the higher ones"
    source = "source" if chosen == theirs.tokens else "of-both"
    yield _offer(hunk, tuple(highest), (source, "highest", *marks), what, differing)
    yield _offer(hunk, hunk.ours, ("own", "lower", *marks), "target's own stay", differing)


def _offer(
    hunk: HunkCase, lines: Lines, marks: tuple[str, ...], what: str, pairs: Sequence[tuple[bytes, bytes]]
) -> Proposal:
    our, their = pairs[0]
    more = f" and {len(pairs) - 1} more" if len(pairs) > 1 else ""
    text = f"only {_called(marks, pairs)} differ: target has {_shown(our)}, source {_shown(their)}{more}; {what}"
    return Proposal(hunk.index, lines, NAME, (Evidence(text),), marks)


def _called(marks: tuple[str, ...], pairs: Sequence[tuple[bytes, bytes]]) -> str:
    """Return what the tokens are to a reader: `return 21` says nothing of a version."""
    if "key-version" in marks or all(_VERSION.match(token) for pair in pairs for token in pair):
        return "versions"
    return "hashes" if marks[1] == "hash-only" else "versions or hashes" if "hashes" in marks else "numbers"


def _shown(token: bytes) -> str:
    return token[:40].decode(errors="replace")


def _cut(text: bytes) -> _Cut:
    pieces, tokens, hashes, last = [], [], [], 0
    for match in _TOKEN.finditer(text):
        pieces.append(text[last : match.start()])
        tokens.append(match[0])
        hashes.append(match["hash"] is not None)
        last = match.end()
    return _Cut((*pieces, text[last:]), tuple(tokens), tuple(hashes))


def _joined(cut: _Cut, tokens: Sequence[bytes]) -> bytes:
    parts = [cut.pieces[0]]
    for token, piece in zip(tokens, cut.pieces[1:], strict=True):
        parts += (token, piece)
    return b"".join(parts)


def _highest(ours: _Cut, theirs: _Cut, base: Sequence[bytes] | None) -> tuple[bytes, ...] | None:
    """Return for each place what one side alone changed, or else the higher; a hash goes with its version.

    None where hashes differ and no version tells which is newer.
    """
    chosen: list[bytes | None] = []
    leans: set[bool] = set()
    for index, (our, their) in enumerate(zip(ours.tokens, theirs.tokens, strict=True)):
        old = base[index] if base is not None else None
        if our == their:
            chosen.append(our)
            continue
        if old in {our, their}:
            theirs_wins = old == our
        elif ours.hashes[index] or theirs.hashes[index]:
            chosen.append(None)
            continue
        else:
            theirs_wins = version_key(their) > version_key(our)
        leans.add(theirs_wins)
        chosen.append(their if theirs_wins else our)
    if None in chosen:
        if len(leans) != 1:
            return None
        side = theirs.tokens if leans.pop() else ours.tokens
        return tuple(side[index] if token is None else token for index, token in enumerate(chosen))
    return tuple(token for token in chosen if token is not None)


def version_key(version: bytes) -> tuple[tuple[int, int, bytes], ...]:
    """Return what versions compare by: numbers as numbers, a release above its prereleases (semver 2, PEP 440)."""
    parts: list[tuple[int, int, bytes]] = []
    for part in _PARTS.findall(version.removeprefix(b"v")):
        if part.isdigit():
            # A number of a thousand digits is no version; comparing its length first is the same and cheap.
            parts.append((2, len(part.lstrip(b"0")), part.lstrip(b"0")))
        else:
            parts.append((0 if _PRERELEASE.fullmatch(part) else 1, 0, part.lower()))
    # The end of the shorter one stands above a prerelease and below a further number.
    return (*parts, (1, 0, b""))


def is_prerelease(version: bytes) -> bool:
    """Whether a version is no release."""
    return _PRERELEASE.search(version) is not None


def _marks(hunk: HunkCase, ours: _Cut, theirs: _Cut) -> tuple[str, ...]:
    differing = [
        index for index, pair in enumerate(zip(ours.tokens, theirs.tokens, strict=True)) if pair[0] != pair[1]
    ]
    marks = []
    if any(_OWN_KEY.match(line) for line in hunk.ours) or b"version" in hunk.file.path.lower():
        marks.append("key-version")
    pre_ours = any(is_prerelease(ours.tokens[index]) for index in differing)
    pre_theirs = any(is_prerelease(theirs.tokens[index]) for index in differing)
    if pre_ours != pre_theirs:
        marks.append("ours-prerelease" if pre_ours else "theirs-prerelease")
    elif pre_ours:
        marks.append("both-prerelease")
    if any(ours.hashes[index] for index in differing):
        marks.append("hashes")
    if not any(b"." in ours.tokens[index] or b"_" in ours.tokens[index] for index in differing):
        marks.append("plain-numbers")
    if len(differing) > 1:
        marks.append("several")
    return tuple(marks)
