"""What is known of a conflict before anyone is asked: numbers about its texts, keys it is remembered by. Pure.

The features are those that carried the models over 32 repositories: token edits and their distance, containment,
sizes. Language and facts about the whole merge are left out on purpose: models memorise repositories by them.
"""

import hashlib
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from syncline.merge.case import HunkCase
from syncline.merge.file_group import FileGroup, file_group
from syncline.merge.hunks import Lines
from syncline.merge.ladder.words import without_numbers, words
from syncline.merge.layout_faults import best_layout
from syncline.merge.model import Conflict
from syncline.merge.proposal import Proposal
from syncline.merge.text.diff import Edit, edits, matches

MAX_WORDS = 4000
"""Longer texts are compared by lines instead of words."""

_IMPORT = re.compile(rb"\s*(import|from|use|using|require|include|#\s*include|package|@import|extern crate)\b")
_COMMENT = re.compile(rb"\s*(#|//|/\*|\*|--|;|<!--|\"\"\"|''')")


def squeeze(lines: Iterable[bytes]) -> bytes:
    """Return what counts of a text when answers are compared: everything but white space."""
    return b"".join(b"".join(lines).split())


@dataclass(frozen=True, slots=True)
class Candidate:
    """One distinct answer to a hunk, with all that was said for it."""

    kind: str
    """`ours`, `theirs` or `merged`."""
    text: bytes
    """The answer without white space: two candidates never share it."""
    lines: Lines | None
    """The answer; None for a side of a conflict without text."""
    proposals: tuple[Proposal, ...]
    """Who proposes it; none for a side nobody speaks for."""
    numbers: Mapping[str, float] = field(default_factory=dict)
    """What it keeps and loses of either side's change."""

    @property
    def voices(self) -> tuple[str, ...]:
        """The names of those who propose it, and their marks: `name`, `name:mark`."""
        found = {}
        for proposal in self.proposals:
            found[proposal.resolver] = None
            for mark in proposal.marks:
                found[f"{proposal.resolver}:{mark}"] = None
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Facts:
    """One hunk (or one conflict without text) as the model sees it."""

    path: bytes
    hunk: int
    group: FileGroup
    numbers: dict[str, float]
    keys: dict[str, str]
    """What it is remembered by: kind of key to value."""
    candidates: tuple[Candidate, ...]

    def with_proposals(self, proposals: Iterable[Proposal], hunk: HunkCase) -> "Facts":
        """Return the same with further proposals for its hunk among the candidates."""
        return replace(self, candidates=_gathered({c.text: c for c in self.candidates}, proposals, _Texts(hunk)))


def facts_of_hunk(hunk: HunkCase, proposals: Iterable[Proposal]) -> Facts:
    """Return the facts of one hunk; among its candidates, all distinct, are always both sides."""
    path = hunk.file.path
    group = file_group(path)
    texts = _Texts(hunk)
    numbers = _numbers(texts)
    sides: dict[bytes, Candidate] = {}
    for kind, lines in (("ours", hunk.ours), ("theirs", hunk.theirs)):
        sides.setdefault(squeeze(lines), Candidate(kind, squeeze(lines), lines, ()))
    keys = _path_keys(path, group) | {
        "shape": _shape(numbers),
        "digits": _digest(*texts.without_numbers),
        "same": _digest(squeeze(hunk.ours), squeeze(hunk.theirs)),
        "exact": _digest(squeeze(hunk.base), squeeze(hunk.ours), squeeze(hunk.theirs)),
    }
    return Facts(path, hunk.index, group, numbers, keys, _gathered(sides, proposals, texts))


def _gathered(
    known: dict[bytes, Candidate], proposals: Iterable[Proposal], texts: "_Texts"
) -> tuple[Candidate, ...]:
    said: dict[bytes, list[Proposal]] = {}
    for proposal in proposals:
        text = squeeze(proposal.lines)
        known.setdefault(text, Candidate("merged", text, proposal.lines, ()))
        said.setdefault(text, []).append(proposal)
    return tuple(_with(candidate, said.get(text, ()), texts) for text, candidate in known.items())


def _with(candidate: Candidate, proposals: Sequence[Proposal], texts: "_Texts") -> Candidate:
    """Return a candidate with further proposals for it, in the best of the layouts they give it."""
    lines = candidate.lines
    everyone = (*candidate.proposals, *proposals)
    if proposals:
        hunk = texts.hunk
        side = hunk.ours if candidate.kind == "ours" else hunk.theirs if candidate.kind == "theirs" else None
        lines = best_layout(hunk, side, everyone)
    numbers = candidate.numbers or texts.measure.numbers(lines or ())
    return replace(candidate, lines=lines, proposals=everyone, numbers=numbers)


_Counts = Mapping[bytes, int]


@dataclass(frozen=True)
class _Texts:
    """What is counted of a hunk's versions more than once."""

    hunk: HunkCase

    @cached_property
    def words(self) -> tuple[list[bytes], list[bytes], list[bytes]]:
        """The words of base, ours and theirs."""
        return words(self.hunk.base), words(self.hunk.ours), words(self.hunk.theirs)

    @cached_property
    def without_numbers(self) -> tuple[bytes, bytes]:
        """Ours and theirs without what numbers they hold."""
        return without_numbers(self.hunk.ours), without_numbers(self.hunk.theirs)

    @cached_property
    def measure(self) -> "_Measure":
        """What its answers are measured by."""
        base, ours, theirs = map(Counter, self.words)
        added, gone = (_beyond(ours, base), _beyond(theirs, base)), (_beyond(base, ours), _beyond(base, theirs))
        known = dict(base)
        for side in (ours, theirs):
            known |= {word: count for word, count in side.items() if count > known.get(word, 0)}
        return _Measure(known, added, gone, (self.hunk.ours, self.hunk.theirs), (ours, theirs))


@dataclass(frozen=True)
class _Measure:
    """Counts of words that tell what an answer keeps of either side's change."""

    known: _Counts
    """Of each word the most that any version has."""
    added: tuple[_Counts, _Counts]
    """What ours and theirs have more of than base."""
    gone: tuple[_Counts, _Counts]
    """What base has more of than ours and theirs."""
    sides: tuple[Lines, Lines]
    counts: tuple[_Counts, _Counts]
    """The words of ours and theirs."""

    @cached_property
    def sizes(self) -> tuple[tuple[int, int], ...]:
        """How many words each side added, and how many it removed."""
        return tuple((_total(added), _total(gone)) for added, gone in zip(self.added, self.gone, strict=True))

    def numbers(self, lines: Lines) -> dict[str, float]:
        """Return shares, 0 to 1: of each side's additions lost, of its removals undone, of words nobody had."""
        if lines in self.sides:
            here: _Counts = self.counts[self.sides.index(lines)]
            found = {"new_words": 0.0}  # what a side has, somebody had
        else:
            here = Counter(words(lines))
            found = {"new_words": _ratio(_excess(here, self.known), _total(here))}
        for side, own, added, gone, (new, old) in zip(
            ("ours", "theirs"), self.counts, self.added, self.gone, self.sizes, strict=True
        ):
            found[f"loses_{side}"] = 0.0 if own is here else _ratio(_excess(added, here), new)
            # What is there once and was there once cannot be told from what was put back.
            found[f"undoes_{side}"] = _ratio(old - _excess(gone, here), old)
        return found


def _beyond(here: _Counts, there: _Counts) -> _Counts:
    """Return what the one has more of than the other; `Counter` does it at half the speed."""
    most = there.get
    return {word: count - other for word, count in here.items() if count > (other := most(word, 0))}


def _excess(here: _Counts, there: _Counts) -> int:
    """Return how many words the one has more of than the other."""
    most = there.get
    return sum([count - other for word, count in here.items() if count > (other := most(word, 0))])


def _total(counts: _Counts) -> int:
    return sum(counts.values())


def facts_of_conflict(conflict: Conflict, sizes: tuple[int, int, int], alike: float) -> Facts:
    """Return the facts of a conflict without text between markers: one side or the other.

    Args:
        conflict: the conflict.
        sizes: bytes of base, ours, theirs; 0 where absent.
        alike: how much the version that is left resembles base, 0 to 1.
    """
    group = file_group(conflict.path)
    stages = conflict.stages
    present = "".join(
        "-" if entry is None else letter
        for letter, entry in zip("bot", (stages.base, stages.ours, stages.theirs), strict=True)
    )
    closeness = "same" if alike > 0.95 else "near" if alike > 0.8 else "far"
    numbers = {
        "no_text": 1.0,
        "ours_absent": float(stages.ours is None),
        "theirs_absent": float(stages.theirs is None),
        "alike": alike if len(present.strip("-")) > 1 else 0.0,
        "size": math.log1p(max(sizes)),
    }
    shape = f"{conflict.kind.value}/{present}/{closeness}"
    keys = _path_keys(conflict.path, group) | {"shape": shape, "digits": f"{shape}/{conflict.path.hex()}"}
    return Facts(
        conflict.path,
        0,
        group,
        numbers,
        keys,
        (Candidate("ours", b"o", None, ()), Candidate("theirs", b"t", None, ())),
    )


def _path_keys(path: bytes, group: FileGroup) -> dict[str, str]:
    text = path.decode("utf-8", "surrogateescape")
    directory, _, name = text.rpartition("/")
    suffix = name.rpartition(".")[2] if "." in name else name
    return {
        "all": group.value,
        "path": text,
        "directory": directory,
        "top": text.split("/", 1)[0] + "//" + suffix,
        "suffix": suffix,
    }


def _digest(*texts: bytes) -> str:
    return hashlib.blake2b(b"\0".join(texts), digest_size=8).hexdigest()


def _numbers(texts: _Texts) -> dict[str, float]:
    hunk = texts.hunk
    base, ours, theirs = hunk.base, hunk.ours, hunk.theirs
    units = texts.words
    if sum(map(len, units)) > MAX_WORDS:
        units = tuple([b"".join(line.split()) for line in lines] for lines in (base, ours, theirs))
    base_words, our_words, their_words = units
    our_edits, their_edits = edits(base_words, our_words), edits(base_words, their_words)
    gap, touching = _gap(our_edits, their_edits)
    sides = matches(our_words, their_words)
    common = sum(match.size for match in sides)
    found = {
        "lines_base": math.log1p(len(base)),
        "lines_ours": math.log1p(len(ours)),
        "lines_theirs": math.log1p(len(theirs)),
        "no_base": float(not base_words),
        "no_ours": float(not our_words),
        "no_theirs": float(not their_words),
        "add_add": float(not hunk.file.has_base),
        "uncertain": float(not hunk.certain),
        "alike_sides": _ratio(2 * common, len(our_words) + len(their_words)),
        "ours_in_theirs": _ratio(common, len(our_words)),
        "theirs_in_ours": _ratio(common, len(their_words)),
        "gap": math.log1p(min(gap, 50)),
        "touching": float(touching),
        "numbers_only": float(texts.without_numbers[0] == texts.without_numbers[1]),
        "imports": _share(ours + theirs, _IMPORT),
        "comments": _share(ours + theirs, _COMMENT),
        "hunks": math.log1p(len(hunk.file.cut.hunks)),
    }
    for side, changed, size in (("ours", our_edits, len(our_words)), ("theirs", their_edits, len(their_words))):
        gone = sum(edit.a_end - edit.a for edit in changed)
        new = sum(edit.b_end - edit.b for edit in changed)
        kept = len(base_words) - gone
        found |= {
            f"regions_{side}": math.log1p(len(changed)),
            f"new_{side}": math.log1p(new),
            f"gone_{side}": math.log1p(gone),
            f"alike_{side}": _ratio(2 * kept, len(base_words) + size),
            f"base_kept_{side}": _ratio(kept, len(base_words)),
            f"unchanged_{side}": float(not changed),
            f"only_adds_{side}": float(bool(changed) and not gone),
            f"only_drops_{side}": float(bool(changed) and not new),
        }
    return found


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def _share(lines: Sequence[bytes], pattern: re.Pattern[bytes]) -> float:
    full = [line for line in lines if line.strip()]
    return _ratio(sum(pattern.match(line) is not None for line in full), len(full))


def _gap(ours: Sequence[Edit], theirs: Sequence[Edit]) -> tuple[int, bool]:
    """Return how many words of base stand at least between edits of both sides, and whether any two touch."""
    least = 50
    i = j = 0
    while i < len(ours) and j < len(theirs):
        one, other = ours[i], theirs[j]
        distance = max(one.a, other.a) - min(one.a_end, other.a_end)
        least = min(least, max(distance, 0))
        if one.a_end <= other.a_end:
            i += 1
        else:
            j += 1
    return least, least == 0


def _size_class(value: float) -> str:
    size = round(math.expm1(value))
    return "0" if not size else "1" if size == 1 else "3" if size <= 3 else "8" if size <= 8 else "+"


def _shape(numbers: dict[str, float]) -> str:
    """Return the class of a hunk's form: sizes, imports, numbers only, which side barely changed."""
    sizes = "".join(_size_class(numbers[f"lines_{side}"]) for side in ("base", "ours", "theirs"))
    change = "".join(
        "=" if numbers[f"unchanged_{side}"]
        else "+" if numbers[f"only_adds_{side}"]
        else "-" if numbers[f"only_drops_{side}"]
        else "~"
        for side in ("ours", "theirs")
    )  # fmt: skip
    flags = ("i" if numbers["imports"] > 0.5 else "") + ("n" if numbers["numbers_only"] else "")
    inside = "o" if numbers["ours_in_theirs"] > 0.95 else "t" if numbers["theirs_in_ours"] > 0.95 else ""
    return f"{sizes}{change}{flags}{inside}{'x' if numbers['touching'] else ''}"
