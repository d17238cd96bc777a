"""What evidence says of the hunks of a merge, cut to a size a page can carry. Pure.

The room goes to what is open, in the order in which it is asked, then to what evidence settled.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from syncline.git.paths import json_path
from syncline.markup.plain_text import one_line
from syncline.merge.ladder.feature_words import weighed
from syncline.merge.model import Decision, Evidence, HunkDecision, Offer, Side, Status
from syncline.propose.category import Category, category_of
from syncline.propose.model import CandidateText, EvidenceLine, JudgedHunk
from syncline.propose.texts import Cap, excerpt, fair_size, shrink

MOST_CANDIDATES = 4
MOST_HUNKS = 600
"""Hunks of all paths together, open ones and settled ones counted apart."""
TEXTS_TOTAL = 500_000
"""Characters of all candidates together."""
_SENTENCES, _SENTENCE, _WEIGHED = 3, 240, 480
"""Sentences of evidence for one thing, characters of a sentence, and of what weighed in the model."""
_TEXT, _GENERATED_TEXT = Cap(80, 6_000, 40), Cap(20, 1_500, 6)

SIDES = {
    Side.OURS: "target's side",
    Side.THEIRS: "source's side",
    Side.BOTH: "a text that is neither side's",
    Side.NEITHER: "nothing",
    Side.MARKERS: "conflict markers",
}


@dataclass(frozen=True, slots=True)
class PathJudged:
    """What is shown of one path, and of how many more hunks something could be."""

    hunks: tuple[JudgedHunk, ...]
    left_out: int


def judged_hunks(opened: Sequence[Decision], settled: Iterable[Decision]) -> dict[bytes, PathJudged]:
    """Return it for each path of which the ladder looked at the hunks.

    Args:
        opened: what is open, in the order in which it is asked.
        settled: what evidence settled.
    """
    found = _some(opened) | _some(settled)
    sizes = (len(one.text.text) for path in found.values() for one in _texts(path) if one.text is not None)
    size = fair_size(sizes, TEXTS_TOTAL)
    return {path: _fit(part, size) for path, part in found.items()}


def _some(decisions: Iterable[Decision]) -> dict[bytes, PathJudged]:
    found, room = {}, MOST_HUNKS
    for decision in decisions:
        if not decision.hunks:
            continue
        generated = category_of(json_path(decision.path)) is Category.GENERATED
        cap = _GENERATED_TEXT if generated else _TEXT
        # What is settled within an open file is no question to anybody.
        first = sorted(decision.hunks, key=lambda hunk: hunk.status is not Status.UNRESOLVED)
        chosen = sorted(first[: min(cap.hunks, room)], key=lambda hunk: hunk.index)
        room -= len(chosen)
        in_tree = decision.status is not Status.UNRESOLVED
        hunks = tuple(replace(_judged(hunk, cap), in_tree=in_tree) for hunk in chosen)
        found[decision.path] = PathJudged(hunks, len(decision.hunks) - len(hunks))
    return found


def _judged(hunk: HunkDecision, cap: Cap) -> JudgedHunk:
    is_open = hunk.status is Status.UNRESOLVED
    offers = hunk.offers[:MOST_CANDIDATES] if is_open else ()
    reasons = hunk.offers[0].reasons if hunk.offers and not is_open else ()
    return JudgedHunk(
        index=hunk.index,
        resolver=one_line(hunk.resolver),
        confidence=hunk.confidence,
        evidence=sentences(hunk.evidence),
        candidates=tuple(_candidate(offer, cap) for offer in offers),
        candidates_left_out=len(hunk.offers) - len(offers) + hunk.not_offered if is_open else 0,
        weighed=one_line(weighed(reasons), _WEIGHED),
    )


def _candidate(offer: Offer, cap: Cap) -> CandidateText:
    own = offer.side in {Side.OURS, Side.THEIRS} or offer.lines is None
    return CandidateText(
        side=SIDES[offer.side],
        by=tuple(one_line(name) for name in offer.resolvers),
        confidence=offer.confidence,
        evidence=sentences(offer.evidence),
        text=None if own or offer.lines is None else excerpt(offer.lines, cap),
        weighed=one_line(weighed(offer.reasons), _WEIGHED),
    )


def sentences(evidence: Sequence[Evidence]) -> tuple[EvidenceLine, ...]:
    """Return the first sentences of evidence; a last one says how many there are beside."""
    shown = [
        EvidenceLine(one_line(one.text, _SENTENCE), one.commit.short if one.commit else "")
        for one in evidence[:_SENTENCES]
    ]
    if len(evidence) > len(shown):
        shown.append(EvidenceLine(f"and {len(evidence) - len(shown)} more", ""))
    return tuple(shown)


def _texts(path: PathJudged) -> list[CandidateText]:
    return [one for hunk in path.hunks for one in hunk.candidates]


def _fit(part: PathJudged, size: int) -> PathJudged:
    return PathJudged(tuple(_shrunk(hunk, size) for hunk in part.hunks), part.left_out)


def _shrunk(hunk: JudgedHunk, size: int) -> JudgedHunk:
    cut = (one if one.text is None else replace(one, text=shrink(one.text, size)) for one in hunk.candidates)
    return replace(hunk, candidates=tuple(cut))
