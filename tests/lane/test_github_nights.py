"""Simulated nights on GitHub: both sides move, people push, CI flaps, GitHub stumbles, syncline is killed.

What must hold whatever happens is told in `testing.nights`. More than fifty nights, always the same ones; with
SYNCLINE_TESTS=long more than five hundred others each time.
"""

import os
import tempfile
from collections import Counter
from pathlib import Path

from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from syncline.lane.actions import Outcome
from testing.github_lane import POLICY, Fate, github_lane
from testing.night import FAULTS, Night
from testing.night_orders import ORDERS, STRANGER
from testing.nights import Story

_LONG = os.environ.get("SYNCLINE_TESTS") == "long"
_STORIES = 75 if _LONG else 7
_NIGHTS = 7

EVENTS = (
    "main", "main", "dev", "clash", "person", "person", "green", "green", "green", "red", "running", "flap",
    "lint", "comment", "words", "ready by hand", "half an hour", "land", "land", "land", "close", "squash",
    "delete", "rewrite", *ORDERS, "resume", "take theirs", STRANGER,
)  # fmt: skip
MEANWHILE = tuple(dict.fromkeys(event for event in EVENTS if event != "words"))
"""Not words: GitHub has no way to write a body only if nobody else just did."""

_events = st.lists(st.sampled_from(EVENTS), min_size=1, max_size=5).map(tuple)
_meanwhile = st.lists(st.tuples(st.sampled_from(MEANWHILE), st.integers(1, 40)), min_size=1, max_size=3).map(tuple)
_faults = st.lists(
    st.tuples(st.integers(0, len(FAULTS) - 1), st.integers(1, 40)), min_size=1, max_size=4
).map(tuple)  # fmt: skip
_kills = st.builds(Fate, st.integers(0, 70), st.sampled_from(["before", "after"]))
_around = {
    "skew": st.sampled_from([0, 0, 0, -90, 45, 1500]),
    "elsewhere": st.sampled_from([False, False, True]),
    "small_pages": st.booleans(),
    "called": st.sampled_from([0, 0, 0, 1, 4]),
    "restart": st.sampled_from([False] * 7 + [True]),
}
nights = st.one_of(
    st.builds(Night, _events, **_around),
    st.builds(Night, _events, meanwhile=_meanwhile, **_around),
    st.builds(Night, _events, faults=_faults, **_around),
    st.builds(Night, _events, faults=_faults, meanwhile=_meanwhile, **_around),
    st.builds(Night, _events, stale=st.tuples(st.integers(0, 3), st.integers(0, 3)), **_around),
    st.builds(Night, _events, killed=_kills, **_around),
    st.builds(Night, _events, killed=_kills, meanwhile=_meanwhile, **_around),
)


STEERED = [
    Night(("main", "clash")),
    Night(("take theirs", STRANGER, "waive")),
    Night(("red", "pause")),
    Night(("retry", "resume"), small_pages=True),
    Night(("retry", "comment"), called=1),
    Night(("green", "recheck"), elsewhere=True),
    Night(("abort",)),
]
"""A story that comes by every order, and lands."""

BY_HAND = [Night(("main",)), Night(("ready by hand",)), Night(("rewrite",)), Night(())]
"""A story in which people do what is syncline's to do."""

lived: Counter[str] = Counter()
"""Nights, how their syncs ended, what people did, and what became of their orders."""


@settings(
    max_examples=_STORIES,
    derandomize=not _LONG,
    # To shrink a story of nights takes longer than to read it.
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(st.lists(nights, min_size=_NIGHTS, max_size=_NIGHTS), st.booleans(), st.booleans())
@example(nights=STEERED, gate_check=True, lands=True)
@example(nights=BY_HAND, gate_check=False, lands=False)
def nights_and_a_dawn(nights: list[Night], gate_check: bool, lands: bool) -> None:  # noqa: FBT001 - Hypothesis
    keys = "\ngate_check = true" * gate_check + '\nland = "merge"' * lands
    policy = POLICY.replace("[lanes.nightly.github]", f"[lanes.nightly.github]{keys}")
    with tempfile.TemporaryDirectory() as place, github_lane(Path(place), policy=policy) as lane:
        story = Story(lane, gate_check, lands)
        for night in nights:
            story.live(night)
        lived["nights"] += story.nights
        story.dawn()
        lived["dawns"] += story.nights - len(nights)
        lived.update(story.told)
        lived.update(story.happened)
        lived.update(story.carried_out())
        lived["landed"] += len(story.landed)


def test_nights() -> None:
    lived.clear()
    nights_and_a_dawn()
    assert lived["nights"] >= (500 if _LONG else 50)
    # The stories are worth something only if they come by everything that can be.
    orders = {f"{order}: done" for order in ORDERS} - {"waive: done", "take ours: done"} | {"waive: not done"}
    assert {name for name in {*Outcome, *EVENTS, *orders, "landed"} if not lived[name]} == set(), lived


def test_a_long_quiet_story_comes_to_ready_and_lands(tmp_path: Path) -> None:
    with github_lane(tmp_path) as lane:
        story = Story(lane)
        for events in ((), ("green",), ("land",), ("green",), ("land", "main"), ("red",), ("green",), ("flap",)):
            story.live(Night(events))
        assert Counter(story.told)[Outcome.READY] == 3
        assert Outcome.CHECKS_FAILED in story.told
        assert sum(pull.merged is not None for pull in lane.pulls()) == 2
