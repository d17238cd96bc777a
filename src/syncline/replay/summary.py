"""The figures of a replay: strategies side by side, per resolver, per class of file, per merge."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from syncline.merge.file_group import is_lock
from syncline.merge.ladder.facts import squeeze
from syncline.merge.ladder.settle import Settled
from syncline.merge.ladder.settler import RECORD
from syncline.merge.model import Side
from syncline.merge.text.layout_key import same_layout
from syncline.replay.asked import AGENT, Bill, Said
from syncline.replay.gather import GatheredConflict
from syncline.replay.run import TARGETS, Played, PlayedFile
from syncline.replay.score import Strategy, Tally

STRATEGIES = ("syncline", "syncline+answers", "ours", "theirs", "union")


@dataclass
class Summary:
    """Grows by one replayed merge at a time."""

    precision: float
    results: dict[str, Strategy] = field(default_factory=lambda: {name: Strategy() for name in STRATEGIES})
    curve: dict[float, Tally] = field(default_factory=lambda: {target: Tally() for target in TARGETS})
    left_out: Counter[str] = field(default_factory=Counter)
    per_merge: list[dict[str, Any]] = field(default_factory=list)
    merge_tallies: list[tuple[Tally, ...]] = field(default_factory=list)
    """For each merge the hunks of every strategy, in the order of `results`."""
    merges: int = 0
    files: int = 0
    hunks: int = 0
    locks: int = 0
    bill: Bill | None = None
    """What an agent took; None where none is asked."""

    def add(self, played: Played, said: Sequence[Said | None] = ()) -> None:
        """Count one merge, with what an agent said of each of its files, where one is asked."""
        gathered = played.gathered
        if gathered.left_out is not None:
            self.left_out[gathered.left_out.value] += 1
            return
        self.merges += 1
        alone = {name: Strategy() for name in self.results}
        self._count_asked(alone.get(AGENT), played.files, said or [None] * len(played.files))
        for strategies in (self.results, alone):
            for name in STRATEGIES:
                strategy = strategies[name]
                _count_merge(strategy, name, played.files)
                strategy.seconds += gathered.merging
                if name.startswith("syncline"):
                    strategy.seconds += gathered.finding + played.seconds
        for file in played.files:
            lock = is_lock(file.gathered.past.conflict.path)
            self.files += 1
            self.hunks += 0 if lock else len(file.right)
            self.locks += len(file.right) if lock else 0
            for target, settled in zip(TARGETS, file.curve, strict=True):
                if not lock:
                    for resolved, right, _ in _outcomes("syncline", file, settled):
                        self.curve[target].count(resolved=resolved, right=right)
        self.merge_tallies.append(tuple(strategy.hunks for strategy in alone.values()))
        self.per_merge.append(
            {
                "merge": gathered.past.merge,
                "date": gathered.past.date,
                "files": len(played.files),
                "results": {name: strategy.as_json() for name, strategy in alone.items()},
            }
        )

    def ask(self) -> None:
        """Score an agent, too."""
        self.bill = Bill()
        self.results[AGENT] = Strategy(cost=self.bill.as_json())

    def _count_asked(
        self, alone: Strategy | None, files: Sequence[PlayedFile], said: Sequence[Said | None]
    ) -> None:
        """Count what an agent answered; a file that it was not asked about counts as unresolved."""
        if alone is None or self.bill is None:
            return
        bill, seconds = Bill(), sum(one.seconds for one in said if one is not None)
        for one in said:
            if one is not None:
                bill.add(one)
                self.bill.add(one)
        outcomes = [
            [(*outcome, AGENT) for outcome in one.outcomes] if one else [(False, False, "")] * len(file.right)
            for file, one in zip(files, said, strict=True)
        ]
        for strategy in (self.results[AGENT], alone):
            _count_files(strategy, files, outcomes)
            strategy.seconds += seconds
        self.results[AGENT].cost, alone.cost = self.bill.as_json(), bill.as_json()

    def as_json(self, seconds: float) -> dict[str, Any]:
        """Return the document of the public contract; `seconds` is how long the whole replay took."""
        return {
            "precision": self.precision,
            "merges": self.merges,
            "files": self.files,
            "hunks": self.hunks,
            "locks": self.locks,
            "left_out": dict(self.left_out),
            "results": {name: strategy.as_json() for name, strategy in self.results.items()},
            "curve": {f"{target:.2f}": tally.as_json() for target, tally in self.curve.items()},
            "per_merge": self.per_merge,
            "seconds": round(seconds, 3),
        }


def _count_merge(strategy: Strategy, name: str, files: Sequence[PlayedFile]) -> None:
    settled = [file.helped if name == "syncline+answers" else file.alone for file in files]
    outcomes = [_outcomes(name, file, how) for file, how in zip(files, settled, strict=True)]
    _count_files(strategy, files, outcomes)
    if name.startswith("syncline"):
        same = sum(map(_same_layout, files, settled, outcomes))
        strategy.same_layout = (strategy.same_layout or 0) + same


def _count_files(
    strategy: Strategy, files: Sequence[PlayedFile], per_file: Sequence[list[tuple[bool, bool, str]]]
) -> None:
    whole = exact = True
    for file, outcomes in zip(files, per_file, strict=True):
        path = file.gathered.past.conflict.path
        lock = is_lock(path)
        for index, (resolved, right, resolver) in enumerate(outcomes):
            if lock:
                strategy.locks.count(resolved=resolved, right=right)
                continue
            strategy.hunks.count(resolved=resolved, right=right)
            strategy.by_suffix[_suffix(path)].count(resolved=resolved, right=right)
            strategy.by_group[file.gathered.facts[index].group.value].count(resolved=resolved, right=right)
            if resolved and resolver:
                strategy.by_resolver[resolver].count(resolved=True, right=right)
        if lock:
            continue
        all_resolved = all(resolved for resolved, _, _ in outcomes)
        all_right = all(right for _, right, _ in outcomes)
        strategy.files_total += 1
        strategy.files_resolved += all_resolved
        strategy.files_exact += all_resolved and all_right
        whole, exact = whole and all_resolved, exact and all_right
    if all(is_lock(file.gathered.past.conflict.path) for file in files):
        return  # there was nothing to settle
    strategy.merges_total += 1
    strategy.merges_resolved += whole
    strategy.merges_exact += whole and exact


def _outcomes(name: str, file: PlayedFile, settled: Settled) -> list[tuple[bool, bool, str]]:
    """Return for each hunk: whether the strategy answers it, whether rightly, and by which resolver."""
    if name.startswith("syncline"):
        found = []
        rights = file.right_helped if name == "syncline+answers" else file.right
        for answer, right in zip(settled.answers, rights, strict=True):
            if answer is None:
                found.append((False, False, ""))
            else:
                said = answer.candidate.proposals
                resolver = file.by_policy or (said[0].resolver if said else RECORD)
                found.append((True, right is not None and right.text == answer.candidate.text, resolver))
        return found
    return [(_speaks(name, file.gathered), right, name) for right in _baseline(name, file.gathered)]


def _same_layout(file: PlayedFile, settled: Settled, outcomes: Sequence[tuple[bool, bool, str]]) -> int:
    """Return how many right answers to hunks are what was committed but for layout (`layout_key`)."""
    past = file.gathered.past
    path = past.conflict.path
    if is_lock(path):
        return 0
    return sum(
        right and (lines is None or same_layout(answer.candidate.lines or (), lines, path))
        for (_, right, _), answer, lines in zip(outcomes, settled.answers, past.answers, strict=True)
        if answer is not None
    )


def _speaks(name: str, gathered: GatheredConflict) -> bool:
    return name != "union" or gathered.past.case is not None


def _baseline(name: str, gathered: GatheredConflict) -> list[bool]:
    past = gathered.past
    if past.case is None:
        return [past.side is Side(name)] if name != "union" else [False]
    rights = []
    for hunk, answer in zip(past.case.hunks, past.answers, strict=True):
        lines = {"ours": hunk.ours, "theirs": hunk.theirs, "union": hunk.ours + hunk.theirs}[name]
        rights.append(answer is not None and squeeze(answer) == squeeze(lines))
    return rights


def _suffix(path: bytes) -> str:
    name = PurePosixPath(path.decode("utf-8", "replace"))
    return name.suffix or name.name
