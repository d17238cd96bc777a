"""What a merge in memory is made of: conflicts as git's ort knows them, decisions, the result. Frozen values."""

from dataclasses import dataclass
from enum import StrEnum

from syncline.git import CommitId, Entry, TreeId
from syncline.git.merge_tree import Stages


class ConflictKind(StrEnum):
    """Every kind of conflict that ort reports, under the names git's messages use."""

    CONTENT = "content"
    ADD_ADD = "add/add"
    MODIFY_DELETE = "modify/delete"
    RENAME_RENAME = "rename/rename"
    RENAME_ADD = "rename/add"
    RENAME_DELETE = "rename/delete"
    DIRECTORY_RENAME = "directory-rename"
    FILE_DIRECTORY = "file/directory"
    SUBMODULE = "submodule"
    SYMLINK = "symlink"
    MODE = "mode"
    BINARY = "binary"
    OTHER = "other"
    """A kind this version does not know: never settled, always shown with git's own words."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """One path that git could not merge."""

    path: bytes
    kind: ConflictKind
    also: tuple[ConflictKind, ...]
    """Further kinds reported for the same path."""
    stages: Stages
    group: tuple[bytes, ...]
    """The paths this conflict ties together (a rename has two or three), itself included; sorted."""
    messages: tuple[str, ...]
    """Git's own words."""
    aside: tuple[bytes, ...] = ()
    """The names under which git's tree has a side's file that found no room at `path` (see `asides`)."""


class Side(StrEnum):
    """Which version the merged tree holds of a path."""

    OURS = "ours"
    THEIRS = "theirs"
    BOTH = "both"
    """A combination of the two."""
    MARKERS = "markers"
    """Git's own result, conflict markers included."""
    NEITHER = "neither"
    """The path is absent although a side had it."""


class Status(StrEnum):
    """What became of a path."""

    RESOLVED = "resolved"
    """It was in conflict, or a rule asked for another version than git's; a resolver settled it."""
    UNRESOLVED = "unresolved"
    """Nothing settled it; the tree holds what the lane's `unresolved` says."""
    KEPT = "kept"
    """Git merged it cleanly, but it was held at target's version by a rule or a coupled set."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why: one sentence, and the commit it rests on where there is one."""

    text: str
    commit: CommitId | None = None

    def __str__(self) -> str:
        return f"{self.text} ({self.commit.short})" if self.commit else self.text


@dataclass(frozen=True, slots=True)
class Offer:
    """One possible answer to a hunk, as shown to people."""

    side: Side
    """OURS, THEIRS, or BOTH for a text that is neither side's."""
    resolvers: tuple[str, ...]
    """Who proposes it; none where the lane's record, or what is usual elsewhere, speaks for it."""
    confidence: float
    """How likely it is right, 0 to 1."""
    evidence: tuple[Evidence, ...]
    lines: tuple[bytes, ...] | None
    """The text; None for a side of a conflict that has none."""
    reasons: tuple[tuple[str, float], ...]
    """What weighed for (positive) and against it in the model, in log-odds, the weightiest first."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """By what a hunk is known for being like another one, so that an answer to one speaks for the other."""

    text: str
    """The same for hunks whose two sides have the same text, numbers and white space aside."""
    form: str
    """The same for hunks of the same form in the same directory."""


@dataclass(frozen=True, slots=True)
class HunkDecision:
    """What was done with one hunk, and what else could have been done."""

    index: int
    status: Status
    resolver: str
    confidence: float | None
    evidence: tuple[Evidence, ...]
    offers: tuple[Offer, ...]
    """The likeliest first."""
    not_offered: int = 0
    """How many less likely answers there are beside."""
    likeness: Likeness | None = None
    """None where an answer says nothing of other hunks."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What was done with one path, by which resolver, on what evidence."""

    path: bytes
    status: Status
    side: Side
    resolver: str
    """Empty when nothing settled it."""
    confidence: float | None
    """How often this resolver was right before, 0 to 1; 1.0 for a rule that people wrote; None unresolved."""
    evidence: tuple[Evidence, ...]
    conflict: Conflict | None
    """None when git merged the path cleanly."""
    result: Entry | None
    """What the merged tree holds; None when the path is absent."""
    hunks: tuple[HunkDecision, ...] = ()
    """Hunk by hunk, where the ladder looked at it."""

    @property
    def kind(self) -> str:
        """The kind of conflict, or `clean`."""
        return self.conflict.kind.value if self.conflict else "clean"


@dataclass(frozen=True, slots=True)
class MergeResult:
    """A merge in memory: the tree and how it came about. Nothing points to the tree yet."""

    ours: CommitId
    theirs: CommitId
    git_tree: TreeId
    """Git's own answer, conflict markers included; the remerge-diff is the way from it to `tree`."""
    tree: TreeId
    conflicts: tuple[Conflict, ...]
    decisions: tuple[Decision, ...]
    """Sorted by path: one for each conflict and for each path a rule changed."""
    notes: tuple[str, ...]
    """What git said beside conflicts (renamed directories, submodules moved forward)."""

    @property
    def unresolved(self) -> tuple[Decision, ...]:
        """The decisions that are still open."""
        return tuple(decision for decision in self.decisions if decision.status is Status.UNRESOLVED)

    @property
    def clean(self) -> bool:
        """Whether nothing is left to settle."""
        return not self.unresolved


RULES = frozenset(("path-rule", "coupled"))
"""The resolvers that follow what people wrote; all others go by evidence."""


def settled_by_rule(result: MergeResult) -> int:
    """Return how many conflicts a rule of the lane settled."""
    return sum(
        1 for d in result.decisions if d.conflict and d.status is not Status.UNRESOLVED and d.resolver in RULES
    )
