"""Merge two commits in memory under a lane's policy. No ref moves, no work tree is touched.

The way of the data: git's own merge -> conflicts -> coupled sets and path rules -> a decision for each path
-> edits on git's tree. A path gets one decision; protected paths win over coupled sets, these over rules.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from syncline.git import CommitId, Entry, Mode, Repository, TreeId
from syncline.git.commit import read_commit
from syncline.git.diff import statuses
from syncline.git.merge_tree import MergeTree, Stages, start_merge_tree
from syncline.merge.collisions import name_collisions
from syncline.merge.conflicts import conflicts_of, notes_of
from syncline.merge.hunks import parse_conflicted
from syncline.merge.make_way import COUPLED, FREE, PROTECTED, make_way
from syncline.merge.model import (
    Conflict,
    ConflictKind,
    Decision,
    Evidence,
    HunkDecision,
    MergeResult,
    Side,
    Status,
)
from syncline.merge.resolvers import coupled as coupled_sets
from syncline.merge.resolvers import path_rule
from syncline.merge.resolvers.patterns import matches
from syncline.merge.side_version import file_at, side_version
from syncline.merge.sides import Sides, StartedMerge

if TYPE_CHECKING:
    # pydantic takes a fifth of a second to import; nothing here needs more than the names.
    from syncline.config.models import Lane, PathRule
    from syncline.merge.ladder.settler import Settlement, Settler


_LADDER_KINDS = frozenset((ConflictKind.CONTENT, ConflictKind.ADD_ADD, ConflictKind.MODIFY_DELETE))
"""What is a matter of one file; where files went is for people or rules to say."""


def merge(
    repository: Repository,
    ours: CommitId,
    theirs: CommitId,
    lane: "Lane | None" = None,
    started: StartedMerge | None = None,
    *,
    write: bool = True,
    settler: "Settler | None" = None,
) -> MergeResult:
    """Merge `theirs` (source) into `ours` (target) in memory.

    Args:
        repository: where both commits are.
        ours: target's commit.
        theirs: source's commit, or the tip of a slice of it.
        lane: the policy; None merges as git does and leaves every conflict unresolved at target's side.
        started: the merge of the same two, where it was started before.
        write: whether the resulting tree is wanted; without it only the decisions are right, and `tree` is git's.
        settler: settles from evidence what no rule settles; None leaves all of it to people.

    Raises:
        GitError: a shallow clone, unrelated histories, missing objects.
    """
    repository.require_whole_history()
    if started is None or (started.ours, started.theirs) != (ours, theirs):
        if started is not None:
            started.sides()  # nobody needs them, but the reader of objects must be free again
        started = StartedMerge(repository, start_merge_tree(repository, ours, theirs))
    sides = started.sides()
    return _Merge(repository, ours, theirs, lane, started.finish(), sides, settler).result(write=write)


@dataclass(frozen=True, slots=True)
class _Ruling:
    """What a path rule makes of a conflict."""

    side: Side | None = None
    """None where the rule cannot be applied."""
    entry: Entry | None = None
    words: tuple[str, ...] = ()
    """What it did, or why it cannot be applied, where the rule itself does not tell."""


@dataclass
class _Merge:
    """The work on one merge. Decisions are collected path by path, the tree is edited once at the end."""

    repository: Repository
    ours: CommitId
    theirs: CommitId
    lane: "Lane | None"
    merged: MergeTree
    sides: Sides
    settler: "Settler | None" = None
    decisions: dict[bytes, Decision] = field(default_factory=dict)
    edits: dict[bytes, Entry | None] = field(default_factory=dict)
    trees: dict[CommitId, TreeId] = field(default_factory=dict)
    always: tuple[str, ...] = ()
    """The patterns of all rules that hold for clean merges too."""
    bound: set[bytes] = field(default_factory=set)
    """The paths whose side a coupled set chose."""

    def result(self, *, write: bool) -> MergeResult:
        found = conflicts_of(self.merged, ours=self.ours, theirs=self.theirs)
        conflicts = name_collisions(self.repository, self.sides.departures, found)
        by_path = {conflict.path: conflict for conflict in conflicts}
        if self.lane is not None:
            self._couple(by_path)
            self._hold_clean_paths(by_path)
        left = [conflict for conflict in conflicts if conflict.path not in self.decisions]
        if self.settler is not None:
            self.settler.prepare(left)
        for conflict in left:
            self._settle(conflict)
        if self.settler is not None:
            self._have_somebody_look(conflicts)
        edits, decisions = make_way(self.repository, self.merged.tree, self.edits, self.decisions, self._rank)
        return MergeResult(
            ours=self.ours,
            theirs=self.theirs,
            git_tree=self.merged.tree,
            tree=self.repository.edit_tree(self.merged.tree, edits) if write else self.merged.tree,
            conflicts=conflicts,
            decisions=tuple(decisions[path] for path in sorted(decisions)),
            notes=notes_of(self.merged),
        )

    # --- trees --------------------------------------------------------------------------------------------

    def _tree(self, commit: CommitId) -> TreeId:
        if commit not in self.trees:
            self.trees[commit] = read_commit(self.repository, commit).tree
        return self.trees[commit]

    # --- coupled sets -------------------------------------------------------------------------------------

    def _couple(self, conflicts: Mapping[bytes, Conflict]) -> None:
        assert self.lane is not None  # noqa: S101 - tells the type checker
        for coupled in self.lane.coupled:
            members = {
                path: member
                for path in sorted(self.sides.departures.changed - self.bound)
                if matches(coupled.paths, path)
                for member in [self._member(path)]
                if member.ours != member.theirs
            }
            if not members:
                continue
            protected = [path for path in members if self._is_protected(path)]
            verdict = coupled_sets.decide(coupled, members, protected)
            self.bound |= members.keys()
            for path, member in members.items():
                entry = member.theirs if verdict.side is Side.THEIRS else member.ours
                self._take_coupled(path, entry, verdict, conflicts.get(path))

    def _member(self, path: bytes) -> coupled_sets.Member:
        # With several merge bases, a side that differs from any of them counts as moved.
        before = [self.repository.entry(base, path) for base in self.sides.bases]
        ours, theirs = (file_at(self.repository, self._tree(side), path) for side in (self.ours, self.theirs))
        return coupled_sets.Member(
            ours=ours,
            theirs=theirs,
            moved_by_ours=any(entry != ours for entry in before),
            moved_by_theirs=any(entry != theirs for entry in before),
        )

    def _is_protected(self, path: bytes) -> bool:
        rule = path_rule.first_rule(self.lane.paths, [path]) if self.lane is not None else None
        return rule is not None and rule.take == "protect"

    def _rank(self, path: bytes) -> int:
        if self._is_protected(path):
            return PROTECTED
        return COUPLED if path in self.bound else FREE

    def _take_coupled(
        self, path: bytes, entry: Entry | None, verdict: coupled_sets.Verdict, conflict: Conflict | None
    ) -> None:
        side = verdict.side or Side.OURS
        if verdict.side is None:
            status = Status.UNRESOLVED
        elif conflict is None:
            if self.repository.entry(self.merged.tree, path) == entry:
                return  # git's own merge already holds that side
            status = Status.KEPT if side is Side.OURS else Status.RESOLVED
        else:
            status = Status.RESOLVED
        settled = verdict.side is not None
        self._decide(
            path, status, side, coupled_sets.NAME if settled else "", 1.0 if settled else None,
            (verdict.evidence,), conflict, entry,
        )  # fmt: skip

    # --- rules on paths that git merged cleanly -------------------------------------------------------------

    def _hold_clean_paths(self, conflicts: Mapping[bytes, Conflict]) -> None:
        assert self.lane is not None  # noqa: S101 - tells the type checker
        rules = [rule for rule in self.lane.paths if rule.when == "always"]
        if not rules:
            return
        # Of thousands of changed paths few are meant by any rule: ask for all patterns at once first.
        self.always = tuple(pattern for rule in rules for pattern in rule.match)
        takes = {rule.take for rule in rules}
        if takes & {"protect", "ours"}:
            self._hold_where_different(self.ours, conflicts, {"protect", "ours"}, Side.OURS)
        if "theirs" in takes:
            self._hold_where_different(self.theirs, conflicts, {"theirs"}, Side.THEIRS)
        if "delete" in takes:
            for path, _ in statuses(self.repository, self.repository.empty_tree, self.merged.tree):
                self._hold(path, conflicts, {"delete"}, Side.NEITHER, self.repository.empty_tree)

    def _hold_where_different(
        self, commit: CommitId, conflicts: Mapping[bytes, Conflict], takes: set[str], side: Side
    ) -> None:
        tree = self._tree(commit)
        for path, _ in statuses(self.repository, tree, self.merged.tree):
            self._hold(path, conflicts, takes, side, tree)

    def _hold(
        self,
        path: bytes,
        conflicts: Mapping[bytes, Conflict],
        takes: set[str],
        side: Side,
        tree: TreeId,
    ) -> None:
        assert self.lane is not None  # noqa: S101 - tells the type checker
        if path in conflicts or path in self.decisions or path in self.bound:
            return
        if not (matches(self.always, path) or matches(self.always, path + b"/")):
            return
        rule = path_rule.first_rule(self.lane.paths, [path])
        if rule is None or rule.when != "always" or rule.take not in takes:
            return
        status = Status.KEPT if side is Side.OURS else Status.RESOLVED
        entry = file_at(self.repository, tree, path)
        self._decide(path, status, side, path_rule.NAME, 1.0, (path_rule.evidence_for(rule),), None, entry)

    # --- conflicts ------------------------------------------------------------------------------------------

    def _settle(self, conflict: Conflict) -> None:
        rule = self._rule_for(conflict)
        ruling = _Ruling()
        if rule is not None:
            ruling = self._by_rule(conflict, rule)
            evidence = (path_rule.evidence_for(rule), *(Evidence(words) for words in ruling.words))
            if ruling.side is not None:
                self._decide(
                    conflict.path,
                    Status.RESOLVED,
                    ruling.side,
                    path_rule.NAME,
                    1.0,
                    evidence,
                    conflict,
                    ruling.entry,
                )
                return
        settlement = self._by_ladder(conflict) if rule is None else None
        if settlement is not None and settlement.whole:
            self._accept(conflict, settlement)
            return
        refusal: tuple[Evidence, ...] = ()
        if rule is not None:
            why = "".join(f": {words}" for words in ruling.words)
            refusal = (Evidence(f"{path_rule.evidence_for(rule)}, which cannot be applied here{why}"),)
        if settlement is None:
            self._leave_open(conflict, refusal)
        else:
            self._leave_open(conflict, settlement.evidence, settlement.hunks)

    def _leave_open(
        self, conflict: Conflict, why: tuple[Evidence, ...] = (), hunks: tuple[HunkDecision, ...] = ()
    ) -> None:
        side = Side(self.lane.unresolved) if self.lane is not None else Side.OURS
        entry = None
        if conflict.stages == Stages():
            # Git merged the contents and only could not tell where a directory went: no side to choose.
            side = Side.MARKERS
            words = "the files stand where git left them, only their place is in question"
        elif side is Side.MARKERS:
            words = "git's result with its conflict markers is in the tree"
        else:
            entry = self._side_entry(conflict, side)
            words = f"{'target' if side is Side.OURS else 'source'}'s side is in the tree until someone settles it"
            if self._only_the_place_is_in_question(conflict):
                words = "the file stands where git suggests, only its place is in question"
        evidence = (*why, Evidence(f"nothing settled it; {words}"))
        self._decide(conflict.path, Status.UNRESOLVED, side, "", None, evidence, conflict, entry, hunks)

    def _have_somebody_look(self, conflicts: Sequence[Conflict]) -> None:
        """Leave the least sure conflict open in a merge that evidence alone settled to the last one."""
        from syncline.merge.ladder.whole_merge import WORDS, least_sure  # noqa: PLC0415 - only where a ladder is

        decisions = [self.decisions[conflict.path] for conflict in conflicts]
        place = least_sure([_joint(decision) for decision in decisions])
        if place is None:
            return
        conflict, decision = conflicts[place], decisions[place]
        self.edits.pop(conflict.path, None)
        hunks = tuple(
            replace(hunk, status=Status.UNRESOLVED, resolver="", confidence=None) for hunk in decision.hunks
        )
        self._leave_open(conflict, (Evidence(WORDS),), hunks)

    def _by_ladder(self, conflict: Conflict) -> "Settlement | None":
        """Return what the ladder says of a conflict; None where nobody asked it or it is no matter of one file."""
        ours, theirs = conflict.stages.ours, conflict.stages.theirs
        if self.settler is None or not _LADDER_KINDS.issuperset((conflict.kind, *conflict.also)):
            return None
        if len(conflict.group) > 1 or any(entry and not entry.mode.is_file for entry in (ours, theirs)):
            return None
        # Renames that collide leave a text that holds the markers of a merge inside it.
        if (self._side_entry(conflict, Side.OURS), self._side_entry(conflict, Side.THEIRS)) != (ours, theirs):
            return None
        return self.settler.settle(conflict, file_at(self.repository, self.merged.tree, conflict.path))

    def _accept(self, conflict: Conflict, settlement: "Settlement") -> None:
        if settlement.content is None:
            entry = self._side_entry(conflict, settlement.side)
        else:
            in_git_tree = file_at(self.repository, self.merged.tree, conflict.path)
            mode = in_git_tree.mode if in_git_tree is not None else Mode.FILE
            entry = Entry(mode, self.repository.write_blob(settlement.content))
        self._decide(
            conflict.path, Status.RESOLVED, settlement.side, settlement.resolver, settlement.confidence,
            settlement.evidence, conflict, entry, settlement.hunks,
        )  # fmt: skip

    def _rule_for(self, conflict: Conflict) -> "PathRule | None":
        if self.lane is None:
            return None
        own = path_rule.first_rule(self.lane.paths, [conflict.path])
        # A rename ties paths together, so that one rule settles them all; but what is protected stays so.
        if own is not None and own.take == "protect":
            return own
        return path_rule.first_rule(self.lane.paths, conflict.group)

    def _by_rule(self, conflict: Conflict, rule: "PathRule") -> "_Ruling":
        if not self._is_about_a_file(conflict):
            return _Ruling()
        match rule.take:
            case "protect":
                return _Ruling(Side.OURS, file_at(self.repository, self._tree(self.ours), conflict.path))
            case "ours":
                return _Ruling(Side.OURS, self._side_entry(conflict, Side.OURS))
            case "theirs":
                return _Ruling(Side.THEIRS, self._side_entry(conflict, Side.THEIRS))
            case "delete":
                return _Ruling(Side.NEITHER)
            case "combine":
                return self._combined(conflict)
            case _:
                union = self._union(conflict)
                return _Ruling() if union is None else _Ruling(Side.BOTH, union)

    def _is_about_a_file(self, conflict: Conflict) -> bool:
        """Whether anyone has a file at its path: a directory whose files went to several places is none."""
        trees = (self.merged.tree, self._tree(self.ours), self._tree(self.theirs))
        return conflict.stages != Stages() or any(
            file_at(self.repository, tree, conflict.path) is not None for tree in trees
        )

    def _side_entry(self, conflict: Conflict, side: Side) -> Entry | None:
        """Return what `side` has at a conflicted path; None when it has no file there."""
        if self._only_the_place_is_in_question(conflict):
            return conflict.stages.ours or conflict.stages.theirs
        of_ours = side is Side.OURS
        tree = self._tree(self.ours if of_ours else self.theirs)
        staged = conflict.stages.ours if of_ours else conflict.stages.theirs
        return side_version(self.repository, tree, conflict, staged)

    @staticmethod
    def _only_the_place_is_in_question(conflict: Conflict) -> bool:
        """Whether one side added a file and the other renamed its directory: to drop it would lose it."""
        stages = conflict.stages
        return (
            conflict.kind is ConflictKind.DIRECTORY_RENAME
            and stages.base is None
            and (stages.ours is None) != (stages.theirs is None)
        )

    def _combined(self, conflict: Conflict) -> "_Ruling":
        """Return target's file with the definitions that it lacks (see `resolvers.combine`)."""
        from syncline.merge.read_cases import read_case  # noqa: PLC0415 - only where such a rule decides
        from syncline.merge.resolvers.combine import combined  # noqa: PLC0415

        if not self._has_two_texts(conflict):
            return _Ruling()
        merged = file_at(self.repository, self.merged.tree, conflict.path)
        case = read_case(self.repository, conflict, merged, self.ours, self.theirs)
        if merged is None or case is None:
            return _Ruling()
        done = combined(case)
        if done.content is None:
            return _Ruling(words=(done.words,))
        entry = Entry(merged.mode, self.repository.write_blob(done.content))
        return _Ruling(Side.OURS if done.content == case.ours else Side.BOTH, entry, (done.words,))

    def _has_two_texts(self, conflict: Conflict) -> bool:
        """Whether both sides have a text at the path, and git merged these two."""
        stages = conflict.stages
        if stages.ours is None or stages.theirs is None:
            return False
        if not (stages.ours.mode.is_file and stages.theirs.mode.is_file) or conflict.kind is ConflictKind.BINARY:
            return False
        texts = tuple(self._side_entry(conflict, side) for side in (Side.OURS, Side.THEIRS))
        # Where renames collided, git's text holds the markers of a merge inside it.
        return texts == (stages.ours, stages.theirs)

    def _union(self, conflict: Conflict) -> Entry | None:
        """Return both sides of every hunk, ours first; None when the conflict has no two texts."""
        stages = conflict.stages
        conflicted = file_at(self.repository, self.merged.tree, conflict.path)
        if conflicted is None or stages.ours is None or stages.theirs is None or not self._has_two_texts(conflict):
            return None
        content, ours, theirs = self.repository.blobs([conflicted.oid, stages.ours.oid, stages.theirs.oid])
        cut = parse_conflicted(content, ours=ours, theirs=theirs, ours_label=self.ours, theirs_label=self.theirs)
        return Entry(conflicted.mode, self.repository.write_blob(cut.with_union()))

    def _decide(
        self,
        path: bytes,
        status: Status,
        side: Side,
        resolver: str,
        confidence: float | None,
        evidence: tuple[Evidence, ...],
        conflict: Conflict | None,
        entry: Entry | None,
        hunks: tuple[HunkDecision, ...] = (),
    ) -> None:
        in_git_tree = file_at(self.repository, self.merged.tree, path)
        if side is Side.MARKERS:
            entry = in_git_tree
        else:
            # Where the other side has a directory, its files have decisions of their own.
            if entry is not None or in_git_tree is not None:
                self.edits[path] = entry
            for name in conflict.aside if conflict is not None else ():
                self.edits[name] = None
        self.decisions[path] = Decision(path, status, side, resolver, confidence, evidence, conflict, entry, hunks)


def _joint(decision: Decision) -> float | None:
    """Return how likely all that was decided for a path is right; None while it is open."""
    if decision.status is Status.UNRESOLVED:
        return None
    sure = [hunk.confidence for hunk in decision.hunks if hunk.confidence is not None]
    return math.prod(sure) if sure else 1.0
