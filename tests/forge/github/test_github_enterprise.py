"""The same against an Enterprise Server, whose API lies elsewhere, and as an App, as a workflow, as nobody."""

from collections.abc import Generator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from syncline.checks.model import Conclusion
from syncline.errors import ForgeError
from syncline.forge.github.client import Client
from syncline.forge.github.forge import GitHubForge
from syncline.forge.github.settings import AppSettings, GitHubSettings
from testing.builder import RepositoryBuilder
from testing.github import GitHubServer, github
from tests.forge.github.conftest import MakeForge
from tests.forge.github.opening import open_one, tip

KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
PEM = KEY.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
PUBLIC = KEY.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
NEEDED = {
    "actions": "write", "checks": "read", "contents": "read", "issues": "write", "pull_requests": "write",
    "statuses": "read",
}  # fmt: skip
"""What docs/github.md says is needed."""


@pytest.fixture
def enterprise(tmp_path: Path) -> Generator[GitHubServer]:
    build = RepositoryBuilder(tmp_path / "origin")
    dev = build.branch("dev")
    dev.commit("dev", {"b": "b\n"})
    dev.branch("sync/1").commit("sync", {"s": "s\n"})
    with github(tmp_path / "github", build.finish(), enterprise=True) as server:
        yield server


def whole_story(forge: GitHubForge, server: GitHubServer) -> None:
    made = open_one(forge, server, labels=("sync",))
    forge.comment(made.number, "trigger", "/test")
    run = server.people.run(made.head_sha, "CI")
    server.people.job(run, "unit", "failure")
    server.people.status(made.head_sha, "legacy", "success")
    forge.retry(made.head_sha, ["unit"])
    server.people.job(run, "unit", "success")
    found = {check.name: check.conclusion for check in forge.rollup(made.head_sha).checks}
    assert found == {"unit": Conclusion.SUCCESS, "legacy": Conclusion.SUCCESS}
    assert not forge.mark_ready(made.number, head_sha=made.head_sha).draft
    assert forge.proposals("x")[0].labels == ("sync",)


def test_as_an_app_on_an_enterprise_server(enterprise: GitHubServer) -> None:
    installed = enterprise.people.install_app("syncline-app", PUBLIC, **NEEDED)
    app = AppSettings(str(installed.app.id), key_env="APP_KEY")
    settings = GitHubSettings(enterprise.owner, enterprise.name, api=enterprise.api, app=app)
    assert settings.graphql == enterprise.graphql
    with GitHubForge(Client(settings, {"APP_KEY": PEM}, sleep=lambda _: None), {"x": "dev"}) as forge:
        whole_story(forge, enterprise)


def test_as_a_workflow(make_forge: MakeForge, server: GitHubServer) -> None:
    whole_story(make_forge(token=server.people.workflow_token(**NEEDED)), server)


@pytest.mark.parametrize("lacks", ["pull_requests", "issues", "actions"])
def test_a_permission_that_is_missing_is_told(make_forge: MakeForge, server: GitHubServer, lacks: str) -> None:
    granted = {name: right for name, right in NEEDED.items() if name != lacks}
    forge = make_forge(token=server.people.workflow_token(**granted))
    with pytest.raises(ForgeError, match="GitHub refused") as caught:
        whole_story(forge, server)
    assert "permission" in caught.value.hint


def test_what_a_reader_opened_is_none_of_syncline_s(
    make_forge: MakeForge, forge: GitHubForge, server: GitHubServer
) -> None:
    reader = make_forge(token=server.people.token("eve", "read"))
    assert reader.proposals("x") == ()
    assert reader.rollup(tip(server)).checks == ()
    # GitHub lets readers open; a mark by somebody who may not write could be anybody's, so it is not believed.
    with pytest.raises(ForgeError, match="who opened it may not write to the repository"):
        open_one(reader, server, labels=("sync",))
    assert forge.proposals("x") == ()


def test_an_archived_repository(forge: GitHubForge, server: GitHubServer) -> None:
    server.world.settings["archived"] = True
    with pytest.raises(ForgeError, match="is archived"):
        open_one(forge, server)
