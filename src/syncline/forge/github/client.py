"""Asking GitHub: REST and GraphQL over one connection, with limits, retries, pages and clear errors.

Knows HTTP and GitHub's manners, nothing of proposals or checks. All answers are plain JSON.
"""

import json as json_module
import os
import re
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

import httpx
from githubkit.core import GitHubCore
from githubkit.exception import RequestError, RequestFailed

from syncline.errors import ForgeError
from syncline.forge.github.auth import Strategy, strategy
from syncline.forge.github.limits import LONGEST_WAIT, Wait, limit_wait
from syncline.forge.github.redact import Redactor
from syncline.forge.github.settings import GitHubSettings
from syncline.forge.github.trouble import Asked, NotFoundError, RefusedError, UnknownError, refused, words_of

CONNECT_SECONDS = 10.0
ANSWER_SECONDS = 30.0
PER_PAGE = 100
TRIES = 5
"""How often what is safe to repeat is sent, when GitHub fails or does not answer."""
_FIRST_PAUSE = 1.0
_MOST_REMEMBERED = 512
_MOST_PAGES = 1_000

_PASSING = frozenset({500, 502, 503, 504})
_SAFE = frozenset({"GET", "PUT", "PATCH", "DELETE"})
"""Methods whose requests may be sent twice: all of ours that change something set it to what they say."""
_NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError)

Params = Mapping[str, str | int]


def _silent(wait: Wait) -> None:
    """Nobody wants to know of waits."""


class _Hub(GitHubCore[Strategy]):
    """githubkit's core; what is a rate limit, and how long it lasts, is told by `limits`."""

    def _check_rate_limit(self, response: Any) -> None:
        """Leave it to `limits`: the original cannot read a `Retry-After` that is a date."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back. `headers` have lower-case names; `content` is the JSON, None where there was no body."""

    status: int
    headers: Mapping[str, str]
    content: Any


@dataclass(frozen=True, slots=True)
class _Silence:
    """No answer came: why, and whether GitHub can have got the request."""

    words: str
    arrived: bool


@dataclass(frozen=True, slots=True)
class _Remembered:
    etag: str
    answer: Answer


@dataclass(slots=True)
class _Patience:
    """How much one request has waited, and for what."""

    waited: float = 0.0
    limits: int = 0
    failures: int = 0


@dataclass(frozen=True, slots=True)
class _Request:
    method: str
    url: str
    params: Params | None = None
    json: Any = None
    safe: bool = False
    asked: Asked = field(default_factory=lambda: Asked("", "", ""))


class Client:
    """Talks to one repository's GitHub. Close it, or use it as a context manager.

    Paths that begin with `/` are absolute, others belong to the repository: `pulls/7`. Every method raises
    `RefusedError` when GitHub says no (`NotFoundError` for 404), `UnknownError` when a change may or may not be
    done, and else ForgeError. Nothing it raises, shows or tells holds a secret.

    Args:
        settings: which repository, where.
        environ: where the token is.
        on_wait: told of each pause before it begins.
        sleep: waits so many seconds; may raise to stop.
        longest_wait: seconds one request may wait for limits in all.
        pause: seconds before the first repetition of a failed request; doubled each time.
        writes: whether what changes something may be sent; without it, that is an error.
    """

    def __init__(
        self,
        settings: GitHubSettings,
        environ: Mapping[str, str] | None = None,
        *,
        on_wait: Callable[[Wait], None] = _silent,
        sleep: Callable[[float], None] = time.sleep,
        longest_wait: float = LONGEST_WAIT,
        pause: float = _FIRST_PAUSE,
        timeout: float = ANSWER_SECONDS,
        writes: bool = True,
    ) -> None:
        self.settings = settings
        self._redactor = Redactor()
        signed = strategy(settings, os.environ if environ is None else environ, self._redactor)
        self._hub = _Hub(
            signed,
            base_url=settings.api,
            user_agent="syncline",
            timeout=httpx.Timeout(timeout, connect=min(timeout, CONNECT_SECONDS)),
            http_cache=False,  # its answers may be older than they look; ETags below never are
            auto_retry=False,
        )
        self._opened = False
        self._on_wait, self._sleep, self._longest, self._pause = on_wait, sleep, longest_wait, pause
        self._etags: dict[tuple[str, str], _Remembered] = {}
        self._writes = writes
        self.writers: dict[str, bool] = {}
        """Accounts, and whether they may write: what `insiders` was told."""

    def __repr__(self) -> str:
        return f"Client({self.settings.repository} at {self.settings.api})"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; the next request opens another one."""
        if self._opened:
            self._opened = False
            self._hub.__exit__()

    def get(self, path: str, params: Params | None = None) -> Any:
        """What lies at `path`, asked with the ETag of the last answer: what did not change costs nothing."""
        return self._get(path, params).content

    def find(self, path: str, params: Params | None = None) -> Any | None:
        """What lies at `path`; None if there is nothing."""
        try:
            return self._get(path, params).content
        except NotFoundError:
            return None

    def pages(self, path: str, params: Params | None = None, *, key: str = "") -> Iterator[Any]:
        """The items of a list, all pages of it; each item once, though pages shift while they are read.

        Args:
            path: of the list.
            params: its parameters.
            key: where the answer is an object, the name of the list in it.
        """
        seen: set[object] = set()
        at = path
        given: Params | None = {**(params or {}), "per_page": PER_PAGE}
        for _ in range(_MOST_PAGES):
            answer = self._get(at, given)
            items = answer.content.get(key) if key and isinstance(answer.content, Mapping) else answer.content
            if not isinstance(items, list):
                raise ForgeError(f"wanted a list from GitHub at {path}, found something else", hint="check `api`")
            for item in items:
                name = item.get("id") if isinstance(item, Mapping) else None
                if name is None or name not in seen:
                    seen.add(name)
                    yield item
            following = _next_link(answer.headers.get("link", ""))
            if following is None:
                return
            if not following.startswith(self.settings.api + "/"):
                raise ForgeError(
                    "GitHub's next page lies at another address than its API, where the token is not sent",
                    hint="set `api` to the address GitHub itself uses",
                )
            at, given = following, None
        raise ForgeError(f"GitHub's list at {path} does not end", hint="check `api`")

    def post(self, path: str, json: Any = None) -> Any:
        """Make something new. Sent once; again only if GitHub surely did not take it."""
        return self._change("POST", path, json)

    def patch(self, path: str, json: Any) -> Any:
        """Set fields to what is given."""
        return self._change("PATCH", path, json)

    def put(self, path: str, json: Any = None) -> Any:
        """Set it to what is given."""
        return self._change("PUT", path, json)

    def delete(self, path: str, json: Any = None) -> None:
        """Have it gone; that it is gone already is no error."""
        try:
            self._change("DELETE", path, json)
        except NotFoundError:
            return

    def graphql(self, query: str, variables: Mapping[str, Any] | None = None) -> Any:
        """The `data` of GraphQL's answer. Partial answers are errors; a mutation is sent once, as by `post`."""
        asked = Asked("GraphQL", _operation(query), self.settings.repository)
        safe = not query.lstrip().startswith("mutation")
        json = {"query": query, "variables": dict(variables or {})}
        return self._send(_Request("POST", self.settings.graphql, None, json, safe, asked)).content["data"]

    @contextmanager
    def stream(self, url: str) -> Generator[httpx.Response]:
        """One answer of the API, its body not read yet; no redirect is followed, and nothing is tried again.

        Raises:
            ForgeError: the address is not one of this API, where the token is not sent.
            httpx.HTTPError: no answer came.
        """
        if not url.startswith(self.settings.api + "/"):
            raise ForgeError("what GitHub names lies at another address than its API", hint="check `api`")
        # The connection signs each request.
        with self._hub.get_sync_client() as signed, signed.stream("GET", url, follow_redirects=False) as answer:
            yield answer

    def wait(self, wait: Wait) -> None:
        """Tell of a pause, and make it."""
        self._on_wait(wait)
        self._sleep(wait.seconds)

    def _change(self, method: str, path: str, json: Any) -> Any:
        url, asked = self._place(method, path)
        return self._send(_Request(method, url, None, json, method in _SAFE, asked)).content

    def _get(self, path: str, params: Params | None) -> Answer:
        url, asked = self._place("GET", path)
        return self._send(_Request("GET", url, params, safe=True, asked=asked))

    def _place(self, method: str, path: str) -> tuple[str, Asked]:
        if path.startswith("/"):
            shown = path
        elif path.startswith(self.settings.api + "/"):
            shown = path.removeprefix(self.settings.api).split("?")[0]
        else:
            shown = f"/repos/{self.settings.repository}/{path}".rstrip("/")
        url = path if path.startswith(self.settings.api + "/") else self.settings.api + shown
        return url, Asked(method, shown, self.settings.repository)

    def _send(self, request: _Request) -> Answer:
        """Send until there is an answer worth having."""
        if not self._writes and not (request.method == "GET" or _is_query(request)):
            raise ForgeError(
                f"{request.asked} would change something in {self.settings.repository}, which it must not",
                hint="this is a fault of syncline",
            )
        patience = _Patience()
        while True:
            got = self._once(request)
            if isinstance(got, _Silence):
                self._bear_silence(request, got, patience)
                continue
            words = self._redactor.clean(_words(got))
            limit = limit_wait(got.status, got.headers, words, now=time.time(), again=patience.limits)
            if got.status < 400 and not _graphql_errors(request, got):
                return got
            if limit is not None and (got.status >= 400 or _has_type(got, "RATE_LIMITED", "RATE_LIMIT")):
                self._wait_for_limit(request, limit, patience)
            elif got.status in _PASSING or (got.status == 200 and _is_passing(words)):
                self._bear_failure(request, got.status, words, patience)
            elif got.status < 400:
                raise _graphql_refused(request.asked, got, words)
            else:
                raise refused(request.asked, got.status, words)

    def _wait_for_limit(self, request: _Request, limit: Wait, patience: _Patience) -> None:
        patience.limits += 1
        patience.waited += limit.seconds
        if patience.waited > self._longest:
            raise ForgeError(
                f"{limit.why}: {request.asked} for {request.asked.repository} would have to wait"
                f" {limit.seconds:.0f} s more, beyond {self._longest:.0f} s in all",
                hint="try again later; nothing was half done",
            )
        self.wait(limit)

    def _bear_failure(self, request: _Request, status: int, words: str, patience: _Patience) -> None:
        patience.failures += 1
        if not request.safe:
            raise _unknown(request.asked, f"GitHub answered {status}{f': {words}' if words else ''}")
        if patience.failures >= TRIES:
            error = refused(request.asked, status, words)
            raise RefusedError(f"{error.message} ({TRIES} times)", status=status, words=words, hint=error.hint)
        self._pause_after(patience, f"GitHub answered {status}")

    def _bear_silence(self, request: _Request, silence: _Silence, patience: _Patience) -> None:
        patience.failures += 1
        if silence.arrived and not request.safe:
            raise _unknown(request.asked, silence.words)
        if patience.failures >= TRIES:
            raise ForgeError(
                f"GitHub at {self.settings.api} did not answer {request.asked}, {TRIES} times: {silence.words}",
                hint="check the network, HTTPS_PROXY and `api`",
            )
        self._pause_after(patience, silence.words)

    def _pause_after(self, patience: _Patience, why: str) -> None:
        self.wait(Wait(self._pause * 2 ** (patience.failures - 1), why))

    def _once(self, request: _Request) -> Answer | _Silence:
        """Send it one time. Nothing is raised inside of a handler: what is handled there may hold secrets."""
        key = (request.url, json_module.dumps(request.params, sort_keys=True) if request.params else "")
        known = self._etags.get(key) if request.method == "GET" else None
        headers = {"X-GitHub-Api-Version": "2022-11-28"} | ({"If-None-Match": known.etag} if known else {})
        got = self._exchange(request, headers)
        if isinstance(got, ForgeError):
            raise got
        if isinstance(got, _Silence):
            return got
        if known is not None and got.status == 304:
            self._etags[key] = self._etags.pop(key)  # the one used last stays longest
            return known.answer
        content, fault = _parsed(got)
        if fault:
            raise ForgeError(
                f"GitHub at {self.settings.api} answered {request.asked} with something that is no JSON",
                hint="check `api` and whether a proxy answers instead",
            )
        answer = Answer(got.status, {name.lower(): value for name, value in got.headers.items()}, content)
        if request.method == "GET" and answer.status == 200 and "etag" in answer.headers:
            self._remember(key, _Remembered(answer.headers["etag"], answer))
        return answer

    def _exchange(self, request: _Request, headers: Mapping[str, str]) -> "_Raw | _Silence | ForgeError":
        if not self._opened:
            self._hub.__enter__()
            self._opened = True
        try:
            response = self._hub.request(
                request.method, request.url, params=request.params, json=request.json, headers=dict(headers)
            ).raw_response
        except RequestFailed as error:
            response = error.response.raw_response
        except RequestError as error:
            if isinstance(error.exc, ForgeError):
                return error.exc.with_traceback(None)
            words = self._redactor.clean(f"{type(error.exc).__name__} {error.exc}".strip())
            return _Silence(words, arrived=not isinstance(error.exc, _NOT_SENT))
        return _Raw(response.status_code, dict(response.headers), response.content)

    def _remember(self, key: tuple[str, str], what: _Remembered) -> None:
        self._etags.pop(key, None)
        self._etags[key] = what
        if len(self._etags) > _MOST_REMEMBERED:
            del self._etags[next(iter(self._etags))]


@dataclass(frozen=True, slots=True)
class _Raw:
    status: int
    headers: Mapping[str, str]
    content: bytes


def _parsed(got: _Raw) -> tuple[Any, bool]:
    """The JSON of an answer, and whether it should have been one but is not."""
    if not got.content.strip():
        return None, False
    try:
        return json_module.loads(got.content), False
    except (ValueError, RecursionError):
        return None, got.status < 400


def _words(got: Answer) -> str:
    return words_of(got.content)


def _is_query(request: _Request) -> bool:
    return request.asked.method == "GraphQL" and request.safe


def _graphql_errors(request: _Request, got: Answer) -> bool:
    """Whether an answer of GraphQL is, or has, an error; it says so with status 200."""
    if request.asked.method != "GraphQL":
        return False
    content = got.content
    return not isinstance(content, Mapping) or bool(content.get("errors")) or content.get("data") is None


def _has_type(got: Answer, *kinds: str) -> bool:
    errors = got.content.get("errors") if isinstance(got.content, Mapping) else None
    return any(isinstance(one, Mapping) and one.get("type") in kinds for one in errors or ())


def _is_passing(words: str) -> bool:
    """GraphQL's own way to say 502: https://docs.github.com/en/graphql/guides/forming-calls-with-graphql."""
    low = words.casefold()
    return "something went wrong while executing" in low or "timed out" in low or "timeout" in low


def _graphql_refused(asked: Asked, got: Answer, words: str) -> RefusedError:
    status = 404 if _has_type(got, "NOT_FOUND") else 403 if _has_type(got, "FORBIDDEN") else 422
    return refused(asked, status, words or "it has no data")


def _unknown(asked: Asked, words: str) -> UnknownError:
    return UnknownError(
        f"{asked} for {asked.repository} was sent, but whether GitHub did it is not known: {words}",
        hint="run again: what is there is looked up first, and nothing is made twice",
    )


def _operation(query: str) -> str:
    """The kind and name of an operation, which are all that comes before its first bracket."""
    return re.split(r"[({]", query, maxsplit=1)[0].strip() or "query"


def _next_link(link: str) -> str | None:
    """The address of the next page in a `Link` header (RFC 8288, as GitHub writes it)."""
    for part in link.split(","):
        address, _, rest = part.strip().partition(">")
        if 'rel="next"' in rest and address.startswith("<"):
            return address[1:]
    return None
