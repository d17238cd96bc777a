"""A lane whose proposals live on the test GitHub: the server, a clone with the policy, and people who act.

with github_lane(tmp_path) as lane:
    lane.run("sync")                   # the command line, another process
    lane.ci("success")                 # CI reports on the head of the open proposal
    step = lane.sync()                 # the same in this process: faster, and it can be killed
"""

import contextlib
import textwrap
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from threading import Event
from typing import Any

from syncline.checks.model import Check
from syncline.config.load import load
from syncline.forge.github.client import Client
from syncline.forge.github.forge import GitHubForge
from syncline.forge.github.settings import GitHubSettings
from syncline.forge.landing import By
from syncline.git import Repository, command
from syncline.lane.actions import Action
from syncline.lane.context import LaneContext
from syncline.lane.observation import Observation
from syncline.lane.reconcile import Step, Wishes, sync
from testing.cli import Result, run_syncline
from testing.github import GitHubServer, github
from testing.github.things import Pull
from testing.lane import build_lane
from testing.repository import BuiltRepository

POLICY = """
version = 1
[lanes.nightly]
source = "main"
target = "dev"
remote = "origin"
forge = "github"
branch = "main2dev/{date:%Y-%m-%d}"
slice = 4
labels = ["sync"]
ci_trigger = "/ok to test {sha}"
[lanes.nightly.github]
repository = "acme/engine"
api = "API"
[lanes.nightly.identity]
name = "Sync Bot"
email = "sync@example.org"
[[lanes.nightly.paths]]
match = ["/OWNERS"]
take = "protect"
[[lanes.nightly.paths]]
match = ["*.gold"]
take = "ours"
[[lanes.nightly.coupled]]
name = "dependencies"
paths = ["/deps.toml", "/deps.lock"]
take = "ours"
[lanes.nightly.gate]
sentinel = ["done"]
required = ["unit$"]
"""

_EFFECTS = frozenset({"push", "update-ref", "fetch", "branch"})


class Killed(BaseException):
    """The process is gone."""


@dataclass
class Fate:
    """Where a process dies: at its `at`-th effect (request, push, change of refs), `before` or `after` it."""

    at: int = -1
    when: str = "before"
    met: int = 0

    def around(self, effect: Callable[[], Any]) -> Any:
        """Do one effect, or die around it."""
        mine, self.met = self.met == self.at, self.met + 1
        if mine and self.when == "before":
            raise Killed
        got = effect()
        if mine:
            raise Killed
        return got


class MortalClient(Client):
    """A client whose process may die at any request, and that waits for nothing."""

    def __init__(self, settings: GitHubSettings, token: str, fate: Fate) -> None:
        super().__init__(settings, {"GITHUB_TOKEN": token}, sleep=lambda _: None)
        self._fate = fate

    def _exchange(self, request: Any, headers: Any) -> Any:
        return self._fate.around(lambda: super(MortalClient, self)._exchange(request, headers))


class _Quiet:
    """Nobody watches."""

    def observed(self, seen: Observation) -> None:
        """The lane was looked at."""

    def acting(self, action: Action) -> None:
        """An action begins."""

    def tell(self, text: str) -> None:
        """Something inside an action."""

    def check_changed(self, check: Check) -> None:
        """A check changed its state."""

    def acted(self, action: Action, done: str) -> None:
        """An action ended."""


@dataclass(frozen=True, slots=True)
class GitHubLane:
    """The server, a clone whose remote it is, and the file that says the policy."""

    server: GitHubServer
    repo: BuiltRepository
    config: Path

    def run(self, command: str, *arguments: str) -> Result:
        """`syncline COMMAND --config ... ARGUMENTS` in the clone."""
        return run_syncline(
            command, "--config", self.config, *arguments, repo=self.repo, env={"GITHUB_TOKEN": self.server.token}
        )

    def on_another_machine(self, place: Path) -> "GitHubLane":
        """The same lane in another clone."""
        made = BuiltRepository(self.server.path, self.server.path, "sha1", {}, {}, 0).clone(place)
        return GitHubLane(self.server, made, self.config)

    # What syncline does, in this process

    @contextlib.contextmanager
    def context(self, fate: Fate | None = None) -> Generator[LaneContext]:
        """The lane as syncline's steps take it."""
        own = GitHubSettings(self.server.owner, self.server.name, api=self.server.api)
        client = MortalClient(own, self.server.token, fate or Fate())
        lane = load(self.config).lane()
        land = By(lane.github.land) if lane.github is not None else By.PEOPLE
        with (
            Repository.open(self.repo.path) as repository,
            GitHubForge(client, {lane.name: lane.target}, land=land) as forge,
        ):
            yield LaneContext.of(repository, lane, forge)

    def sync(
        self,
        fate: Fate | None = None,
        *,
        restart_after: int = -1,
        retry: bool = False,
        skew: timedelta | None = None,
    ) -> Step:
        """`syncline sync` by the server's clock, or by one that is wrong by `skew`.

        Raises:
            Killed: where `fate` has it.
        """
        wishes = Wishes(restart_after, retry)
        with self.context(fate) as context, _mortal_git(fate or Fate()):
            clock = lambda: self.server.clock.now + (skew or timedelta())  # noqa: E731 - read anew in each step
            return sync(context, _Quiet(), clock=clock, cancelled=Event(), wishes=wishes)

    # What is there

    def pulls(self) -> list[Pull]:
        """The lane's pull requests, oldest first."""
        with self.server.world.lock:
            self.server.world.settle()
            return [pull for pull in self.server.world.pulls.values() if pull.head.startswith("main2dev/")]

    def open_pull(self) -> Pull:
        """The one open pull request of the lane."""
        (found,) = [pull for pull in self.pulls() if pull.state == "open"]
        return found

    def comments(self, number: int) -> list[str]:
        """The comments of a pull request, oldest first."""
        return [comment.body for comment in self.server.world.comments_of(number)]

    def branches(self) -> list[str]:
        """The lane's branches at the server."""
        names = (name.removeprefix("refs/heads/") for name in self.server.world.bare.refs())
        return sorted(name for name in names if name.startswith("main2dev/"))

    # What people and CI do

    def ci(self, state: str = "success", names: Sequence[str] = ("unit", "done")) -> str:
        """CI reports on the head of the open proposal; returns the head."""
        head = self.open_pull().head_sha
        for name in names:
            self.server.people.check(head, name, state)
        return head


@contextlib.contextmanager
def _mortal_git(fate: Fate) -> Generator[None]:
    whole = command.run

    def mortal(arguments: Sequence[str | bytes], **more: Any) -> Any:
        if not _EFFECTS.intersection(word for word in arguments if isinstance(word, str)):
            return whole(arguments, **more)
        return fate.around(lambda: whole(arguments, **more))

    command.run = mortal
    try:
        yield
    finally:
        command.run = whole


@contextlib.contextmanager
def github_lane(
    place: Path, *, policy: str = POLICY, conflict: bool = False, enterprise: bool = False
) -> Generator[GitHubLane]:
    """Serve a lane of six source commits on a test GitHub; with `conflict` one file is left to people."""
    origin = build_lane(place, policy="", conflict=conflict).repo
    with served_lane(place, origin, policy, enterprise=enterprise) as made:
        yield made


@contextlib.contextmanager
def served_lane(
    place: Path, origin: BuiltRepository, policy: str, *, enterprise: bool = False
) -> Generator[GitHubLane]:
    """Serve the repository `origin` on a test GitHub, with a clone; `"API"` in the policy is its address."""
    with github(place / "github", origin, enterprise=enterprise, default_branch="main") as server:
        at_server = BuiltRepository(server.path, server.path, "sha1", {}, {}, 0)
        config = place / "policy.toml"
        config.write_text(textwrap.dedent(policy).replace('"API"', f'"{server.api}"'))
        yield GitHubLane(server, at_server.clone(place / "clone"), config)
