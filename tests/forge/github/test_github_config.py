from pathlib import Path
from typing import Any

import pytest

from syncline.cli.session import _github_settings
from syncline.config.load import load
from syncline.config.models import GitHubTable, Lane
from syncline.errors import ConfigError
from syncline.forge.github.settings import AppSettings, GitHubSettings
from syncline.git import Repository
from testing.builder import RepositoryBuilder

LANE = """version = 1
[lanes.x]
source = "main"
target = "dev"
remote = "origin"
forge = "github"
"""
TABLE = LANE + "[lanes.x.github]\n"


def read(tmp_path: Path, text: str) -> Lane:
    place = tmp_path / "syncline.toml"
    place.write_text(text)
    return load(place).lane()


def told(tmp_path: Path, text: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, text)
    return caught.value.message.split("\n")


def test_a_lane_on_github_needs_no_table(tmp_path: Path) -> None:
    lane = read(tmp_path, LANE)
    assert (lane.forge, lane.github) == ("github", None)


def test_all_keys(tmp_path: Path) -> None:
    lane = read(
        tmp_path,
        TABLE
        + """repository = "ada/tools"
api = "https://git.example.com/api/v3/"
token_env = "SYNC_TOKEN"
app_id = 77
app_key_env = "APP_KEY"
installation = 5
reviewers = ["bo", "ada/core", "CODEOWNERS", "helper[bot]"]
""",
    )
    assert lane.github is not None
    assert lane.github == GitHubTable(
        repository="ada/tools", api="https://git.example.com/api/v3", token_env="SYNC_TOKEN",  # noqa: S106 - a name
        app_id="77", app_key_env="APP_KEY", installation=5,
        reviewers=("bo", "ada/core", "CODEOWNERS", "helper[bot]"),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("line", "key", "text"),
    [
        ("repository = 'tools'", "repository", 'wanted "OWNER/NAME"'),
        ("repository = 'ada/..'", "repository", 'wanted "OWNER/NAME"'),
        ("repository = 'https://github.com/ada/tools'", "repository", 'wanted "OWNER/NAME"'),
        ("api = 'http://git.example.com'", "api", "wanted an address that begins with https://"),
        ("api = 'git.example.com'", "api", "wanted the address of a REST API"),
        ("api = 'https://me:pw@git.example.com'", "api", "wanted the address of a REST API"),
        ("api = 'https://git.example.com:x'", "api", "wanted the address of a REST API"),
        ("token_env = 'a-b'", "token_env", "wanted the name of an environment variable"),
        ("token_env = 'ghp_0123456789'", "token_env", "the secret itself never stands in this file"),
        ("app_id = 0", "app_id", "wanted a text in quotes"),
        ("app_id = 'a/b'", "app_id", "wanted the App's id"),
        ("app_id = 7", "app_id", "needs its private key: set one of app_key_file and app_key_env"),
        ("app_id = 7\napp_key_file = 'a'\napp_key_env = 'B'", "app_id", "set one of app_key_file and app_key_env"),
        ("app_key_file = 'a'", "app_key_file", "is of a GitHub App, but there is no app_id"),
        ("installation = 4", "installation", "is of a GitHub App, but there is no app_id"),
        ("app_key_file = '-----BEGIN RSA PRIVATE KEY-----'", "app_key_file", "wanted the path of a file"),
        ("reviewers = ['@ada']", "reviewers[0]", 'found "@ada"; wanted a login'),
        ("reviewer = ['ada']", "reviewer", 'unknown key; did you mean "reviewers"?'),
    ],
)
def test_mistakes(tmp_path: Path, line: str, key: str, text: str) -> None:
    found = told(tmp_path, TABLE + line)
    assert any(one.startswith(f"syncline.toml:8: lanes.x.github.{key}: ") and text in one for one in found)
    assert not any("ghp_" in one or "pw" in one or "BEGIN" in one for one in found)


@pytest.mark.parametrize("api", ["http://127.0.0.1:8080/", "http://localhost:1", "http://[::1]:1"])
def test_a_server_on_this_machine_needs_no_https(tmp_path: Path, api: str) -> None:
    lane = read(tmp_path, TABLE + f"api = '{api}'")
    assert lane.github is not None
    assert lane.github.api == api.rstrip("/")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            LANE.replace('remote = "origin"\n', ""),
            "lanes.x.forge: proposals on GitHub need a target that lives there",
        ),
        (LANE + 'target_remote = "."\n', "lanes.x.forge: proposals on GitHub need a target that lives there"),
        (TABLE.replace('forge = "github"\n', ""), 'lanes.x.github: is only for lanes with forge = "github"'),
        (
            LANE + "[[lanes.x.checks]]\nname = 'a'\ncommand = ['true']\n",
            'lanes.x.checks: are run by the forge "local"',
        ),
    ],
)
def test_what_does_not_go_together(tmp_path: Path, text: str, words: str) -> None:
    (found,) = told(tmp_path, text)
    assert words in found


@pytest.fixture
def repository(builder: RepositoryBuilder) -> Any:
    builder.branch("main").commit("one", {"a": "a"})
    built = builder.finish()
    built.git("remote", "add", "origin", "https://me:secret@github.com/ada/tools.git")
    built.git("remote", "add", "nowhere", "/srv/tools")
    built.git("config", "url.git@git.example.com:.pushInsteadOf", "company:")
    built.git("remote", "add", "work", "company:bo/x.git")
    with Repository.open(built.path) as opened:
        yield opened


def test_the_remote_tells_the_repository(tmp_path: Path, repository: Repository) -> None:
    assert _github_settings(repository, read(tmp_path, LANE)) == GitHubSettings("ada", "tools")
    work = _github_settings(repository, read(tmp_path, LANE.replace("origin", "work")))
    assert work == GitHubSettings("bo", "x", api="https://git.example.com/api/v3")


def test_the_table_tells_more(tmp_path: Path, repository: Repository) -> None:
    lane = read(
        tmp_path, TABLE + "repository = 'bo/y'\napp_id = 'Iv1.a'\napp_key_file = 'k.pem'\nreviewers = ['cy']"
    )
    app = AppSettings("Iv1.a", key_file="k.pem")
    assert _github_settings(repository, lane) == GitHubSettings("bo", "y", app=app, reviewers=("cy",))


@pytest.mark.parametrize("remote", ["nowhere", "missing"])
def test_a_remote_that_tells_nothing(tmp_path: Path, repository: Repository, remote: str) -> None:
    lane = read(tmp_path, LANE.replace("origin", remote))
    with pytest.raises(ConfigError, match=f"which GitHub repository the remote '{remote}' is"):
        _github_settings(repository, lane)
