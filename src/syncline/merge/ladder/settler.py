"""The ladder at work in a merge: what no rule settles is judged, settled where that is sure enough, explained."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from syncline.counted import counted
from syncline.git import CommitId, Entry, Repository
from syncline.merge.case import FileCase
from syncline.merge.file_group import is_lock
from syncline.merge.ladder.conflict_facts import conflict_facts
from syncline.merge.ladder.facts import Candidate, Facts, facts_of_hunk
from syncline.merge.ladder.gate import in_words
from syncline.merge.ladder.ladder import Judged, Ladder, Ranked
from syncline.merge.ladder.lane_record import LaneRecord
from syncline.merge.ladder.likeness import likeness
from syncline.merge.ladder.merge_answers import MergeAnswers
from syncline.merge.ladder.settle import Judge, Settled, judge_file
from syncline.merge.ladder.weights import Weights
from syncline.merge.ladder.words_for import answers_in_words, record_in_words
from syncline.merge.model import Conflict, Evidence, HunkDecision, Offer, Side, Status
from syncline.merge.proposals import Further, propose_all, too_large
from syncline.merge.read_cases import read_case

if TYPE_CHECKING:
    from syncline.merge.past_versions import HistoryWalks, PastVersions
    from syncline.merge.proposal import Proposal

MOST_OFFERS = 4
"""How many candidates of a hunk are shown."""
MOST_REASONS = 6
LOCK = Evidence("a lock file: only its tool settles it, or a path rule")
_SIDES = {"ours": Side.OURS, "theirs": Side.THEIRS, "merged": Side.BOTH}


@dataclass(frozen=True, slots=True)
class Settlement:
    """What the ladder says of one conflict."""

    hunks: tuple[HunkDecision, ...]
    """None where nobody looked at them."""
    side: Side
    """What the whole path would hold: a side, or BOTH for a text that is neither's."""
    content: bytes | None
    """The text of the whole path where every hunk is settled and it is neither side's; None otherwise."""
    resolver: str
    confidence: float | None
    evidence: tuple[Evidence, ...]
    """Why it is settled so; for one that is not, why nobody looked at it."""
    whole: bool
    """Whether every hunk is settled."""


@dataclass
class Settler:
    """Settles the conflicts of one merge. `prepare` is told all of them before the first is asked for."""

    repository: Repository
    ours: CommitId
    theirs: CommitId
    weights: Weights
    record: LaneRecord
    precision: float
    walks: "HistoryWalks | None" = None
    """The look into both sides' history, begun when the merge was; None goes without it."""
    further: Further | None = None
    """Who is asked for each file beside the resolvers."""
    _history: "PastVersions | None" = field(default=None, init=False)

    def prepare(self, conflicts: Iterable[Conflict]) -> None:
        """Begin with what concerns all conflicts of the merge at once."""
        if self.walks is not None:
            self._history = self.walks.start(conflicts).finish()

    def settle(self, conflict: Conflict, merged: Entry | None, answers: MergeAnswers | None = None) -> Settlement:
        """Judge one conflict.

        Args:
            conflict: the conflict.
            merged: what git left at its path, markers included.
            answers: what people answered in other files of this merge; None when they answered nothing yet.
        """
        if is_lock(conflict.path):
            # Nobody may settle it, so that no likelihood of a side is worth a word.
            return Settlement((), Side.OURS, None, "", None, (LOCK,), whole=False)
        ladder, judge = self.judge(conflict, merged, answers)
        settled = judge.settle([judged.threshold for judged in judge.judged])
        hunks = tuple(self._decision(ladder, settled, index, answers) for index in range(len(judge.judged)))
        return self._settlement(settled, hunks, judge.case)

    def judge(
        self, conflict: Conflict, merged: Entry | None, answers: MergeAnswers | None
    ) -> tuple[Ladder, Judge]:
        """Return how every hunk of one conflict is judged, and by what; arguments as in `settle`."""
        record = self.record
        gate, local = record.gate, record.local
        answered = repeated = None
        if answers is not None:
            gate, local = record.gate_with_answers, record.local_with_answers
            answered, repeated = answers.answered, answers.repeated
        ladder = Ladder(self.weights, record.memory, gate, local, self.precision)
        case = read_case(self.repository, conflict, merged, self.ours, self.theirs)
        facts = self._facts(conflict, case)
        return ladder, judge_file(
            ladder, case, facts, recorded=record.recorded, answered=answered, repeated=repeated,
            attempted=record.attempted,
        )  # fmt: skip

    def _facts(self, conflict: Conflict, case: FileCase | None) -> tuple[Facts, ...]:
        if case is None:
            return (conflict_facts(self.repository, conflict),)
        by_hunk: dict[int, list[Proposal]] = defaultdict(list)
        for proposal in propose_all(case, self._history, self.further):
            by_hunk[proposal.hunk].append(proposal)
        return tuple(facts_of_hunk(hunk, by_hunk[hunk.index]) for hunk in case.hunks)

    def _decision(
        self, ladder: Ladder, settled: Settled, index: int, answers: MergeAnswers | None
    ) -> HunkDecision:
        judged, answer, faults = settled.judged[index], settled.answers[index], settled.faults[index]
        offers = tuple(self._offer(ladder, judged, ranked, answers) for ranked in judged.ranking[:MOST_OFFERS])
        beside = len(judged.ranking) - len(offers), likeness(judged.facts)
        if answer is None:
            words = tuple(Evidence(f"not accepted: {fault}") for fault in faults)
            return HunkDecision(index, Status.UNRESOLVED, "", None, words, offers, *beside)
        evidence = (*offers[0].evidence, *self._worth(ladder, judged, answers))
        sure = round(answer.confidence, 4)
        return HunkDecision(index, Status.RESOLVED, _resolver(answer.candidate), sure, evidence, offers, *beside)

    def _offer(self, ladder: Ladder, judged: Judged, ranked: Ranked, answers: MergeAnswers | None) -> Offer:
        candidate, facts = ranked.candidate, judged.facts
        evidence = {said.text: said for proposal in candidate.proposals for said in proposal.evidence}
        if not evidence and answers is not None:
            evidence = {words: Evidence(words) for words in answers_in_words(facts, candidate, answers.answered)}
        if not evidence:
            evidence = {words: Evidence(words) for words in record_in_words(facts, candidate, self.record.memory)}
        told = answers.answered if answers is not None else None
        reasons = tuple(ladder.reasons(facts, candidate, told)[:MOST_REASONS])
        if not evidence and self.record.memory.merges:
            evidence = {MODEL_ALONE: Evidence(MODEL_ALONE)}
        return Offer(
            side=_SIDES[candidate.kind],
            resolvers=tuple(dict.fromkeys(proposal.resolver for proposal in candidate.proposals)),
            confidence=round(ranked.confidence, 4),
            evidence=tuple(evidence.values()),
            lines=candidate.lines,
            reasons=reasons,
        )

    @staticmethod
    def _worth(ladder: Ladder, judged: Judged, answers: MergeAnswers | None) -> tuple[Evidence, ...]:
        group = judged.kept_as
        count, share = ladder.gate.worth(group, judged.best.confidence)
        if share is None:
            return ()
        given = " given after people's" if answers is not None else ""
        like = f"answers{given} at least so sure in {in_words(group)}"
        return (Evidence(f"{like} were right {share:.0%} of {counted(count, 'time')} on this lane"),)

    @staticmethod
    def _settlement(settled: Settled, hunks: tuple[HunkDecision, ...], case: FileCase | None) -> Settlement:
        answers = [answer for answer in settled.answers if answer is not None]
        if not settled.whole:
            why = too_large(case) if case is not None else ""
            if why and not any(offer.resolvers or offer.evidence for hunk in hunks for offer in hunk.offers):
                hunks = ()  # nobody looked, and the lane tells nothing of the like
            said = (Evidence(why),) if why else ()
            return Settlement(hunks, Side.OURS, None, "", None, said, whole=False)
        kinds = {answer.candidate.kind for answer in answers}
        side = (
            _SIDES[kinds.pop()]
            if len(kinds) == 1 and (case is None or settled.content in {case.ours, case.theirs})
            else Side.BOTH
        )
        content = settled.content if side is Side.BOTH else None
        evidence = {said.text: said for hunk in hunks for said in hunk.evidence}
        names = dict.fromkeys(hunk.resolver for hunk in hunks)
        confidence = min(answer.confidence for answer in answers)
        return Settlement(
            hunks, side, content, "+".join(names), round(confidence, 4), tuple(evidence.values()), whole=True
        )


def _resolver(candidate: Candidate) -> str:
    return candidate.proposals[0].resolver if candidate.proposals else RECORD


MODEL_ALONE = "neither a resolver nor what this lane did speaks for it; what weighed in the model made it likely"
RECORD = "lane-record"
"""Who settled a hunk for which no resolver spoke: what the lane did with its like."""
