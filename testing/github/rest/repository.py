"""The repository itself: settings, branches, refs, commits, files, collaborators."""

import base64

from testing.github.rest.lookup import check_repository
from testing.github.routing import REPO, Answer, Call, RefusedError, listed, missing, route
from testing.github.shown import accounts, pulls, repository
from testing.github.shown.rules import branch_protection


@route("GET", REPO)
def settings(call: Call) -> Answer:
    """Answer with the repository."""
    check_repository(call)
    return Answer(repository.full(call.world, call.actor))


@route("GET", f"{REPO}/branches")
def branches(call: Call) -> Answer:
    """Answer with all branches."""
    found = call.world.bare.branches()
    wanted = call.query.get("protected")
    return listed(
        call,
        [
            {
                "name": name,
                "commit": {"sha": sha, "url": f"{repository.url_of(call.world)}/commits/{sha}"},
                "protected": _protected(call, name),
            }
            for name, sha in sorted(found.items())
            if wanted is None or wanted is _protected(call, name)
        ],
    )


def _protected(call: Call, branch: str) -> bool:
    return branch in call.world.protections or any(call.world.rules_of(branch))


@route("GET", f"{REPO}/branches/{{branch}}")
def branch(call: Call) -> Answer:
    """Answer with one branch."""
    name = call.path["branch"]
    tip = call.world.bare.tip(name)
    if tip is None:
        raise RefusedError(404, "Branch not found")
    url = f"{repository.url_of(call.world)}/branches/{name}"
    shown = branch_protection(call.world, name) if _protected(call, name) else {"enabled": False}
    return Answer({
        "name": name, "commit": repository.commit(call.world, tip), "protected": _protected(call, name),
        "_links": {"self": url, "html": f"{call.world.web}/{call.world.full_name}/tree/{name}"},
        "protection": shown,
        "protection_url": f"{url}/protection",
    })  # fmt: skip


@route("GET", f"{REPO}/git/ref/{{ref}}", needs="contents:read")
def ref(call: Call) -> Answer:
    """Answer with one ref, named without `refs/`."""
    name = f"refs/{call.path['ref']}"
    found = call.world.bare.ref(name)
    if found is None:
        raise missing()
    return Answer(repository.ref(call.world, name, found))


@route("GET", f"{REPO}/git/matching-refs/{{ref}}", needs="contents:read")
def matching_refs(call: Call) -> Answer:
    """Answer with the refs whose names begin so."""
    start = f"refs/{call.path['ref']}"
    found = [(name, sha) for name, sha in call.world.bare.refs().items() if name.startswith(start)]
    return listed(call, [repository.ref(call.world, name, sha) for name, sha in found])


@route("POST", f"{REPO}/git/refs", needs="contents:write")
def create_ref(call: Call) -> Answer:
    """Create a ref."""
    name, sha = call.body["ref"], call.body["sha"]
    if not name.startswith("refs/") or name.count("/") < 2:
        raise RefusedError(422, "Reference name must start with 'refs/' and have at least two slashes.")
    if call.world.bare.commit(sha) is None:
        raise RefusedError(422, "Object does not exist")
    if call.world.bare.ref(name) is not None:
        raise RefusedError(422, "Reference already exists")
    call.world.bare.point(name, sha)
    return Answer(repository.ref(call.world, name, sha), 201)


@route("PATCH", f"{REPO}/git/refs/{{ref}}", needs="contents:write")
def update_ref(call: Call) -> Answer:
    """Move a ref; back or aside only by force."""
    name, sha = f"refs/{call.path['ref']}", call.body["sha"]
    old = call.world.bare.ref(name)
    if old is None:
        raise RefusedError(422, "Reference does not exist")
    if call.world.bare.commit(sha) is None:
        raise RefusedError(422, "Object does not exist")
    if not call.body.get("force") and not call.world.bare.contains(sha, old):
        raise RefusedError(422, "Update is not a fast forward")
    call.world.bare.point(name, sha)
    return Answer(repository.ref(call.world, name, sha))


@route("DELETE", f"{REPO}/git/refs/{{ref}}", needs="contents:write")
def delete_ref(call: Call) -> Answer:
    """Delete a ref."""
    name = f"refs/{call.path['ref']}"
    if call.world.bare.ref(name) is None:
        raise RefusedError(422, "Reference does not exist")
    call.world.bare.point(name, None)
    return Answer(status=204)


@route("GET", f"{REPO}/git/commits/{{commit_sha}}", needs="contents:read")
def git_commit(call: Call) -> Answer:
    """Answer with a commit as git has it."""
    sha = call.world.bare.commit(call.path["commit_sha"])
    if sha is None:
        raise missing()
    whole = repository.commit(call.world, sha)
    inner = whole["commit"]
    kept = {key: inner[key] for key in ("author", "committer", "tree", "message", "verification")}
    return Answer({**kept, **{key: whole[key] for key in ("sha", "node_id", "html_url", "parents")},
                   "url": inner["url"]})  # fmt: skip


@route("GET", f"{REPO}/commits/{{ref}}", needs="contents:read")
def commit(call: Call) -> Answer:
    """Answer with a commit and the files that it changes."""
    sha = call.world.bare.commit(call.path["ref"])
    if sha is None:
        raise RefusedError(422, f"No commit found for SHA: {call.path['ref']}")
    return Answer(repository.commit(call.world, sha, files=True))


@route("GET", f"{REPO}/commits/{{commit_sha}}/pulls", needs="pull_requests:read")
def pulls_of_commit(call: Call) -> Answer:
    """Answer with the pull requests that bring a commit, merged ones first."""
    world, sha = call.world, call.path["commit_sha"]
    if world.bare.commit(sha) is None:
        raise RefusedError(422, f"No commit found for SHA: {sha}")
    found = [
        pull
        for pull in world.pulls.values()
        if sha == pull.merge_commit
        or (
            world.bare.contains(pull.head_sha, sha)
            and not (world.bare.contains(pull.base_sha, sha) and not pull.merged)
        )
    ]
    return listed(call, [pulls.simple(world, pull) for pull in found])


@route("GET", f"{REPO}/compare/{{basehead}}", needs="contents:read")
def compare(call: Call) -> Answer:
    """Answer with how two commits stand to each other."""
    world = call.world
    names = call.path["basehead"].split("...")
    ends = [world.bare.commit(name) for name in names]
    base, head = ends[0], ends[-1]
    if len(ends) != 2 or base is None or head is None:
        raise missing()
    middle = world.bare.merge_base(base, head)
    if middle is None:
        raise RefusedError(404, f"No common ancestor between {names[0]} and {names[1]}.")
    ahead, behind = world.bare.commits(base, head), world.bare.commits(head, base)
    states = {
        (True, True): "diverged",
        (True, False): "ahead",
        (False, True): "behind",
        (False, False): "identical",
    }
    page = listed(call, ahead)
    web = f"{world.web}/{world.full_name}/compare/{call.path['basehead']}"
    shown = {
        "url": f"{repository.url_of(world)}/compare/{call.path['basehead']}", "html_url": web,
        "permalink_url": web, "diff_url": f"{web}.diff", "patch_url": f"{web}.patch",
        "base_commit": repository.commit(world, base), "merge_base_commit": repository.commit(world, middle),
        "status": states[bool(ahead), bool(behind)], "ahead_by": len(ahead), "behind_by": len(behind),
        "total_commits": len(ahead), "commits": [repository.commit(world, sha) for sha in page.json],
        "files": [repository.entry(world, head, one) for one in world.bare.changes(middle, head)],
    }  # fmt: skip
    return Answer(shown, headers=page.headers)


@route("GET", f"{REPO}/contents/{{path}}", needs="contents:read")
def contents(call: Call) -> Answer:
    """Answer with one file; directories are not served."""
    world, path = call.world, call.path["path"]
    revision = call.query.get("ref") or world.default_branch
    sha = world.bare.commit(revision)
    if sha is None:
        raise RefusedError(404, f"No commit found for the ref {revision}")
    found = world.bare.file(sha, path)
    if found is None:
        raise missing()
    blob, content = found
    url = f"{repository.url_of(world)}/contents/{path}?ref={revision}"
    git = f"{repository.url_of(world)}/git/blobs/{blob}"
    html = f"{world.web}/{world.full_name}/blob/{revision}/{path}"
    big = len(content) > 1_000_000
    return Answer({
        "type": "file", "encoding": "none" if big else "base64", "size": len(content), "path": path,
        "name": path.rsplit("/", 1)[-1], "content": "" if big else base64.encodebytes(content).decode(),
        "sha": blob, "url": url, "git_url": git, "html_url": html,
        "download_url": f"{world.web}/raw/{world.full_name}/{revision}/{path}",
        "_links": {"self": url, "git": git, "html": html},
    })  # fmt: skip


@route("GET", f"{REPO}/collaborators/{{username}}/permission", needs="metadata:read", role="read")
def permission(call: Call) -> Answer:
    """Answer with what an account may do in the repository."""
    if call.actor.permissions is None and not call.actor.has_role("write"):
        raise RefusedError(403, "Must have push access to view collaborator permission.")
    found = call.world.users.get(call.path["username"])
    if found is None:
        raise missing()
    words = {"maintain": "write", "triage": "read"}
    rights = accounts.rights(found)
    # In a public repository everybody can read.
    role = "read" if found.role == "none" and not call.world.settings["private"] else found.role
    shown = {**accounts.user(call.world, found), "permissions": rights, "role_name": role}
    return Answer({"permission": words.get(role, role), "role_name": role, "user": shown})
