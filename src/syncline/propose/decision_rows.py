"""One row for each path that was decided: what became of it, and the commits behind each side."""

from collections.abc import Sequence

from syncline.git import CommitId, Entry, Repository, TreeId
from syncline.git.commit import read_commit
from syncline.git.paths import json_path
from syncline.markup.plain_text import one_line
from syncline.merge.model import RULES, Decision, Evidence, MergeResult, Status
from syncline.plan.model import Plan
from syncline.propose.ask_first import Asked
from syncline.propose.category import category_of
from syncline.propose.commit_lines import CommitLines
from syncline.propose.judged_hunks import PathJudged, judged_hunks
from syncline.propose.model import CommitLine, DecisionRow, EvidenceLine, RunFacts, Settled
from syncline.propose.outcome import Outcome, outcome_of
from syncline.propose.texts import PathHunks, hunk_texts

PERSON = "person"
AGENT = "agent"
COMMAND = "command"
"""The resolver's name where somebody settled a path on the branch."""
SETTLED = "settled"
RULE, EVIDENCE = "rule", "evidence"
"""What a path was settled on, where nobody did it by hand."""
_NO_HUNKS = PathHunks((), 0)
_NOT_JUDGED = PathJudged((), 0)


class DecisionRows:
    """Judges every decided path against the trees of both sides, of the merge base and of the head."""

    def __init__(
        self,
        repository: Repository,
        commits: CommitLines,
        plan: Plan,
        result: MergeResult,
        facts: RunFacts,
        asked: Sequence[Asked],
    ) -> None:
        self._repository = repository
        self._commits = commits
        self._result = result
        self._facts = facts
        self._settled = {settled.path: settled for settled in facts.settled}
        self._open = set(facts.unresolved)
        self._head = self._tree(facts.head)
        self._sides = self._tree(result.ours), self._tree(result.theirs)
        self._bases = [self._tree(base) for base in plan.bases]
        paths = [decision.path for decision in result.decisions]
        self._ours = commits.last_touches(plan.bases, result.ours, paths)
        self._theirs = commits.last_touches(plan.bases, result.theirs, paths)
        self._hunks = hunk_texts(repository, result)
        self._judged = self._judged_hunks(asked)

    def _judged_hunks(self, asked: Sequence[Asked]) -> dict[bytes, PathJudged]:
        by_path = {decision.path: decision for decision in self._result.decisions}
        opened = [by_path[one.path] for one in asked if one.path in by_path]
        settled = (one for one in by_path.values() if self._basis(one) == EVIDENCE)
        return judged_hunks(opened, settled)

    def rows(self) -> tuple[DecisionRow, ...]:
        """Return the rows, sorted by path."""
        return tuple(self._row(decision) for decision in self._result.decisions)

    def _row(self, decision: Decision) -> DecisionRow:
        path, conflict = decision.path, decision.conflict
        hunks = self._hunks.get(path, _NO_HUNKS)
        judged = self._judged.get(path, _NOT_JUDGED)
        ours, theirs = (self._entry(tree, path) for tree in self._sides)
        outcome = outcome_of(
            base=self._base_entry(path, decision),
            ours=ours,
            theirs=theirs,
            git=self._entry(self._result.git_tree, path),
            head=self._entry(self._head, path),
            marked=bool(hunks.hunks),
        )
        status, settled = self._status(decision)
        why, by = self._deleted_by(outcome, path, ours) if settled is None else self._settled_by(settled)
        name = json_path(path)
        return DecisionRow(
            path=name,
            category=category_of(name).value,
            kind=decision.kind,
            also=tuple(kind.value for kind in conflict.also) if conflict else (),
            tied_to=tuple(json_path(tied) for tied in conflict.group if tied != path) if conflict else (),
            status=status,
            outcome=outcome.value,
            why=why,
            by=by,
            resolver=_who(settled) if settled is not None else decision.resolver,
            basis=self._basis(decision),
            confidence=None if settled is not None else decision.confidence,
            # Why nothing had settled it is of no use once somebody has.
            evidence=() if settled is not None else tuple(_evidence(evidence) for evidence in decision.evidence),
            messages=tuple(one_line(message) for message in conflict.messages) if conflict else (),
            ours=self._ours.get(path),
            theirs=self._theirs.get(path),
            hunks=hunks.hunks,
            hunks_left_out=hunks.left_out,
            judged=judged.hunks,
            judged_left_out=judged.left_out,
        )

    def _status(self, decision: Decision) -> tuple[str, Settled | None]:
        path = decision.path
        if path in self._open:
            return Status.UNRESOLVED.value, None
        settled = self._settled.get(path)
        if settled is None and decision.status is Status.UNRESOLVED:
            settled = Settled(path, None, "not open any more at the head")
        return (SETTLED, settled) if settled is not None else (decision.status.value, None)

    def _basis(self, decision: Decision) -> str:
        status, settled = self._status(decision)
        if settled is not None:
            return _who(settled)
        if status == Status.UNRESOLVED.value or not decision.resolver:
            return ""
        return RULE if decision.resolver in RULES else EVIDENCE

    def _settled_by(self, settled: Settled) -> tuple[str, CommitLine | None]:
        by = self._commits.one(settled.commit) if settled.commit is not None else None
        return one_line(settled.how), by

    def _deleted_by(self, outcome: Outcome, path: bytes, ours: Entry | None) -> tuple[str, CommitLine | None]:
        if outcome not in {Outcome.RESTORED, Outcome.DELETED, Outcome.ABSENT}:
            return "", None
        if outcome is Outcome.ABSENT:
            return "neither side has it any more", None
        touches, side = (self._ours, "target") if ours is None else (self._theirs, "source")
        word = "had deleted" if outcome is Outcome.RESTORED else "deleted"
        return f"{side} {word} it", touches.get(path)

    def _base_entry(self, path: bytes, decision: Decision) -> Entry | None:
        if decision.conflict and decision.conflict.stages.base:
            return decision.conflict.stages.base
        return next((entry for base in self._bases if (entry := self._entry(base, path))), None)

    def _entry(self, tree: TreeId, path: bytes) -> Entry | None:
        return self._repository.entry(tree, path)

    def _tree(self, commit: CommitId) -> TreeId:
        return read_commit(self._repository, commit).tree


def _who(settled: Settled) -> str:
    if settled.by_command:
        return COMMAND
    return AGENT if settled.agents else PERSON


def _evidence(evidence: Evidence) -> EvidenceLine:
    return EvidenceLine(one_line(evidence.text), evidence.commit.short if evidence.commit else "")
