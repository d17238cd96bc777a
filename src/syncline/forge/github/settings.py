"""Which repository on which GitHub, and how to sign in there. Values, no I/O, and never a secret in them."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from syncline.errors import ConfigError

GITHUB_API = "https://api.github.com"
TOKEN_ENV = "GITHUB_TOKEN"  # noqa: S105 - the name of a variable

_SCP_LIKE = re.compile(r"(?:[^@/]+@)?(?P<host>[^:/]+):(?P<path>(?!//).+)")
_OWNER = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?")
_NAME = re.compile(r"[A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class AppSettings:
    """A GitHub App to act as: its id, its installation (None: asked for), and where its private key is.

    Exactly one of `key_file` (a path) and `key_env` (a variable that holds the PEM text) is set.
    """

    app_id: str
    key_file: str = ""
    key_env: str = ""
    installation: int | None = None


@dataclass(frozen=True, slots=True)
class GitHubSettings:
    """One repository of one GitHub.

    `api` is the REST address without a slash at its end; `token_env` names the variable with the token, used
    where there is no `app`; `reviewers` are logins, `ORG/TEAM` or `CODEOWNERS`.
    """

    owner: str
    name: str
    api: str = GITHUB_API
    token_env: str = TOKEN_ENV
    app: AppSettings | None = None
    reviewers: tuple[str, ...] = ()

    @property
    def repository(self) -> str:
        """`OWNER/NAME`."""
        return f"{self.owner}/{self.name}"

    @property
    def graphql(self) -> str:
        """The GraphQL address, which an Enterprise Server has beside its REST address, not below."""
        if self.api.endswith("/api/v3"):
            return self.api.removesuffix("/v3") + "/graphql"
        return self.api + "/graphql"


@dataclass(frozen=True, slots=True)
class Place:
    """A repository as a remote's URL tells it: the host, and `OWNER/NAME`."""

    host: str
    repository: str

    @property
    def api(self) -> str:
        """Where that host has its REST API: github.com, a `*.ghe.com` tenant, or an Enterprise Server."""
        if self.host in {"github.com", "ssh.github.com"}:
            return GITHUB_API
        if self.host.endswith(".ghe.com"):
            return f"https://api.{self.host}"
        return f"https://{self.host}/api/v3"


def place_of(url: str) -> Place | None:
    """The repository a remote's URL names, over HTTPS or SSH; None when it is no such URL (a path, say)."""
    if "://" in url:
        try:
            parts = urlsplit(url)
        except ValueError:
            return None
        if parts.scheme not in {"https", "http", "ssh", "git", "git+ssh", "ssh+git"} or not parts.hostname:
            return None
        host, path = parts.hostname, parts.path
    else:
        found = _SCP_LIKE.fullmatch(url)
        if found is None:
            return None
        host, path = found["host"].lower(), found["path"]
    repository = path.strip("/").removesuffix(".git")
    return Place(host, repository) if split_repository(repository) is not None else None


def split_repository(text: str) -> tuple[str, str] | None:
    """`OWNER/NAME` in its parts; None when it is none."""
    owner, slash, name = text.partition("/")
    good = slash and _OWNER.fullmatch(owner) and _NAME.fullmatch(name) and name not in {".", ".."}
    return (owner, name) if good else None


def make_settings(
    *,
    repository: str | None,
    api: str | None,
    remote: str,
    remote_url: Callable[[], str | None],
    token_env: str = TOKEN_ENV,
    app: AppSettings | None = None,
    reviewers: tuple[str, ...] = (),
) -> GitHubSettings:
    """The settings of a lane: what its configuration leaves out is told by the URL of the target's remote.

    Args:
        repository: `OWNER/NAME`, or None.
        api: the REST address, or None.
        remote: the remote's name, for messages.
        remote_url: gives its URL, or None if it has none. The URL may hold a password and is never shown.
        token_env: the variable with the token.
        app: the App to act as instead.
        reviewers: who is asked to review.

    Raises:
        ConfigError: neither says which repository it is.
    """
    url = remote_url() if repository is None or api is None else None
    place = place_of(url) if url is not None else None
    named = repository or (place.repository if place is not None else None)
    parts = split_repository(named) if named is not None else None
    if parts is None:
        raise ConfigError(
            f"cannot tell which GitHub repository the remote {remote!r} is: its URL is not like"
            " https://HOST/OWNER/NAME or git@HOST:OWNER/NAME",
            hint='set repository = "OWNER/NAME" in the lane\'s table "github"',
        )
    address = api or (place.api if place is not None else GITHUB_API)
    return GitHubSettings(*parts, api=address, token_env=token_env, app=app, reviewers=reviewers)
