"""Whether a pull request can land, why not, and landing it."""

from testing.github.actors import User
from testing.github.routing import RefusedError
from testing.github.things import Pull, Review
from testing.github.world import World

GOOD = {"success", "neutral", "skipped"}


def mergeable(world: World, pull: Pull) -> bool | None:
    """Whether it merges without conflict; None: not known (yet), or closed."""
    if pull.state != "open" or pull.unknown_for > 0:
        return None
    return world.bare.merged_tree(pull.base_sha, pull.head_sha) is not None


def unmet(world: World, pull: Pull) -> list[str]:
    """The rules of the base branch that do not hold, in GitHub's words."""
    result = []
    if any(rule["type"] == "merge_queue" for _, rule in world.rules_of(pull.base)):
        result.append("Changes must be made through the merge queue.")
    for context, app in world.required(pull.base):
        state = required_state(world, pull.head_sha, context, app)
        if state is None:
            result.append(f'Required status check "{context}" is expected.')
        elif state not in GOOD:
            result.append(f'Required status check "{context}" is {"failing" if state == "failure" else state}.')
    approvals = needed_approvals(world, pull)
    if len(approving(pull)) < approvals:
        result.append(f"At least {approvals} approving review is required by reviewers with write access.")
    if any(review.state == "CHANGES_REQUESTED" for review in latest_reviews(pull).values()):
        result.append("Changes requested by reviewers.")
    return result


def required_state(world: World, sha: str, context: str, app: int | None) -> str | None:
    """How a required context stands: None (absent), `pending`, or how it ended."""
    runs = [run for run in world.checks_of(sha) if run.name == context and app in {None, -1, run.app.id}]
    states = [run.conclusion or "pending" for run in runs]
    if app in {None, -1}:
        states += [status.state for status in world.statuses_of(sha) if status.context == context]
    bad = [state for state in states if state not in GOOD]
    return bad[0] if bad else (states[0] if states else None)


def needed_approvals(world: World, pull: Pull) -> int:
    """How many approving reviews the base branch wants."""
    protection = world.protections.get(pull.base)
    wanted = [protection.approvals] if protection else [0]
    for _, rule in world.rules_of(pull.base):
        if rule["type"] == "pull_request":
            wanted.append(rule["parameters"]["required_approving_review_count"])
    return max(wanted)


def latest_reviews(pull: Pull) -> dict[str, Review]:
    """Each reviewer's last review that says yes or no."""
    return {
        review.user.login: review
        for review in pull.reviews
        if review.state in {"APPROVED", "CHANGES_REQUESTED", "DISMISSED"}
    }


def approving(pull: Pull) -> list[str]:
    """The people whose last word is approval."""
    return [login for login, review in latest_reviews(pull).items() if review.state == "APPROVED"]


def merge_state(world: World, pull: Pull) -> str:
    """REST's `mergeable_state`."""
    able = mergeable(world, pull)
    if able is None:
        return "unknown"
    if not able:
        return "dirty"
    if pull.draft:
        return "draft"
    if unmet(world, pull):
        return "blocked"
    if is_behind(world, pull):
        return "behind"
    states = [run.conclusion or "pending" for run in world.checks_of(pull.head_sha)]
    states += [status.state for status in world.statuses_of(pull.head_sha)]
    return "clean" if set(states) <= GOOD else "unstable"


def is_behind(world: World, pull: Pull) -> bool:
    """Whether the base branch wants heads that contain it, and this one does not."""
    protection = world.protections.get(pull.base)
    strict = protection is not None and protection.checks is not None and protection.strict
    for _, rule in world.rules_of(pull.base):
        if rule["type"] == "required_status_checks":
            strict = strict or rule["parameters"]["strict_required_status_checks_policy"]
    return strict and not world.bare.contains(pull.head_sha, pull.base_sha)


def allowed_methods(world: World, branch: str) -> list[str]:
    """The ways in which something may land on a branch."""
    settings = {"merge": "allow_merge_commit", "squash": "allow_squash_merge", "rebase": "allow_rebase_merge"}
    found = [method for method, setting in settings.items() if world.settings[setting]]
    protection = world.protections.get(branch)
    linear = protection is not None and protection.linear_history
    for _, rule in world.rules_of(branch):
        linear = linear or rule["type"] == "required_linear_history"
        if rule["type"] == "pull_request" and rule["parameters"].get("allowed_merge_methods"):
            found = [method for method in found if method in rule["parameters"]["allowed_merge_methods"]]
    return [method for method in found if not (linear and method == "merge")]


def land(
    world: World,
    pull: Pull,
    *,
    method: str,
    by: User,
    sha: str | None = None,
    title: str | None = None,
    message: str | None = None,
) -> str:
    """Merge a pull request and return the new commit; RefusedError in GitHub's words when it cannot be."""
    world.settle()
    if pull.state != "open":
        raise RefusedError(405, "Pull Request is not mergeable")
    if method not in allowed_methods(world, pull.base):
        names = {"merge": "Merge commits", "squash": "Squash merges", "rebase": "Rebase merges"}
        raise RefusedError(405, f"{names[method]} are not allowed on this repository.")
    if sha is not None and sha != pull.head_sha:
        raise RefusedError(409, "Head branch was modified. Review and try the merge again.")
    if pull.draft:
        raise RefusedError(405, "Pull Request is still a draft")
    tree = world.bare.merged_tree(pull.base_sha, pull.head_sha)
    if tree is None:
        raise RefusedError(405, "Pull Request is not mergeable")
    rules = unmet(world, pull)
    if rules:
        raise RefusedError(405, " ".join(rules))
    if is_behind(world, pull):
        raise RefusedError(405, "Head branch is out of date. Review and try the merge again.")
    commit = _commit(world, pull, method, tree, title, message)
    if not world.bare.point(f"refs/heads/{pull.base}", commit, old=pull.base_sha):
        raise RefusedError(409, "Base branch was modified. Review and try the merge again.")
    world.mark_merged(pull, commit, by)
    return commit


def _commit(world: World, pull: Pull, method: str, tree: str, title: str | None, message: str | None) -> str:
    if method == "rebase":
        return world.bare.rebased(pull.base_sha, pull.head_sha)
    if method == "squash":
        words = f"{title or f'{pull.title} (#{pull.number})'}\n\n{message or ''}".strip()
        return world.bare.new_commit(tree, [pull.base_sha], words)
    source = f"{(pull.fork or world.owner).login}/{pull.head}"
    words = f"{title or f'Merge pull request #{pull.number} from {source}'}\n\n{message or pull.title}"
    return world.bare.new_commit(tree, [pull.base_sha, pull.head_sha], words)


def try_auto_merge(world: World, pull: Pull) -> None:
    """Land a pull request with auto-merge as soon as nothing stands in its way."""
    wish = pull.auto_merge
    if wish is not None and merge_state(world, pull) in {"clean", "unstable"}:
        # Landing settles the world first, which must not come here again.
        pull.auto_merge = None
        land(world, pull, method=wish.method, by=wish.by, title=wish.title, message=wish.message)
