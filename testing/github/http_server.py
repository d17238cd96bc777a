"""The sockets: HTTP/1.1 on the loopback address, with whatever disturbance is planned."""

import contextlib
import http.server
import json
import socket
import struct
import sys
import threading
from collections.abc import Generator
from email.utils import format_datetime
from urllib.parse import urlsplit

from testing.github.disturbances import Delay, Disturbance, Do, Fail, Plan, Reset
from testing.github.request_log import Logged, RequestLog
from testing.github.routing import Answer
from testing.github.service import Request, Service


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def __init__(self, service: Service, plan: Plan, log: RequestLog, root: str) -> None:
        self.service = service
        self.plan = plan
        self.log = log
        self.root = root
        self.stopping = threading.Event()
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that goes away is part of the game; anything else is noted as a fault."""
        del request, client_address
        error = sys.exception()
        if not isinstance(error, ConnectionError):
            self.service.faults.append(f"the server failed: {error!r}")


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server  # type: ignore[assignment]

    def do_GET(self) -> None:
        """Answer whatever method it is."""
        parts = urlsplit(self.path)
        length = int(self.headers.get("Content-Length") or 0)
        headers = {key.lower(): value for key, value in self.headers.items()}
        path = self._without_root(parts.path)
        request = Request(self.command, path, parts.query, headers, self.rfile.read(length))
        noted = Logged(request.method, path, parts.query, _json(request.content), _without_secrets(headers))
        self.server.log.entries.append(noted)
        disturbed = self.server.plan.of(request.method, path)
        for one in disturbed:
            if isinstance(one, Delay):
                self.server.stopping.wait(one.seconds)
            elif isinstance(one, Do):
                one.action()
        if Reset("before") in disturbed:
            self._break_off()
            return
        answer, noted.actor = self._answer(request, disturbed)
        late = next((one for one in disturbed if isinstance(one, Fail) and one.when == "after"), None)
        if late is not None:
            answer = Answer(None, late.status, {"Content-Type": late.kind}, late.content)
        if Reset("after") not in disturbed:
            noted.status = answer.status
        self._send(answer, cut=Reset("after") in disturbed)

    do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_GET  # noqa: N815 - http.server wants these names

    def _answer(self, request: Request, disturbed: list[Disturbance]) -> tuple[Answer, str]:
        try:
            return self.server.service.answer(request, disturbed)
        except Exception as error:  # noqa: BLE001 - a server that fails answers 500 and the test fails
            self.server.service.faults.append(f"{request.method} {request.path}: the server failed: {error!r}")
            return Answer(None, 500, {}, json.dumps({"message": repr(error)}).encode()), ""

    def _without_root(self, path: str) -> str:
        if path.startswith("/_files/"):
            return path
        if self.server.root:
            if path == "/api/graphql":
                return "/graphql"
            path = path.removeprefix(self.server.root) if path.startswith(self.server.root) else f"/outside{path}"
        return path

    def _send(self, answer: Answer, *, cut: bool) -> None:
        content = answer.raw or b""
        self.send_response(answer.status)
        for key, value in answer.headers.items():
            self.send_header(key, value)
        if answer.status not in {204, 304}:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if cut:
            self.wfile.write(content[: len(content) // 2])
            self._break_off()
        elif answer.status not in {204, 304} and self.command != "HEAD":
            self.wfile.write(content)

    def _break_off(self) -> None:
        # A linger time of 0 makes the kernel send RST instead of FIN.
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        with contextlib.suppress(OSError):
            self.wfile.flush()
        self.connection.close()

    def date_time_string(self, timestamp: float | None = None) -> str:
        """The `Date` header, by the server's own clock."""
        del timestamp
        return format_datetime(self.server.service.world.clock.now, usegmt=True)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class has this name
        """Say nothing: the request log has it all."""


def _json(content: bytes) -> object:
    try:
        return json.loads(content) if content else None
    except ValueError:
        return content


def _without_secrets(headers: dict[str, str]) -> dict[str, str]:
    return {key: value for key, value in headers.items() if key != "authorization"}


@contextlib.contextmanager
def serving(service: Service, plan: Plan, log: RequestLog, root: str) -> Generator[str]:
    """Serve in threads and give the address, `http://127.0.0.1:PORT`; the port is free again afterwards."""
    with _Server(service, plan, log, root) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.005}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.stopping.set()
            server.shutdown()
            thread.join()
