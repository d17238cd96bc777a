"""What the steps of one lane share: repository, policy, forge, and what was computed already."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from syncline.audit.finding import Finding, Severity
from syncline.audit.verify import verify
from syncline.checks.gate import Verdict
from syncline.checks.model import Rollup
from syncline.checks.present import present
from syncline.config.models import Lane, Waiver
from syncline.errors import ConfigError
from syncline.forge.protocol import Forge
from syncline.git import BlobId, CommitId, Repository
from syncline.git.checkout import checkout
from syncline.git.commit import Person, Signature, read_commit
from syncline.git.history import is_ancestor
from syncline.git.identity import configured_person
from syncline.git.merge_tree import MergeTree, merge_tree
from syncline.lane.audited import audit_run, waiting_paths
from syncline.lane.ends import Branches, Ends
from syncline.lane.journal import Journal
from syncline.lane.remake import Remade, remake
from syncline.lane.settled import settled_on_branch
from syncline.lane.shape import Shape, read_shape, target_below
from syncline.lane.spent import Spent
from syncline.lane.state import State
from syncline.lane.verdict import spec_digests, verdict_of
from syncline.merge.merge import merge
from syncline.merge.model import MergeResult
from syncline.plan.make_plan import make_plan
from syncline.plan.model import Plan

if TYPE_CHECKING:
    from syncline.repair.prove import Mended
    from syncline.repair.regenerate import Regenerated

_T = TypeVar("_T")


@dataclass
class LaneContext:
    """Everything an observation or an action needs. The cache holds pure functions of commit ids."""

    repository: Repository
    lane: Lane
    forge: Forge
    branches: Branches
    journal: Journal
    _known: dict[tuple[object, ...], Any] = field(default_factory=dict)
    _rollups: dict[CommitId, Rollup] = field(default_factory=dict)
    """What the forge told since `look_again`: one step judges one answer, not several that may differ."""
    written: set[str] = field(default_factory=set)
    """Markers of comments that this process wrote and that must not be written twice."""
    refused: dict[str, str] = field(default_factory=dict)
    """Why answers of agents were not taken (see `asked`), where that could not be kept."""
    triages: dict[str, Any] = field(default_factory=dict)
    """What triage said in this process (see `triaged`), where it could not be kept."""
    refreshed: dict[CommitId, tuple[str, ...]] = field(default_factory=dict)
    """Heads whose checks' values this process looked at, and what it refused (see `golden`)."""
    shown: list[Verdict] = field(default_factory=list)
    """The gate's verdicts that this process had the forge show, oldest first."""
    answered: set[str] = field(default_factory=set)
    """The keys of the questions whose answers this process has put on the branch."""
    spent: Spent = field(default_factory=Spent)
    """What agents took."""
    not_landed: dict[CommitId, str] = field(default_factory=dict)
    """Heads that the forge would not land when this process asked, and why."""
    not_rolled: dict[CommitId, str] = field(default_factory=dict)
    """Heads whose repair commit the remote would not have replaced when this process asked, and why."""
    dry_run: bool = False
    """Whether nothing that is done has an effect (see `lane.dry_run`)."""
    waivers: tuple[Waiver, ...] = ()
    """What people let pass by orders on the open proposal, as it was observed; the policy's come beside."""

    @classmethod
    def of(cls, repository: Repository, lane: Lane, forge: Forge) -> "LaneContext":
        """Return the context of a lane."""
        return cls(
            repository, lane, forge, Branches(repository, lane), Journal.of(repository.state_dir, lane.name)
        )

    def merge(self, target: CommitId, source: CommitId, learned: BlobId | None) -> MergeResult:
        """Return the merge of two commits under the lane's policy.

        Args:
            target: target's commit.
            source: the tip of the slice.
            learned: the lane's record, by which evidence may settle what no rule does. None: nothing was learned
                yet, so that candidates are shown and none is accepted.
        """
        return self._once(("merge", target, source, learned), lambda: self._merge(target, source, learned))

    def _merge(self, target: CommitId, source: CommitId, learned: BlobId | None) -> MergeResult:
        from syncline.lane.learned import read_blob, settler_for  # noqa: PLC0415 - not where nothing is merged
        from syncline.merge.ladder.lane_record import LaneRecord  # noqa: PLC0415

        record = read_blob(self.repository, learned) if learned is not None else LaneRecord()
        settler = settler_for(self.repository, self.lane, target, source, record)
        return merge(self.repository, target, source, self.lane, settler=settler)

    def merge_by_rules(self, target: CommitId, source: CommitId) -> MergeResult:
        """Return the merge of two commits in which nothing is settled but by rules."""
        return self._once(
            ("merge by rules", target, source), lambda: merge(self.repository, target, source, self.lane)
        )

    def remade(self, shape: Shape) -> Remade:
        """Return the merge of a run, made again."""
        return self._once(
            ("remade", shape), lambda: remake(self.repository, shape, self.merge, self.merge_by_rules)
        )

    def plan(self, ends: Ends) -> Plan:
        """Return the plan of the lane's next sync."""
        size = self.lane.slice
        return self._once(
            ("plan", ends),
            lambda: make_plan(self.repository, source=ends.source, target=ends.target, slice_size=size),
        )

    def shape(self, head: CommitId, run: str, ends: Ends) -> Shape | None:
        """Return the commits of a run's branch at `head`; None when its merge commit is not below."""
        elsewhere = (ends.target, ends.source)
        return self._once(
            ("shape", head, run, ends), lambda: read_shape(self.repository, head, run=run, elsewhere=elsewhere)
        )

    def contains(self, descendant: CommitId, ancestor: CommitId) -> bool:
        """Whether a commit contains another."""
        return self._once(
            ("contains", descendant, ancestor), lambda: is_ancestor(self.repository, ancestor, descendant)
        )

    def fits(self, target: CommitId, head: CommitId) -> bool:
        """Whether git merges a proposal's head into target without conflict."""
        return self._landing(target, head).clean

    def brings_nothing(self, target: CommitId, head: CommitId) -> bool:
        """Whether merging a proposal's head would leave target's files as they are: its content is there."""
        landing = self._landing(target, head)
        return landing.clean and landing.tree == read_commit(self.repository, target).tree

    def _landing(self, target: CommitId, head: CommitId) -> MergeTree:
        return self._once(("landing", target, head), lambda: merge_tree(self.repository, target, head))

    def state(self, shape: Shape, ends: Ends) -> State:
        """Return what is settled, open and broken at a run's head."""
        return self._once(("state", shape, ends, self.waivers), lambda: self._state(shape, ends))

    def _state(self, shape: Shape, ends: Ends) -> State:
        repository = self.repository
        remade = self.remade(shape)
        result = remade.result
        target = target_below(repository, shape, ends.target)
        settled, unresolved = settled_on_branch(repository, shape, result, target)
        hard = verify(repository, self.lane, shape.merge, shape.head, target)
        if remade.unexplained and shape.policy == self.lane.digest:
            words = "its tree is not what syncline makes of its parents under this policy"
            odd = Finding("not-reproducible", Severity.STOP, b"", f"merge {shape.merge.oid.short}: {words}")
            hard = (odd, *hard)
        told = audit_run(
            repository, self.lane, ours=target or shape.target, theirs=shape.source, merge=shape.merge.oid,
            head=shape.head, unresolved=unresolved, broken=hard, waivers=self.waivers,
        )  # fmt: skip
        return State(shape, result, settled, unresolved, hard, told)

    def mended(self, shape: Shape, ends: Ends) -> "Mended":
        """Return a run's tree with what is mechanical mended, each mend proven."""
        return self._once(("mended", shape, ends, self.waivers), lambda: self._mended(shape, ends))

    def _mended(self, shape: Shape, ends: Ends) -> "Mended":
        from syncline.lane.mended import mended_run  # noqa: PLC0415 - not where nothing is to be mended

        return mended_run(
            self.repository, self.lane, ours=target_below(self.repository, shape, ends.target),
            theirs=shape.source, tree=read_commit(self.repository, shape.head).tree,
            waiting=self.waiting(shape, ends), waivers=self.waivers,
        )  # fmt: skip

    def generated(self, shape: Shape, ends: Ends) -> "Regenerated | None":
        """Return what the lane's commands make anew upon what is mended; None for a lane that has none."""
        if not self.lane.repair.regenerate:
            return None
        return self._once(("generated", shape, ends, self.waivers), lambda: self._generated(shape, ends))

    def _generated(self, shape: Shape, ends: Ends) -> "Regenerated":
        from syncline.lane.generated import generated_run  # noqa: PLC0415 - not where nothing is to be made
        from syncline.lane.repair_commit import held  # noqa: PLC0415

        return generated_run(
            self.repository, self.lane, ours=target_below(self.repository, shape, ends.target),
            theirs=shape.source, tree=self.mended(shape, ends).tree, waiting=self.waiting(shape, ends),
            made=held(self.repository, shape).generated, waivers=self.waivers,
        )  # fmt: skip

    def waiting(self, shape: Shape, ends: Ends) -> frozenset[bytes]:
        """Return the paths of a run that wait for people."""
        return waiting_paths(self.state(shape, ends).unresolved)

    def results(self, head: CommitId) -> Rollup:
        """Return the results for a commit, without those of checks that have been configured anew since."""
        return present(self._rollup(head), spec_digests(self.lane))

    def verdict(self, head: CommitId) -> Verdict:
        """Return the gate's verdict for a commit; a check that was configured anew is waited for."""
        return verdict_of(self.lane, self._rollup(head), head)

    def forget_shapes(self) -> None:
        """Read the shapes of branches anew: what is kept for a run on this machine has changed."""
        for key in [key for key in self._known if key[0] in {"shape", "state", "mended", "generated"}]:
            del self._known[key]

    def look_again(self) -> None:
        """Ask the forge anew for results: at the beginning of a step, and before what must not be wrong."""
        self._rollups.clear()

    def _rollup(self, head: CommitId) -> Rollup:
        if head not in self._rollups:
            self._rollups[head] = self.forge.rollup(head)
        return self._rollups[head]

    @property
    def elsewhere(self) -> bool:
        """Whether the forge acts by itself: it runs the checks, people land there, and other machines too."""
        return self.forge.name != "local"

    def _once(self, key: tuple[object, ...], compute: Callable[[], _T]) -> _T:
        """Remember what is a pure function of commit ids; steps ask the same again and again."""
        if key not in self._known:
            self._known[key] = compute()
        return self._known[key]

    @property
    def person(self) -> Person:
        """Who writes the commits: the lane's identity, else the user's own.

        Raises:
            ConfigError: when neither is set.
        """
        if self.lane.identity is not None:
            return Person(self.lane.identity.name, self.lane.identity.email)
        found = configured_person(self.repository)
        if found is None:
            raise ConfigError(
                f"lane {self.lane.name!r} has no identity, and git has no user.name and user.email here",
                hint=f"set name and email in [lanes.{self.lane.name}.identity], or in git's own config",
            )
        return found

    @property
    def signature(self) -> Signature | None:
        """How commits are signed; None when the lane asks for none."""
        signing = self.lane.signing
        return Signature(signing.format, signing.key) if signing is not None else None

    @property
    def signed_off_by(self) -> Person | None:
        """Who signs off; None when the lane asks for none."""
        return self.person if self.lane.identity is not None and self.lane.identity.signoff else None

    @property
    def reports(self) -> Path:
        """Where the reports of the lane's runs lie."""
        return self.repository.state_dir / "reports" / self.lane.name

    @contextmanager
    def checkout(self, sha: str) -> Generator[Path]:
        """Yield a clean directory with the files of a commit; may be called from any thread."""
        # A repository of its own: one is not shared between threads.
        with Repository.open(self.repository.common_dir) as own, checkout(own, CommitId(sha)) as place:
            yield place
