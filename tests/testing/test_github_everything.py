"""The loopback GitHub: every route and every field of GraphQL is asked for once, and fits GitHub's description."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from graphql import (
    GraphQLField,
    GraphQLInterfaceType,
    GraphQLObjectType,
    GraphQLUnionType,
    get_named_type,
    is_leaf_type,
    is_required_argument,
)
from jwt import encode

from testing.github import GitHubServer
from testing.github.ask import ask, ask_graphql
from testing.github.graphql.execute import schema
from testing.github.graphql.fields import FIELDS
from testing.github.routing import ROUTES, find_route
from testing.github.small import small_github

NOTE = {"path": "c.txt", "start_line": 1, "end_line": 1, "annotation_level": "notice", "message": "here"}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[GitHubServer]:
    with small_github(tmp_path) as running:
        people = running.people
        head = people.open_pull("topic", "main", "A change", "words", by="ci-app[bot]").head_sha
        people.open_pull("clash", "main", by="syncline-bot", draft=True)
        people.comment(1, "noted", by="ci-app[bot]")
        people.react(people.comment(1, "first"), "+1")
        people.ask_review(1, "lou", teams=["infra"])
        people.label(1, "sync")
        people.user("bo")
        people.user("root", "admin")
        people.review(1, by="kim")
        people.review_line(1, "c.txt", 1, "why?")
        people.check(head, "unit", "failure", summary="no", details_url="https://ci.example/1").annotations.append(
            NOTE
        )
        people.status(head, "ci/ext", "success", description="yes", target_url="https://ci.example/2")
        people.job(people.run(head, by="ada"), "linux", "failure", log="boom")
        people.protect("main", ["unit", ("build", "ci-app")], strict=True, approvals=1, signatures=True)
        people.ruleset("rules", [people.required_checks(("unit", "ci-app")), {"type": "required_linear_history"}])
        yield running


def test_every_route(server: GitHubServer) -> None:
    people, world = server.people, server.world
    head, main = people.pull(1).head_sha, str(world.bare.tip("main"))
    admin, app = people.token("root"), people.workflow_token()
    run, suite = max(world.runs), max(world.suites)
    job, comment = max(world.jobs), max(world.comments)
    artifact = people.artifact(world.runs[run], "report", {"a": b"1"}).id
    check = ask(server, "POST", "~/check-runs", {"name": "gate", "head_sha": head}, token=app).json["id"]
    output = {"title": "t", "summary": "s", "annotations": [NOTE]}
    reaction = ask(server, "POST", f"~/issues/comments/{comment}/reactions", {"content": "+1"}).json["id"]
    requests: list[tuple[str, str, Any]] = [
        ("GET", "~", None), ("GET", "/rate_limit", None), ("GET", "/user", None), ("GET", "/users/ada", None),
        ("GET", "~/branches", None), ("GET", "~/branches/main", None), ("GET", "~/git/ref/heads/topic", None),
        ("GET", "~/git/matching-refs/heads/", None), ("GET", f"~/git/commits/{head}", None),
        ("POST", "~/git/refs", {"ref": "refs/heads/new", "sha": main}),
        ("PATCH", "~/git/refs/heads/new", {"sha": head, "force": True}), ("DELETE", "~/git/refs/heads/new", None),
        ("GET", "~/commits/topic", None), ("GET", f"~/commits/{head}/pulls", None),
        ("GET", "~/compare/main...topic", None), ("GET", "~/contents/.github/CODEOWNERS", None),
        ("GET", "~/collaborators/ada/permission", None), ("GET", "~/rules/branches/main", None),
        ("GET", "~/rulesets", None), ("GET", f"~/rulesets/{max(world.rulesets)}", None),
        ("GET", "~/labels", None), ("GET", "~/labels/sync", None), ("POST", "~/labels", {"name": "new"}),
        ("GET", "~/issues/1/labels", None), ("POST", "~/issues/1/labels", {"labels": ["a"]}),
        ("DELETE", "~/issues/1/labels/a", None), ("GET", "~/issues/1/comments", None),
        ("POST", "~/issues/1/comments", {"body": "b"}), ("GET", "~/issues/comments", None),
        ("GET", f"~/issues/comments/{comment}", None), ("PATCH", f"~/issues/comments/{comment}", {"body": "c"}),
        ("GET", f"~/issues/comments/{comment}/reactions", None),
        ("DELETE", f"~/issues/comments/{comment}/reactions/{reaction}", None),
        ("DELETE", f"~/issues/comments/{comment}", None), ("GET", "~/pulls", None), ("GET", "~/pulls/1", None),
        ("POST", "~/pulls", {"title": "t", "head": "main", "base": "topic"}),
        ("PATCH", "~/pulls/1", {"title": "u"}), ("GET", "~/pulls/1/commits", None),
        ("GET", "~/pulls/1/files", None),
        ("GET", "~/issues", None), ("GET", "~/issues/1", None), ("PATCH", "~/issues/1", {"assignees": ["ada"]}),
        ("POST", "~/pulls/1/requested_reviewers", {"reviewers": ["bo"], "team_reviewers": ["infra"]}),
        ("GET", "~/pulls/1/requested_reviewers", None),
        ("DELETE", "~/pulls/1/requested_reviewers", {"reviewers": ["bo"]}), ("GET", "~/pulls/1/reviews", None),
        ("POST", "~/pulls/1/reviews", {"event": "COMMENT", "body": "hm"}), ("GET", "~/pulls/1/comments", None),
        ("GET", f"~/check-runs/{check}", None), ("GET", f"~/commits/{head}/check-runs", None),
        ("GET", f"~/commits/{head}/check-suites", None), ("GET", f"~/check-suites/{suite}", None),
        ("GET", f"~/check-suites/{suite}/check-runs", None), ("GET", f"~/commits/{head}/status", None),
        ("GET", f"~/commits/{head}/statuses", None), ("POST", f"~/statuses/{head}", {"state": "error"}),
        ("GET", "~/actions/runs", None), ("GET", f"~/actions/runs/{run}", None),
        ("GET", f"~/actions/runs/{run}/jobs", None), ("GET", f"~/actions/runs/{run}/attempts/1/jobs", None),
        ("GET", f"~/actions/jobs/{job}", None), ("GET", f"~/actions/jobs/{job}/logs", None),
        ("GET", f"~/actions/runs/{run}/logs", None), ("GET", f"~/actions/runs/{run}/artifacts", None),
        ("GET", "~/actions/artifacts", None), ("GET", f"~/actions/artifacts/{artifact}", None),
        ("GET", f"~/actions/artifacts/{artifact}/zip", None), ("GET", "~/actions/workflows", None),
        ("GET", "~/actions/workflows/ci.yml", None), ("GET", "~/actions/workflows/ci.yml/runs", None),
        ("POST", "~/actions/workflows/ci.yml/dispatches", {"ref": "main", "return_run_details": True}),
        ("POST", f"~/actions/runs/{run}/rerun", None), ("POST", f"~/actions/runs/{run}/cancel", None),
        ("POST", f"~/actions/runs/{run}/rerun-failed-jobs", None), ("POST", f"~/actions/runs/{run}/cancel", None),
        ("POST", f"~/actions/jobs/{job}/rerun", None), ("PUT", "~/pulls/1/update-branch", {}),
    ]  # fmt: skip
    answers = [(method, path, ask(server, method, path, body).status) for method, path, body in requests]
    answers += [
        ("", path, ask(server, "GET", path, token=admin).status)
        for path in ("~/branches/main/protection", "~/branches/main/protection/required_status_checks")
    ]
    for method, path, body in [
        ("PATCH", f"~/check-runs/{check}", {"conclusion": "success", "output": output}),
        ("GET", f"~/check-runs/{check}/annotations", None),
        ("POST", f"~/check-runs/{check}/rerequest", None),
        ("POST", f"~/check-suites/{suite}/rerequest", None),
    ]:
        answers.append((method, path, ask(server, method, path, body, token=app).status))
    world.protections.clear()
    world.rulesets.clear()
    answers.append(("PUT", "merge", ask(server, "PUT", "~/pulls/1/merge", {}).status))
    answers.append(("GET", "merge", ask(server, "GET", "~/pulls/1/merge").status))
    answers += _as_an_app(server)
    assert [one for one in answers if one[2] >= 400] == []
    asked = {
        route.handler
        for one in server.log.entries
        if (found := find_route(one.method, one.path))
        for route in found[:1]
    }
    assert [f"{one.method} {one.template}" for one in ROUTES if one.handler not in asked] == []


def _as_an_app(server: GitHubServer) -> list[tuple[str, str, int]]:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem, info = serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    made = server.people.install_app("own-app", key.public_key().public_bytes(pem, info).decode(), checks="write")
    now = int(server.clock.now.timestamp())
    own = encode({"iat": now, "exp": now + 300, "iss": str(made.app.id)}, key, algorithm="RS256")
    token = ask(server, "POST", f"/app/installations/{made.id}/access_tokens", {}, token=own).json["token"]
    paths = ["/app", "/apps/own-app", "/app/installations", f"/app/installations/{made.id}", "~/installation"]
    answers = [("GET", path, ask(server, "GET", path, token=own).status) for path in paths]
    return [*answers, ("GET", "repos", ask(server, "GET", "/installation/repositories", token=token).status)]


ARGUMENTS = {
    "number": "1", "name": '"sync"', "owner": '"acme"', "qualifiedName": '"main"', "oid": "$oid", "id": '"PR_1"',
    "first": "9", "pullRequestNumber": "1",
}  # fmt: skip


def whole_query() -> str:
    """A query for all fields of all types, each type where it lies nearest to the root."""
    query_type = schema().query_type
    assert query_type
    places: dict[str, list[str]] = {}
    ahead: list[tuple[GraphQLObjectType, str]] = [(query_type, "Query")]
    seen = {"Query"}
    while ahead:
        kind, place = ahead.pop(0)
        for name, field in kind.fields.items():
            if (kind.name, name) in {("Query", "id"), ("Query", "node")}:
                continue
            named: Any = get_named_type(field.type)
            inner = f"{place}.{name}"
            head = f"{kind.name}_{name}: {name}{brackets(kind.name, name, field)}"
            places.setdefault(place, []).append(
                head if is_leaf_type(named) else f"{head} {{ __typename <{inner}> }}"
            )
            for one in [] if is_leaf_type(named) else members(named):
                if one.name not in seen:
                    seen.add(one.name)
                    ahead.append((one, f"{inner}:{one.name}"))
                    places.setdefault(inner, []).append(f"... on {one.name} {{ <{inner}:{one.name}> }}")
    text = "<Query>"
    while "<" in text:
        text = re.sub("<([^>]+)>", lambda found: " ".join(places.get(found[1], [])), text)
    return text


def members(named: Any) -> list[GraphQLObjectType]:
    if isinstance(named, GraphQLUnionType | GraphQLInterfaceType):
        return list(schema().get_possible_types(named))
    return [named]


def brackets(owner: str, name: str, field: GraphQLField) -> str:
    if (owner, name) == ("Query", "repository"):
        return '(owner: "acme", name: "engine")'
    given = [
        f"{key}: {ARGUMENTS[key]}"
        for key, argument in field.args.items()
        if is_required_argument(argument) or key in {"first", "oid", "pullRequestNumber"}
    ]
    return f"({', '.join(given)})" if given else ""


def test_every_field_of_graphql_has_a_value(server: GitHubServer) -> None:
    people, oid = server.people, server.people.pull(1).head_sha
    people.auto_merge(1)
    people.protect("main", [("build", "ci-app")])
    text = f"query($oid: GitObjectID!) {{ {whole_query()} }}"
    answer = ask_graphql(server, text, oid=oid)
    assert answer.get("errors") is None
    wanted = {
        f"{name}_{field}"
        for name, fields in FIELDS.items()
        if isinstance(schema().type_map[name], GraphQLObjectType) and not name.endswith(("Payload", "Mutation"))
        for field in fields
    }
    assert sorted(wanted - set(keys(answer["data"])) - {"Query_id", "Query_node"}) == []


def keys(answer: Any) -> Iterator[str]:
    """The names of all fields that an answer has, at any depth."""
    if isinstance(answer, list):
        for item in answer:
            yield from keys(item)
    elif isinstance(answer, dict):
        for key, value in answer.items():
            yield key
            yield from keys(value)
