"""Replaying merges in the order they were made: each is settled from the record of those before it."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from syncline.git import CommitId
from syncline.merge.case import FileCase
from syncline.merge.ladder.facts import Candidate, Facts, squeeze
from syncline.merge.ladder.gate import Outcome
from syncline.merge.ladder.ladder import Judged, Ladder
from syncline.merge.ladder.lane_record import SIZES, LaneRecord
from syncline.merge.ladder.local import Local, Sample
from syncline.merge.ladder.memory import Answer, Answered
from syncline.merge.ladder.settle import Judge, Settled, file_is_judged, judge_file
from syncline.merge.ladder.weights import Weights
from syncline.merge.ladder.whole_merge import WORDS, least_sure
from syncline.merge.model import Side
from syncline.merge.recorded import Recorded
from syncline.replay.gather import Gathered, GatheredConflict
from syncline.replay.past import PastMerge
from syncline.replay.policy import Policy

TARGETS = (0.80, 0.85, 0.90, 0.95)
"""The precisions of the curve."""
NONE = Policy()
"""No policy: evidence is asked about everything."""


@dataclass(frozen=True, slots=True)
class PlayedFile:
    """One conflict of a replayed merge, as settled from the past alone and with people's answers."""

    gathered: GatheredConflict
    alone: Settled
    curve: tuple[Settled, ...]
    """At each of `TARGETS`."""
    helped: Settled
    """With what people answered in the earlier files of the same merge."""
    right: tuple[Candidate | None, ...]
    """For each hunk the candidate of `alone` that people agree with."""
    by_policy: str = ""
    """What of the lane's policy settled it: a path rule or a coupled set; empty where nothing did."""

    @property
    def right_helped(self) -> tuple[Candidate | None, ...]:
        """The same as `right` among the candidates that answers in earlier files added to."""
        return tuple(rightly(self.gathered, judged.facts) for judged in self.helped.judged)


@dataclass(frozen=True, slots=True)
class Played:
    """A replayed merge."""

    gathered: Gathered
    files: tuple[PlayedFile, ...]
    seconds: float
    """CPU seconds it took to judge, the gathering aside."""


def play(
    merges: Iterable[Gathered],
    weights: Weights,
    precision: float,
    record: LaneRecord,
    of_lane: Callable[[CommitId, PastMerge], bool] = lambda _merge, _past: True,
    policy: Policy = NONE,
) -> Iterator[Played]:
    """Settle each merge from the record of those before it, and learn from what people made of it.

    Args:
        merges: oldest first.
        weights: what other repositories taught.
        precision: how often accepted answers are to be right.
        record: what the lane knows before the first merge; it grows.
        of_lane: whether an earlier merge is a precedent for another: datasets may mix lanes of one repository.
        policy: what it decides is asked of nobody, though learned from.
    """
    for gathered in merges:
        begun = time.process_time()
        if gathered.left_out is not None:
            yield Played(gathered, (), 0.0)
            continue
        files = tuple(_looked_at(list(_files(gathered, weights, precision, record, of_lane, policy))))
        yield Played(gathered, files, time.process_time() - begun)
        learn(record, gathered, files)


def _files(
    merge: Gathered,
    weights: Weights,
    precision: float,
    record: LaneRecord,
    of_lane: Callable[[CommitId, PastMerge], bool],
    policy: Policy,
) -> Iterator[PlayedFile]:
    alone = Ladder(weights, record.memory, record.gate, record.local, precision)
    helped = Ladder(weights, record.memory, record.gate_with_answers, record.local_with_answers, precision)
    answered, repeated = Answered(), Recorded()
    told = False

    def related(commit: CommitId) -> bool:
        return of_lane(commit, merge.past)

    for gathered in merge.conflicts:
        case, facts = gathered.past.case, gathered.facts
        judge = judge_file(
            alone, case, facts, recorded=record.recorded, attempted=merge.attempted, of_lane=related
        )
        curve = tuple(judge.settle([alone.threshold(one, target) for one in judge.judged]) for target in TARGETS)
        settled = judge.settle([one.threshold for one in judge.judged])
        with_help = judge_file(
            helped, case, facts, recorded=record.recorded, of_lane=related,
            answered=answered if told else None, repeated=repeated if told else None, attempted=merge.attempted,
        )  # fmt: skip
        # What the past settles was settled before anyone answered.
        known = with_help.settle([one.threshold for one in with_help.judged], settled.answers)
        right = tuple(rightly(gathered, judged.facts) for judged in judge.judged)
        ruling = policy.of(gathered.past.conflict)
        if ruling is not None:
            ruled = _by_policy(ruling.side, gathered, judge)
            by = ruling.resolver if ruling.side is not None else ""
            yield PlayedFile(gathered, ruled, (ruled,) * len(TARGETS), ruled, right, by_policy=by)
            continue
        yield PlayedFile(gathered, settled, curve, known, right)
        # A reviewer answers what is left open, and only that is told to the files after.
        left = [i for i, answer in enumerate(known.answers) if answer is None]
        if left and file_is_judged(facts):
            answered.learn(_answer(with_help, gathered, i) for i in left)
            if case is not None:
                lines = [gathered.past.answers[i] if i in left else None for i in range(len(facts))]
                repeated.add(case, lines)
            told = True


def _looked_at(files: list[PlayedFile]) -> list[PlayedFile]:
    """Leave a file open in each way to settle the merge in which nobody would look at any (see `whole_merge`)."""
    alone = _held([file.alone for file in files], files)
    helped = _held([file.helped for file in files], files)
    curve = [_held([file.curve[at] for file in files], files) for at in range(len(TARGETS))]
    return [
        replace(file, alone=alone[i], helped=helped[i], curve=tuple(settled[i] for settled in curve))
        for i, file in enumerate(files)
    ]


def _held(settled: list[Settled], files: list[PlayedFile]) -> list[Settled]:
    sure = [1.0 if file.by_policy else one.joint for one, file in zip(settled, files, strict=True)]
    place = least_sure(sure)
    if place is None:
        return settled
    held = settled[place]
    count = len(held.answers)
    left = replace(held, answers=(None,) * count, faults=((WORDS,),) * count, content=None)
    return [*settled[:place], left, *settled[place + 1 :]]


def _by_policy(side: Side | None, gathered: GatheredConflict, judge: Judge) -> Settled:
    """Return the file with one side's lines in each hunk; None leaves it open."""
    count = len(judge.judged)
    if side is None:
        return Settled(judge.judged, (None,) * count, ((),) * count, None)
    case = gathered.past.case
    answers = []
    for judged in judge.judged:
        text = None
        if case is not None:
            hunk = case.hunks[judged.facts.hunk]
            text = squeeze(hunk.ours if side is Side.OURS else hunk.theirs)
        answers.append(
            next(
                replace(ranked, confidence=1.0)
                for ranked in judged.ranking
                if (ranked.candidate.kind == side.value if text is None else ranked.candidate.text == text)
            )
        )
    return Settled(judge.judged, tuple(answers), ((),) * count, None)


def _answer(judge: Judge, gathered: GatheredConflict, index: int) -> Answer:
    facts = judge.judged[index].facts
    return Answer(facts, rightly(gathered, facts))


def rightly(gathered: GatheredConflict, facts: Facts) -> Candidate | None:
    """Return the candidate that people agree with; None when they wrote something else."""
    past = gathered.past
    if past.case is None:
        kind = past.side.value if past.side in {Side.OURS, Side.THEIRS} else ""
        return next((candidate for candidate in facts.candidates if candidate.kind == kind), None)
    lines = past.answers[facts.hunk]
    if lines is None:
        return None
    text = squeeze(lines)
    return next((candidate for candidate in facts.candidates if candidate.text == text), None)


def learn(record: LaneRecord, gathered: Gathered, files: Sequence[PlayedFile]) -> None:
    """Take what people made of a merge into the lane's record."""
    judged = [file for file in files if file_is_judged(file.gathered.facts)]
    record.sizes = (*record.sizes, sum(len(file.right) for file in judged))[-SIZES:]
    fade = record.fade
    alone = [(one, right) for file in judged for one, right in zip(file.alone.judged, file.right, strict=True)]
    helped = [
        (one, right) for file in judged for one, right in zip(file.helped.judged, file.right_helped, strict=True)
    ]
    for gate, known in ((record.gate, alone), (record.gate_with_answers, helped)):
        # What is doubted was not answered: it tells nothing of how good answers are.
        gate.learn((_outcome(one) for one in known if one[0].kept_as not in gate.doubted), fade)
    answers = [Answer(one.facts, right) for one, right in alone]
    turned = record.memory.turned(answers)
    # Where a policy turned, the memory was wrong, not what the models make of it.
    for local, known in ((record.local, alone), (record.local_with_answers, helped)):
        _correct(local, (one for one in known if one[0].facts.group.value not in turned), fade)
    record.memory.forget(answer for answer in answers if answer.facts.group.value in turned)
    record.memory.learn(answers, fade)
    record.notice(answers)
    for file in judged:
        case: FileCase | None = file.gathered.past.case
        if case is not None:
            record.recorded.add(case, file.gathered.past.answers, gathered.past.merge)
    record.learned += (gathered.past.merge,)


_Known = tuple[Judged, Candidate | None]
"""A judged hunk and the candidate that was right."""


def _outcome(known: _Known) -> Outcome:
    judged, right = known
    best = judged.best
    return Outcome(judged.kept_as, best.confidence, _is(best.candidate, right))


def _correct(local: Mapping[str, Local], known: Iterable[_Known], fade: float) -> None:
    samples: dict[str, list[Sample]] = {kind: [] for kind in local}
    for judged, right in known:
        for ranked in judged.ranking:
            samples[ranked.candidate.kind].append(
                Sample(ranked.values, ranked.score, _is(ranked.candidate, right))
            )
    for kind, correction in local.items():
        correction.learn(samples[kind], fade)


def _is(candidate: Candidate, right: Candidate | None) -> bool:
    return right is not None and candidate.text == right.text
