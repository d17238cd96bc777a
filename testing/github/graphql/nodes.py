"""The test GitHub's things as GraphQL has them. A field's value, or a function of its arguments that gives it."""

from typing import Any

from testing.github.actors import Actor, User
from testing.github.bare import Change
from testing.github.clock import iso
from testing.github.graphql.connection import connection
from testing.github.graphql.leaves import account, app, label, reaction, reaction_name
from testing.github.landing import approving, latest_reviews, merge_state, mergeable, needed_approvals
from testing.github.shown import accounts, checks
from testing.github.things import CheckRun, Comment, Pull, Review, Status, Suite
from testing.github.world import World

JSON = Any


def comment(world: World, actor: Actor, one: Comment) -> JSON:
    """Return `IssueComment`."""
    return {
        "__typename": "IssueComment", "id": f"IC_{one.id}", "databaseId": one.id, "body": one.body,
        "author": account(world, one.user), "authorAssociation": accounts.association(world, one.user),
        "createdAt": iso(one.created), "updatedAt": iso(one.updated),
        "url": f"{world.web}/{world.full_name}/pull/{one.pull}#issuecomment-{one.id}",
        "pullRequest": lambda: pull(world, actor, world.pulls[one.pull]),
        "reactions": lambda content=None, **page: connection(
            [each for each in one.reactions if content in {None, reaction_name(each)}],
            lambda each: reaction(world, each),
            **page,
        ),
    }  # fmt: skip


def review(world: World, actor: Actor, of: Pull, one: Review) -> JSON:
    """Return `PullRequestReview`."""
    return {
        "__typename": "PullRequestReview", "id": f"PRR_{one.id}", "databaseId": one.id, "state": one.state,
        "body": one.body, "author": account(world, one.user), "submittedAt": iso(one.submitted),
        "authorAssociation": accounts.association(world, one.user),
        "url": f"{world.web}/{world.full_name}/pull/{of.number}#pullrequestreview-{one.id}",
        "commit": lambda: commit(world, actor, one.sha),
    }  # fmt: skip


def repository(world: World, actor: Actor, fork: User | None = None) -> JSON:
    """Return `Repository`; of a fork little is known."""
    settings = world.settings
    if fork is not None:
        name = f"{fork.login}/{world.name}"
        return {
            "__typename": "Repository", "id": f"R_{fork.id}", "databaseId": fork.id, "name": world.name,
            "nameWithOwner": name, "owner": account(world, fork), "url": f"{world.web}/{name}", "isFork": True,
        }  # fmt: skip
    role = actor.user.role.upper() if actor.user and actor.user.role != "none" else None

    def pull_requests(
        states: list[str] | None = None, headRefName: str | None = None,  # noqa: N803 - GitHub's name
        baseRefName: str | None = None, labels: list[str] | None = None, orderBy: JSON = None,  # noqa: N803
        **page: JSON,
    ) -> JSON:  # fmt: skip
        found = [
            one
            for one in world.pulls.values()
            if (not states or pull_state(one) in states)
            and headRefName in {None, one.head}
            and baseRefName in {None, one.base}
            and (not labels or {each.name for each in one.labels} & set(labels))
        ]
        if orderBy and orderBy["field"] == "UPDATED_AT":
            found.sort(key=lambda one: one.updated)
        if orderBy and orderBy["direction"] == "DESC":
            found.reverse()
        return connection(found, lambda one: pull(world, actor, one), **page)

    def named_object(oid: str | None = None, expression: str | None = None) -> JSON:
        sha = world.bare.commit(oid or expression or "")
        return commit(world, actor, sha) if sha else None

    return {
        "__typename": "Repository", "id": f"R_{world.id}", "databaseId": world.id, "name": world.name,
        "nameWithOwner": world.full_name, "owner": account(world, world.owner), "isArchived": settings["archived"],
        "isFork": settings["fork"], "isPrivate": settings["private"], "url": f"{world.web}/{world.full_name}",
        "mergeCommitAllowed": settings["allow_merge_commit"], "squashMergeAllowed": settings["allow_squash_merge"],
        "rebaseMergeAllowed": settings["allow_rebase_merge"], "autoMergeAllowed": settings["allow_auto_merge"],
        "deleteBranchOnMerge": settings["delete_branch_on_merge"], "viewerPermission": role,
        "defaultBranchRef": lambda: ref(world, actor, f"refs/heads/{world.default_branch}"),
        "ref": lambda qualifiedName: ref(world, actor, _full(world, qualifiedName)),  # noqa: N803
        "object": named_object, "pullRequests": pull_requests,
        "pullRequest": lambda number: pull(world, actor, world.pulls[number]) if number in world.pulls else None,
        "label": lambda name: label(found) if (found := world.label(name)) else None,
    }  # fmt: skip


def _full(world: World, name: str) -> str:
    names = (name, f"refs/heads/{name}", f"refs/tags/{name}", f"refs/{name}")
    return next((one for one in names if one.startswith("refs/") and world.bare.ref(one)), name)


def ref(world: World, actor: Actor, name: str) -> JSON:
    """Return `Ref`."""
    tip = world.bare.ref(name)
    if tip is None:
        return None
    prefix = "/".join(name.split("/")[:2]) + "/"
    branch = name.removeprefix(prefix)
    return {
        "__typename": "Ref", "id": f"REF_{name}", "name": branch, "prefix": prefix,
        "target": lambda: commit(world, actor, tip),
        "branchProtectionRule": lambda: _protection(world, actor, branch) if prefix == "refs/heads/" else None,
    }  # fmt: skip


def _protection(world: World, actor: Actor, branch: str) -> JSON:
    found = world.protections.get(branch)
    if found is None or not (actor.has_role("write") or actor.permissions):
        return None
    apps = {one.id: one for one in world.apps.values()}
    wanted = found.checks or []
    return {
        "__typename": "BranchProtectionRule", "id": f"BPR_{branch}", "pattern": branch,
        "requiresStatusChecks": found.checks is not None, "requiresStrictStatusChecks": found.strict,
        "requiredStatusCheckContexts": [context for context, _ in wanted],
        "requiredStatusChecks": [
            {"context": context, "app": app(apps[owner]) if owner in apps else None} for context, owner in wanted
        ],
        "requiredApprovingReviewCount": found.approvals, "requiresLinearHistory": found.linear_history,
        "isAdminEnforced": found.enforce_admins, "requiresCommitSignatures": found.signatures,
        "requiresCodeOwnerReviews": found.code_owners,
    }  # fmt: skip


def commit(world: World, actor: Actor, sha: str) -> JSON:
    """Return `Commit`."""
    about = world.bare.about(sha)

    def person(who: str) -> JSON:
        return {"name": about[who], "email": about[f"{who}_email"], "date": about[f"{who}_date"]}

    return {
        "__typename": "Commit", "id": f"C_{sha}", "oid": sha, "abbreviatedOid": sha[:7],
        "message": about["message"], "messageHeadline": about["message"].split("\n", 1)[0],
        "committedDate": about["committer_date"], "authoredDate": about["author_date"],
        "author": person("author"), "committer": person("committer"),
        "url": f"{world.web}/{world.full_name}/commit/{sha}",
        "statusCheckRollup": lambda: rollup(world, actor, sha),
        "checkSuites": lambda filterBy=None, **page: connection(  # noqa: N803
            [one for one in world.suites.values() if one.sha == sha and _fits(one, filterBy)],
            lambda one: suite(world, actor, one),
            **page,
        ),
        "parents": lambda **page: connection(
            about["parents"].split(), lambda one: commit(world, actor, one), **page
        ),
        "associatedPullRequests": lambda orderBy=None, **page: connection(  # noqa: N803, ARG005
            [one for one in world.pulls.values() if sha in {one.merge_commit, one.head_sha}],
            lambda one: pull(world, actor, one),
            **page,
        ),
    }  # fmt: skip


def _fits(one: Suite, wanted: JSON) -> bool:
    return not wanted or wanted.get("appId") in {None, one.app.id}


def rollup(world: World, actor: Actor, sha: str) -> JSON:
    """Return `StatusCheckRollup`; None when nothing was ever reported for the commit."""
    runs, statuses = world.checks_of(sha), world.statuses_of(sha)
    if not runs and not statuses:
        return None
    items: list[CheckRun | Status] = [*runs, *statuses]

    def shown(one: CheckRun | Status) -> JSON:
        if isinstance(one, CheckRun):
            return check_run(world, actor, one)
        return status(world, one)

    return {
        "__typename": "StatusCheckRollup", "id": f"SCR_{sha}", "state": _rollup_state(runs, statuses),
        "commit": lambda: commit(world, actor, sha),
        "contexts": lambda **page: {
            **connection(items, shown, **page), "checkRunCount": len(runs), "statusContextCount": len(statuses),
        },
    }  # fmt: skip


def _rollup_state(runs: list[CheckRun], statuses: list[Status]) -> str:
    ends = {one.conclusion or "pending" for one in runs} | {one.state for one in statuses}
    if ends - {"success", "neutral", "skipped", "pending"}:
        return "FAILURE"
    return "PENDING" if "pending" in ends else "SUCCESS"


def required(
    world: World, sha: str, name: str, app_id: int | None, number: int | None, pull_id: str | None
) -> bool:
    """Return whether a context is required for a pull request."""
    if number is None:
        number = int((pull_id or "PR_0").removeprefix("PR_"))
    of = world.pulls.get(number)
    if of is None or of.head_sha != sha:
        return False
    return any(name == context and owner in {None, -1, app_id} for context, owner in world.required(of.base))


def check_run(world: World, actor: Actor, one: CheckRun) -> JSON:
    """Return `CheckRun`."""
    web = f"{world.web}/{world.full_name}/runs/{one.id}"
    return {
        "__typename": "CheckRun", "id": f"CR_{one.id}", "databaseId": one.id, "name": one.name,
        "status": one.status.upper(), "conclusion": one.conclusion.upper() if one.conclusion else None,
        "startedAt": iso(one.started), "completedAt": iso(one.completed), "detailsUrl": one.details_url or web,
        "externalId": one.external_id, "url": web, "title": one.title, "summary": one.summary, "text": one.text,
        "isRequired": lambda pullRequestNumber=None, pullRequestId=None: required(  # noqa: N803
            world, one.sha, one.name, one.app.id, pullRequestNumber, pullRequestId
        ),
        "checkSuite": lambda: suite(world, actor, world.suites[one.suite]),
        "annotations": lambda **page: connection(one.annotations, _annotation, **page),
    }  # fmt: skip


def _annotation(one: JSON) -> JSON:
    return {
        "path": one["path"], "message": one["message"], "title": one.get("title"),
        "rawDetails": one.get("raw_details"), "annotationLevel": one["annotation_level"].upper(),
    }  # fmt: skip


def suite(world: World, actor: Actor, one: Suite) -> JSON:
    """Return `CheckSuite`."""
    state, conclusion = checks.suite_state(world, one)
    return {
        "__typename": "CheckSuite", "id": f"CS_{one.id}", "databaseId": one.id, "app": app(one.app),
        "status": state.upper(), "conclusion": conclusion.upper() if conclusion else None,
        "createdAt": iso(one.created), "updatedAt": iso(one.updated),
        "url": f"{world.web}/{world.full_name}/commit/{one.sha}/checks?check_suite_id={one.id}",
        "workflowRun": lambda: workflow_run(world, actor, one),
        "branch": lambda: ref(world, actor, f"refs/heads/{one.branch}") if one.branch else None,
        "commit": lambda: commit(world, actor, one.sha),
        "checkRuns": lambda filterBy=None, **page: connection(  # noqa: N803
            [each for each in world.checks_of(one.sha) if each.suite == one.id and _wanted(each, filterBy)],
            lambda each: check_run(world, actor, each),
            **page,
        ),
    }  # fmt: skip


def _wanted(one: CheckRun, wanted: JSON) -> bool:
    return not wanted or wanted.get("checkName") in {None, one.name}


def workflow_run(world: World, actor: Actor, of: Suite) -> JSON:
    """Return `WorkflowRun`; None for a suite of another App."""
    if of.run is None:
        return None
    one = world.runs[of.run]
    web = f"{world.web}/{world.full_name}/actions"
    workflow = {
        "__typename": "Workflow", "id": f"W_{one.workflow.id}", "databaseId": one.workflow.id,
        "name": one.workflow.name, "url": f"{web}/workflows/{one.workflow.path.rsplit('/', 1)[-1]}",
    }  # fmt: skip
    return {
        "__typename": "WorkflowRun", "id": f"WFR_{one.id}", "databaseId": one.id, "event": one.event,
        "runNumber": one.number, "createdAt": iso(one.created), "updatedAt": iso(one.started),
        "url": f"{web}/runs/{one.id}", "workflow": workflow, "checkSuite": lambda: suite(world, actor, of),
    }  # fmt: skip


def status(world: World, one: Status) -> JSON:
    """Return `StatusContext`."""
    return {
        "__typename": "StatusContext", "id": f"SC_{one.id}", "context": one.context, "state": one.state.upper(),
        "description": one.description, "targetUrl": one.target_url, "createdAt": iso(one.created),
        "creator": account(world, one.user), "avatarUrl": f"{world.web}/avatars/{one.user.id}",
        "isRequired": lambda pullRequestNumber=None, pullRequestId=None: required(  # noqa: N803
            world, one.sha, one.context, None, pullRequestNumber, pullRequestId
        ),
    }  # fmt: skip


def pull_state(one: Pull) -> str:
    """Return `PullRequestState`."""
    return "MERGED" if one.merged else one.state.upper()


def pull(world: World, actor: Actor, one: Pull) -> JSON:
    """Return `PullRequest`."""
    bare = world.bare

    def able() -> str:
        known = mergeable(world, one)
        one.unknown_for = max(0, one.unknown_for - 1)
        return "UNKNOWN" if known is None else ("MERGEABLE" if known else "CONFLICTING")

    def changes() -> list[Change]:
        base = bare.merge_base(one.base_sha, one.head_sha)
        return bare.changes(base, one.head_sha) if base else []

    def pull_commit(sha: str) -> JSON:
        return {
            "id": f"PRC_{one.number}_{sha}", "commit": lambda: commit(world, actor, sha),
            "pullRequest": lambda: pull(world, actor, one), "url": f"{web}/commits/{sha}",
        }  # fmt: skip

    web = f"{world.web}/{world.full_name}/pull/{one.number}"
    return {
        "__typename": "PullRequest", "id": f"PR_{one.number}", "databaseId": one.id, "number": one.number,
        "title": one.title, "body": one.body or "", "url": web, "state": pull_state(one), "isDraft": one.draft,
        "closed": one.state == "closed", "closedAt": iso(one.closed), "merged": one.merged is not None,
        "mergedAt": iso(one.merged), "mergedBy": account(world, one.merged_by), "createdAt": iso(one.created),
        "updatedAt": iso(one.updated), "author": account(world, one.user), "locked": False,
        "authorAssociation": accounts.association(world, one.user), "baseRefName": one.base,
        "baseRefOid": one.base_sha, "headRefName": one.head, "headRefOid": one.head_sha,
        "isCrossRepository": one.fork is not None, "maintainerCanModify": False, "isInMergeQueue": False,
        "isMergeQueueEnabled": any(rule["type"] == "merge_queue" for _, rule in world.rules_of(one.base)),
        "repository": lambda: repository(world, actor),
        "headRepository": lambda: repository(world, actor, one.fork),
        "headRepositoryOwner": account(world, one.fork or world.owner),
        "headRef": lambda: None if one.fork else ref(world, actor, one.head_ref),
        "baseRef": lambda: ref(world, actor, f"refs/heads/{one.base}"),
        "mergeable": able, "mergeStateStatus": lambda: merge_state(world, one).upper(),
        "mergeCommit": lambda: commit(world, actor, one.merge_commit) if one.merge_commit else None,
        "autoMergeRequest": lambda: _auto_merge(world, one), "reviewDecision": lambda: _decision(world, one),
        "additions": lambda: sum(each.added for each in changes()),
        "deletions": lambda: sum(each.removed for each in changes()), "changedFiles": lambda: len(changes()),
        "labels": lambda orderBy=None, **page: connection(one.labels, label, **page),  # noqa: N803, ARG005
        "comments": lambda orderBy=None, **page: connection(  # noqa: N803, ARG005
            world.comments_of(one.number), lambda each: comment(world, actor, each), **page
        ),
        "commits": lambda **page: connection(
            bare.commits(one.base_sha, one.head_sha)[-250:], pull_commit, **page
        ),
        "reviews": lambda states=None, author=None, **page: connection(
            [
                each
                for each in one.reviews
                if (not states or each.state in states) and author in {None, each.user.login}
            ],
            lambda each: review(world, actor, one, each),
            **page,
        ),
        "reviewRequests": lambda **page: connection(
            [*one.reviewers, *one.teams], lambda each: _request(world, one, each), **page
        ),
        "statusCheckRollup": lambda: rollup(world, actor, one.head_sha),
    }  # fmt: skip


def _request(world: World, of: Pull, who: User | str) -> JSON:
    if isinstance(who, User):
        shown, name = account(world, who), who.login
    else:
        shown, name = {"__typename": "Team", "id": f"T_{who}", "slug": who, "name": who}, who
    return {"__typename": "ReviewRequest", "id": f"RR_{of.number}_{name}", "requestedReviewer": shown}


def _auto_merge(world: World, of: Pull) -> JSON:
    wish = of.auto_merge
    if wish is None:
        return None
    return {
        "enabledAt": iso(wish.enabled), "enabledBy": account(world, wish.by), "mergeMethod": wish.method.upper(),
        "commitHeadline": wish.title, "commitBody": wish.message,
    }  # fmt: skip


def _decision(world: World, of: Pull) -> str | None:
    if any(one.state == "CHANGES_REQUESTED" for one in latest_reviews(of).values()):
        return "CHANGES_REQUESTED"
    wanted = needed_approvals(world, of)
    if wanted == 0:
        return "APPROVED" if approving(of) else None
    return "APPROVED" if len(approving(of)) >= wanted else "REVIEW_REQUIRED"
