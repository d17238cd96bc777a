"""The repository, its branches and commits in REST answers."""

from typing import Any

from testing.github.actors import Actor, User
from testing.github.bare import Change
from testing.github.clock import iso
from testing.github.shown.accounts import rights, user
from testing.github.world import World

JSON = Any

_URLS = {
    "archive_url": "/{archive_format}{/ref}", "assignees_url": "/assignees{/user}",
    "blobs_url": "/git/blobs{/sha}", "branches_url": "/branches{/branch}",
    "collaborators_url": "/collaborators{/collaborator}", "comments_url": "/comments{/number}",
    "commits_url": "/commits{/sha}", "compare_url": "/compare/{base}...{head}",
    "contents_url": "/contents/{+path}", "contributors_url": "/contributors", "deployments_url": "/deployments",
    "downloads_url": "/downloads", "events_url": "/events", "forks_url": "/forks",
    "git_commits_url": "/git/commits{/sha}", "git_refs_url": "/git/refs{/sha}", "git_tags_url": "/git/tags{/sha}",
    "hooks_url": "/hooks", "issue_comment_url": "/issues/comments{/number}",
    "issue_events_url": "/issues/events{/number}", "issues_url": "/issues{/number}", "keys_url": "/keys{/key_id}",
    "labels_url": "/labels{/name}", "languages_url": "/languages", "merges_url": "/merges",
    "milestones_url": "/milestones{/number}", "notifications_url": "/notifications{?since,all,participating}",
    "pulls_url": "/pulls{/number}", "releases_url": "/releases{/id}", "stargazers_url": "/stargazers",
    "statuses_url": "/statuses/{sha}", "subscribers_url": "/subscribers", "subscription_url": "/subscription",
    "tags_url": "/tags", "teams_url": "/teams", "trees_url": "/git/trees{/sha}",
}  # fmt: skip


def url_of(world: World) -> str:
    """Return the repository's own address in the API."""
    return f"{world.api}/repos/{world.full_name}"


def minimal(world: World) -> JSON:
    """Return the required part of `minimal-repository`."""
    url = url_of(world)
    return {
        "id": world.id, "node_id": f"R_{world.id}", "name": world.name, "full_name": world.full_name,
        "owner": user(world, world.owner), "private": world.settings["private"], "fork": world.settings["fork"],
        "html_url": f"{world.web}/{world.full_name}", "description": None, "url": url,
        **{key: url + path for key, path in _URLS.items()},
    }  # fmt: skip


def plain(world: World) -> JSON:
    """Return `repository`."""
    web = f"{world.web}/{world.full_name}"
    made = iso(world.clock.now)
    opened = sum(pull.state == "open" for pull in world.pulls.values())
    return {
        **minimal(world), "clone_url": f"{web}.git", "git_url": f"{web}.git", "ssh_url": f"{web}.git",
        "svn_url": web, "mirror_url": None, "homepage": None, "language": None, "license": None, "forks": 0,
        "forks_count": 0, "stargazers_count": 0, "watchers": 0, "watchers_count": 0, "size": 0,
        "default_branch": world.default_branch, "open_issues": opened, "open_issues_count": opened,
        "has_issues": True, "has_projects": False, "has_wiki": False, "has_pages": False,
        "has_discussions": False, "has_downloads": True, "archived": world.settings["archived"], "disabled": False,
        "visibility": "private" if world.settings["private"] else "public", "pushed_at": made,
        "created_at": made, "updated_at": made, "topics": [],
    }  # fmt: skip


def fork(world: World, owner: User) -> JSON:
    """Return `repository` for somebody's fork."""
    name = f"{owner.login}/{world.name}"
    shown = {
        key: value.replace(f"/{world.full_name}", f"/{name}") if isinstance(value, str) else value
        for key, value in plain(world).items()
    }
    itself = {"id": owner.id, "node_id": f"R_{owner.id}", "full_name": name, "fork": True}
    return {**shown, **itself, "owner": user(world, owner)}


def full(world: World, actor: Actor) -> JSON:
    """Return `full-repository`; who may not administrate it does not see how it may be merged."""
    shown = {**plain(world), "network_count": 0, "subscribers_count": 0}
    if actor.user is not None:
        shown["permissions"] = rights(actor.user)
    # GitHub shows these to those who can push; anybody else sees them missing.
    if actor.has_role("write") or actor.permitted("contents:write"):
        shown |= {key: value for key, value in world.settings.items() if key.startswith(("allow_", "delete_"))}
    return shown


def commit(world: World, sha: str, *, files: bool = False) -> JSON:
    """Return `commit`."""
    about = world.bare.about(sha)
    url, web = f"{url_of(world)}/commits/{sha}", f"{world.web}/{world.full_name}/commit/{sha}"
    signed = {"verified": False, "reason": "unsigned", "payload": None, "signature": None, "verified_at": None}
    parents = about["parents"].split()
    shown = {
        "sha": sha, "node_id": f"C_{sha}", "url": url, "html_url": web, "comments_url": f"{url}/comments",
        "author": None, "committer": None,
        "commit": {
            "url": f"{url_of(world)}/git/commits/{sha}", "message": about["message"], "comment_count": 0,
            "author": person(about, "author"), "committer": person(about, "committer"),
            "tree": {"sha": about["tree"], "url": f"{url_of(world)}/git/trees/{about['tree']}"},
            "verification": signed,
        },
        "parents": [
            {"sha": one, "url": f"{url_of(world)}/commits/{one}", "html_url": f"{web[:-len(sha)]}{one}"}
            for one in parents
        ],
    }  # fmt: skip
    if files:
        changed = world.bare.changes(parents[0], sha) if parents else []
        added, removed = sum(one.added for one in changed), sum(one.removed for one in changed)
        shown["stats"] = {"additions": added, "deletions": removed, "total": added + removed}
        shown["files"] = [entry(world, sha, one) for one in changed]
    return shown


def simple_commit(world: World, sha: str) -> JSON:
    """Return `simple-commit`."""
    about = world.bare.about(sha)
    people = {who: {"name": about[who], "email": about[f"{who}_email"]} for who in ("author", "committer")}
    return {
        "id": sha, "tree_id": about["tree"], "message": about["message"], "timestamp": about["committer_date"],
        **people,
    }  # fmt: skip


def person(about: dict[str, str], who: str) -> JSON:
    """Return `git-user`: the author or the committer."""
    return {"name": about[who], "email": about[f"{who}_email"], "date": about[f"{who}_date"]}


def entry(world: World, sha: str, one: Change) -> JSON:
    """Return `diff-entry`: one changed file."""
    names = {"A": "added", "D": "removed", "M": "modified", "T": "changed"}
    web = f"{world.web}/{world.full_name}"
    return {
        "sha": one.blob, "filename": one.path, "status": names[one.status], "additions": one.added,
        "deletions": one.removed, "changes": one.added + one.removed, "raw_url": f"{web}/raw/{sha}/{one.path}",
        "blob_url": f"{web}/blob/{sha}/{one.path}",
        "contents_url": f"{url_of(world)}/contents/{one.path}?ref={sha}",
    }  # fmt: skip


def ref(world: World, name: str, sha: str) -> JSON:
    """Return `git-ref`."""
    return {
        "ref": name, "node_id": f"REF_{name}", "url": f"{url_of(world)}/git/{name}",
        "object": {"type": "commit", "sha": sha, "url": f"{url_of(world)}/git/commits/{sha}"},
    }  # fmt: skip
