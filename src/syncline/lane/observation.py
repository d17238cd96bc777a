"""Everything a decision rests on, as frozen values. Made by `observe`, read by `decide`."""

from dataclasses import dataclass

from syncline.checks.gate import Verdict
from syncline.forge.landing import By
from syncline.forge.orders import Order, Pause
from syncline.forge.protocol import Proposal, ProposalState
from syncline.git import CommitId
from syncline.plan.model import Plan


@dataclass(frozen=True, slots=True)
class Prepared:
    """A run whose commits are made and kept by a ref, but which has no proposal yet."""

    run: str
    branch: str
    commit: CommitId
    pushed: CommitId | None
    """Where its branch stands; None when there is none yet."""
    beaten: bool = False
    """Whether another machine pushed the same run first, so that what was made here is of no use."""


@dataclass(frozen=True, slots=True)
class LandingSeen:
    """How an open proposal stands to being landed; see `forge.landing`."""

    by: By
    held: str
    """Why it must not land; empty where nothing stands against it."""
    waits: str = ""
    armed: bool = False
    behind: bool = False


@dataclass(frozen=True, slots=True)
class Current:
    """The run of the open proposal."""

    proposal: Proposal
    head: CommitId | None
    """The tip of its branch; None when someone deleted it."""
    merge_found: bool
    """Whether the merge commit is still below the head."""
    landed: bool
    """Whether target contains the head."""
    source_landed: bool
    """Whether target contains the slice by another way."""
    rewound: bool
    """Whether target or source no longer contains the commits the run was made from: somebody moved it back."""
    squashed: bool
    """Whether target holds the content but not the commits: it was landed as a squash."""
    inputs_changed: bool
    """Whether a run made now would be made from other commits or under another policy."""
    policy_changed: bool
    merges_into_target: bool
    """Whether the head still merges cleanly into target's tip."""
    due_again: bool
    """Whether the lane's branch template gives another name now (a new night)."""
    people: int
    """How many commits people put on the branch."""
    unresolved: int
    stops: int
    body_current: bool
    """Whether the proposal's body tells the present state."""
    trigger_posted: bool
    """Whether the comment that starts CI is there for this head (true where the lane has none)."""
    checks_started: bool
    checks_unfinished: bool
    """Whether this machine has checks of this head to run."""
    failed_checks: tuple[str, ...]
    retry_asked: bool
    """Whether people asked to run the failed checks again."""
    verdict: Verdict | None
    ready_told: bool = True
    """Whether the comment that tells of a ready proposal is there: else its marking was cut off."""
    trigger_again: bool = False
    """Whether nothing has answered the trigger for so long that it is to be posted once more."""
    unanswered: str = ""
    """What a person should know of a trigger that nothing has answered; empty where that is not so."""
    causes_due: bool = False
    """Whether nobody has looked here yet why the checks are red."""
    causes: str = ""
    """Why they are, in a sentence."""
    golden_due: tuple[str, ...] = ()
    """Red checks whose new values may be expected from now on, and that nobody has looked at for that yet."""
    ask_due: tuple[str, ...] = ()
    """Questions that the lane's agents have not been asked yet."""
    retry_due: tuple[str, ...] = ()
    """Checks that failed by what tends to pass, and whose time to be run again has come."""
    retry_later: str = ""
    """Which of them will be run again, and when."""
    verdict_shown: bool = True
    """Whether the forge shows the verdict on the head (true where the lane does not want it)."""
    target_moved: bool = False
    """Whether target has commits that the head was not made for and does not contain."""
    landing: LandingSeen | None = None
    """None where nobody but people may land it."""
    repairable: int = 0
    """How many mends are proven for the head and not made yet."""
    repair_over: str = ""
    """Why syncline makes none of them; empty where it does."""

    @property
    def provable(self) -> bool:
        """Whether gate, conflicts and findings allow it to become ready."""
        return self.verdict is not None and self.verdict.green and not self.unresolved and not self.stops

    @property
    def proven(self) -> bool:
        """Whether it may stay ready as it is: provable, at the head the forge knows, and fit to be landed."""
        whole = self.merge_found and not self.rewound and not self.squashed and not self.source_landed
        checked = self.checks_started and not self.checks_unfinished
        return self.provable and whole and checked and self.head == self.proposal.head_sha


@dataclass(frozen=True, slots=True)
class Steered:
    """What people ordered on the open proposals; on the newest one where none is open."""

    orders: tuple[Order, ...] = ()
    """Those that wait, oldest first."""
    unnoted: tuple[int, ...] = ()
    """Proposals with comments that have not been noted yet."""
    pause: Pause | None = None
    ended: ProposalState | None = None
    """What became of the newest proposal, where none is open."""


@dataclass(frozen=True, slots=True)
class Observation:
    """One lane at one moment."""

    lane: str
    plan: Plan
    inputs: str
    """The name of what a run would be made from now; empty when source has nothing new."""
    attempts: int
    """How many runs from these inputs came to an end before."""
    closed_by_people: bool
    """Whether the last of them was closed or aborted (not landed, not superseded)."""
    open_proposals: tuple[Proposal, ...]
    """Oldest first."""
    current: Current | None
    prepared: Prepared | None
    unannounced: tuple[int, int] | None
    """(old, new): a superseded proposal whose successor is open but not yet named on it."""
    restart: bool
    """Whether a person asked for a new run whatever the state."""
    cut_landing: tuple[int, str] | None = None
    """(proposal, branch) that the forge calls merged though target does not contain its commits: a squash."""
    landed_runs: tuple[str, ...] = ()
    """Runs whose proposals the forge has merged by itself, and for which commits are still kept here."""
    steered: Steered = Steered()
