"""Signing in: a token from the environment, or a GitHub App whose installation tokens are renewed in time.

githubkit's own strategies are not used: they show their secrets when printed, keep tokens for the whole
process whatever the server, trust this machine's clock, and read answers by models that refuse real ones.
"""

import time
from collections.abc import Callable, Generator, Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
from githubkit.auth import BaseAuthStrategy

from syncline.errors import ForgeError
from syncline.forge.github.redact import Redactor
from syncline.forge.github.settings import AppSettings, GitHubSettings

if TYPE_CHECKING:
    from githubkit import GitHubCore

_JWT_SECONDS = 540
"""GitHub takes at most 10 minutes: https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-
github-app/generating-a-json-web-token-jwt-for-a-github-app"""
_EARLIER = 60
"""Seconds by which tokens are dated back, and given up before they end."""


class _Signed(httpx.Auth):
    """Puts a fixed token into each request."""

    def __init__(self, token: str) -> None:
        self._token = token

    def __repr__(self) -> str:
        return "_Signed(...)"

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        request.headers["Authorization"] = f"Bearer {self._token}"
        yield request


class _Installation(httpx.Auth):
    """Acts as an App's installation: asks for a token when there is none, or it is about to end, or is refused."""

    requires_response_body = True

    def __init__(self, settings: GitHubSettings, app: AppSettings, key: str, redactor: Redactor) -> None:
        self._settings, self._app, self._key, self._redactor = settings, app, key, redactor
        self._token, self._ends = "", 0.0
        self._installation = app.installation
        self._behind = 0.0
        """Seconds by which this machine's clock is behind GitHub's."""

    def __repr__(self) -> str:
        return f"_Installation(app {self._app.app_id})"

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        if time.time() + self._behind >= self._ends:
            yield from self._renew()
        request.headers["Authorization"] = f"Bearer {self._token}"
        answer = yield request
        if answer.status_code == httpx.codes.UNAUTHORIZED:  # taken back before its time
            yield from self._renew()
            request.headers["Authorization"] = f"Bearer {self._token}"
            yield request

    def _renew(self) -> Generator[httpx.Request, httpx.Response, None]:
        if self._installation is None:
            answer = yield from self._as_app("GET", f"/repos/{self._settings.repository}/installation")
            self._installation = int(str(_part(answer, "id")))
        path = f"/app/installations/{self._installation}/access_tokens"
        answer = yield from self._as_app("POST", path)
        token = str(_part(answer, "token"))
        self._redactor.learn(token)
        ends = datetime.fromisoformat(str(_part(answer, "expires_at")))
        self._token, self._ends = token, ends.timestamp() - _EARLIER

    def _as_app(self, method: str, path: str) -> Generator[httpx.Request, httpx.Response, httpx.Response]:
        """Ask as the App itself; once more by GitHub's clock where ours is the reason to be refused."""
        answer = yield self._request(method, path)
        if answer.status_code == httpx.codes.UNAUTHORIZED and (skew := _skew(answer)) is not None:
            self._behind = skew
            answer = yield self._request(method, path)
        if answer.is_error:
            raise _refused(self._app, self._settings, answer, self._redactor)
        return answer

    def _request(self, method: str, path: str) -> httpx.Request:
        import jwt  # noqa: PLC0415 - not where a token is used

        now = int(time.time() + self._behind)
        claims = {"iss": self._app.app_id, "iat": now - _EARLIER, "exp": now + _JWT_SECONDS - _EARLIER}
        try:
            signed = jwt.encode(claims, self._key, algorithm="RS256")
        except (ValueError, TypeError, jwt.PyJWTError):
            signed = ""
        if not signed:  # outside of the handler: the exception there may hold the key
            raise ForgeError(
                f"the private key of GitHub App {self._app.app_id} cannot be used to sign",
                hint="give the PEM file that GitHub made for the App, unchanged",
            )
        self._redactor.learn(signed)
        headers = {"Authorization": f"Bearer {signed}", "Accept": "application/vnd.github+json"}
        return httpx.Request(
            method, self._settings.api + path, headers=headers, json={} if method == "POST" else None
        )


def _part(answer: httpx.Response, key: str) -> object:
    try:
        found = answer.json()[key]
    except (ValueError, KeyError, TypeError):
        found = None
    if found is None:
        raise ForgeError(f"GitHub's answer to an App's request has no {key!r}", hint="try again later")
    return found


def _skew(answer: httpx.Response) -> float | None:
    try:
        return parsedate_to_datetime(answer.headers["date"]).timestamp() - time.time()
    except (KeyError, ValueError):
        return None


def _refused(app: AppSettings, settings: GitHubSettings, answer: httpx.Response, redactor: Redactor) -> ForgeError:
    words = redactor.clean(answer.text[:200])
    hints = {
        401: "check app_id and that the private key belongs to this App",
        404: f"install the App on {settings.repository}, or correct `installation`",
    }
    return ForgeError(
        f"GitHub App {app.app_id} could not sign in for {settings.repository}: {answer.status_code} {words}",
        hint=hints.get(answer.status_code, "see the App's settings on GitHub"),
    )


class Strategy(BaseAuthStrategy):
    """What githubkit asks how to sign in; shows nothing when printed."""

    def __init__(self, make: Callable[[], httpx.Auth]) -> None:
        self._auth = make()

    def __repr__(self) -> str:
        return "Strategy(...)"

    def get_auth_flow(self, github: "GitHubCore") -> httpx.Auth:  # noqa: ARG002 - the base class's signature
        """The hook that signs each request."""
        return self._auth


def strategy(settings: GitHubSettings, environ: Mapping[str, str], redactor: Redactor) -> Strategy:
    """How to sign in; what it reads is hidden from all texts by `redactor`.

    Raises:
        ForgeError: the token or the key is not where it should be.
    """
    if settings.app is not None:
        key = _private_key(settings.app, environ)
        redactor.learn(key)
        app = settings.app
        return Strategy(lambda: _Installation(settings, app, key, redactor))
    token = environ.get(settings.token_env, "").strip()
    if not token:
        raise ForgeError(
            f"wanted a token for {settings.repository} in the variable {settings.token_env}, found none",
            hint=f"set {settings.token_env}, or name another variable by token_env",
        )
    if not (token.isascii() and token.isprintable()) or " " in token:
        raise ForgeError(
            f"the variable {settings.token_env} holds no token: it has spaces or unprintable characters",
            hint="set it to the token alone",
        )
    redactor.learn(token)
    return Strategy(lambda: _Signed(token))


def _private_key(app: AppSettings, environ: Mapping[str, str]) -> str:
    if app.key_env:
        found = environ.get(app.key_env, "")
        if not found.strip():
            raise ForgeError(
                f"wanted the private key of GitHub App {app.app_id} in {app.key_env}, found nothing",
                hint=f"set {app.key_env} to the text of the PEM file",
            )
        # Secrets of CI systems often lose their line ends.
        return found.replace("\\n", "\n") if "\n" not in found.strip() else found
    try:
        return Path(app.key_file).expanduser().read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise ForgeError(
            f"the private key of GitHub App {app.app_id} cannot be read from {app.key_file}: {reason}",
            hint="name the PEM file by app_key_file",
        ) from None
