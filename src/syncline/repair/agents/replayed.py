"""Asking an agent about the conflicts of past merges that evidence left open, to be scored like everything else.

Only the answer by itself is judged, by its task, the grammar and the tests (see `guard`); what a whole tree must
stand up to is not asked of a merge that landed long ago. Lessons and the playbook are left out: they may tell what
people learned only afterwards.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from syncline.git import CommitId, Repository
from syncline.git.history import merge_bases
from syncline.merge.acceptance import faults
from syncline.merge.alignment import regions
from syncline.merge.case import FileCase
from syncline.merge.hunks import split_lines
from syncline.merge.ladder.facts import squeeze
from syncline.merge.ladder.settle import Settled
from syncline.merge.model import HunkDecision, Offer, Side, Status
from syncline.repair.agents import room
from syncline.repair.agents.agent import Agent, AgentError, Limits
from syncline.repair.agents.answer import NoAnswerError
from syncline.repair.agents.commits import commits_behind
from syncline.repair.agents.conflict_task import task_id, task_of_text, whole_file
from syncline.repair.agents.edits import contents
from syncline.repair.agents.task import AgentTask, TaskCommit, TaskFile, TaskKind
from syncline.repair.agents.tests_kept import lost_tests
from syncline.replay.asked import Said
from syncline.replay.past import PastMerge
from syncline.replay.run import PlayedFile

_OFFERS = 4
_SIDES = {"ours": Side.OURS, "theirs": Side.THEIRS, "merged": Side.BOTH}


@dataclass
class PastAsker:
    """Asks about one file after the other, of any number of merges."""

    repository: Repository
    agent: Agent
    limits: Limits
    most: int
    """How many questions are asked at most."""
    tell: Callable[[str], None] = field(default=lambda _text: None)
    asked: int = 0

    def ask(self, past: PastMerge, file: PlayedFile) -> Said | None:
        """Return what the agent says of a file; None where there is nothing to ask, or enough was asked.

        Raises:
            GitError: missing objects.
        """
        if self.asked >= self.most or all(answer is not None for answer in file.alone.answers):
            return None
        task = self._task(past, file)
        if task is None:
            return None
        self.asked += 1
        self.tell(f"asking {self.agent.name} about {task.files[0].name} of {past.merge.short} ({self.asked})")
        begun = time.monotonic()
        nothing = ((False, False),) * len(file.alone.answers)
        try:
            with room.opened(task) as place:
                answer = self.agent.solve(task, place, self.limits)
            said = contents(task, answer)
        except (AgentError, NoAnswerError) as error:
            return Said(nothing, error.message, time.monotonic() - begun)
        cost = answer.cost
        spent = Said(nothing, "", time.monotonic() - begun, cost.turns or 0, cost.tokens or 0, cost.money or 0.0)
        asked = task.files[0]
        if asked.path not in said:
            return replace(spent, refused="it edits nothing")
        content = said[asked.path]
        if fault := _fault(file.gathered.past.case, asked, content):
            return replace(spent, refused=fault)
        return replace(spent, outcomes=_outcomes(file, content, asked))

    def _task(self, past: PastMerge, file: PlayedFile) -> AgentTask | None:
        found = file.gathered.past
        if found.case is not None:
            asked = task_of_text(found.case, _decided(file.alone))
        else:
            stages = found.conflict.stages
            asked = whole_file(self.repository, found.conflict, stages.ours or stages.theirs)
        if isinstance(asked, str):
            return None
        return AgentTask(
            id=task_id(asked),
            kind=TaskKind.CONFLICT,
            files=(asked,),
            commits=self._commits(past.ours, past.theirs, asked.path),
            conflict=found.conflict,
        )

    def _commits(self, ours: CommitId, theirs: CommitId, path: bytes) -> tuple[TaskCommit, ...]:
        bases = merge_bases(self.repository, ours, theirs)
        return commits_behind(self.repository, ours=ours, theirs=theirs, bases=bases, paths=(path,))


def _decided(settled: Settled) -> tuple[HunkDecision, ...]:
    """Return what was decided of each hunk, as a merge would tell it."""
    found = []
    for judged, answer in zip(settled.judged, settled.answers, strict=True):
        offers = tuple(
            Offer(
                _SIDES[ranked.candidate.kind],
                tuple(dict.fromkeys(one.resolver for one in ranked.candidate.proposals)),
                round(ranked.confidence, 4),
                tuple(said for one in ranked.candidate.proposals for said in one.evidence),
                ranked.candidate.lines,
                (),
            )
            for ranked in judged.ranking[:_OFFERS]
        )
        status = Status.UNRESOLVED if answer is None else Status.RESOLVED
        found.append(HunkDecision(judged.facts.hunk, status, "", None, (), offers))
    return tuple(found)


def _fault(case: FileCase | None, file: TaskFile, content: bytes | None) -> str:
    if content is None:
        return ""
    sides = [side for side in (file.ours, file.theirs) if side is not None]
    if lost := lost_tests(file.path, sides, content, base=file.base or b""):
        return lost
    return next(iter(faults(case, content)), "") if case is not None else ""


def _outcomes(file: PlayedFile, content: bytes | None, asked: TaskFile) -> tuple[tuple[bool, bool], ...]:
    past = file.gathered.past
    if past.case is None:
        side = next(
            (name for name, has in ((Side.OURS, asked.ours), (Side.THEIRS, asked.theirs)) if has == content), None
        )
        return ((True, side is not None and side is past.side),)
    if content is None:
        return ((True, False),) * len(past.answers)
    said = regions(past.case.cut, split_lines(content))
    return tuple(
        (False, False)
        if known is not None or lines is None
        else (True, right is not None and squeeze(right) == squeeze(lines))
        for known, lines, right in zip(file.alone.answers, said, past.answers, strict=True)
    )
