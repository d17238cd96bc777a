"""What GraphQL can change."""

from collections.abc import Callable
from typing import Any

from testing.github.actors import Actor, User
from testing.github.graphql import leaves, nodes, queries
from testing.github.landing import allowed_methods, land, merge_state, mergeable
from testing.github.rest.comments import check_body, new_comment, new_reaction
from testing.github.rest.labels import put_label
from testing.github.rest.pulls import change_pull, reopen, set_draft
from testing.github.routing import RefusedError
from testing.github.things import AutoMerge, Comment, Pull
from testing.github.world import World

JSON = Any


def root(world: World, actor: Actor) -> dict[str, Callable[..., JSON]]:
    """Return the fields of `Mutation`."""
    scene = _Scene(world, actor)
    return {
        "convertPullRequestToDraft": scene.of_pull(
            lambda world, pull, *_: set_draft(world, pull, draft=True), own=True
        ),
        "markPullRequestReadyForReview": scene.of_pull(
            lambda world, pull, *_: set_draft(world, pull, draft=False), own=True
        ),
        "closePullRequest": scene.of_pull(_close, own=True),
        "reopenPullRequest": scene.of_pull(lambda world, pull, *_: reopen(world, pull), own=True),
        "updatePullRequest": scene.of_pull(_update, own=True),
        "enablePullRequestAutoMerge": scene.of_pull(_enable_auto_merge),
        "disablePullRequestAutoMerge": scene.of_pull(_disable_auto_merge),
        "mergePullRequest": scene.of_pull(_merge),
        "addComment": scene.add_comment,
        "updateIssueComment": scene.update_comment,
        "addReaction": scene.add_reaction,
        "addLabelsToLabelable": scene.add_labels,
    }


def _close(world: World, pull: Pull, user: User, given: JSON) -> None:
    del user, given
    if pull.state == "open":
        world.close(pull)


def _update(world: World, pull: Pull, user: User, given: JSON) -> None:
    del user
    names = {"title": "title", "body": "body", "baseRefName": "base", "state": "state"}
    changed = {names[key]: value for key, value in given.items() if key in names}
    if "state" in changed:
        changed["state"] = changed["state"].lower()
    change_pull(world, pull, changed)


def _enable_auto_merge(world: World, pull: Pull, user: User, given: JSON) -> None:
    method = given.get("mergeMethod", "MERGE").lower()
    if not world.settings["allow_auto_merge"]:
        raise RefusedError(422, "Auto merge is not allowed for this repository")
    if method not in allowed_methods(world, pull.base):
        raise RefusedError(422, f"Merge method {method} merging is not allowed on this repository")
    if given.get("expectedHeadOid") not in {None, pull.head_sha}:
        raise RefusedError(422, "Head sha didn't match expected head oid")
    if pull.draft:
        raise RefusedError(422, "Pull request is in draft state")
    if mergeable(world, pull) is False:
        raise RefusedError(422, "Pull request is in dirty status")
    if merge_state(world, pull) in {"clean", "unstable"}:
        raise RefusedError(422, f"Pull request is in {merge_state(world, pull)} status")
    wish = AutoMerge(user, method, world.clock.now, given.get("commitHeadline"), given.get("commitBody"))
    pull.auto_merge = wish
    world.happened("pull_request", "auto_merge_enabled", pull)


def _disable_auto_merge(world: World, pull: Pull, user: User, given: JSON) -> None:
    del user, given
    if pull.auto_merge is None:
        raise RefusedError(422, "Can't disable auto-merge for this pull request.")
    pull.auto_merge = None
    world.happened("pull_request", "auto_merge_disabled", pull)


def _merge(world: World, pull: Pull, user: User, given: JSON) -> None:
    land(
        world, pull, method=given.get("mergeMethod", "MERGE").lower(), by=user, sha=given.get("expectedHeadOid"),
        title=given.get("commitHeadline"), message=given.get("commitBody"),
    )  # fmt: skip


class _Scene:
    """A world, and who acts in it."""

    def __init__(self, world: World, actor: Actor) -> None:
        self.world = world
        self.actor = actor

    @property
    def _user(self) -> User:
        assert self.actor.user is not None, "GraphQL is for the authenticated alone"
        return self.actor.user

    def of_pull(
        self, change: Callable[[World, Pull, User, JSON], None], *, own: bool = False
    ) -> Callable[..., JSON]:
        """A mutation of a pull request, for those with write access and, with `own`, its author."""

        def resolve(input: JSON) -> JSON:  # noqa: A002 - GitHub's name
            pull = self._pull(input["pullRequestId"])
            if not (own and pull.user is self._user):
                self._require("pull_requests:write", "write")
            if self.world.settings["archived"]:
                raise RefusedError(403, "Repository was archived so is read-only.")
            change(self.world, pull, self._user, input)
            shown = nodes.pull(self.world, self.actor, pull)
            return self._payload(input, pullRequest=shown, actor=leaves.account(self.world, self._user))

        return resolve

    def _payload(self, given: JSON, **fields: JSON) -> JSON:
        return {"clientMutationId": given.get("clientMutationId"), **fields}

    def _pull(self, name: str) -> Pull:
        found = self.world.pulls.get(int(name.removeprefix("PR_"))) if name.startswith("PR_") else None
        if found is None:
            raise RefusedError(404, f"Could not resolve to a node with the global id of '{name}'")
        return found

    def _comment(self, name: str) -> Comment:
        found = self.world.comments.get(int(name.removeprefix("IC_"))) if name.startswith("IC_") else None
        if found is None:
            raise RefusedError(404, f"Could not resolve to a node with the global id of '{name}'")
        return found

    def _require(self, needs: str, role: str) -> None:
        allowed = self.actor.permitted(needs) if self.actor.permissions is not None else self.actor.has_role(role)
        if not allowed:
            app = self.actor.app is not None
            words = "Resource not accessible by integration"
            raise RefusedError(403, words if app else f"{self._user.login} does not have the correct permissions")

    def add_comment(self, input: JSON) -> JSON:  # noqa: A002 - GitHub's name
        """Write a comment on a pull request."""
        self._require("issues:write", "read")
        pull = self._pull(input["subjectId"])
        check_body("IssueComment", input["body"])
        made = new_comment(self.world, pull.number, self._user, input["body"])
        made.app = self.actor.app
        edge = {"cursor": "", "node": nodes.comment(self.world, self.actor, made)}
        return self._payload(input, commentEdge=edge, subject=nodes.pull(self.world, self.actor, pull))

    def update_comment(self, input: JSON) -> JSON:  # noqa: A002
        """Change a comment."""
        one = self._comment(input["id"])
        if one.user is not self._user:
            self._require("issues:write", "write")
        check_body("IssueComment", input["body"])
        one.body, one.updated = input["body"], self.world.clock.now
        return self._payload(input, issueComment=nodes.comment(self.world, self.actor, one))

    def add_reaction(self, input: JSON) -> JSON:  # noqa: A002
        """React to a comment."""
        self._require("issues:write", "read")
        one, content = self._comment(input["subjectId"]), leaves.rest_reaction(input["content"])
        found = new_reaction(self.world, one, self._user, content)
        subject = queries.node(self.world, self.actor, input["subjectId"])
        return self._payload(input, reaction=leaves.reaction(self.world, found), subject=subject)

    def add_labels(self, input: JSON) -> JSON:  # noqa: A002
        """Put labels on a pull request; they must be there already."""
        self._require("issues:write", "triage")
        pull = self._pull(input["labelableId"])
        known = {f"LA_{one.id}": one.name for one in self.world.labels.values()}
        for name in input["labelIds"]:
            if name not in known:
                raise RefusedError(404, f"Could not resolve to a node with the global id of '{name}'")
            put_label(self.world, pull, known[name])
        return self._payload(input, labelable=nodes.pull(self.world, self.actor, pull))
