"""What people answered in some files of a merge, told to the files that are still open."""

from dataclasses import dataclass, field

from syncline.git import Entry, Repository
from syncline.merge.alignment import regions
from syncline.merge.case import FileCase
from syncline.merge.hunks import Lines, split_lines
from syncline.merge.ladder.facts import Candidate, Facts, squeeze
from syncline.merge.ladder.memory import Answer, Answered
from syncline.merge.ladder.settle import Judge, file_is_judged
from syncline.merge.model import Conflict
from syncline.merge.recorded import Recorded


@dataclass
class MergeAnswers:
    """Only what people wrote; never what a model guessed."""

    answered: Answered = field(default_factory=Answered)
    repeated: Recorded = field(default_factory=Recorded)

    def learn(
        self,
        repository: Repository,
        conflict: Conflict,
        judge: Judge,
        committed: Entry | None,
        which: frozenset[int],
    ) -> bool:
        """Take in how people settled one conflict; return whether that tells the other files anything.

        Args:
            repository: where the objects are.
            conflict: the conflict.
            judge: its hunks with their candidates.
            committed: what people left at its path; None where they deleted it.
            which: the hunks that had been left to them.
        """
        facts = [judged.facts for judged in judge.judged]
        if not which or not file_is_judged(facts):
            return False
        if judge.case is None:
            side = _side(conflict, committed)
            right = next((one for one in facts[0].candidates if one.kind == side), None)
            self.answered.learn([Answer(facts[0], right)])
            return True
        lines = [
            answer if index in which else None
            for index, answer in enumerate(_lines(repository, conflict, judge.case, committed))
        ]
        self.answered.learn(Answer(facts[index], _right(facts[index], lines[index])) for index in sorted(which))
        self.repeated.add(judge.case, lines)
        return True


def _side(conflict: Conflict, committed: Entry | None) -> str:
    """Return `ours` or `theirs` where that side's file was committed whole; empty otherwise."""
    oid = committed.oid if committed is not None else None
    for kind, stage in (("ours", conflict.stages.ours), ("theirs", conflict.stages.theirs)):
        if oid == (stage.oid if stage is not None else None):
            return kind
    return ""


def _lines(
    repository: Repository, conflict: Conflict, case: FileCase, committed: Entry | None
) -> tuple[Lines | None, ...]:
    """Return for each hunk what was committed in its place; None where that cannot be told."""
    if committed is None or not committed.mode.is_file:
        return (None,) * len(case.cut.hunks)
    side = _side(conflict, committed)
    if side:
        return tuple(hunk.ours if side == "ours" else hunk.theirs for hunk in case.cut.hunks)
    return regions(case.cut, split_lines(repository.blob(committed.oid)))


def _right(facts: Facts, lines: Lines | None) -> Candidate | None:
    if lines is None:
        return None
    text = squeeze(lines)
    return next((candidate for candidate in facts.candidates if candidate.text == text), None)
