"""Nights of a lane on the test GitHub: what happens in one, and what must be true after each of them.

    with github_lane(place) as lane:
        story = Story(lane)
        story.live(Night(("main", "green"), killed=Fate(7)))
        story.dawn()                 # people do what syncline asks for until all of source has landed

Whatever happens: never ready by syncline while the gate is not green for the head; never two open proposals of the
lane; never a person's commit or words lost; a trigger at most once per commit and once more; source moved by
people alone, and target by them or, where the lane lands, by merging what the gate was green for at that very
head; what holds for orders (`testing.night_orders`); every sync ends, and says what it waits for.
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
from testing.github import Do
from testing.github.routing import RefusedError
from testing.github.things import Pull
from testing.github_lane import GitHubLane, Killed
from testing.night import FAULTS, Night
from testing.night_orders import ORDERS, STRANGER, OrderBook
from testing.sealed import git

_EVENING = datetime(2026, 1, 5, 1, 0, tzinfo=UTC)
_SIGNED_WITH = "what the webhook was given"
_MOST_DAWNS = 60
"""More quiet nights than any story needs."""
_MOST_CALLS = 2
"""How many syncs of one night webhooks call for."""


@dataclass
class Story:
    """The nights of one lane, and what people must not lose."""

    lane: GitHubLane
    gate_check: bool = False
    """Whether the lane shows its gate's verdict as a check."""
    lands: bool = False
    """Whether syncline lands what is ready."""
    work: dict[str, str] = field(default_factory=dict)
    """Commits that people made on the lane's branches, with the branch."""
    words: dict[int, list[str]] = field(default_factory=dict)
    """What people wrote into the bodies of proposals."""
    told: list[Outcome] = field(default_factory=list)
    nights: int = 0
    happened: Counter[str] = field(default_factory=Counter)
    """What people did, where there was something to do it to."""
    landed: list[str] = field(default_factory=list)
    """Commits by which syncline landed."""
    orders: OrderBook = field(init=False)
    _number: int = 0
    _early: list[str] = field(default_factory=list)
    """Heads that were marked ready though the gate was not green."""
    _moved: list[str] = field(default_factory=list)
    """Source or target, moved by somebody who is not people and did not land what may land."""
    _was_green: set[str] = field(default_factory=set)
    """Heads for which the gate was green in a moment that this night's sync could see."""
    _people: bool = False
    """Whether people act just now."""
    _calm: bool = True
    """Whether the last sync came to its end."""
    _noting: bool = False
    _other: GitHubLane | None = None

    def __post_init__(self) -> None:
        """Begin to watch, on an evening that is always the same."""
        self.orders = OrderBook(self.lane, self.work)
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
        if not any(stale):
            self._was_green.clear()
            self._note_green()
        held = self.orders.expected()
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
        quiet = not disturbed and not night.meanwhile
        self._hold(step, quiet=quiet)
        if quiet and held is not None:
            assert (self.told[-1] is Outcome.PAUSED) == held, (self.told[-1], held)
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
                    self._happen("resume")
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

    def carried_out(self) -> list[str]:
        """What became of people's orders (see `OrderBook.carried_out`)."""
        return list(self.orders.carried_out([self.lane, *([self._other] if self._other is not None else [])]))

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
        self.orders.watch(event, action, thing)
        if event == "pull_request" and isinstance(thing, Pull):
            if action == "ready_for_review" and not self.green(thing.head_sha):
                self._early.append(thing.head_sha)
            if action == "closed" and thing.merge_commit is not None:
                self._landing(thing, thing.merge_commit)
        if event == "push" and isinstance(thing, tuple):
            name, _, after = thing
            if name == "refs/heads/main" or (name == "refs/heads/dev" and after not in self.landed):
                self._moved.append(name)

    def _landing(self, pull: Pull, commit: str) -> None:
        """Syncline lands: only what was judged, and as a merge commit of it. Else target was moved by nobody."""
        parents = self.lane.server.world.bare.about(commit)["parents"].split()
        if self.lands and pull.head_sha in self._was_green and parents[1:] == [pull.head_sha]:
            self.landed.append(commit)

    def _note_green(self) -> None:
        heads = {pull.head_sha for pull in self.lane.pulls() if pull.state == "open"}
        self._was_green.update(head for head in heads if self.green(head))

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
            self._note_green()
            ordered = event in {*ORDERS, STRANGER} and self.orders.give(event, self._number)
            if ordered or pull is not None or event in {"main", "dev", "clash", "half an hour"}:
                self.happened[event] += 1
            match event:
                case "main" | "dev":
                    people.push(event, {f"{event}-{name}": f"{self._number}\n"})
                case "clash":
                    people.push("main", {"app.txt": f"main {self._number}\n"})
                    people.push("dev", {"app.txt": f"dev {self._number}\n"})
                case "half an hour":
                    self.lane.server.clock.advance(minutes=31)
                case _ if pull is not None and not ordered:
                    self._happen_to(event, pull, name)
            self._note_green()

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
        for made in [made for made, where in self.work.items() if where == branch]:
            del self.work[made]

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

    def _hold(self, step: Step | None, *, quiet: bool) -> None:
        """What must be true after every night."""
        opened = [pull for pull in self.lane.pulls() if pull.state == "open"]
        assert len(opened) <= 1, opened
        assert not self._moved, self._moved
        self._hold_comments()
        self.orders.hold()
        bare = self.lane.server.world.bare
        for commit, branch in self.work.items():
            tips = [tip for tip in (bare.tip(branch), bare.tip("dev")) if tip is not None]
            assert any(bare.contains(tip, commit) for tip in tips), f"{commit} is lost"
        for pull in self.lane.pulls():
            lost = [words for words in self.words.get(pull.number, ()) if words not in (pull.body or "")]
            assert not lost, lost
        if quiet:
            assert step is not None
            self._hold_told(step, opened)
            self.orders.hold_answered()

    def _hold_told(self, step: Step, opened: list[Pull]) -> None:
        """What a quiet night's sync says is so, and says what it waits for."""
        assert self._ready_and_not_green() is None, "ready, and the gate is not green"
        for pull in opened if self.gate_check and self.told[-1] is not Outcome.BLOCKED else ():
            shown = {one.context: one.state for one in self.lane.server.world.statuses_of(pull.head_sha)}
            success, green = shown.get(OWN_CHECK) == "success", self.green(pull.head_sha)
            # A lane that is held shows nothing new but that it is not green any more.
            assert success == green or (green and self.told[-1] is Outcome.PAUSED), shown
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
                assert self.orders.held()
                assert "/syncline resume" in step.done, step.done

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
