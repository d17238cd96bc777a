from collections.abc import Callable, Generator, Mapping
from pathlib import Path

import pytest

from syncline.forge.github.client import Client
from syncline.forge.github.forge import GitHubForge
from syncline.forge.github.settings import GitHubSettings
from testing.builder import RepositoryBuilder
from testing.github import GitHubServer, github

MakeForge = Callable[..., GitHubForge]


@pytest.fixture
def server(tmp_path: Path) -> Generator[GitHubServer]:
    """A GitHub with the branches `main`, `dev`, and `sync/1` to `sync/3` of one commit each above `dev`."""
    build = RepositoryBuilder(tmp_path / "origin")
    main = build.branch("main")
    main.commit("start", {"a": "a\n", ".github/CODEOWNERS": "* @cy\n"})
    dev = main.branch("dev")
    dev.commit("dev", {"b": "b\n"})
    for number in (1, 2, 3):
        dev.branch(f"sync/{number}").commit(f"sync {number}", {f"s{number}": "s\n"})
    with github(tmp_path / "github", build.finish()) as server:
        yield server


@pytest.fixture
def make_forge(server: GitHubServer) -> Generator[MakeForge]:
    """Makes forges that wait for nothing."""
    made: list[GitHubForge] = []

    def make(
        *,
        token: str | None = None,
        reviewers: tuple[str, ...] = (),
        targets: Mapping[str, str] | None = None,
        tell: Callable[[str], None] = print,
    ) -> GitHubForge:
        settings = GitHubSettings(server.owner, server.name, api=server.api, reviewers=reviewers)
        client = Client(settings, {"GITHUB_TOKEN": token or server.token}, sleep=lambda _: None)
        made.append(GitHubForge(client, {"x": "dev"} if targets is None else targets, tell=tell))
        return made[-1]

    yield make
    for forge in made:
        forge.disconnect()


@pytest.fixture
def forge(make_forge: MakeForge) -> GitHubForge:
    return make_forge()
