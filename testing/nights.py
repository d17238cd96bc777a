"""Nights of a lane on the test GitHub: what happens in one, and what must be true after each of them.

    with github_lane(place) as lane:
        story = Story(lane)
        story.live(Night(("main", "green"), killed=Fate(7)))
        story.dawn()                 # people do what syncline asks for until all of source has landed

Whatever happens: never ready by syncline while the gate is not green for the head; never two open proposals of the
lane; never a person's commit or words lost; a trigger at most once per commit and once more; source and target
moved by people alone; every sync ends, and says what it waits for.
"""

import contextlib
import re
from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest

from syncline.errors import SynclineError
from syncline.forge.github import client
from syncline.forge.github.webhooks import Deliveries, receive
from syncline.lane.actions import Outcome, Rest
from syncline.lane.reconcile import Step
from syncline.lane.verdict import OWN_CHECK
from testing.github import Do, Fail, Reset, SecondaryLimit
from testing.github.disturbances import Disturbance
from testing.github.routing import RefusedError
from testing.github.things import Pull
from testing.github_lane import Fate, GitHubLane, Killed
from testing.sealed import git

FAULTS: tuple[Disturbance, ...] = (
    Fail(502), Fail(502, "after"), Fail(503, html=True), Reset(), Reset("before"), SecondaryLimit(),
    SecondaryLimit(429, None),
)  # fmt: skip

_EVENING = datetime(2026, 1, 5, 1, 0, tzinfo=UTC)
_SIGNED_WITH = "what the webhook was given"
_MOST_DAWNS = 60
"""More quiet nights than any story needs."""
_MOST_CALLS = 2
"""How many syncs of one night webhooks call for."""


@dataclass(frozen=True, slots=True)
class Night:
    """What happens before the sync of a night, and around it."""

    events: tuple[str, ...] = ()
    meanwhile: tuple[tuple[str, int], ...] = ()
    """(event, just before which request of the sync)"""
    faults: tuple[tuple[int, int], ...] = ()
    """(which of `FAULTS`, at which request)"""
    stale: tuple[int, int] = (0, 0)
    """How many reads are answered from the state before the events, for REST and GraphQL."""
    killed: Fate | None = None
    skew: int = 0
    """Minutes by which the machine's clock is wrong."""
    elsewhere: bool = False
    """Whether another machine does it, with a clone of its own."""
    small_pages: bool = False
    """Whether lists come in pages of two, so that something can happen between them."""
    called: int = 0
    """Not 0: webhooks call for the sync, each delivered twice, the first so many after all others."""
    restart: bool = False


@dataclass
class Story:
    """The nights of one lane, and what people must not lose."""

    lane: GitHubLane
    gate_check: bool = False
    """Whether the lane shows its gate's verdict as a check."""
    work: dict[str, str] = field(default_factory=dict)
    """Commits that people made on the lane's branches, with the branch."""
    words: dict[int, list[str]] = field(default_factory=dict)
    """What people wrote into the bodies of proposals."""
    told: list[Outcome] = field(default_factory=list)
    nights: int = 0
    _number: int = 0
    _early: list[str] = field(default_factory=list)
    """Heads that were marked ready though the gate was not green."""
    _moved: list[str] = field(default_factory=list)
    """Source or target, moved by somebody who is not people."""
    _people: bool = False
    """Whether people act just now."""
    _calm: bool = True
    """Whether the last sync came to its end."""
    _noting: bool = False
    _other: GitHubLane | None = None

    def __post_init__(self) -> None:
        """Begin to watch, on an evening that is always the same."""
        self.lane.server.clock.now = _EVENING
        self.lane.server.world.listen(self._watch)

    def live(self, night: Night) -> Step | None:
        """One night; the step at which its sync came to rest, None if it was killed or GitHub failed it."""
        self.nights += 1
        server = self.lane.server
        server.clock.advance(hours=24)
        # After a sync that was cut off, an old answer could hide a comment that it wrote: see docs/github.md.
        stale = night.stale if self._calm else (0, 0)
        for path, times in zip(("*", "/graphql"), stale, strict=True):
            if times:
                server.stale(path, method="POST" if path == "/graphql" else "GET", times=times)
        self._noting = night.called > 0
        for event in night.events:
            self._happen(event)
        self._noting = False
        for event, nth in night.meanwhile:
            server.disturb("*", "*", Do(lambda event=event: self._happen(event)), nth=nth)
        for which, nth in night.faults:
            server.disturb("*", "*", FAULTS[which], nth=nth)
        disturbed = bool(night.faults or any(stale) or night.killed)
        step = None
        with _pages_of_two() if night.small_pages else contextlib.nullcontext():
            for _ in range(self._calls(night)):
                step = self._sync(night, disturbed=disturbed)
        self._calm = not night.faults and night.killed is None
        server.plan.clear()
        self._hold(step, disturbed=disturbed, moving=bool(night.meanwhile))
        if not any(stale) and not (disturbed and night.meanwhile):
            # What happened between judging and marking is seen right after, and it is a draft again.
            assert not self._early or (night.meanwhile and self._ready_and_not_green() is None), self._early
        self._early.clear()
        return step

    def dawn(self) -> None:
        """People do what syncline asks for, night by night, until target contains all of source."""
        restart, said = False, ""
        for _ in range(_MOST_DAWNS):
            step = self.live(Night(restart=restart))
            assert step is not None
            said = step.done
            assert isinstance(step.action, Rest)
            restart = False
            match step.action.outcome:
                case Outcome.UP_TO_DATE:
                    break
                case Outcome.WAITING | Outcome.CHECKS_FAILED:
                    self._happen("green")
                case Outcome.NEEDS_PEOPLE:
                    self._happen("person")
                case Outcome.READY:
                    self._merge(self.lane.open_pull())
                case Outcome.BLOCKED | Outcome.ENDED:
                    assert "--restart" in step.done, step.done
                    restart = True
                case Outcome.PAUSED:
                    raise AssertionError(f"nobody paused it: {step.done}")
        else:
            raise AssertionError(f"after {_MOST_DAWNS} quiet nights it waits: {said}")
        bare = self.lane.server.world.bare
        main, dev = bare.tip("main"), bare.tip("dev")
        assert main is not None
        assert dev is not None
        assert bare.contains(dev, main)
        assert not [pull.number for pull in self.lane.pulls() if pull.state == "open"]
        for path in (self.lane.server.path, self.lane.repo.path):
            git(path, "fsck", "--strict", "--no-dangling")

    # The sync

    def _sync(self, night: Night, *, disturbed: bool) -> Step | None:
        latest = max((pull.number for pull in self.lane.pulls()), default=0)
        skew = timedelta(minutes=night.skew)
        try:
            step = self._machine(night).sync(
                night.killed, restart_after=latest if night.restart else -1, skew=skew
            )
        except Killed:
            return None
        except SynclineError:
            if not disturbed:
                raise  # on a quiet night nothing is refused
            return None
        assert isinstance(step.action, Rest)
        assert step.done
        self.told.append(step.action.outcome)
        return step

    def _machine(self, night: Night) -> GitHubLane:
        if not night.elsewhere:
            return self.lane
        self._other = self._other or self.lane.on_another_machine(self.lane.repo.path.parent / "other")
        return self._other

    def _calls(self, night: Night) -> int:
        """How many syncs the webhooks of the evening call for; one by the schedule where there are none."""
        if not night.called:
            return 1
        webhooks = self.lane.server.webhooks
        waiting = webhooks.take()
        waiting = [*waiting[night.called :], *waiting[: night.called]]
        known, calls = Deliveries(), 0
        for one in [*waiting, *waiting]:
            event = receive(_SIGNED_WITH, one.headers(_SIGNED_WITH), one.content, known)
            calls += event is not None
        assert calls <= len(waiting), "the same delivery was taken twice"
        return min(max(calls, 1), _MOST_CALLS)

    def _watch(self, event: str, action: str, thing: object) -> None:
        """Look at the truth in the moment in which something happens."""
        if self._noting:
            self.lane.server.webhooks.note(event, action, thing)
        if self._people:
            return
        if event == "pull_request" and action == "ready_for_review":
            assert isinstance(thing, Pull)
            if not self.green(thing.head_sha):
                self._early.append(thing.head_sha)
        if event == "push" and isinstance(thing, tuple) and thing[0] in {"refs/heads/main", "refs/heads/dev"}:
            self._moved.append(thing[0])

    # What people do

    @contextlib.contextmanager
    def _acting(self) -> Generator[None]:
        world = self.lane.server.world
        with world.lock:
            world.settle()  # what syncline did until now is its own
            self._people = True
            try:
                yield
                world.settle()
            finally:
                self._people = False

    def _happen(self, event: str) -> None:
        """Somebody does something."""
        self._number += 1
        people, name = self.lane.server.people, f"{self._number}.txt"
        pull = next((pull for pull in self.lane.pulls() if pull.state == "open"), None)
        with self._acting():
            match event:
                case "main" | "dev":
                    people.push(event, {f"{event}-{name}": f"{self._number}\n"})
                case "clash":
                    people.push("main", {"app.txt": f"main {self._number}\n"})
                    people.push("dev", {"app.txt": f"dev {self._number}\n"})
                case "half an hour":
                    self.lane.server.clock.advance(minutes=31)
                case _ if pull is not None:
                    self._happen_to(event, pull, name)

    def _happen_to(self, event: str, pull: Pull, name: str) -> None:
        """Somebody does something to the open proposal."""
        people, head = self.lane.server.people, pull.head_sha
        match event:
            case "person":
                made = people.push(pull.head, {f"person-{name}": "x\n", "app.txt": f"settled {name}\n"})
                self.work[made] = pull.head
            case "green" | "red" | "running":
                state = {"green": "success", "red": "failure", "running": "in_progress"}[event]
                for check in ("unit", "done"):
                    people.check(head, check, state)
            case "flap":
                people.check(head, "unit", "queued", again=True)
            case "lint":
                people.check(head, "lint", "success")
            case "comment":
                people.comment(pull.number, f"Have you seen {name}?")
            case "words":
                self.words.setdefault(pull.number, []).append(f"Ada of {name}")
                people.edit_body(pull.number, f"Ada of {name}\n\n{pull.body}")
            case "ready by hand" if pull.draft:
                people.set_draft(pull.number, draft=False)
            case _:
                self._end(event, pull, name)

    def _end(self, event: str, pull: Pull, name: str) -> None:
        """Somebody ends the open proposal, or takes its ground away."""
        people = self.lane.server.people
        match event:
            case "land" | "squash" if not pull.draft:
                with contextlib.suppress(RefusedError):  # GitHub lands nothing that conflicts
                    people.merge(pull.number, "merge" if event == "land" else "squash")
                    if event == "squash":
                        self._give_up(pull.head)
            case "close":
                people.close(pull.number)
            case "delete":
                people.delete_branch(pull.head)
                self._give_up(pull.head)
            case "rewrite":
                people.push(pull.head, {f"rewrite-{name}": "x\n"}, start="dev", force=True)
                self._give_up(pull.head)
            case _:
                pass

    def _give_up(self, branch: str) -> None:
        """People themselves threw away what they had there."""
        self.work = {made: where for made, where in self.work.items() if where != branch}

    def _merge(self, pull: Pull) -> None:
        with self._acting():
            self.lane.server.people.merge(pull.number)

    # What must be true

    def green(self, head: str) -> bool:
        """What the gate must say, by the server's own books."""
        ended = {run.name: run.conclusion for run in self.lane.server.world.checks_of(head)}
        ended.pop(OWN_CHECK, None)
        return ended.get("unit") == ended.get("done") == "success" and None not in ended.values()

    def _ready_and_not_green(self) -> Pull | None:
        found = (pull for pull in self.lane.pulls() if pull.state == "open" and not pull.draft)
        return next((pull for pull in found if not self.green(pull.head_sha)), None)

    def _hold(self, step: Step | None, *, disturbed: bool, moving: bool) -> None:
        """What must be true after every night."""
        opened = [pull for pull in self.lane.pulls() if pull.state == "open"]
        assert len(opened) <= 1, opened
        assert not self._moved, self._moved
        self._hold_comments()
        bare = self.lane.server.world.bare
        for commit, branch in self.work.items():
            tips = [tip for tip in (bare.tip(branch), bare.tip("dev")) if tip is not None]
            assert any(bare.contains(tip, commit) for tip in tips), f"{commit} is lost"
        for pull in self.lane.pulls():
            lost = [words for words in self.words.get(pull.number, ()) if words not in (pull.body or "")]
            assert not lost, lost
        if disturbed or moving:
            return
        assert step is not None
        self._hold_told(step, opened)

    def _hold_told(self, step: Step, opened: list[Pull]) -> None:
        """What a quiet night's sync says is so, and says what it waits for."""
        assert self._ready_and_not_green() is None, "ready, and the gate is not green"
        for pull in opened if self.gate_check and self.told[-1] is not Outcome.BLOCKED else ():
            shown = {one.context: one.state for one in self.lane.server.world.statuses_of(pull.head_sha)}
            assert (shown.get(OWN_CHECK) == "success") == self.green(pull.head_sha), shown
        match self.told[-1]:
            case Outcome.READY:
                assert opened
                assert not opened[0].draft
            case Outcome.WAITING | Outcome.CHECKS_FAILED:
                assert opened
                assert re.search(r"\b(unit|done)\b", step.done), step.done
            case Outcome.NEEDS_PEOPLE:
                assert opened
                assert "to settle" in step.done or "stop" in step.done, step.done
            case Outcome.UP_TO_DATE | Outcome.ENDED:
                assert not opened
            case Outcome.BLOCKED:
                assert "--restart" in step.done or "into target" in step.done, step.done
            case Outcome.PAUSED:
                raise AssertionError(f"nobody paused it: {step.done}")

    def _hold_comments(self) -> None:
        for pull in self.lane.pulls():
            said = self.lane.comments(pull.number)
            text = "\n".join(said)
            found = Counter(re.findall(r'syncline:comment \{"marker":"([^"]+)"', text))
            assert not found or set(found.values()) == {1}, found
            triggers = Counter(re.findall(r"^/ok to test (\w+)", text, re.MULTILINE))
            again = Counter(re.findall(r'"marker":"trigger-again:(\w+)"', text))
            for sha, times in triggers.items():
                assert times <= 1 + again[sha], triggers


@contextlib.contextmanager
def _pages_of_two() -> Generator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(client, "PER_PAGE", 2)
        yield
