"""What a proposal says, as plain values: the body, the HTML page and the JSON are three views of one `Report`.

`dataclasses.asdict(report)` is JSON: no bytes, no dates, no object ids that are more than text. Only `RunFacts`,
which goes in, still has paths as bytes.
"""

from dataclasses import dataclass

from syncline.audit.explain.told import Told
from syncline.git import CommitId
from syncline.merge.model import Evidence, Side


@dataclass(frozen=True, slots=True)
class Settled:
    """A path that somebody settled on the branch after the merge.

    `how` says it in words, as in "changed on the branch"; `commit` is the commit that did it.
    """

    path: bytes
    commit: CommitId | None
    how: str
    agents: tuple[str, ...] = ()
    """Whose answer it is, where it is no person's."""
    by_command: bool = False
    """Whether a command of the lane made its content."""


@dataclass(frozen=True, slots=True)
class FromAnswer:
    """An open path that can be settled from what people answered in others; `side` as `Decision.side`."""

    path: bytes
    side: Side
    resolver: str
    confidence: float
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class FromAnswers:
    """All of them, and the files that settle them."""

    paths: tuple[FromAnswer, ...]
    patch: str
    """The patch to apply on the head; empty where the tree holds all of these answers already."""
    message: str
    """The message of the commit."""


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What the run knows beside the plan and the merge."""

    run: str
    branch: str
    """The proposal's branch, without `refs/heads/`."""
    merge_commit: CommitId
    head: CommitId
    """The proposal's head: the merge commit or something above it."""
    repair_commit: CommitId | None = None
    people: tuple[CommitId, ...] = ()
    """Commits that people put above the merge, oldest first."""
    settled: tuple[Settled, ...] = ()
    unresolved: tuple[bytes, ...] = ()
    """Paths that are still open at `head`."""
    stops: tuple[str, ...] = ()
    """Hard findings: each keeps the proposal a draft."""
    audit: Told | None = None
    """What the audits found at `head`; None where nothing was audited."""
    repairs: tuple[str, ...] = ()
    """What the repair commit changed, one sentence each."""
    not_done: tuple[str, ...] = ()
    """What was to be repaired and could not be, and why, one sentence each."""
    from_answers: FromAnswers | None = None
    """What people's answers settle beside; None where they settle nothing more."""


@dataclass(frozen=True, slots=True)
class CommitLine:
    """A commit in one line."""

    sha: str
    short: str
    author: str
    date: str
    """YYYY-MM-DD, UTC."""
    subject: str
    proposal: str
    """`#123` where the subject names its proposal, else empty."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Where the branches stood, and the slice. Counts are of commits."""

    ahead: int
    behind: int
    bases: tuple[CommitLine, ...]
    source_tip: CommitLine
    target_tip: CommitLine
    slice_tip: CommitLine | None
    imported: int
    """All commits the slice brings, side branches included."""
    line: int
    """Commits of the slice on source's first-parent line."""
    left: int
    """Commits of the line that come after the slice."""
    boundary: CommitLine | None
    boundary_text: str
    """`commit 101 (abc1234 subject) is excluded`, or that there is none."""
    commits: tuple[CommitLine, ...]
    """The line's commits in the slice, oldest first; of a very long one only both ends."""
    commits_left_out: int


@dataclass(frozen=True, slots=True)
class LanguageLines:
    """Line statistics of one language, target..head; `binary` files have no lines."""

    language: str
    files: int
    added: int
    deleted: int
    binary: int


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A text that may have been cut: `lines` and `size` (characters) are those of the whole."""

    text: str
    lines: int
    size: int
    cut: str
    """What is missing, for people; empty when nothing is."""


@dataclass(frozen=True, slots=True)
class HunkText:
    """One marked region of a conflict: `line` is where it starts in git's conflicted file."""

    index: int
    line: int
    ours: Excerpt
    theirs: Excerpt


@dataclass(frozen=True, slots=True)
class EvidenceLine:
    """Why, and the commit it rests on (empty where there is none)."""

    text: str
    commit: str


@dataclass(frozen=True, slots=True)
class CandidateText:
    """A possible answer to a hunk."""

    side: str
    """Whose text it is, in words."""
    by: tuple[str, ...]
    """The resolvers that propose it; none where the lane's record, or what is usual elsewhere, speaks for it."""
    confidence: float
    evidence: tuple[EvidenceLine, ...]
    text: Excerpt | None
    """None for a side's own text, which stands beside it anyway."""
    weighed: str = ""
    """What weighed most for and against it in the model; empty where nothing did."""


@dataclass(frozen=True, slots=True)
class JudgedHunk:
    """What evidence says of one hunk."""

    index: int
    resolver: str
    """Who settled it; empty while it is open."""
    confidence: float | None
    evidence: tuple[EvidenceLine, ...]
    """Why it was settled so; for an open one why what was sure enough was not accepted."""
    candidates: tuple[CandidateText, ...]
    """The likeliest first; none for a hunk that is settled."""
    candidates_left_out: int
    weighed: str = ""
    """What weighed most for and against what it was settled to; empty for an open one."""
    in_tree: bool = True
    """Whether the tree holds its answer: not while another hunk of the path is open."""


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """What became of one path."""

    path: str
    category: str
    kind: str
    """Kind of conflict, or `clean`."""
    also: tuple[str, ...]
    tied_to: tuple[str, ...]
    status: str
    """`resolved`, `kept`, `unresolved`, or `settled` by somebody on the branch."""
    outcome: str
    """`kept`, `taken`, `combined`, `restored`, `deleted`, `absent` or `markers` (see `outcome.Outcome`)."""
    why: str
    """For a path restored or deleted: which side had deleted it; for a settled one: how. May be empty."""
    by: CommitLine | None
    """The commit that deleted it, or that settled it."""
    resolver: str
    """Empty when nothing settled it; `person`, `agent` or `command` when these did."""
    basis: str
    """On what it was settled: `rule`, `evidence`, `person`, `agent`, `command`; empty when nothing did."""
    confidence: float | None
    evidence: tuple[EvidenceLine, ...]
    messages: tuple[str, ...]
    ours: CommitLine | None
    """The newest commit of base..target that touches the path."""
    theirs: CommitLine | None
    """The newest commit of base..source tip of the slice that touches it."""
    hunks: tuple[HunkText, ...]
    hunks_left_out: int
    judged: tuple[JudgedHunk, ...]
    """What evidence says, hunk by hunk, where it was asked."""
    judged_left_out: int


@dataclass(frozen=True, slots=True)
class DiffText:
    """The way from git's own result to the head, for one path."""

    path: str
    category: str
    added: int
    deleted: int
    patch: Excerpt


@dataclass(frozen=True, slots=True)
class OpenPath:
    """A path that needs a person."""

    path: str
    category: str
    kind: str
    in_tree: str
    """What the tree holds meanwhile."""
    ours: CommitLine | None
    theirs: CommitLine | None
    settle: tuple[str, ...]
    """Commands, in order, after editing the file."""
    accept: tuple[str, ...]
    """Commands that accept what is in the tree; none when that has conflict markers."""
    same: int
    """Open hunks elsewhere with the same text, numbers aside, for which an answer here speaks."""
    alike: int
    """Further ones of the same form in the same directory."""

    @property
    def speaks_for(self) -> int:
        """All open hunks for which an answer here speaks, beside those of the paths before."""
        return self.same + self.alike


@dataclass(frozen=True, slots=True)
class AnsweredPath:
    """An open path that can be settled from what people answered in others."""

    path: str
    side: str
    """Whose text it would hold, in words."""
    resolver: str
    confidence: float
    evidence: tuple[EvidenceLine, ...]


@dataclass(frozen=True, slots=True)
class FromAnswersRow:
    """What can be settled from people's answers, and how."""

    number: int
    paths: tuple[AnsweredPath, ...]
    """The first of them; the message of the commit tells all."""
    commands: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CheckRow:
    """One check result of the head."""

    name: str
    state: str
    conclusion: str
    """Empty until it is completed."""
    seconds: float | None
    summary: str
    log: str
    not_counted: str
    """Why the gate leaves it out; empty when it counts."""


@dataclass(frozen=True, slots=True)
class GateRow:
    """The gate's answer: `green`, `waiting`, `red`, or `none` before it was asked."""

    state: str
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Totals:
    """Files that differ between target and source, by where the head has them from."""

    kept: int
    taken: int
    combined: int


@dataclass(frozen=True, slots=True)
class Report:
    """Everything a proposal tells."""

    lane: str
    source: str
    target: str
    branch: str
    run: str
    title: str
    """The merge commit's subject."""
    created: str
    """When the report was made, ISO 8601."""
    figures: Figures
    merge: CommitLine
    repair: CommitLine | None
    people: tuple[CommitLine, ...]
    head: CommitLine
    totals: Totals
    languages: tuple[LanguageLines, ...]
    """Most changed lines first."""
    conflicts: int
    decisions: tuple[DecisionRow, ...]
    diffs: tuple[DiffText, ...]
    unresolved: tuple[OpenPath, ...]
    """The paths whose answers speak for most of the rest come first."""
    from_answers: FromAnswersRow | None
    """None where people's answers settle nothing more."""
    settle: tuple[str, ...]
    """Commands to settle all open paths, in order; `<edit the files>` stands for the editing."""
    accept: tuple[str, ...]
    """Commands that accept the tree as it is for all of them."""
    stops: tuple[str, ...]
    audit: Told | None
    """What the audits found."""
    repairs: tuple[str, ...]
    checks: tuple[CheckRow, ...]
    gate: GateRow
    tested: tuple[str, ...]
    not_tested: tuple[str, ...]
    notes: tuple[str, ...]
