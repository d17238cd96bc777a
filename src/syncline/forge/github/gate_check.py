"""The gate's verdict on GitHub itself: the check run `syncline/gate` of a commit, with what it waits for.

Only Apps may make check runs (a workflow's `GITHUB_TOKEN` is one); with a person's token it is a commit
status of the same name. A branch that requires `syncline/gate` lets nothing land before the gate is green.

The gate must never wait for itself: whoever judges leaves out every result of this name (`lane.verdict` does).
A pattern in a lane's `exempt` is not enough, as what is required beats it, and branch rules may well require
`syncline/gate`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from syncline.checks.gate import GateState, Reason
from syncline.checks.model import is_commit_id
from syncline.errors import ForgeError
from syncline.forge.github.client import Client, Params
from syncline.forge.github.fit import BODY_LIMIT, fit
from syncline.forge.github.trouble import NotFoundError, RefusedError, UnknownError

NAME = "syncline/gate"
_MOST_ROWS = 100
_DESCRIPTION_LIMIT = 140
"""Characters of a status's description: https://docs.github.com/en/rest/commits/statuses."""

_STATUS_STATE = {GateState.GREEN: "success", GateState.WAITING: "pending", GateState.RED: "failure"}


class Verdict(Protocol):
    """What is needed of the gate's answer (`checks.gate.Verdict`)."""

    @property
    def state(self) -> GateState:
        """Green, waiting or red."""

    @property
    def sha(self) -> str:
        """The commit that was judged."""

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """What stands in the way, what is red first."""

    @property
    def counted(self) -> Sequence[object]:
        """The results it rests on."""

    @property
    def ignored(self) -> Sequence[object]:
        """The results left out."""


@dataclass(frozen=True, slots=True)
class Posted:
    """What stands at GitHub now. `changed`: it did not before this call."""

    kind: Literal["check", "status"]
    id: int
    changed: bool


def post(client: Client, verdict: Verdict, *, url: str = "") -> Posted:
    """Have GitHub show a verdict. The same verdict again writes nothing.

    Args:
        client: of the repository.
        verdict: the gate's; its `sha` is the commit that gets the check.
        url: where "Details" leads; empty: to GitHub's own page.

    Raises:
        ForgeError: the commit is none, or GitHub refuses even a status.
    """
    if not is_commit_id(verdict.sha):
        raise ForgeError(f"wanted a full commit id to post {NAME} on, found {verdict.sha!r}")
    there = _check_runs(client, verdict.sha)
    status = _newest_status(client, verdict.sha)
    if status is not None and not there:
        return _post_status(client, verdict, url)  # so it was a person's token before
    posted = _post_check(client, verdict, url, there)
    if posted is None:
        return _post_status(client, verdict, url)
    if status is not None:  # two of one name, by two accounts: a branch that requires it looks at both
        _post_status(client, verdict, url)
    return posted


def title(verdict: Verdict) -> str:
    """The verdict in one line."""
    if verdict.state is GateState.GREEN:
        return f"green: {_number(len(verdict.counted), 'check')} counted, nothing in the way"
    waits = sum(reason.waits for reason in verdict.reasons)
    red = len(verdict.reasons) - waits
    parts = [f"{red} red"] if red else []
    parts += [f"waits for {waits}"] if waits else []
    return ", ".join(parts)


def summary(verdict: Verdict) -> str:
    """What it waits for as a Markdown table, within GitHub's limit."""
    return fit("\n".join(_lines(verdict)), BODY_LIMIT - 1) or title(verdict)


def _lines(verdict: Verdict) -> Iterator[str]:
    if verdict.reasons:
        yield "| | Check | Why | Found |"
        yield "| --- | --- | --- | --- |"
        for reason in verdict.reasons[:_MOST_ROWS]:
            cells = [
                "waits" if reason.waits else "red", _span(reason.check), reason.why.value, _span(reason.detail)
            ]  # fmt: skip
            yield f"| {' | '.join(cells)} |"
        yield ""
        if len(verdict.reasons) > _MOST_ROWS:
            yield f"And {len(verdict.reasons) - _MOST_ROWS} more.\n"
    else:
        yield "Nothing stands in the way.\n"
    yield f"{_number(len(verdict.counted), 'result')} counted, {len(verdict.ignored)} left out."


def _number(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _span(words: str) -> str:
    """Words as a code span in a table: no markup, no mention, whatever is in them."""
    line = " ".join(words.split()).replace("`", "'").replace("|", "\\|")
    return f"`{line}`" if line else ""


def _check_runs(client: Client, sha: str) -> list[Any]:
    """Ours on this commit, newest first."""
    found = _seen(client, f"commits/{sha}/check-runs", {"check_name": NAME}, "check_runs")
    mine = [run for run in found if run.get("name") == NAME and run.get("external_id") == sha]
    return sorted(mine, key=lambda run: -run["id"])


def _newest_status(client: Client, sha: str) -> Any | None:
    found = _seen(client, f"commits/{sha}/statuses")
    return max((one for one in found if one.get("context") == NAME), key=lambda one: one["id"], default=None)


def _seen(client: Client, path: str, params: Params | None = None, key: str = "") -> list[Any]:
    """A list; empty where this account may not see it: it may have the right to one kind alone."""
    try:
        return list(client.pages(path, params, key=key))
    except RefusedError as error:
        if error.status != 403:
            raise
        return []


def _post_check(client: Client, verdict: Verdict, url: str, there: list[Any]) -> Posted | None:
    """Make or change the check run; None: this account may make none."""
    wanted = _check(verdict, url)
    if there and _shows(there[0], wanted):
        return Posted("check", there[0]["id"], changed=False)
    if there and not (there[0].get("status") == "completed" and wanted["status"] != "completed"):
        try:
            return Posted("check", client.patch(f"check-runs/{there[0]['id']}", wanted)["id"], changed=True)
        except RefusedError as error:
            if error.status != 403:  # another App's: make one of our own
                raise
    # GitHub promises nothing of a completed run that is taken back: a new one takes its place.
    try:
        return Posted("check", client.post("check-runs", {**wanted, "head_sha": verdict.sha})["id"], changed=True)
    except UnknownError:
        found = _check_runs(client, verdict.sha)
        if not found or not _shows(found[0], wanted):
            raise
        return Posted("check", found[0]["id"], changed=True)
    except RefusedError as error:
        if error.status != 403 and not isinstance(error, NotFoundError):
            raise
        return None


def _check(verdict: Verdict, url: str) -> dict[str, Any]:
    wanted: dict[str, Any] = {
        "name": NAME, "external_id": verdict.sha, "output": {"title": title(verdict), "summary": summary(verdict)},
    }  # fmt: skip
    if url:
        wanted["details_url"] = url
    if verdict.state is GateState.WAITING:
        return {**wanted, "status": "in_progress"}
    return {**wanted, "status": "completed", "conclusion": _STATUS_STATE[verdict.state]}


def _shows(run: Any, wanted: dict[str, Any]) -> bool:
    output = run.get("output") or {}
    return (
        run.get("status") == wanted["status"]
        and run.get("conclusion") == wanted.get("conclusion")
        and run.get("details_url") == wanted.get("details_url", run.get("details_url"))
        and all(output.get(key) == value for key, value in wanted["output"].items())
    )


def _post_status(client: Client, verdict: Verdict, url: str) -> Posted:
    wanted = {
        "state": _STATUS_STATE[verdict.state], "context": NAME, "description": title(verdict)[:_DESCRIPTION_LIMIT]
    }  # fmt: skip
    if url:
        wanted["target_url"] = url
    there = _newest_status(client, verdict.sha)
    if there is None or not _same(there, wanted):
        try:
            return Posted("status", client.post(f"statuses/{verdict.sha}", wanted)["id"], changed=True)
        except UnknownError:
            there = _newest_status(client, verdict.sha)
            if there is None or not _same(there, wanted):
                raise
            return Posted("status", there["id"], changed=True)
    return Posted("status", there["id"], changed=False)


def _same(there: Any, wanted: dict[str, str]) -> bool:
    return all(there.get(key) == value for key, value in wanted.items())
