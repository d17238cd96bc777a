"""The figures that only the pages show: collected hunk by hunk as numbers, texts are not kept."""

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from syncline.merge.file_group import is_lock
from syncline.replay.html.fates import Fate, fate_of, first_is_right, people_wrote
from syncline.replay.run import Played, PlayedFile

BINS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
"""Where the bins of the calibration plot begin; the last ends at 1. Finer where answers are accepted."""


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """All hunks whose best candidate is at least so sure."""

    confidence: float
    coverage: float
    precision: float


@dataclass(frozen=True, slots=True)
class Bin:
    """The hunks whose best candidate's confidence lies in one range."""

    low: float
    high: float
    count: int
    right: int
    mean: float
    """The mean confidence."""

    @property
    def actual(self) -> float:
        """The share that was right."""
        return self.right / self.count

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true share lies, with a probability of 95 %."""
        return wilson(self.right, self.count)


@dataclass(frozen=True, slots=True)
class MergeRow:
    """One replayed merge in a line."""

    sha: str
    date: str
    page: str
    files: int
    agreed: int
    disagreed: int
    left: int
    locks: int

    @property
    def hunks(self) -> int:
        """All its hunks but those of lock files."""
        return self.agreed + self.disagreed + self.left


@dataclass
class Spoken:
    """What one resolver had to say."""

    hunks: int = 0
    right: int = 0
    """Of these, where one of its answers is what people wrote."""


@dataclass
class Figures:
    """Grows by one replayed merge at a time."""

    confidences: "array[float]" = field(default_factory=lambda: array("d"))
    """Of the best candidate of each hunk."""
    rights: bytearray = field(default_factory=bytearray)
    """Whether it is right, hunk by hunk."""
    fates: Counter[Fate] = field(default_factory=Counter)
    by_group: defaultdict[str, Counter[Fate]] = field(default_factory=lambda: defaultdict(Counter))
    by_suffix: defaultdict[str, Counter[Fate]] = field(default_factory=lambda: defaultdict(Counter))
    by_answer: defaultdict[str, Counter[Fate]] = field(default_factory=lambda: defaultdict(Counter))
    """By what people wrote."""
    spoken: defaultdict[str, Spoken] = field(default_factory=lambda: defaultdict(Spoken))
    merges: list[MergeRow] = field(default_factory=list)
    offered: int = 0
    """How many hunks had the right answer among their candidates."""

    def add(self, played: Played, page: str) -> None:
        """Count one merge, whose page is called so."""
        fates: Counter[Fate] = Counter()
        locks = 0
        for file in played.files:
            if is_lock(file.gathered.past.conflict.path):
                locks += len(file.right)
            else:
                fates.update(self._add_file(file))
        self.fates.update(fates)
        past = played.gathered.past
        agreed, disagreed = fates[Fate.AGREED], fates[Fate.DISAGREED]
        left = fates.total() - agreed - disagreed
        self.merges.append(
            MergeRow(str(past.merge), past.date, page, len(played.files), agreed, disagreed, left, locks)
        )

    def _add_file(self, file: PlayedFile) -> Iterator[Fate]:
        suffix = _suffix(file.gathered.past.conflict.path)
        for index, judged in enumerate(file.alone.judged):
            fate = fate_of(file, index)
            self.confidences.append(judged.best.confidence)
            self.rights.append(first_is_right(file, index))
            self.by_group[judged.facts.group.value][fate] += 1
            self.by_suffix[suffix][fate] += 1
            self.by_answer[people_wrote(file, index)][fate] += 1
            right = file.right[index]
            self.offered += right is not None
            said: dict[str, bool] = {}
            for candidate in judged.facts.candidates:
                for proposal in candidate.proposals:
                    is_right = right is not None and candidate.text == right.text
                    said[proposal.resolver] = said.get(proposal.resolver, False) or is_right
            for resolver, is_right in said.items():
                self.spoken[resolver].hunks += 1
                self.spoken[resolver].right += is_right
            yield fate

    @property
    def hunks(self) -> int:
        """All hunks but those of lock files."""
        return len(self.rights)

    @property
    def first_right(self) -> int:
        """How many hunks had the right answer first."""
        return sum(self.rights)

    def curve(self) -> list[CurvePoint]:
        """Return precision against coverage, the surest hunks first; hunks of equal confidence come together."""
        order = sorted(range(self.hunks), key=lambda index: -self.confidences[index])
        points = []
        right = 0
        for done, index in enumerate(order, start=1):
            right += self.rights[index]
            following = self.confidences[order[done]] if done < len(order) else None
            if following != self.confidences[index]:
                points.append(CurvePoint(self.confidences[index], done / self.hunks, right / done))
        return points

    def bins(self) -> list[Bin]:
        """Return the bins that have hunks."""
        ends = (*BINS[1:], 1.0)
        found: dict[int, list[int]] = defaultdict(list)
        for index, confidence in enumerate(self.confidences):
            found[max(i for i, low in enumerate(BINS) if i == 0 or confidence >= low)].append(index)
        return [
            Bin(
                BINS[number],
                ends[number],
                len(members),
                sum(self.rights[index] for index in members),
                sum(self.confidences[index] for index in members) / len(members),
            )
            for number, members in sorted(found.items())
        ]


def _suffix(path: bytes) -> str:
    name = PurePosixPath(path.decode("utf-8", "replace"))
    return name.suffix or name.name


def wilson(right: int, count: int) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson 1927); of nothing it is everything."""
    if not count:
        return 0.0, 1.0
    z = 1.96
    share = right / count
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return max(0.0, middle - half), min(1.0, middle + half)
