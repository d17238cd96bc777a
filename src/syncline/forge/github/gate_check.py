"""The gate's verdict on GitHub itself: the check run `syncline/gate` of a commit, with what it waits for.

Only Apps may make check runs (a workflow's `GITHUB_TOKEN` is one); with a person's token it is a commit
status of the same name. A branch that requires `syncline/gate` lets nothing land before the gate is green.

The gate must never wait for itself: whoever judges leaves out every result of this name (`lane.verdict` does).
A pattern in a lane's `exempt` is not enough, as what is required beats it, and branch rules may well require
`syncline/gate`.
"""

from collections.abc import Iterator
from typing import Any

from syncline.checks.gate import OWN_CHECK, GateState, Reason, Verdict
from syncline.checks.model import is_commit_id
from syncline.errors import ForgeError
from syncline.forge.github.client import Client, Params
from syncline.forge.github.fit import BODY_LIMIT, fit
from syncline.forge.github.trouble import NotFoundError, RefusedError, UnknownError
from syncline.forge.protocol import Shown
from syncline.markup import markdown

_MOST_ROWS = 100
_DESCRIPTION_LIMIT = 140
"""Characters of a status's description: https://docs.github.com/en/rest/commits/statuses."""

_STATUS_STATE = {GateState.GREEN: "success", GateState.WAITING: "pending", GateState.RED: "failure"}


def post(client: Client, verdict: Verdict, *, url: str = "") -> Shown:
    """Have GitHub show a verdict. The same verdict again writes nothing.

    Args:
        client: of the repository.
        verdict: the gate's; its `sha` is the commit that gets the check.
        url: where "Details" leads; empty: to GitHub's own page.

    Raises:
        ForgeError: the commit is none, or GitHub refuses even a status.
    """
    if not is_commit_id(verdict.sha):
        raise ForgeError(f"wanted a full commit id to post {OWN_CHECK} on, found {verdict.sha!r}")
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


def is_posted(client: Client, verdict: Verdict, *, url: str = "") -> bool:
    """Whether GitHub shows a verdict, so that `post` would write nothing."""
    there = _check_runs(client, verdict.sha)
    status = _newest_status(client, verdict.sha)
    shown = [_shows(run, _check(verdict, url)) for run in there[:1]]
    shown += [_same(status, _status(verdict, url))] if status is not None else []
    return bool(shown) and all(shown)


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
        yield markdown.table(("", "Check", "Why", "Found"), [_row(one) for one in verdict.reasons[:_MOST_ROWS]])
        if len(verdict.reasons) > _MOST_ROWS:
            yield f"And {len(verdict.reasons) - _MOST_ROWS} more.\n"
    else:
        yield "Nothing stands in the way.\n"
    yield f"{_number(len(verdict.counted), 'result')} counted, {len(verdict.ignored)} left out."


def _row(reason: Reason) -> tuple[str, ...]:
    check, found = (markdown.code(words) if words else "" for words in (reason.check, reason.detail))
    return "waits" if reason.waits else "red", check, reason.why.value, found


def _number(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _check_runs(client: Client, sha: str) -> list[Any]:
    """Ours on this commit, newest first."""
    found = _seen(client, f"commits/{sha}/check-runs", {"check_name": OWN_CHECK}, "check_runs")
    mine = [run for run in found if run.get("name") == OWN_CHECK and run.get("external_id") == sha]
    return sorted(mine, key=lambda run: -run["id"])


def _newest_status(client: Client, sha: str) -> Any | None:
    found = _seen(client, f"commits/{sha}/statuses")
    return max((one for one in found if one.get("context") == OWN_CHECK), key=lambda one: one["id"], default=None)


def _seen(client: Client, path: str, params: Params | None = None, key: str = "") -> list[Any]:
    """A list; empty where this account may not see it: it may have the right to one kind alone."""
    try:
        return list(client.pages(path, params, key=key))
    except RefusedError as error:
        if error.status == 403:
            return []
        if error.status not in {404, 422}:
            raise
    raise ForgeError(
        f"GitHub has no commit {path.split('/')[1]} in {client.settings.repository} to show the gate's verdict on",
        hint="push it first; and check `repository`, and that the token may read it",
    )


def _post_check(client: Client, verdict: Verdict, url: str, there: list[Any]) -> Shown | None:
    """Make or change the check run; None: this account may make none."""
    wanted = _check(verdict, url)
    if there and _shows(there[0], wanted):
        return Shown("check", there[0]["id"], changed=False)
    if there and not (there[0].get("status") == "completed" and wanted["status"] != "completed"):
        try:
            return Shown("check", client.patch(f"check-runs/{there[0]['id']}", wanted)["id"], changed=True)
        except RefusedError as error:
            if error.status != 403:  # another App's: make one of our own
                raise
    # GitHub promises nothing of a completed run that is taken back: a new one takes its place.
    try:
        return Shown("check", client.post("check-runs", {**wanted, "head_sha": verdict.sha})["id"], changed=True)
    except UnknownError:
        found = _check_runs(client, verdict.sha)
        if not found or not _shows(found[0], wanted):
            raise
        return Shown("check", found[0]["id"], changed=True)
    except RefusedError as error:
        if error.status != 403 and not isinstance(error, NotFoundError):
            raise
        return None


def _check(verdict: Verdict, url: str) -> dict[str, Any]:
    wanted: dict[str, Any] = {
        "name": OWN_CHECK, "external_id": verdict.sha,
        "output": {"title": title(verdict), "summary": summary(verdict)},
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
        # White space around a text is nothing to write it again for, should GitHub drop it.
        and all((output.get(key) or "").strip() == value.strip() for key, value in wanted["output"].items())
    )


def _status(verdict: Verdict, url: str) -> dict[str, str]:
    wanted = {
        "state": _STATUS_STATE[verdict.state], "context": OWN_CHECK,
        "description": title(verdict)[:_DESCRIPTION_LIMIT],
    }  # fmt: skip
    if url:
        wanted["target_url"] = url
    return wanted


def _post_status(client: Client, verdict: Verdict, url: str) -> Shown:
    wanted = _status(verdict, url)
    there = _newest_status(client, verdict.sha)
    if there is None or not _same(there, wanted):
        try:
            return Shown("status", client.post(f"statuses/{verdict.sha}", wanted)["id"], changed=True)
        except UnknownError:
            there = _newest_status(client, verdict.sha)
            if there is None or not _same(there, wanted):
                raise
            return Shown("status", there["id"], changed=True)
    return Shown("status", there["id"], changed=False)


def _same(there: Any, wanted: dict[str, str]) -> bool:
    return all(there.get(key) == value for key, value in wanted.items())
