"""The test GitHub, running: `with github(place, repo) as server: ...`."""

import contextlib
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path

from testing.github.bare import Bare
from testing.github.clock import Clock
from testing.github.disturbances import Disturbance, Plan, Stale
from testing.github.http_server import serving
from testing.github.people import People
from testing.github.push_rules import Refusal, refuse_pushes
from testing.github.request_log import RequestLog
from testing.github.service import Service
from testing.github.webhooks import Webhooks
from testing.github.world import World
from testing.repository import BuiltRepository
from testing.sealed import git


@dataclass(slots=True)
class GitHubServer:
    """A running test GitHub with one repository.

    `path` is its bare repository, which clients push to and fetch from. `api` and `graphql` are what a client is
    configured with; `token` belongs to `syncline-bot`, a person's account with the role `write`.
    """

    path: Path
    world: World
    service: Service
    people: People
    webhooks: Webhooks
    log: RequestLog = field(default_factory=RequestLog)
    plan: Plan = field(default_factory=Plan)
    api: str = ""
    graphql: str = ""
    token: str = ""

    @property
    def owner(self) -> str:
        """The login of the repository's owner."""
        return self.world.owner.login

    @property
    def name(self) -> str:
        """The repository's name."""
        return self.world.name

    @property
    def clock(self) -> Clock:
        """The server's time."""
        return self.world.clock

    @property
    def faults(self) -> list[str]:
        """Where a request or an answer broke GitHub's own rules; `github` raises them at its end.

        A test that breaks them on purpose clears this list.
        """
        return self.service.faults

    def disturb(self, method: str, path: str, what: Disturbance, *, nth: int = 1, times: int = 1) -> None:
        """Disturb requests: see `disturbances`. `path` is without `/api/v3`, `*` matches anything."""
        self.plan.add(method, path, what, nth=nth, times=times)

    def refuse_pushes(self, ref: str, refusal: Refusal) -> None:
        """Refuse pushes to refs that match (`refs/heads/main`, `*`) as GitHub does: see `push_rules`."""
        refuse_pushes(self.path, ref, refusal)

    def stale(self, path: str = "*", *, method: str = "GET", times: int = 1) -> None:
        """Answer the next so many reads from what is true now, whatever changes until then."""
        self.plan.add(method, path, Stale(self.world.frozen()), times=times)


@contextlib.contextmanager
def github(
    place: Path,
    repo: BuiltRepository | None = None,
    *,
    owner: str = "acme",
    name: str = "engine",
    enterprise: bool = False,
    default_branch: str | None = None,
) -> Generator[GitHubServer]:
    """Serve a repository as GitHub would, or with `enterprise` as GitHub Enterprise Server (`/api/v3`).

    Args:
        place: a directory of its own, where the bare repository is made.
        repo: what the repository holds at first (its branches and tags); None: nothing.
        owner: an organization.
        name: the repository's name.
        enterprise: where the API lies.
        default_branch: the default branch; `repo`'s HEAD when not given.

    Raises:
        AssertionError: at the end, when requests or answers broke GitHub's rules (`faults`).
    """
    path = place / f"{name}.git"
    path.mkdir(parents=True)
    git(path, "init", "--quiet", "--bare", "--template=")
    git(path, "config", "transfer.hideRefs", "refs/forks")
    if repo is not None:
        git(repo.path, "push", "--quiet", path, "refs/heads/*:refs/heads/*", "refs/tags/*:refs/tags/*")
        head = repo.text("symbolic-ref", "HEAD").removeprefix("refs/heads/")
        default_branch = default_branch or head
        git(path, "symbolic-ref", "HEAD", f"refs/heads/{default_branch}")
    world = World(Bare(path), owner, name)
    world.default_branch = default_branch or world.default_branch
    service = Service(world)
    server = GitHubServer(path, world, service, People(world), Webhooks(world, service.faults))
    server.token = server.people.token("syncline-bot", "write")
    with serving(service, server.plan, server.log, "/api/v3" if enterprise else "") as web:
        world.web = web
        server.api = world.api = f"{web}/api/v3" if enterprise else web
        server.graphql = f"{web}/api/graphql" if enterprise else f"{web}/graphql"
        yield server
    if server.faults:
        raise AssertionError("GitHub's rules were broken:\n" + "\n".join(server.faults))
