"""Webhooks: what happens becomes signed deliveries; tests say when they are sent, how often and in what order."""

import hashlib
import hmac
import json
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from typing import Any

from testing.github import openapi
from testing.github.shown import accounts, actions, checks, pulls, repository
from testing.github.things import CheckRun, Comment, Pull, Review, Status, WorkflowRun
from testing.github.world import World

JSON = Any


@dataclass(frozen=True, slots=True)
class Delivery:
    """One delivery. The same one sent again has the same `guid`, as when GitHub delivers twice."""

    guid: str
    event: str
    action: str
    content: bytes

    def headers(self, secret: str) -> dict[str, str]:
        """Return the headers that it comes with, signed.

        https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries
        """
        digest = hmac.new(secret.encode(), self.content, hashlib.sha256).hexdigest()
        return {
            "Content-Type": "application/json", "User-Agent": "GitHub-Hookshot/1", "X-GitHub-Delivery": self.guid,
            "X-GitHub-Event": self.event, "X-Hub-Signature-256": f"sha256={digest}",
        }  # fmt: skip

    def send(self, url: str, secret: str) -> int:
        """Deliver it and return the status of the answer."""
        request = urllib.request.Request(url, self.content, self.headers(secret), method="POST")  # noqa: S310 - http
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310
                return answer.status
        except urllib.error.HTTPError as error:
            with error:
                return error.code


@dataclass(slots=True)
class Webhooks:
    """Deliveries of a world, made as things happen; `queue` holds them until a test takes or sends them."""

    world: World
    faults: list[str]
    queue: list[Delivery] = field(default_factory=list)

    def start(self) -> None:
        """Make deliveries from now on."""
        with self.world.lock:
            self.world.listen(self.note)

    def note(self, event: str, action: str, thing: JSON) -> None:
        """Make the delivery of something that just happened, with how things are at this moment."""
        payload = self._payload(action, thing)
        if payload is None:
            return
        if action:
            payload["action"] = action
        sender = self.world.owner
        payload |= {"repository": self._repository(), "sender": accounts.user(self.world, sender)}
        for fault in openapi.faults_of_webhook(event, action, payload):
            self.faults.append(f"webhook {event} {action}: {fault}")
        guid = f"00000000-0000-0000-0000-{self.world.next_id():012d}"
        self.queue.append(Delivery(guid, event, action, json.dumps(payload).encode()))

    def take(self, event: str = "") -> list[Delivery]:
        """Return the waiting deliveries (of one event), oldest first; they wait no longer."""
        with self.world.lock:
            taken = [one for one in self.queue if event in {"", one.event}]
            self.queue = [one for one in self.queue if one not in taken]
            return taken

    def send(self, url: str, secret: str, *, times: int = 1, backwards: bool = False) -> list[int]:
        """Send what waits, each so many `times`, oldest or newest first, and return the answers' status."""
        with self.world.lock:
            self.world.settle()
        waiting = self.take()
        if backwards:
            waiting.reverse()
        return [one.send(url, secret) for one in waiting for _ in range(times)]

    def _repository(self) -> JSON:
        return repository.plain(self.world)

    def _payload(self, action: str, thing: JSON) -> dict[str, JSON] | None:
        world = self.world
        match thing:
            case Pull():
                return self._pull(action, thing)
            case Comment():
                issue = pulls.issue(world, world.pulls[thing.pull])
                shown = {"issue": issue, "comment": pulls.comment(world, thing)}
                return {**shown, "changes": {}} if action == "edited" else shown
            case (Pull() as pull, Review() as review):
                shown = pulls.review(world, pull, review)
                return {
                    "review": {**shown, "state": shown["state"].lower()},
                    "pull_request": pulls.simple(world, pull),
                }
            case CheckRun():
                return {"check_run": self._check_run(thing)}
            case WorkflowRun():
                return {
                    "workflow_run": actions.run(world, thing),
                    "workflow": actions.workflow(world, thing.workflow),
                }
            case Status():
                return self._status(thing)
            case (str() as ref, before, after):
                return self._push(ref, before, after)
            case _:
                return None

    def _pull(self, action: str, one: Pull) -> dict[str, JSON]:
        world = self.world
        more: dict[str, JSON] = {}
        match action:
            case "synchronize":
                more = {"before": one.previous_sha, "after": one.head_sha}
            case "labeled":
                more = {"label": pulls.label(world, one.labels[-1])}
            case "review_requested" if one.reviewers:
                more = {"requested_reviewer": accounts.user(world, one.reviewers[-1])}
            case "review_requested":
                more = {"requested_team": pulls.whole_team(world, one.teams[-1])}
            case "edited":
                more = {"changes": {}}
            case _:
                pass
        return {"number": one.number, "pull_request": pulls.full(world, one), **more}

    def _check_run(self, one: CheckRun) -> JSON:
        suite = checks.suite(self.world, self.world.suites[one.suite])
        for name in ("check_runs_url", "latest_check_runs_count", "head_commit"):
            del suite[name]
        return {**checks.check_run(self.world, one), "check_suite": suite}

    def _status(self, one: Status) -> JSON:
        world, shown = self.world, checks.simple_status(self.world, one)
        names = ("id", "state", "context", "description", "target_url", "created_at", "updated_at", "avatar_url")
        return {
            **{name: shown[name] for name in names}, "sha": one.sha, "name": world.full_name, "branches": [],
            "commit": repository.commit(world, one.sha),
        }  # fmt: skip

    def _push(self, ref: str, before: str | None, after: str | None) -> JSON:
        nothing = "0" * 40
        url = f"{self.world.web}/{self.world.full_name}/compare/{before or nothing}...{after or nothing}"
        forced = before is not None and after is not None and not self.world.bare.contains(after, before)
        return {
            "ref": ref, "before": before or nothing, "after": after or nothing, "created": before is None,
            "deleted": after is None, "forced": forced, "base_ref": None, "compare": url, "commits": [],
            "head_commit": None, "pusher": {"name": self.world.owner.login},
        }  # fmt: skip
