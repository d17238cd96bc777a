"""Simulated nights on GitHub: both sides move, people push, CI flaps, GitHub stumbles, syncline is killed.

What must hold whatever happens is told in `testing.nights`. More than fifty nights, always the same ones; with
SYNCLINE_TESTS=long more than five hundred others each time.
"""

import os
import tempfile
from collections import Counter
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from syncline.lane.actions import Outcome
from testing.github_lane import POLICY, Fate, github_lane
from testing.nights import FAULTS, Night, Story

_LONG = os.environ.get("SYNCLINE_TESTS") == "long"
_STORIES = 75 if _LONG else 8
_NIGHTS = 7

EVENTS = (
    "main", "main", "dev", "clash", "person", "person", "green", "green", "green", "red", "running", "flap",
    "lint", "comment", "words", "ready by hand", "half an hour", "land", "land", "land", "close", "squash",
    "delete", "rewrite",
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


lived: Counter[str] = Counter()
"""Nights, and how their syncs ended."""


@settings(
    max_examples=_STORIES,
    # To shrink a story of nights takes longer than to read it.
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(st.lists(nights, min_size=_NIGHTS, max_size=_NIGHTS), st.booleans())
def nights_and_a_dawn(nights: list[Night], gate_check: bool) -> None:  # noqa: FBT001 - Hypothesis gives it so
    policy = POLICY.replace("[lanes.nightly.github]", "[lanes.nightly.github]\ngate_check = true")
    policy = policy if gate_check else POLICY
    with tempfile.TemporaryDirectory() as place, github_lane(Path(place), policy=policy) as lane:
        story = Story(lane, gate_check)
        for night in nights:
            story.live(night)
        lived["nights"] += story.nights
        story.dawn()
        lived["dawns"] += story.nights - len(nights)
        lived.update(story.told)


def test_nights() -> None:
    lived.clear()
    nights_and_a_dawn()
    assert lived["nights"] >= (500 if _LONG else 50)
    # The stories are worth something only if they come by everything that can be.
    assert {outcome for outcome in Outcome if not lived[outcome]} == set(), lived


def test_a_long_quiet_story_comes_to_ready_and_lands(tmp_path: Path) -> None:
    with github_lane(tmp_path) as lane:
        story = Story(lane)
        for events in ((), ("green",), ("land",), ("green",), ("land", "main"), ("red",), ("green",), ("flap",)):
            story.live(Night(events))
        assert Counter(story.told)[Outcome.READY] == 3
        assert Outcome.CHECKS_FAILED in story.told
        assert sum(pull.merged is not None for pull in lane.pulls()) == 2
