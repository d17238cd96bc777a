"""Landing a proposal: as a merge commit, behind the gate, and only what was judged. Off unless a caller asks.

A squash or a rebase leaves the source's commits out of the target's history: the merge base stays where it was,
and the next sync meets every conflict of this one again. So there is one method, and whether the target allows
it is found out before.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

from syncline.checks.gate import OWN_CHECK, GateState, Verdict
from syncline.errors import FenceError, ForgeError
from syncline.forge.github import gate_check
from syncline.forge.github.client import Client
from syncline.forge.github.required import required
from syncline.forge.github.trouble import RefusedError, UnknownError
from syncline.forge.landing import Landing

MERGE = "merge"

_QUERY = """
query Landing($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    autoMergeAllowed
    pullRequest(number: $number) {
      id state isDraft headRefOid baseRefName mergeCommit { oid } mergeStateStatus reviewDecision
      autoMergeRequest { mergeMethod }
      reviews(last: 100, states: [APPROVED, CHANGES_REQUESTED, DISMISSED]) { nodes { state author { login } } }
      baseRef { target { oid } }
    }
  }
}
"""
_METHODS = """
query Methods($owner: String!, $name: String!, $ref: String!) {
  repository(owner: $owner, name: $name) {
    isArchived mergeCommitAllowed squashMergeAllowed rebaseMergeAllowed
    ref(qualifiedName: $ref) { branchProtectionRule { requiresLinearHistory } }
  }
}
"""
_NO_AUTO = """
mutation NoAutoMerge($id: ID!) {
  disablePullRequestAutoMerge(input: {pullRequestId: $id}) { pullRequest { id } }
}
"""
_AUTO = """
mutation AutoMerge($id: ID!, $head: GitObjectID!) {
  enablePullRequestAutoMerge(input: {pullRequestId: $id, mergeMethod: MERGE, expectedHeadOid: $head}) {
    pullRequest { id }
  }
}
"""


@dataclass(frozen=True, slots=True)
class Landed:
    """What landed: the commit on the target; whether it is a merge of the head that was judged; and a sentence."""

    commit: str
    as_merge: bool
    words: str


@dataclass(frozen=True, slots=True)
class _Pull:
    id: str
    state: str
    draft: bool
    head: str
    target: str
    target_sha: str
    commit: str
    auto_method: str
    auto_allowed: bool
    objections: tuple[str, ...]
    """Who asked for changes and has not taken it back."""
    decision: str
    merge_state: str


def look(client: Client, number: int, *, armed_by_us: bool = False) -> Landing:
    """How an open proposal stands to being landed.

    Args:
        client: of the repository.
        number: the proposal's.
        armed_by_us: whether GitHub's auto-merge is how it is to land, so that one by another method is in the way.
    """
    pull = _read(client, number)
    return Landing(
        against=_against(pull) or (_cut_by(pull) if armed_by_us else ""),
        waits="its target wants an approving review first" if pull.decision == "REVIEW_REQUIRED" else "",
        armed=bool(pull.auto_method),
        behind=pull.merge_state == "BEHIND",
    )


def obstacle(client: Client, target: str) -> str:
    """Why nothing can land on a branch as a merge commit, with what to do; empty where it can."""
    return next(_obstacles(client, target), "")


def land(client: Client, number: int, verdict: Verdict, *, target_sha: str, method: str = MERGE) -> Landed:
    """Merge a proposal whose head the gate judged green.

    Args:
        client: of the repository.
        number: the proposal's.
        verdict: the gate's on the head; another head does not land.
        target_sha: the target's tip that the head was made for.
        method: only `merge` is taken; there for those who configure another one to be told why.

    Returns:
        What landed, also when it had landed before.

    Raises:
        FenceError: the head or the target has moved; nothing was changed.
        ForgeError: the gate is not green, the proposal is a draft or closed, or the target does not allow it.
    """
    _require_merge(method)
    pull = _read(client, number)
    if pull.state == "MERGED":
        return _landed(client, number, pull, verdict.sha, target_sha)
    _require_green(number, verdict)
    _require_open(number, pull)
    _require_head(number, pull, verdict.sha)
    _require_consent(number, pull)
    if pull.target_sha != target_sha:
        raise FenceError(
            f"{pull.target} has moved from {target_sha} to {pull.target_sha or 'nowhere'}: what was judged of"
            f" proposal {number} is not what would land",
            hint="sync again: the new commits are merged in and judged",
        )
    _require_allowed(client, pull.target)
    done = _merge(client, number, verdict.sha)
    if isinstance(done, str):
        return _landed(client, number, replace(pull, commit=done), verdict.sha, target_sha)
    now = _read(client, number)
    if now.state == "MERGED":  # refused, since an earlier try of ours had done it
        return _landed(client, number, now, verdict.sha, target_sha)
    if done.status == 409:
        raise FenceError(f"proposal {number} was not merged: {done.words}", hint="look at it and decide again")
    raise done


def _merge(client: Client, number: int, head: str) -> str | RefusedError:
    """The merge commit; or GitHub's no."""
    try:
        # GitHub merges only if the head is still this one; the target it takes as it finds it.
        return client.put(f"pulls/{number}/merge", {"merge_method": MERGE, "sha": head})["sha"]
    except RefusedError as error:
        return error


def land_when_green(client: Client, number: int, *, head_sha: str, method: str = MERGE) -> bool:
    """Have GitHub merge a proposal as soon as its rules hold; False: it was so already.

    Only where the target requires the check `syncline/gate`: else GitHub would not wait for the gate.

    Raises:
        FenceError: its head is another one.
        ForgeError: it is a draft or closed, nothing is left to wait for, or the repository does not allow it.
    """
    _require_merge(method)
    pull = _read(client, number)
    _require_open(number, pull)
    _require_head(number, pull, head_sha)
    _require_consent(number, pull)
    if not any(one.name == OWN_CHECK for one in required(client, pull.target)):
        raise ForgeError(
            f"{pull.target} does not require {OWN_CHECK}: GitHub would merge proposal {number} before"
            " the gate is green",
            hint=f"add {OWN_CHECK} to the required status checks of {pull.target}",
        )
    _require_allowed(client, pull.target)
    if not pull.auto_allowed:
        raise ForgeError(
            f"{client.settings.repository} does not allow auto-merge",
            hint="switch on `Allow auto-merge` in its settings, or land it when it is green",
        )
    if pull.auto_method:
        _require_merge(pull.auto_method.lower())
        return False
    try:
        client.graphql(_AUTO, {"id": pull.id, "head": head_sha})
    except UnknownError:
        if not _read(client, number).auto_method:
            raise
    return True


def disarm(client: Client, number: int) -> None:
    """Take back that GitHub is to merge a proposal; nothing to take back is fine."""
    pull = _read(client, number)
    if not pull.auto_method:
        return
    try:
        client.graphql(_NO_AUTO, {"id": pull.id})
    except (UnknownError, RefusedError):
        now = _read(client, number)
        if now.auto_method and now.state == "OPEN":
            raise


def _obstacles(client: Client, target: str) -> Iterator[str]:
    settings = client.settings
    found = client.graphql(
        _METHODS, {"owner": settings.owner, "name": settings.name, "ref": f"refs/heads/{target}"}
    )["repository"]  # fmt: skip
    if found is None:
        raise ForgeError(f"GitHub knows no repository {settings.repository}", hint="check `repository`")
    if found["isArchived"]:
        yield f"{settings.repository} is archived: unarchive it first"
    if not found["mergeCommitAllowed"]:
        ways = [word for word in ("squash", "rebase") if found[f"{word}MergeAllowed"]]
        only = f", only {' and '.join(ways)}" if ways else ""
        yield (
            f"{settings.repository} does not allow merge commits{only}:"
            " switch on `Allow merge commits` in its settings"
        )
    if ((found["ref"] or {}).get("branchProtectionRule") or {}).get("requiresLinearHistory"):
        yield f"the protection of {target} requires a linear history, which no merge commit keeps: switch that off"
    for rule in client.pages(f"rules/branches/{quote(target, safe='')}"):
        yield from _by_rule(target, rule)


def _by_rule(target: str, rule: Any) -> Iterator[str]:
    parameters = rule.get("parameters") or {}
    match rule.get("type"):
        case "required_linear_history":
            yield f"a ruleset requires a linear history of {target}, which no merge commit keeps: exempt {target}"
        case "pull_request":
            allowed = parameters.get("allowed_merge_methods")
            if allowed and MERGE not in allowed:
                ways = " and ".join(allowed)
                yield f"a ruleset allows only {ways} on {target}: add `merge` to its allowed merge methods"
        case "merge_queue":
            queued = str(parameters.get("merge_method", "MERGE")).lower()
            if queued != MERGE:
                yield f"the merge queue of {target} lands by {queued}: set its merge method to merge commits"
        case _:
            pass


def _read(client: Client, number: int) -> _Pull:
    settings = client.settings
    found = client.graphql(_QUERY, {"owner": settings.owner, "name": settings.name, "number": number})[
        "repository"
    ]
    node = (found or {}).get("pullRequest")
    if node is None:
        raise ForgeError(f"there is no proposal {number} in {settings.repository}")
    return _Pull(
        id=node["id"], state=node["state"], draft=node["isDraft"], head=node["headRefOid"],
        target=node["baseRefName"], target_sha=((node["baseRef"] or {}).get("target") or {}).get("oid", ""),
        commit=(node["mergeCommit"] or {}).get("oid", ""),
        auto_method=(node["autoMergeRequest"] or {}).get("mergeMethod") or "",
        auto_allowed=bool(found["autoMergeAllowed"]),
        objections=_objections(node),
        decision=node["reviewDecision"] or "",
        merge_state=node["mergeStateStatus"] or "",
    )  # fmt: skip


def _objections(node: Any) -> tuple[str, ...]:
    """Those whose last word is no, with write access or without. Oldest first, so the last word of each stays."""
    said = {
        # Each account that is gone is one of its own.
        str((one["author"] or {}).get("login") or f"somebody who left ({place})"): one["state"]
        for place, one in enumerate((node["reviews"] or {}).get("nodes") or (), 1)
        if one is not None
    }
    found = sorted(who for who, state in said.items() if state == "CHANGES_REQUESTED")
    # Beyond a hundred reviews GitHub's own word is all there is.
    return tuple(found) or (("a reviewer",) if node["reviewDecision"] == "CHANGES_REQUESTED" else ())


def _landed(client: Client, number: int, pull: _Pull, head: str, target_sha: str) -> Landed:
    """How it landed in truth: a person or a queue may have done it in another way."""
    if not pull.commit:
        raise ForgeError(
            f"proposal {number} was merged, but GitHub does not show the commit yet", hint="look again in a moment"
        )
    parents = [one["sha"] for one in client.get(f"git/commits/{pull.commit}")["parents"]]
    if len(parents) < 2:
        words = (
            f"proposal {number} landed as {pull.commit}, which is no merge commit: its conflicts will come again"
        )
        return Landed(pull.commit, as_merge=False, words=words)
    if head not in parents:
        words = f"proposal {number} landed as {pull.commit} with another head than {head}, which was judged"
        return Landed(pull.commit, as_merge=False, words=words)
    later = (
        "" if target_sha in parents else f", on top of newer commits of {pull.target} that were not judged with it"
    )
    return Landed(pull.commit, as_merge=True, words=f"proposal {number} landed as {pull.commit}{later}")


def _require_merge(method: str) -> None:
    if method != MERGE:
        raise ForgeError(
            f"a sync must land as a merge commit, not by {method}: else the merge base stays where it was, and"
            " every conflict of this sync comes again in the next",
            hint="land it with `merge`",
        )


def _require_green(number: int, verdict: Verdict) -> None:
    if verdict.state is not GateState.GREEN:
        raise ForgeError(
            f"proposal {number} does not land: the gate is {verdict.state} ({gate_check.title(verdict)})",
            hint="`syncline gate` tells what it waits for",
        )


def _require_open(number: int, pull: _Pull) -> None:
    if pull.state != "OPEN":
        raise ForgeError(f"proposal {number} is {pull.state.lower()}, so it cannot land")
    if pull.draft:
        raise ForgeError(f"proposal {number} is a draft, so it cannot land", hint="make it ready first")


def _require_head(number: int, pull: _Pull, head: str) -> None:
    if pull.head != head:
        raise FenceError(
            f"proposal {number} was to land at {head}, but its head is {pull.head}",
            hint="look at its new head and decide again",
        )


def _against(pull: _Pull) -> str:
    return f"{' and '.join(pull.objections)} asked for changes" if pull.objections else ""


def _cut_by(pull: _Pull) -> str:
    """Why what GitHub is to do would cut the ancestry; empty where it would not."""
    method = pull.auto_method.lower()
    return f"somebody switched on auto-merge by {method}" if method not in {"", MERGE} else ""


def _require_consent(number: int, pull: _Pull) -> None:
    if pull.objections:
        raise ForgeError(
            f"proposal {number} does not land: {_against(pull)}", hint="an approval or a dismissal takes that back"
        )


def _require_allowed(client: Client, target: str) -> None:
    why = obstacle(client, target)
    if why:
        raise ForgeError(f"nothing can land on {target} as a merge commit: {why.split(': ', 1)[0]}",
                         hint=why.split(": ", 1)[-1])  # fmt: skip
