"""A server that gives prepared answers and writes down what it was asked: for the client's manners alone."""

import json
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Got:
    method: str
    path: str
    headers: dict[str, str]
    body: Any


@dataclass(frozen=True)
class Reply:
    """`drop`: the connection is closed without a word, after the request was read. `raw` goes out as it is."""

    content: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    drop: bool = False
    hang: float = 0.0


Script = Callable[[Got], Reply]


class AnsweringServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, script: Script) -> None:
        self.script, self.asked = script, list[Got]()
        self.stop = threading.Event()
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that has hung up is what some tests are about."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def _any(self) -> None:
        server = self.server
        assert isinstance(server, AnsweringServer)
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        got = Got(self.command, self.path, headers, json.loads(body) if body else None)
        server.asked.append(got)
        reply = server.script(got)
        if reply.hang:
            server.stop.wait(reply.hang)
        if reply.drop:
            self.close_connection = True
            return
        content = (
            reply.raw
            if reply.raw is not None
            else b""
            if reply.content is None
            else json.dumps(reply.content).encode()
        )
        self.send_response_only(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = _any  # noqa: N815 - the base class's names

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's signature
        """Keep the tests' output quiet."""


@contextmanager
def answering(script: Script) -> Generator[AnsweringServer]:
    with AnsweringServer(script) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.stop.set()
            server.shutdown()
            thread.join()


def in_turn(*replies: Reply) -> Script:
    """Each reply once, in this order; the last one again and again."""
    left = list(replies)
    return lambda got: left.pop(0) if len(left) > 1 else left[0]  # noqa: ARG005 - a script gets the request
