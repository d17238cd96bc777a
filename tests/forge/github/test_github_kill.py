"""Whatever request a process dies at, before or after GitHub has done it, the next one completes its work."""

import os
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from syncline.forge.github.client import Client
from syncline.forge.github.forge import GitHubForge
from syncline.forge.github.settings import GitHubSettings
from syncline.forge.protocol import ProposalState
from testing.builder import RepositoryBuilder
from testing.github import GitHubServer, github
from testing.github.things import Pull


class Killed(BaseException):
    """The process is gone."""


class Mortal(Client):
    """Dies at the request of a number, counted over all clients of one story."""

    def __init__(self, server: GitHubServer, dies: Iterator[str]) -> None:
        own = GitHubSettings(server.owner, server.name, api=server.api, reviewers=("bo",))
        super().__init__(own, {"GITHUB_TOKEN": server.token}, sleep=lambda _: None)
        self._dies = dies

    def _exchange(self, request: Any, headers: Any) -> Any:
        when = next(self._dies)
        if when == "before":
            raise Killed
        got = super()._exchange(request, headers)
        if when == "after":
            raise Killed
        return got


_numbers = count(100)
LONG = os.environ.get("SYNCLINE_TESTS") == "long"


class Story:
    """Two runs of a lane: the first is opened, told of, made ready and superseded by the second, which lands."""

    def __init__(self, server: GitHubServer) -> None:
        self.server, self.number = server, next(_numbers)
        self.numbers: dict[str, int] = {}
        server.world.rate = type(server.world.rate)()  # each story has an hour of its own
        server.people.user("bo")
        self.lane = f"lane-{self.number}"
        self.target = f"target/{self.number}"  # its own, so that no list holds another story's
        base = server.people.push(self.target, {f"{self.number}": "x\n"}, start="dev")
        self.heads = {
            name: server.people.push(self.branch(name), {f"{self.number}-{name}": "x\n"}, start=base)
            for name in ("one", "two")
        }

    def branch(self, name: str) -> str:
        return f"run/{self.number}/{name}"

    def open(self, forge: GitHubForge, name: str) -> None:
        self.numbers[name] = forge.open_proposal(
            lane=self.lane, run=f"{self.number}-{name}", branch=self.branch(name), target=self.target, title=name,
            body=f"Body of {name}", head_sha=self.heads[name], labels=("sync", f"l{self.number}"),
        ).number  # fmt: skip

    def steps(self) -> list[Callable[[GitHubForge], object]]:
        superseded = ProposalState.SUPERSEDED
        return [
            lambda forge: self.open(forge, "one"),
            lambda forge: forge.comment(self.one, "trigger", "/test"),
            lambda forge: forge.comment(self.one, "trigger", "/test again"),
            lambda forge: forge.update(self.one, title="One", body="Other body"),
            lambda forge: forge.mark_ready(self.one, head_sha=self.heads["one"]),
            lambda forge: forge.mark_draft(self.one),
            lambda forge: forge.close(self.one, state=superseded),
            lambda forge: self.open(forge, "two"),
            lambda forge: forge.close(self.one, state=superseded, superseded_by=self.two),
            lambda forge: forge.close(self.two, state=ProposalState.CLOSED),
        ]

    @property
    def one(self) -> int:
        return self.numbers["one"]

    @property
    def two(self) -> int:
        return self.numbers["two"]

    def tell(self, dies: Iterator[str]) -> None:
        """Take all steps; a step in which the process died is taken again by a new one."""
        for step in self.steps():
            while True:
                with GitHubForge(Mortal(self.server, dies), {self.lane: self.target}) as forge:
                    try:
                        step(forge)
                    except Killed:
                        self.hold()
                        continue
                    break

    def hold(self) -> None:
        """What must hold whenever somebody looks."""
        pulls = self.pulls()
        assert sum(pull.state == "open" for pull in pulls) <= 1
        assert len({pull.head for pull in pulls}) == len(pulls)

    def pulls(self) -> list[Pull]:
        return [pull for pull in self.server.world.pulls.values() if pull.base == self.target]

    def end(self) -> object:
        """All that GitHub knows of the story afterwards, without numbers that differ."""
        by = f'"by":{self.two}'
        return [
            (
                pull.title, (pull.body or "").replace(by, "by two").replace(str(self.number), "N"), pull.state,
                pull.draft, sorted(label.name[:1] for label in pull.labels),
                [user.login for user in pull.reviewers],
                [comment.body for comment in self.server.world.comments_of(pull.number)],
            )
            for pull in self.pulls()
        ]  # fmt: skip


def killed_at(*places: tuple[int, str]) -> Iterator[str]:
    """For each request whether the process dies there, by the number of the request."""
    at = dict(places)
    return (at.get(number, "") for number in count())


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GitHubServer]:
    place = tmp_path_factory.mktemp("kill")
    build = RepositoryBuilder(place / "origin")
    build.branch("dev").commit("dev", {"b": "b\n"})
    with github(place / "github", build.finish()) as server:
        yield server


KILLS = st.lists(
    st.tuples(st.integers(0, 60), st.sampled_from(["before", "after"])), max_size=8, unique_by=lambda one: one[0]
)


@pytest.fixture(scope="module")
def right(shared: GitHubServer) -> object:
    """How the story ends when nobody dies."""
    quiet = Story(shared)
    quiet.tell(killed_at())
    return quiet.end()


@settings(max_examples=100 if LONG else 8)
@given(KILLS)
def test_killed_again_and_again(shared: GitHubServer, right: object, places: list[tuple[int, str]]) -> None:
    story = Story(shared)
    story.tell(killed_at(*places))
    assert story.end() == right


@pytest.mark.skipif(not LONG, reason="in the long run only")
def test_killed_at_every_request(shared: GitHubServer, right: object) -> None:
    before = len(shared.log.entries)
    Story(shared).tell(killed_at())
    requests = len(shared.log.entries) - before
    assert requests > 25
    for place in range(requests):
        for when in ("before", "after"):
            story = Story(shared)
            story.tell(killed_at((place, when)))
            assert story.end() == right, (place, when)
