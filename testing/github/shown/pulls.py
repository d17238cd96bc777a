"""Pull requests, their comments, labels and reviews in REST answers."""

from typing import Any

from testing.github.actors import User
from testing.github.clock import iso
from testing.github.landing import merge_state, mergeable
from testing.github.shown import accounts, repository
from testing.github.things import AutoMerge, Comment, Label, Pull, Reaction, Review, ReviewComment
from testing.github.world import World

JSON = Any
REACTIONS = ("+1", "-1", "laugh", "confused", "heart", "hooray", "eyes", "rocket")


def label(world: World, one: Label) -> JSON:
    """Return `label`."""
    return {
        "id": one.id, "node_id": f"LA_{one.id}", "url": f"{repository.url_of(world)}/labels/{one.name}",
        "name": one.name, "description": one.description, "color": one.color, "default": False,
    }  # fmt: skip


def simple(world: World, pull: Pull) -> JSON:
    """Return `pull-request-simple`, as in lists: without what takes work to find out."""
    root = repository.url_of(world)
    url, web = f"{root}/pulls/{pull.number}", f"{world.web}/{world.full_name}/pull/{pull.number}"
    issue = f"{root}/issues/{pull.number}"
    links = {
        "self": url, "html": web, "issue": issue, "comments": f"{issue}/comments",
        "review_comments": f"{url}/comments", "review_comment": f"{root}/pulls/comments{{/number}}",
        "commits": f"{url}/commits", "statuses": f"{root}/statuses/{pull.head_sha}",
    }  # fmt: skip
    return {
        "id": pull.id, "node_id": f"PR_{pull.number}", "number": pull.number, "url": url, "html_url": web,
        "diff_url": f"{web}.diff", "patch_url": f"{web}.patch", "issue_url": issue,
        "comments_url": links["comments"], "commits_url": links["commits"],
        "review_comments_url": links["review_comments"], "review_comment_url": links["review_comment"],
        "statuses_url": links["statuses"], "_links": {key: {"href": value} for key, value in links.items()},
        "state": pull.state, "locked": False, "active_lock_reason": None, "title": pull.title, "body": pull.body,
        "draft": pull.draft, "user": accounts.user(world, pull.user), "assignee": _first(world, pull),
        "assignees": [accounts.user(world, one) for one in pull.assignees],
        "author_association": accounts.association(world, pull.user), "milestone": None,
        "labels": [label(world, one) for one in pull.labels],
        "requested_reviewers": [accounts.user(world, one) for one in pull.reviewers],
        "requested_teams": [whole_team(world, one) for one in pull.teams],
        "created_at": iso(pull.created), "updated_at": iso(pull.updated), "closed_at": iso(pull.closed),
        "merged_at": iso(pull.merged), "merge_commit_sha": pull.merge_commit,
        "auto_merge": auto_merge(world, pull.auto_merge) if pull.auto_merge else None,
        "head": _end(world, pull.head, pull.head_sha, pull.fork), "base": _end(world, pull.base, pull.base_sha),
    }  # fmt: skip


def full(world: World, pull: Pull) -> JSON:
    """Return `pull-request`, as for one alone."""
    able = mergeable(world, pull)
    base = world.bare.merge_base(pull.base_sha, pull.head_sha)
    changed = world.bare.changes(base, pull.head_sha) if base else []
    state = merge_state(world, pull)
    # GitHub answers "not known yet" to who asks first, and finds out meanwhile.
    pull.unknown_for = max(0, pull.unknown_for - 1)
    return {
        **simple(world, pull), "mergeable": able, "mergeable_state": state, "rebaseable": able,
        "merged": pull.merged is not None, "maintainer_can_modify": False,
        "requested_teams": [team(world, one) for one in pull.teams],
        "merged_by": accounts.user(world, pull.merged_by) if pull.merged_by else None,
        "comments": len(world.comments_of(pull.number)), "review_comments": len(pull.review_comments),
        "commits": len(world.bare.commits(pull.base_sha, pull.head_sha)),
        "additions": sum(one.added for one in changed), "deletions": sum(one.removed for one in changed),
        "changed_files": len(changed),
    }  # fmt: skip


def minimal(world: World, pull: Pull) -> JSON:
    """Return `pull-request-minimal`, as check runs name it."""
    repo = {"id": world.id, "url": repository.url_of(world), "name": world.name}
    return {
        "id": pull.id, "number": pull.number, "url": f"{repository.url_of(world)}/pulls/{pull.number}",
        "head": {"ref": pull.head, "sha": pull.head_sha, "repo": repo},
        "base": {"ref": pull.base, "sha": pull.base_sha, "repo": repo},
    }  # fmt: skip


def _first(world: World, pull: Pull) -> JSON:
    return accounts.user(world, pull.assignees[0]) if pull.assignees else None


def _end(world: World, branch: str, sha: str, fork: User | None = None) -> JSON:
    owner = fork or world.owner
    repo = repository.plain(world) if fork is None else repository.fork(world, fork)
    return {
        "label": f"{owner.login}:{branch}", "ref": branch, "sha": sha, "user": accounts.user(world, owner),
        "repo": repo,
    }  # fmt: skip


def team(world: World, slug: str) -> JSON:
    """Return `team-simple`."""
    url = f"{world.api}/organizations/{world.owner.id}/team/{slug}"
    return {
        "id": sum(slug.encode()), "node_id": f"T_{slug}", "url": url, "members_url": f"{url}/members{{/member}}",
        "name": slug, "description": None, "permission": "push", "privacy": "closed", "slug": slug,
        "html_url": f"{world.web}/orgs/{world.owner.login}/teams/{slug}", "repositories_url": f"{url}/repos",
        "notification_setting": "notifications_enabled", "type": "organization",
        "organization_id": world.owner.id,
    }  # fmt: skip


def whole_team(world: World, slug: str) -> JSON:
    """Return `team`, as lists of pull requests have it."""
    return {**team(world, slug), "parent": None}


def auto_merge(world: World, wish: AutoMerge) -> JSON:
    """Return `auto-merge`."""
    return {
        "enabled_by": accounts.user(world, wish.by), "merge_method": wish.method,
        "commit_title": wish.title or "", "commit_message": wish.message or "",
    }  # fmt: skip


def issue(world: World, pull: Pull) -> JSON:
    """Return `issue`: every pull request is one as well."""
    root = repository.url_of(world)
    url, web = f"{root}/issues/{pull.number}", f"{world.web}/{world.full_name}/pull/{pull.number}"
    return {
        "id": pull.id + 1, "node_id": f"PR_{pull.number}", "number": pull.number, "url": url, "html_url": web,
        "repository_url": root, "labels_url": f"{url}/labels{{/name}}", "comments_url": f"{url}/comments",
        "events_url": f"{url}/events", "state": pull.state, "state_reason": None, "title": pull.title,
        "body": pull.body, "user": accounts.user(world, pull.user), "draft": pull.draft, "locked": False,
        "labels": [label(world, one) for one in pull.labels], "assignee": _first(world, pull),
        "assignees": [accounts.user(world, one) for one in pull.assignees], "milestone": None,
        "comments": len(world.comments_of(pull.number)), "created_at": iso(pull.created),
        "active_lock_reason": None, "reactions": _counts(f"{url}/reactions", []),
        "updated_at": iso(pull.updated), "closed_at": iso(pull.closed),
        "author_association": accounts.association(world, pull.user),
        "pull_request": {
            "url": f"{root}/pulls/{pull.number}", "html_url": web, "diff_url": f"{web}.diff",
            "patch_url": f"{web}.patch", "merged_at": iso(pull.merged),
        },
    }  # fmt: skip


def comment(world: World, one: Comment) -> JSON:
    """Return `issue-comment`."""
    url = f"{repository.url_of(world)}/issues/comments/{one.id}"
    return {
        "id": one.id, "node_id": f"IC_{one.id}", "url": url, "body": one.body,
        "html_url": f"{world.web}/{world.full_name}/pull/{one.pull}#issuecomment-{one.id}",
        "issue_url": f"{repository.url_of(world)}/issues/{one.pull}", "user": accounts.user(world, one.user),
        "created_at": iso(one.created), "updated_at": iso(one.updated),
        "author_association": accounts.association(world, one.user),
        "performed_via_github_app": accounts.app(world, one.app) if one.app else None,
        "reactions": _counts(f"{url}/reactions", one.reactions),
    }  # fmt: skip


def _counts(url: str, found: list[Reaction]) -> JSON:
    counts = {name: sum(each.content == name for each in found) for name in REACTIONS}
    return {"url": url, "total_count": len(found), **counts}


def reaction(world: World, one: Reaction) -> JSON:
    """Return `reaction`."""
    return {
        "id": one.id, "node_id": f"REA_{one.id}", "user": accounts.user(world, one.user), "content": one.content,
        "created_at": iso(one.created),
    }  # fmt: skip


def review(world: World, pull: Pull, one: Review) -> JSON:
    """Return `pull-request-review`."""
    web = f"{world.web}/{world.full_name}/pull/{pull.number}#pullrequestreview-{one.id}"
    url = f"{repository.url_of(world)}/pulls/{pull.number}"
    return {
        "id": one.id, "node_id": f"PRR_{one.id}", "user": accounts.user(world, one.user), "body": one.body,
        "state": one.state, "html_url": web, "pull_request_url": url, "commit_id": one.sha,
        "_links": {"html": {"href": web}, "pull_request": {"href": url}}, "submitted_at": iso(one.submitted),
        "author_association": accounts.association(world, one.user),
    }  # fmt: skip


def review_comment(world: World, pull: Pull, one: ReviewComment) -> JSON:
    """Return `pull-request-review-comment`."""
    root = repository.url_of(world)
    web = f"{world.web}/{world.full_name}/pull/{pull.number}#discussion_r{one.id}"
    url, of = f"{root}/pulls/comments/{one.id}", f"{root}/pulls/{pull.number}"
    return {
        "id": one.id, "node_id": f"PRRC_{one.id}", "url": url, "pull_request_review_id": one.review,
        "diff_hunk": "@@", "path": one.path, "commit_id": one.sha, "original_commit_id": one.sha,
        "user": accounts.user(world, one.user), "body": one.body, "created_at": iso(one.created),
        "updated_at": iso(one.created), "html_url": web, "pull_request_url": of,
        "author_association": accounts.association(world, one.user), "line": one.line, "side": "RIGHT",
        "_links": {"self": {"href": url}, "html": {"href": web}, "pull_request": {"href": of}},
    }  # fmt: skip
