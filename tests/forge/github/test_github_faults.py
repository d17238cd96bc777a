"""Whatever goes wrong between us and GitHub, a step that is taken again ends as if nothing had."""

from collections.abc import Generator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from syncline.errors import ForgeError
from syncline.forge.github.client import Client
from syncline.forge.github.forge import GitHubForge
from syncline.forge.github.settings import GitHubSettings
from testing.builder import RepositoryBuilder
from testing.github import Fail, GitHubServer, Reset, SecondaryLimit, github
from tests.forge.github.test_github_kill import LONG, Story, killed_at

FAULTS = st.sampled_from(
    [
        Fail(500), Fail(502), Fail(502, "after"), Fail(503, "after"), Reset("before"), Reset("after"),
        SecondaryLimit(), SecondaryLimit(429, None),
    ]
)  # fmt: skip
PLACES = st.dictionaries(st.integers(1, 45), st.tuples(FAULTS, st.integers(1, 6)), max_size=6)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Generator[GitHubServer]:
    place = tmp_path_factory.mktemp("faults")
    build = RepositoryBuilder(place / "origin")
    build.branch("dev").commit("dev", {"b": "b\n"})
    with github(place / "github", build.finish()) as server:
        yield server


@pytest.fixture(scope="module")
def right(shared: GitHubServer) -> object:
    quiet = Story(shared)
    quiet.tell(killed_at())
    return quiet.end()


@settings(max_examples=100 if LONG else 8)
@given(PLACES)
def test_a_step_taken_again_ends_right(
    shared: GitHubServer, right: object, places: dict[int, tuple[Fail | Reset | SecondaryLimit, int]]
) -> None:
    story = Story(shared)
    shared.plan.clear()
    for place, (fault, times) in places.items():
        shared.disturb("*", "*", fault, nth=place, times=times)
    own = GitHubSettings(shared.owner, shared.name, api=shared.api, reviewers=("bo",))
    failed = 0
    for step in story.steps():
        while True:
            client = Client(own, {"GITHUB_TOKEN": shared.token}, sleep=lambda _: None)
            with GitHubForge(client, {story.lane: story.target}) as forge:
                try:
                    step(forge)
                except ForgeError:
                    failed += 1
                    story.hold()
                    assert failed < 100
                    continue
                break
    shared.plan.clear()
    assert story.end() == right
