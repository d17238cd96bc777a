"""Everything that the page of one hunk shows: texts, the judgement in words, the candidates. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from syncline.git.paths import json_path
from syncline.merge.case import FileCase
from syncline.merge.hunks import Hunk, Lines
from syncline.merge.ladder.facts import Candidate
from syncline.merge.ladder.feature_words import weightiest
from syncline.merge.ladder.gate import LEVELS, in_words
from syncline.merge.ladder.ladder import Judged, Ladder, Ranked
from syncline.merge.ladder.words_for import record_in_words
from syncline.merge.model import Conflict
from syncline.replay.html import excerpts
from syncline.replay.html.excerpts import Excerpt
from syncline.replay.html.fates import Fate, candidate_words, fate_of, people_lines, people_wrote
from syncline.replay.run import TARGETS, Played, PlayedFile

MAX_CANDIDATES = 12
AROUND = 3
"""Lines of the file shown before and after the hunk."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One candidate."""

    words: str
    confidence: float
    right: bool
    voices: tuple[tuple[str, str], ...]
    """Who offers it, each with its marks."""
    evidence: tuple[str, ...]
    text: Excerpt | None
    """None for a side of a conflict without text."""


@dataclass(frozen=True, slots=True)
class Texts:
    """What stood in the hunk's place."""

    before: Excerpt
    after: Excerpt
    base: Excerpt
    ours: Excerpt
    theirs: Excerpt
    has_base: bool
    people: Excerpt | None
    """What people wrote; None where it cannot be told."""
    apart: Excerpt | None
    """From what syncline would have written, or thought likeliest, to what people wrote."""
    same: bool
    """Whether these two are the same to the byte."""
    only_space: bool
    """Whether they are the same but for white space."""


@dataclass(frozen=True, slots=True)
class HunkView:
    """One hunk of a replayed merge."""

    fate: Fate
    path: str
    place: str
    sha: str
    date: str
    merge_page: str
    ours: str
    theirs: str
    best: str
    """What the likeliest candidate is."""
    people: str
    group: str
    confidence: float
    threshold: float | None
    worth: str
    """The lane's record of answers at least so sure, as a sentence."""
    targets: tuple[tuple[str, bool], ...]
    """Each target of the curve, and whether the hunk would have been answered at it."""
    helped: str
    faults: tuple[str, ...]
    evidence: tuple[str, ...]
    record: tuple[str, ...]
    """What the lane did with the like, in sentences."""
    offers: tuple[Offer, ...]
    offers_left_out: int
    reasons: tuple[tuple[str, str, float], ...]
    texts: Texts | None
    """None for a conflict without text."""
    messages: tuple[str, ...]
    versions: tuple[tuple[str, str], ...]
    """For a conflict without text: each version and what it has at the path."""
    page: str = ""
    number: int = 0
    previous: str = ""
    following: str = ""

    def placed(self, page: str, number: int, previous: str) -> "HunkView":
        """Return the same as a page among others."""
        return replace(self, page=page, number=number, previous=previous)


def view_of(played: Played, file: PlayedFile, index: int, ladder: Ladder, merge_page: str) -> HunkView:
    """Return the view of one hunk.

    Args:
        played: its merge.
        file: its file.
        index: which hunk of the file.
        ladder: what judged it, before it learned from this merge.
        merge_page: the file name of the merge's page.
    """
    past = file.gathered.past
    judged = file.alone.judged[index]
    right = file.right[index]
    merge = played.gathered.past
    return HunkView(
        fate=fate_of(file, index),
        path=json_path(past.conflict.path),
        place=_place(past.case, index, past.conflict),
        sha=str(merge.merge),
        date=merge.date,
        merge_page=merge_page,
        ours=str(merge.ours),
        theirs=str(merge.theirs),
        best=candidate_words(judged.best.candidate),
        people=people_wrote(file, index),
        group=judged.facts.group.value,
        confidence=judged.best.confidence,
        threshold=judged.threshold,
        worth=_worth(judged, ladder),
        targets=tuple(
            (f"{target:.2f}", settled.answers[index] is not None)
            for target, settled in zip(TARGETS, file.curve, strict=True)
        ),
        helped=_helped(file, index),
        faults=file.alone.faults[index],
        evidence=_evidence(judged.best.candidate),
        record=tuple(record_in_words(judged.facts, judged.best.candidate, ladder.memory)),
        offers=tuple(_offer(ranked, right) for ranked in judged.ranking[:MAX_CANDIDATES]),
        offers_left_out=max(0, len(judged.ranking) - MAX_CANDIDATES),
        reasons=tuple(weightiest(ladder.reasons(judged.facts, judged.best.candidate))),
        texts=_texts(past.case, index, judged, people_lines(file, index)) if past.case is not None else None,
        messages=past.conflict.messages,
        versions=_versions(file),
    )


def _worth(judged: Judged, ladder: Ladder) -> str:
    files = in_words(judged.kept_as)
    if judged.best.confidence < LEVELS[0]:
        return f"no record is kept of answers less sure than {LEVELS[0]:.0%}"
    count, share = ladder.gate.worth(judged.kept_as, judged.best.confidence)
    if share is None:
        return f"no answer of this lane in {files} was so sure before"
    return (
        f"of about {count:,} answers of this lane in {files} that were at least so sure,"
        f" the newest weighing most, {share:.0%} were right"
    )


def _place(case: FileCase | None, index: int, conflict: Conflict) -> str:
    if case is None:
        return f"{conflict.kind.value}, the whole path"
    line = case.hunks[index].at.ours.start + 1
    return f"hunk {index + 1} of {len(case.cut.hunks)}, at line {line:,} of target's file"


def _helped(file: PlayedFile, index: int) -> str:
    answer, right = file.helped.answers[index], file.right_helped[index]
    if answer is None:
        return "left open"
    agreed = right is not None and right.text == answer.candidate.text
    words = "as people did" if agreed else "otherwise than people did"
    return f"{candidate_words(answer.candidate)}, {words}, at a confidence of {answer.confidence:.0%}"


def _evidence(candidate: Candidate) -> tuple[str, ...]:
    return tuple(f"{one.resolver}: {evidence}" for one in candidate.proposals for evidence in one.evidence)


def _offer(ranked: Ranked, right: Candidate | None) -> Offer:
    candidate = ranked.candidate
    marks: dict[str, dict[str, None]] = {}
    for proposal in candidate.proposals:
        marks.setdefault(proposal.resolver, {}).update(dict.fromkeys(proposal.marks))
    return Offer(
        candidate_words(candidate),
        ranked.confidence,
        right is not None and right.text == candidate.text,
        tuple((name, ", ".join(said)) for name, said in marks.items()),
        _evidence(candidate),
        None if candidate.lines is None else excerpts.plain(candidate.lines),
    )


def _texts(case: FileCase, index: int, judged: Judged, people: Lines | None) -> Texts:
    hunk = case.hunks[index]
    before, after = _around(case, index)
    best = judged.best.candidate
    apart = None if people is None or best.lines is None else excerpts.difference(best.lines, people)
    return Texts(
        before=excerpts.plain(before),
        after=excerpts.plain(after),
        base=excerpts.base_of(hunk.base, hunk.ours, hunk.theirs),
        ours=excerpts.against(hunk.base, hunk.ours),
        theirs=excerpts.against(hunk.base, hunk.theirs),
        has_base=case.has_base,
        people=None if people is None else excerpts.plain(people),
        apart=apart,
        same=people is not None and people == best.lines,
        only_space=people is not None and b"".join(b"".join(people).split()) == best.text,
    )


def _around(case: FileCase, index: int) -> tuple[Lines, Lines]:
    """Return the merged lines right before and right after a hunk."""
    parts: Sequence[Lines | Hunk] = case.cut.parts
    at = [i for i, part in enumerate(parts) if isinstance(part, Hunk)][index]
    before = parts[at - 1] if at else ()
    after = parts[at + 1] if at + 1 < len(parts) else ()
    return (
        () if isinstance(before, Hunk) else tuple(before[-AROUND:]),
        () if isinstance(after, Hunk) else tuple(after[:AROUND]),
    )


def _versions(file: PlayedFile) -> tuple[tuple[str, str], ...]:
    past = file.gathered.past
    if past.case is not None:
        return ()
    stages = past.conflict.stages
    found = (("base", stages.base), ("target", stages.ours), ("source", stages.theirs), ("people", past.committed))
    return tuple(
        (name, f"{entry.mode.name.lower()} {entry.oid.short}" if entry else "nothing at this path")
        for name, entry in found
    )
