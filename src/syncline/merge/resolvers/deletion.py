"""Deletion: one side removed or rewrote the text that the other edited.

A deletion stands against a small edit; of a block that one side deleted, what the other added inside survives; an
edit whose surroundings the other side rewrote is dead. Measured on eight repositories' history, by how like base
the edited text stayed: at least .95 97 % right, .90 84 %, .80 56 % (a lane may have another policy: 21 of 31 in
one); the dead edit 72 % where target rewrote, 51 % where source did (the project's study of resolvers).
"""

from collections.abc import Iterator, Sequence

from syncline.merge.alignment import squeezed
from syncline.merge.case import FileCase, HunkCase
from syncline.merge.hunks import Lines
from syncline.merge.model import Evidence
from syncline.merge.proposal import Proposal
from syncline.merge.text.diff import edits, similarity
from syncline.merge.text.hunk_words import Compared, hunk_words

NAME = "deletion"

MAX_BYTES = 30_000
"""A longer version of a hunk is not read."""
_LIGHT = 0.8
"""How like base a lightly edited text still is."""


def propose(case: FileCase) -> Iterator[Proposal]:
    """Yield the deletion, what survives it, or the rewriting side."""
    if not case.has_base:
        return
    for hunk in case.hunks:
        sizes = [sum(map(len, lines)) for lines in (hunk.base, hunk.ours, hunk.theirs)]
        if hunk.ours != hunk.theirs and max(sizes) <= MAX_BYTES:
            yield from _of_hunk(hunk)


def _of_hunk(hunk: HunkCase) -> Iterator[Proposal]:
    words = hunk_words(hunk)
    if not words.base:
        return
    ours, theirs = (hunk.ours, words.ours), (hunk.theirs, words.theirs)
    for who, (side, deleting), (other, edited) in (("target", ours, theirs), ("source", theirs, ours)):
        if not edited.words or (deleting.words and _at_most(edited) < _LIGHT):
            continue
        alike = _similarity(edited)
        marks = [f"{who}-deletes" if not deleting.words else f"{who}-rewrites", _alike(alike)]
        if not deleting.words:
            yield from _deleted(hunk, who, side, other, alike, marks)
        elif alike >= _LIGHT and _similarity(deleting) < alike - 0.2:
            yield from _dead(hunk, who, side, deleting, edited, marks)


def _deleted(
    hunk: HunkCase, who: str, side: Lines, other: Lines, alike: float, marks: list[str]
) -> Iterator[Proposal]:
    """Offer the deletion, and what was added inside the deleted text."""
    if _elsewhere(hunk, ours=who == "target"):
        marks.append("moved")
    editor = "source" if who == "target" else "target"
    changes = edits([squeezed(line) for line in hunk.base], [squeezed(line) for line in other])
    added = tuple(line for change in changes for line in other[change.b : change.b_end])
    only_added = bool(changes) and all(change.a == change.a_end for change in changes)
    lost = len(hunk.base)
    # Of additions in several places, or amid the deleted text, 3 in 49 survived.
    ends = only_added and len(changes) == 1 and changes[0].a in {0, len(hunk.base)}
    if ends and any(squeezed(line) for line in added):
        place = "added-at-end" if changes[0].a else "added-at-start"
        yield Proposal(
            hunk.index,
            added,
            NAME,
            (Evidence(f"{who} deleted these {lost} lines; {editor} only added {len(added)} to them, which stay"),),
            ("survivors", *marks, place, "balanced" if _balanced(added) else "unbalanced"),
        )
    if alike >= 0.6 or "moved" in marks:
        why = f"{who} deleted these {lost} lines; {editor} had changed {100 * (1 - alike):.0f} % of their words"
        place = ["only-added"] if only_added else []
        yield Proposal(hunk.index, side, NAME, (Evidence(why),), ("deletion", *marks, *place))


def _dead(
    hunk: HunkCase, who: str, side: Lines, rewritten: Compared, edited: Compared, marks: list[str]
) -> Iterator[Proposal]:
    """Offer the side that rewrote what the other touched lightly, when the touched words are gone with it."""
    editor = "source" if who == "target" else "target"
    base, changes = edited.base, edited.edits
    kept: set[int] = set()
    for match in rewritten.kept:
        kept.update(range(match.a, match.a + match.size))
    touched = [
        place for change in changes for place in range(max(change.a - 1, 0), min(change.a_end + 1, len(base)))
    ]
    alive = sum(place in kept for place in touched) / max(len(touched), 1)
    marks.append("all-dead" if not alive else "mostly-dead" if alive < 0.34 else "alive")
    new = [word for change in changes for word in edited.words[change.b : change.b_end] if word[:1].isalnum()]
    if new and set(new) <= set(rewritten.words):
        marks.append("new-words-there")
    if "alive" in marks and "new-words-there" not in marks:
        return
    why = f"{who} rewrote these lines; {editor} changed {len(changes)} places in the text that went"
    yield Proposal(hunk.index, side, NAME, (Evidence(why),), ("dead-edit", *marks))


def _elsewhere(hunk: HunkCase, *, ours: bool) -> bool:
    """Whether the deleted text stands elsewhere in the deleting side, as base did not have it: it was moved."""
    file = hunk.file
    wanted = [key for line in hunk.base if len(key := squeezed(line)) > 3]
    if not wanted:
        return False
    lines = file.our_lines if ours else file.their_lines
    places = [place for place, line in enumerate(lines) if squeezed(line) == wanted[0]]
    before = sum(squeezed(line) == wanted[0] for line in file.base_lines)
    if len(places) < before or len(places) > 20:
        return False
    for place in places:
        found = [key for line in lines[place : place + 2 * len(hunk.base)] if len(key := squeezed(line)) > 3]
        if similarity(wanted, found[: len(wanted)]) >= 0.75:
            return True
    return False


def _balanced(lines: Sequence[bytes]) -> bool:
    text = b"".join(lines)
    return all(text.count(left) == text.count(right) for left, right in ((b"(", b")"), (b"[", b"]"), (b"{", b"}")))


def _at_most(side: Compared) -> float:
    """Return how much a side may share with base, by counting their words alone: comparing them costs."""
    return 2 * side.common / (len(side.base) + len(side.words))


def _similarity(side: Compared) -> float:
    """Return how much a side shares with base; 0 where counting their words shows that it is not half."""
    return side.likeness if _at_most(side) >= 0.5 else 0.0


def _alike(value: float) -> str:
    for bound in (95, 90, 80, 60):
        if value >= bound / 100:
            return f"alike-{bound}"
    return "unlike"
