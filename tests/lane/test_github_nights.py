"""Simulated nights on GitHub: both sides move, people push, CI flaps, GitHub stumbles, syncline is killed.

Whatever happens: never ready by syncline while the gate is not green for the head; never two open proposals of
the lane; never a person's commit lost; a trigger at most once per commit and once more; every sync ends, and says
what it waits for. Ten nights, or with SYNCLINE_TESTS=long some 600.
"""

import contextlib
import os
import re
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from syncline.errors import SynclineError
from syncline.lane.actions import Outcome, Rest
from testing.github import Fail, Reset, SecondaryLimit
from testing.github.routing import RefusedError
from testing.github.things import Pull
from testing.github_lane import Fate, GitHubLane, Killed, github_lane

_LONG = os.environ.get("SYNCLINE_TESTS") == "long"
_NIGHTS = 5

EVENTS = (
    "main", "dev", "clash", "person", "green", "green", "red", "running", "flap", "lint", "land", "land", "close",
    "ready by hand", "half an hour",
)  # fmt: skip
FAULTS = (
    Fail(502), Fail(502, "after"), Fail(503), Reset(), Reset("before"), SecondaryLimit(),
    SecondaryLimit(429, None),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Night:
    """What happens before the sync of a night, and around it."""

    events: tuple[str, ...]
    faults: tuple[tuple[int, int], ...] = ()
    """(which of `FAULTS`, at which request)"""
    stale: tuple[int, ...] = ()
    """How many reads are answered from the state before the events, for REST and GraphQL."""
    killed: Fate | None = None


_kills = st.builds(Fate, st.integers(0, 70), st.sampled_from(["before", "after"]))
_events = st.lists(st.sampled_from(EVENTS), min_size=1, max_size=5).map(tuple)
nights = st.one_of(
    st.builds(Night, _events),
    st.builds(
        Night,
        _events,
        faults=st.lists(
            st.tuples(st.integers(0, len(FAULTS) - 1), st.integers(1, 40)), min_size=1, max_size=4
        ).map(tuple),
    ),
    st.builds(Night, _events, stale=st.tuples(st.integers(0, 3), st.integers(0, 3))),
    st.builds(Night, _events, killed=_kills),
)


@dataclass
class Story:
    """The nights of one lane, and what people must not lose."""

    lane: GitHubLane
    work: dict[str, str] = field(default_factory=dict)
    """Commits that people made on the lane's branches, with the branch."""
    told: list[str] = field(default_factory=list)
    early: list[str] = field(default_factory=list)
    """Heads that were marked ready though the gate was not green."""
    number: int = 0
    by_hand: bool = False
    calm: bool = True
    """Whether the last sync came to its end."""

    def watch(self, event: str, action: str, thing: object) -> None:
        """Look at the truth in the moment in which a proposal becomes ready."""
        if event == "pull_request" and action == "ready_for_review" and not self.by_hand:
            assert isinstance(thing, Pull)
            if not self.green(thing.head_sha):
                self.early.append(thing.head_sha)

    def green(self, head: str) -> bool:
        """What the gate must say, by the server's own books."""
        ended = {run.name: run.conclusion for run in self.lane.server.world.checks_of(head)}
        return ended.get("unit") == ended.get("done") == "success" and None not in ended.values()

    def live(self, night: Night) -> None:
        """One night."""
        self.number += 1
        server = self.lane.server
        server.clock.advance(hours=24)
        before = [pull for pull in self.lane.pulls() if pull.state == "open"]
        # After a sync that was cut off, an old answer could hide a comment that it wrote: see docs/github.md.
        stale = night.stale if self.calm else ()
        for path, times in zip(("*", "/graphql"), stale, strict=False):
            if times:
                server.stale(path, method="POST" if path == "/graphql" else "GET", times=times)
        for event in night.events:
            self.happen(event, before[0] if before else None)
        for which, nth in night.faults:
            server.disturb("*", "*", FAULTS[which], nth=nth)
        disturbed = bool(night.faults or any(stale))
        try:
            step = self.lane.sync(night.killed)
        except Killed:
            disturbed = True
        except SynclineError:
            if not disturbed:
                raise  # on a quiet night nothing is refused
        else:
            assert isinstance(step.action, Rest)
            assert step.done
            self.told.append(step.action.outcome)
        self.calm = not night.faults and night.killed is None
        server.plan.clear()
        self.hold(disturbed=disturbed)
        assert not self.early or any(night.stale), self.early
        self.early.clear()

    def happen(self, event: str, pull: Pull | None) -> None:
        """Somebody does something."""
        people, name = self.lane.server.people, f"{self.number}-{len(self.work)}.txt"
        match event:
            case "main" | "dev":
                people.push(event, {f"{event}-{name}": f"{self.number}\n"})
            case "clash":
                people.push("main", {"app.txt": f"main {self.number}\n"})
                people.push("dev", {"app.txt": f"dev {self.number}\n"})
            case "half an hour":
                self.lane.server.clock.advance(minutes=31)
            case _ if pull is not None and pull.state == "open":
                self.happen_to(event, pull, name)

    def happen_to(self, event: str, pull: Pull, name: str) -> None:
        """Somebody does something to the open proposal."""
        people, head = self.lane.server.people, pull.head_sha
        match event:
            case "person":
                made = people.push(pull.head, {f"person-{name}": "x\n", "app.txt": "settled\n"})
                self.work[made] = pull.head
            case "green" | "red" | "running":
                state = {"green": "success", "red": "failure", "running": "in_progress"}[event]
                for check in ("unit", "done"):
                    people.check(head, check, state)
            case "flap":
                people.check(head, "unit", "queued", again=True)
            case "lint":
                people.check(head, "lint", "success")
            case "land" if not pull.draft:
                with contextlib.suppress(RefusedError):  # GitHub lands nothing that conflicts
                    people.merge(pull.number)
            case "close" if self.number % 3 == 0:
                people.close(pull.number)
            case "ready by hand" if pull.draft:
                self.by_hand = True
                people.set_draft(pull.number, draft=False)
                self.by_hand = False

    def hold(self, *, disturbed: bool) -> None:
        """What must be true after every night."""
        opened = [pull for pull in self.lane.pulls() if pull.state == "open"]
        assert len(opened) <= 1, opened
        for pull in self.lane.pulls():
            found = Counter(
                marker
                for body in self.lane.comments(pull.number)
                for marker in re.findall(r'syncline:comment \{"marker":"([^"]+)"', body)
            )
            assert not found or set(found.values()) == {1}, found
        bare = self.lane.server.world.bare
        for commit, branch in self.work.items():
            tips = [tip for tip in (bare.tip(branch), bare.tip("dev")) if tip is not None]
            assert any(bare.contains(tip, commit) for tip in tips), f"{commit} is lost"
        if disturbed:
            return
        for pull in opened:
            assert pull.draft or self.green(pull.head_sha), "ready, and the gate is not green"
        if self.told[-1] == Outcome.READY:
            assert opened
            assert not opened[0].draft


@settings(
    max_examples=120 if _LONG else 2,
    # To shrink a story of nights takes longer than to read it.
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(st.lists(nights, min_size=_NIGHTS, max_size=_NIGHTS))
def test_nights(story: list[Night]) -> None:
    with tempfile.TemporaryDirectory() as place, github_lane(Path(place)) as lane:
        lived = Story(lane)
        lane.server.world.listen(lived.watch)
        for night in story:
            lived.live(night)
        lived.live(Night(()))


def test_a_long_quiet_story_comes_to_ready_and_lands(tmp_path: Path) -> None:
    with github_lane(tmp_path) as lane:
        lived = Story(lane)
        lane.server.world.listen(lived.watch)
        for events in ((), ("green",), ("land",), ("green",), ("land", "main"), ("red",), ("green",), ("flap",)):
            lived.live(Night(events))
        assert Counter(lived.told)[Outcome.READY] == 3
        assert Outcome.CHECKS_FAILED in lived.told
        assert sum(pull.merged is not None for pull in lane.pulls()) == 2
