"""Answers one request: who asks, what for, is it allowed, does the answer fit GitHub's description. No sockets."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import parse_qsl

from testing.github import openapi, rest
from testing.github.actors import Actor
from testing.github.authentication import actor_of, check_rights
from testing.github.disturbances import Disturbance, Fail, PrimaryLimit, SecondaryLimit, Stale
from testing.github.graphql.execute import execute
from testing.github.rest.actions import stored_file
from testing.github.routing import Answer, Call, RefusedError, find_route
from testing.github.world import World

JSON = Any


@dataclass(frozen=True, slots=True)
class Request:
    """What came in. `path` is without the root of the API; `headers` have lower-case names."""

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    content: bytes

    @property
    def body(self) -> JSON:
        """The JSON that came; None: nothing came."""
        return json.loads(self.content) if self.content else None


@dataclass(slots=True)
class Service:
    """The world behind an interface of requests and answers. `faults` says where one of them broke the rules."""

    world: World
    faults: list[str] = field(default_factory=list)

    def answer(self, request: Request, disturbed: list[Disturbance]) -> tuple[Answer, str]:
        """Return the answer to a request, and the login of who made it."""
        if request.path.startswith("/_files/"):
            return self._file(request), ""
        assert rest.MODULES, "the routes are registered by importing them"
        with self.world.lock:
            world = self.world
            if _only_reads(request):
                world = next((one.world for one in disturbed if isinstance(one, Stale)), world)
            actor, resource = Actor(), "graphql" if request.path == "/graphql" else "core"
            try:
                failed = self._failed(request, disturbed)
                actor = actor_of(world, request.headers.get("authorization"))
                counts = request.path != "/rate_limit"
                if failed is None and counts and not world.rate.take(world.clock.now):
                    failed = self._limited(request, PrimaryLimit())
                answer = failed or self._served(world, actor, request)
            except RefusedError as refused:
                answer = Answer(refused.body, refused.status, refused.headers)
            answer = _with_etag(request, answer)
            if answer.status == 304:
                world.rate.give_back()
            more = {
                **world.rate.headers(world.clock.now, resource),
                "x-github-media-type": "github.v3; format=json",
                "x-github-request-id": f"{self.world.next_id():X}",
            }
            answer = replace(answer, headers={**more, **answer.headers})
        return answer, actor.user.login if actor.user else ""

    def _failed(self, request: Request, disturbed: list[Disturbance]) -> Answer | None:
        for one in disturbed:
            match one:
                case Fail(when="before"):
                    return Answer(None, one.status, {"Content-Type": one.kind}, one.content)
                case SecondaryLimit(status, retry_after):
                    words = (
                        "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
                    )
                    headers = {} if retry_after is None else {"retry-after": str(retry_after)}
                    where = "https://docs.github.com/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits"
                    return Answer({"message": words, "documentation_url": where}, status, headers)
                case PrimaryLimit():
                    return self._limited(request, one)
                case _:
                    pass
        return None

    def _limited(self, request: Request, limit: PrimaryLimit) -> Answer:
        message = "API rate limit exceeded for user ID 1."
        reset = int(self.world.clock.now.timestamp()) + limit.reset_in
        if self.world.rate.used >= self.world.rate.limit and self.world.rate.reset is not None:
            reset = int(self.world.rate.reset.timestamp())
        headers = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(reset)}
        if request.path == "/graphql":
            return Answer({"errors": [{"type": "RATE_LIMITED", "message": message}]}, 200, headers)
        return Answer({"message": message}, limit.status, headers)

    def _file(self, request: Request) -> Answer:
        with self.world.lock:
            found = stored_file(self.world, request.path.removeprefix("/_files/"))
        if request.headers.get("authorization"):
            # They lie elsewhere; a token sent along a redirect is a token given away.
            self.faults.append(f"GET {request.path}: a token was sent to the store of logs and artifacts")
        kind = "text/plain; charset=utf-8" if request.path.endswith(".txt") else "application/zip"
        return Answer(status=404) if found is None else Answer(raw=found, headers={"Content-Type": kind})

    def _served(self, world: World, actor: Actor, request: Request) -> Answer:
        world.settle()
        try:
            if request.path == "/graphql":
                return self._graphql(world, actor, request)
            return self._rest(world, actor, request)
        finally:
            world.settle()

    def _graphql(self, world: World, actor: Actor, request: Request) -> Answer:
        if actor.user is None:
            raise RefusedError(401, "This endpoint requires you to be authenticated.")
        body, faults = execute(world, actor, request.body)
        self.faults += [f"POST /graphql: {fault}" for fault in faults]
        return Answer(body)

    def _rest(self, world: World, actor: Actor, request: Request) -> Answer:
        moved = self._moved(world, request)
        if moved is not None:
            return moved
        own = f"/repositories/{world.id}"
        place = request.path
        if place == own or place.startswith(f"{own}/"):
            place = f"/repos/{world.full_name}{place.removeprefix(own)}"
        found = find_route(request.method, place)
        if found is None:
            self._fault(request, "the test server has no such route")
            raise RefusedError(404, "Not Found")
        route, path = found
        given = dict(parse_qsl(request.query, keep_blank_values=True))
        query, faults = openapi.faults_of_query(route.method, route.template, given)
        faults += openapi.faults_of_body(route.method, route.template, request.body)
        for fault in faults:
            self._fault(request, fault)
        if faults:
            raise RefusedError(422, "Invalid request.\n\n" + "\n".join(faults))
        check_rights(actor, request.method, route.needs, route.role)
        asked = f"{path['owner']}/{path['repo']}".lower() if "owner" in path else None
        if asked not in {None, world.full_name.lower()}:
            raise RefusedError(404, "Not Found")
        if world.settings["archived"] and request.method != "GET":
            raise RefusedError(403, "Repository was archived so is read-only.")
        call = Call(world, actor, path, query, request.body, request.method, world.api + request.path)
        answer = route.handler(call)
        faults = openapi.faults_of_answer(route.method, route.template, answer.status, answer.json)
        for fault in faults:
            self._fault(request, f"the server's own answer does not fit: {fault}")
        return Answer({"message": "\n".join(faults)}, 500) if faults else answer

    def _moved(self, world: World, request: Request) -> Answer | None:
        """Redirect to the repository's number whoever asks for a name that it had before."""
        for name in world.old_names:
            root = f"/repos/{name}"
            if request.path == root or request.path.startswith(f"{root}/"):
                query = f"?{request.query}" if request.query else ""
                place = f"{world.api}/repositories/{world.id}{request.path.removeprefix(root)}{query}"
                status = 301 if request.method == "GET" else 307
                body = {
                    "message": "Moved Permanently",
                    "url": place,
                    "documentation_url": "https://docs.github.com",
                }
                return Answer(body, status, {"Location": place})
        return None

    def _fault(self, request: Request, fault: str) -> None:
        query = f"?{request.query}" if request.query else ""
        self.faults.append(f"{request.method} {request.path}{query}: {fault}")


def _only_reads(request: Request) -> bool:
    if request.path != "/graphql":
        return request.method == "GET"
    return not str((request.body or {}).get("query", "")).lstrip().startswith("mutation")


def _with_etag(request: Request, answer: Answer) -> Answer:
    """Return the answer as bytes, with its fingerprint; without content when the client has it already."""
    headers = dict(answer.headers)
    content = answer.raw or b""
    if answer.json is not None:
        content = json.dumps(answer.json, separators=(",", ":")).encode()
        headers.setdefault("Content-Type", "application/json; charset=utf-8")
    if request.method == "GET" and answer.status == 200:
        headers["ETag"] = f'W/"{hashlib.sha256(content).hexdigest()}"'
        if request.headers.get("if-none-match") == headers["ETag"]:
            return Answer(status=304, headers={"ETag": headers["ETag"]}, raw=b"")
    return Answer(None, answer.status, headers, content)
