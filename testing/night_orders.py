"""What people order in the nights of a lane, and what may have come of it.

Whatever happens: an order is carried out at most once, and only for somebody who may write to the repository;
while one holds the lane, syncline pushes, opens, marks ready and lands nothing, and asks for no CI.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from testing.github.things import CheckRun, Comment, Pull
from testing.github_lane import GitHubLane

ORDERS = {
    "pause": "pause",
    "resume": "resume",
    "retry": "retry",
    "recheck": "recheck",
    "abort": "abort",
    "take ours": "take ours app.txt",
    "take theirs": "take theirs app.txt",
    "waive": "waive 0123456789ab because nobody knows it",
}
STRANGER = "stranger"
"""Somebody orders all of it who may not write, or may not any more when syncline looks."""

_WHO = "ada"
_RECORD = re.compile(r"^<!-- syncline:orders (\{.*\}) -->$", re.MULTILINE)
_ORDER = re.compile(r"^Syncline-Order: (\S+)$", re.MULTILINE)


@dataclass
class OrderBook:
    """The orders that were given, and what syncline did."""

    lane: GitHubLane
    work: dict[str, str]
    """Commits that must not be lost, with the branch; those made by an order are added."""
    given: dict[int, tuple[str, Comment]] = field(default_factory=dict)
    """The comments that order something, by number: the event and the comment."""
    strangers: list[Comment] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    """What syncline did and must not."""
    _committed: Counter[str] = field(default_factory=Counter)
    _run_again: Counter[int] = field(default_factory=Counter)
    _runs: dict[int, CheckRun] = field(default_factory=dict)

    def give(self, event: str, number: int) -> bool:
        """Comment on the open proposal, or on the newest one; False where there is none."""
        read = self._read_on()
        if not read:
            return False
        people, pull = self.lane.server.people, read[-1]
        if event != STRANGER:
            comment = people.comment(pull.number, f"/syncline {ORDERS[event]}", by=_WHO)
            self.given[comment.id] = event, comment
            return True
        who = f"{STRANGER}-{number}"
        people.user(who, "write" if number % 2 else "triage")
        words = "\n".join(f"/syncline {order}" for order in ORDERS.values())
        self.strangers.append(people.comment(pull.number, words, by=who))
        people.user(who, "read")
        return True

    def expected(self) -> bool | None:
        """Whether a sync that begins now and sees what is so finds the lane held; None: an abort decides."""
        read = self._read_on()
        if not read:
            return False
        pull = read[-1]
        asked = {number: event for number, (event, comment) in self.given.items() if comment.pull == pull.number}
        if pull.state == "open":
            if "abort" in asked.values():
                return None
            holds = [asked[number] for number in sorted(asked) if asked[number] in {"pause", "resume"}]
            return holds[-1:] == ["pause"]
        comment, _, on, *_ = self._record(pull).get("hold", (0, 0, False))
        return bool(on) and not any(event == "resume" and number > comment for number, event in asked.items())

    def watch(self, event: str, action: str, thing: Any) -> None:
        """Look at what syncline does, in the moment in which it does it."""
        match event, action:
            case "push", _:
                name, before, after = thing
                if name.startswith("refs/heads/main2dev/") and after is not None:
                    self._not_while_held(f"pushed {name}")
                    if before is not None:
                        self._pushed(name.removeprefix("refs/heads/"), before, after)
            case "pull_request", "opened" | "ready_for_review":
                self._not_while_held(f"{action}: {thing.number}", but=thing if action == "opened" else None)
            case "pull_request", "closed" if thing.merged is not None:
                self._not_while_held(f"landed {thing.number}")
            case "issue_comment", "created" if thing.body.startswith("/ok to test"):
                self._not_while_held(f"asked for CI on {thing.pull}")
            case "check_run", "rerequested":
                self._not_while_held(f"ran {thing.name} again")
                self._run_again[thing.id] += 1
                self._runs[thing.id] = thing
            case _:
                pass

    def hold(self) -> None:
        """What must be true after every night."""
        assert not self.wrong, self.wrong
        for comment in self.strangers:
            assert {one.content for one in comment.reactions} <= {"confused"}, comment
        for _, comment in self.given.values():
            assert not {one.content for one in comment.reactions} >= {"+1", "confused"}, comment
        for key, times in self._committed.items():
            event = self._event_of(key)
            assert times == 1, f"order {key} was committed {times} times"
            assert event in {"take ours", "take theirs"}, f"commit for {key}: {event}"
        for pull in self.lane.pulls():
            comment, _, on, who, _ = self._record(pull).get("hold", (0, 0, False, _WHO, ""))
            assert who == _WHO
            assert not comment or self._event_of(f"{comment}.0") == ("pause" if on else "resume")
            ended = [body for body in self.lane.comments(pull.number) if body.startswith("Aborted: ")]
            assert not ended or f"{_WHO} ordered it" in ended[0], ended
            assert not ended or "abort" in self._events_on(pull), ended

    def hold_answered(self) -> None:
        """What must be true after a sync that nobody disturbed: every order is answered."""
        for pull in self._read_on():
            seen = self._record(pull).get("seen", {})
            for number, (event, comment) in self.given.items():
                if comment.pull == pull.number:
                    assert seen.get(str(number), ["", [0]])[1] == [], f"{event} of {number} waits: {seen}"

    def held(self, *, but: Pull | None = None) -> bool:
        """Whether syncline says that the lane is held, where everybody can read it."""
        return any(self._record(pull).get("hold", (0, 0, False))[2] for pull in self._read_on(but))

    def carried_out(self, machines: list[GitHubLane]) -> Iterator[str]:
        """Yield the events of the orders that the journals tell of, as `pause: done`.

        None is told twice, or of a stranger; and no check was run again that nobody, and no triage, asked for.
        """
        entries: list[dict[str, Any]] = []
        for machine in machines:
            with machine.context() as context:
                entries += context.journal.read()
        told = [entry for entry in entries if entry["event"] == "order"]
        keys = Counter(entry["key"] for entry in told)
        assert not keys or set(keys.values()) == {1}, keys
        assert {entry["who"] for entry in told} <= {_WHO}
        begun = [entry for entry in entries if entry["event"] == "begin" and entry["action"] == "RetryChecks"]
        for number, times in self._run_again.items():
            sha = self._runs[number].sha
            asked = sum(event == "retry" for event, _ in self.given.values())
            by_itself = sum(entry["details"]["head"] == sha for entry in begun)
            assert times <= asked + by_itself, f"check run {number} was run again {times} times"
        for entry in told:
            yield f"{self._event_of(entry['key'])}: {'done' if entry['done'] else 'not done'}"

    def _read_on(self, but: Pull | None = None) -> list[Pull]:
        # Not `lane.pulls()`: what is asked while the world settles must not settle it.
        world = self.lane.server.world
        pulls = [pull for pull in world.pulls.values() if pull.head.startswith("main2dev/") and pull is not but]
        return [pull for pull in pulls if pull.state == "open"] or pulls[-1:]

    def _record(self, pull: Pull) -> dict[str, Any]:
        for comment in self.lane.server.world.comments_of(pull.number):
            if comment.user.login == "syncline-bot" and (found := _RECORD.search(comment.body)) is not None:
                return json.loads(found[1])
        return {}

    def _events_on(self, pull: Pull) -> list[str]:
        return [event for event, comment in self.given.values() if comment.pull == pull.number]

    def _event_of(self, key: str) -> str:
        """The event of an order by its name; empty where nobody who may gave it."""
        comment, _, index = key.partition(".")
        return self.given[int(comment)][0] if index == "0" and int(comment) in self.given else ""

    def _not_while_held(self, done: str, *, but: Pull | None = None) -> None:
        if self.held(but=but):
            self.wrong.append(f"{done}, while the lane is held")

    def _pushed(self, branch: str, before: str, after: str) -> None:
        bare = self.lane.server.world.bare
        for commit in bare.commits(before, after):
            keys = _ORDER.findall(bare.about(commit)["message"])
            self._committed.update(keys)
            if keys:
                self.work[commit] = branch
