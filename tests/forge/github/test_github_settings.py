import pytest

from syncline.errors import ConfigError
from syncline.forge.github.settings import GITHUB_API, Place, make_settings, place_of


@pytest.mark.parametrize(
    ("url", "host", "repository"),
    [
        ("https://github.com/ada/tools.git", "github.com", "ada/tools"),
        ("https://github.com/ada/tools/", "github.com", "ada/tools"),
        ("https://me:secret@github.com/ada/tools", "github.com", "ada/tools"),
        ("git@github.com:ada/tools.git", "github.com", "ada/tools"),
        ("ssh://git@ssh.github.com:443/ada/tools.git", "ssh.github.com", "ada/tools"),
        ("git@git.example.com:ada/tools.x", "git.example.com", "ada/tools.x"),
        ("https://Git.Example.com:8443/ada/tools", "git.example.com", "ada/tools"),
    ],
)
def test_remotes_that_name_a_repository(url: str, host: str, repository: str) -> None:
    assert place_of(url) == Place(host, repository)


@pytest.mark.parametrize(
    "url",
    ["/srv/git/tools.git", "../tools", "file:///srv/ada/tools", "https://github.com/ada", "https://github.com/a/b/c",
     "https://[::1/a/b", "git@host:ada/..", "https://github.com/ada/to ols"],
)  # fmt: skip
def test_remotes_that_name_none(url: str) -> None:
    assert place_of(url) is None


@pytest.mark.parametrize(
    ("host", "api"),
    [
        ("github.com", GITHUB_API),
        ("ssh.github.com", GITHUB_API),
        ("octo.ghe.com", "https://api.octo.ghe.com"),
        ("git.example.com", "https://git.example.com/api/v3"),
    ],
)
def test_where_the_api_is(host: str, api: str) -> None:
    assert Place(host, "ada/tools").api == api


def test_what_is_configured_comes_before_the_remote() -> None:
    made = make_settings(
        repository="bo/x", api=None, remote="origin", remote_url=lambda: "git@git.example.com:ada/tools"
    )
    assert (made.repository, made.api) == ("bo/x", "https://git.example.com/api/v3")


def test_a_remote_that_tells_nothing() -> None:
    made = make_settings(repository="bo/x", api=None, remote="origin", remote_url=lambda: "/srv/tools")
    assert (made.repository, made.api) == ("bo/x", GITHUB_API)
    with pytest.raises(ConfigError, match="'origin'") as caught:
        make_settings(repository=None, api=None, remote="origin", remote_url=lambda: "https://me:pw@x/y")
    assert "pw" not in str(caught.value)
