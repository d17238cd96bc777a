"""Large files from GitHub: streamed to disk, bounded in size, never with the token to where they really lie.

GitHub answers with a redirect to a signed address at a store of its own. That address is a secret for as long
as it holds, so no message shows it.
"""

import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urljoin

import httpx

from syncline.errors import ForgeError
from syncline.forge.github.client import ANSWER_SECONDS, CONNECT_SECONDS, TRIES, Client
from syncline.forge.github.limits import LONGEST_WAIT, Wait, limit_wait
from syncline.forge.github.trouble import Asked, refused

_HOPS = 5
_CHUNK = 1 << 16
_MOVED = frozenset({301, 307, 308})
"""How GitHub redirects where a repository was renamed: to another address of its API."""
_ELSEWHERE = frozenset({302, 303})
"""How it redirects to the store."""


class TooLargeError(ForgeError):
    """The file is larger than the caller takes; nothing was kept of it."""


class _PassingError(Exception):
    """It may be better the next time."""

    def __init__(self, words: str, seconds: float | None = None) -> None:
        super().__init__(words)
        self.seconds = seconds


def download(client: Client, path: str, to: Path, *, limit: int, shorten: bool = False) -> int:
    """Stream what GitHub has at `path` to a file, which appears when it is complete.

    Args:
        client: of the repository.
        path: below the repository, as `actions/jobs/7/logs`.
        to: the file; its directory exists.
        limit: bytes that are kept.
        shorten: of more, keep the first and the last half of `limit` with a line between them.

    Returns:
        How many bytes there were.

    Raises:
        TooLargeError: there is more than `limit`, and it may not be shortened.
        NotFoundError: there is no such file, or none any more.
        ForgeError: GitHub refuses or does not answer.
    """
    shown = f"/repos/{client.settings.repository}/{path}"
    asked = Asked("GET", shown, client.settings.repository)
    part = to.with_name(f"{to.name}.part")
    waited = 0.0
    try:
        for attempt in range(TRIES):
            try:
                with _opened(client, asked) as answer:
                    size = _write(answer.iter_bytes(_CHUNK), part, asked, limit, shorten=shorten)
            except _PassingError as error:
                waited += _pause(client, error, attempt, waited, asked)
            except (httpx.HTTPError, httpx.StreamError) as error:
                passing = _PassingError(type(error).__name__)  # its words may hold the address
                waited += _pause(client, passing, attempt, waited, asked)
            else:
                part.replace(to)
                return size
    finally:
        part.unlink(missing_ok=True)
    raise ForgeError(f"{asked} for {asked.repository} failed {TRIES} times", hint="try again later")


def shortened(chunks: Iterable[bytes], limit: int) -> Iterator[bytes]:
    """The same bytes, or where they are more than `limit` the first and last half of it and a line between."""
    head = limit // 2
    tail: deque[bytes] = deque()
    held = dropped = 0
    for chunk in chunks:
        if head:
            yield chunk[:head]
        rest = chunk[head:]
        head = max(0, head - len(chunk))
        if rest:
            tail.append(rest)
            held += len(rest)
        while held - len(tail[0] if tail else b"") >= limit - limit // 2 and len(tail) > 1:
            gone = len(tail.popleft())
            held -= gone
            dropped += gone
    over = held - (limit - limit // 2)
    if over > 0:
        tail[0] = tail[0][over:]
        dropped += over
    if dropped:
        yield f"\n[... {dropped} bytes left out ...]\n".encode()
    yield from tail


def _write(chunks: Iterator[bytes], part: Path, asked: Asked, limit: int, *, shorten: bool) -> int:
    size = 0

    def counted() -> Iterator[bytes]:
        nonlocal size
        for chunk in chunks:
            size += len(chunk)
            if size > limit and not shorten:
                raise TooLargeError(
                    f"{asked} for {asked.repository} gives more than the {limit} bytes that are taken",
                    hint="look at it on GitHub",
                )
            yield chunk

    with part.open("wb") as file:
        for chunk in shortened(counted(), limit) if shorten else counted():
            file.write(chunk)
    return size


def _pause(client: Client, error: _PassingError, attempt: int, waited: float, asked: Asked) -> float:
    """Wait before the next try; ForgeError when there shall be none."""
    seconds = 2.0**attempt if error.seconds is None else error.seconds
    if attempt + 1 >= TRIES or waited + seconds > LONGEST_WAIT:
        raise ForgeError(
            f"{asked} for {asked.repository} failed {attempt + 1} times: {error}", hint="try again later"
        ) from None
    client.wait(Wait(seconds, str(error)))
    return seconds


@contextmanager
def _opened(client: Client, asked: Asked) -> Generator[httpx.Response]:
    """The answer that has the file, its body not read yet."""
    url, signed = client.settings.api + asked.path, True
    with ExitStack() as stack:
        outside = stack.enter_context(
            httpx.Client(timeout=httpx.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS), trust_env=True)
        )
        for _ in range(_HOPS):
            got = client.stream(url) if signed else outside.stream("GET", url, follow_redirects=False)
            answer = stack.enter_context(got)
            if answer.status_code not in _MOVED | _ELSEWHERE:
                _require_good(answer, asked, ours=signed)
                yield answer
                return
            next_url = _address(url, answer.headers.get("location", ""))
            if next_url is None:
                break
            url = next_url
            signed = signed and answer.status_code in _MOVED and url.startswith(client.settings.api + "/")
        raise ForgeError(f"{asked} for {asked.repository} is redirected to nowhere", hint="check `api`")


def _address(base: str, location: str) -> str | None:
    try:
        url = urljoin(base, location)
        return url if httpx.URL(url).scheme in {"http", "https"} else None
    except (ValueError, httpx.InvalidURL):
        return None


def _require_good(answer: httpx.Response, asked: Asked, *, ours: bool) -> None:
    status = answer.status_code
    if status == httpx.codes.OK:
        return
    if not ours:  # the signed address holds a minute only: ask for a new one
        raise _PassingError(f"GitHub's store answered {status}")
    words = _words(answer)
    headers = {name.lower(): value for name, value in answer.headers.items()}
    limit = limit_wait(status, headers, words, now=time.time(), again=0)
    if limit is not None:
        raise _PassingError(limit.why, limit.seconds)
    if status >= httpx.codes.INTERNAL_SERVER_ERROR or status < httpx.codes.BAD_REQUEST:
        raise _PassingError(f"GitHub answered {status}")
    raise refused(asked, status, words)


def _words(answer: httpx.Response) -> str:
    try:
        answer.read()
        content = answer.json()
    except ValueError:
        return ""
    return str(content.get("message", ""))[:200] if isinstance(content, dict) else ""
