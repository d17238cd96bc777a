"""The loopback GitHub: pull requests, comments, labels, reviews."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from testing.github import GitHubServer
from testing.github.ask import ask, ask_graphql
from testing.github.small import small_github


@pytest.fixture
def server(tmp_path: Path) -> Iterator[GitHubServer]:
    with small_github(tmp_path) as running:
        yield running


def opened(server: GitHubServer, head: str = "topic", *, draft: bool = True) -> int:
    body = {"title": "A sync", "head": head, "base": "main", "body": "words", "draft": draft}
    return ask(server, "POST", "~/pulls", body).json["number"]


def test_a_pull_request_follows_its_branch(server: GitHubServer) -> None:
    number = opened(server)
    pushed = server.people.push("topic", {"e.txt": "e\n", "c.txt": None, "lib/deep/f.txt": "f\n"})
    shown = ask(server, "GET", f"~/pulls/{number}").json
    assert (shown["head"]["sha"], shown["draft"], shown["commits"]) == (pushed, True, 3)
    assert (shown["mergeable"], shown["mergeable_state"], shown["user"]["login"]) == (
        True,
        "draft",
        "syncline-bot",
    )
    files = ask(server, "GET", f"~/pulls/{number}/files").json
    assert [(one["filename"], one["status"]) for one in files] == [
        ("e.txt", "added"),
        ("lib/b.txt", "modified"),
        ("lib/deep/f.txt", "added"),
    ]


def test_a_conflict_shows(server: GitHubServer) -> None:
    shown = ask(server, "GET", f"~/pulls/{opened(server, 'clash')}").json
    assert (shown["mergeable"], shown["mergeable_state"]) == (False, "dirty")


def test_github_takes_a_moment_to_know_whether_it_merges(server: GitHubServer) -> None:
    server.world.slow_mergeability = 2
    number = opened(server)
    seen = [ask(server, "GET", f"~/pulls/{number}").json["mergeable"] for _ in range(3)]
    assert seen == [None, True, True]  # the answer to the opening was the first read


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"head": "nowhere", "base": "main", "title": "t"}, "head is invalid"),
        ({"head": "topic", "base": "nowhere", "title": "t"}, "base is invalid"),
        ({"head": "main", "base": "main", "title": "t"}, "No commits between main and main"),
        ({"head": "clash", "base": "main", "title": "t"}, "A pull request already exists for acme:clash."),
        ({"head": "topic", "base": "main", "title": "t", "body": "x" * 65537}, "body is too long"),
    ],
)
def test_what_can_not_be_opened(server: GitHubServer, body: dict[str, str], message: str) -> None:
    server.people.open_pull("clash", "main")
    refused = ask(server, "POST", "~/pulls", body)
    assert refused.status == 422
    assert message in refused.json["errors"][0]["message"]


def test_pull_requests_are_found_by_head_base_and_state(server: GitHubServer) -> None:
    number = opened(server)
    server.people.open_pull("clash", "main", by="bo")
    assert [one["number"] for one in ask(server, "GET", "~/pulls", head="acme:topic").json] == [number]
    assert [one["number"] for one in ask(server, "GET", "~/pulls").json] == [2, 1]
    assert [one["number"] for one in ask(server, "GET", "~/pulls", direction="asc").json] == [1, 2]
    ask(server, "PATCH", f"~/pulls/{number}", {"state": "closed"})
    assert [one["number"] for one in ask(server, "GET", "~/pulls", state="closed", base="main").json] == [number]


def test_lists_come_in_pages_with_links(server: GitHubServer) -> None:
    opened(server)
    for word in "abcde":
        server.people.comment(1, word)
    first = ask(server, "GET", "~/issues/1/comments", per_page=2)
    second = ask(server, "GET", first.headers["link"].partition(">")[0][1:])
    assert [one["body"] for one in (*first.json, *second.json)] == ["a", "b", "c", "d"]
    assert 'rel="next"' in second.headers["link"]
    assert 'rel="next"' not in ask(server, "GET", "~/issues/1/comments", per_page=2, page=3).headers["link"]


def test_comments_are_edited_and_reacted_to_once(server: GitHubServer) -> None:
    opened(server)
    made = ask(server, "POST", "~/issues/1/comments", {"body": "hello"}).json
    server.clock.advance(minutes=5)
    edited = ask(server, "PATCH", f"~/issues/comments/{made['id']}", {"body": "bye"}).json
    assert edited["body"] == "bye"
    assert edited["updated_at"] > edited["created_at"]
    answers = [ask(server, "POST", f"~/issues/comments/{made['id']}/reactions", {"content": "eyes"}) for _ in "12"]
    assert [one.status for one in answers] == [201, 200]
    assert ask(server, "GET", f"~/issues/comments/{made['id']}").json["reactions"]["eyes"] == 1
    assert server.log.count("POST", "*/comments") == 1


def test_nobody_edits_what_somebody_else_wrote_without_the_right_to_write(server: GitHubServer) -> None:
    opened(server)
    written = server.people.comment(1, "mine", by="ada")
    reader = server.people.token("eve", "read")
    assert ask(server, "PATCH", f"~/issues/comments/{written.id}", {"body": "no"}, token=reader).status == 403
    assert ask(server, "POST", "~/issues/1/comments", {"body": "may I?"}, token=reader).status == 201
    assert ask(server, "POST", "~/issues/1/labels", {"labels": ["x"]}, token=reader).status == 403


def test_labels_are_created_when_missing_and_compared_without_case(server: GitHubServer) -> None:
    opened(server)
    ask(server, "POST", "~/issues/1/labels", {"labels": ["Sync", "nightly"]})
    assert ask(server, "GET", "~/labels/sync").json["name"] == "Sync"
    assert ask(server, "POST", "~/labels", {"name": "SYNC"}).json["errors"][0]["code"] == "already_exists"
    left = ask(server, "DELETE", "~/issues/1/labels/nightly").json
    assert [one["name"] for one in left] == ["Sync"]
    assert [one["number"] for one in ask(server, "GET", "~/issues", labels="sync").json] == [1]


def test_only_collaborators_who_are_not_the_author_review(server: GitHubServer) -> None:
    opened(server)
    server.people.user("bo")
    asked = ask(
        server, "POST", "~/pulls/1/requested_reviewers", {"reviewers": ["bo"], "team_reviewers": ["infra"]}
    )
    assert [one["login"] for one in asked.json["requested_reviewers"]] == ["bo"]
    for name in ("stranger", "syncline-bot"):
        assert ask(server, "POST", "~/pulls/1/requested_reviewers", {"reviewers": [name]}).status == 422
    server.people.review(1, by="bo")
    assert ask(server, "GET", "~/pulls/1/requested_reviewers").json["users"] == []
    assert [one["state"] for one in ask(server, "GET", "~/pulls/1/reviews").json] == ["APPROVED"]


def test_a_deleted_branch_closes_and_a_pushed_merge_merges(server: GitHubServer) -> None:
    gone, landed = opened(server), server.people.open_pull("clash", "main").number
    server.people.delete_branch("topic")
    clash = server.world.bare.tip("clash")
    assert clash
    bare = server.world.bare
    bare.point("refs/heads/main", bare.new_commit(bare.tree(clash), [str(bare.tip("main")), clash], "by hand"))
    assert ask(server, "GET", f"~/pulls/{gone}").json["merged"] is False
    assert ask(server, "GET", f"~/pulls/{gone}").json["state"] == "closed"
    assert ask(server, "GET", f"~/pulls/{landed}").json["merged"] is True


def test_pushes_of_git_itself_are_seen(server: GitHubServer, tmp_path: Path) -> None:
    from testing.sealed import git  # noqa: PLC0415 - this test alone

    number = opened(server)
    git(tmp_path, "clone", "--quiet", "--branch=topic", server.path, "work")
    git(tmp_path / "work", "commit", "--quiet", "--allow-empty", "-m", "by hand")
    git(tmp_path / "work", "push", "--quiet", "origin", "topic")
    pushed = git(tmp_path / "work", "rev-parse", "HEAD").decode().strip()
    assert ask(server, "GET", f"~/pulls/{number}").json["head"]["sha"] == pushed
    assert ask(server, "GET", "~/git/ref/heads/topic").json["object"]["sha"] == pushed


def test_a_fork_s_branch_of_the_same_name_is_another_one(server: GitHubServer) -> None:
    ours = opened(server)
    pushed = server.people.push_to_fork("eve", "topic", {"z.txt": "z\n"}, start="main")
    theirs = server.people.open_pull("eve:topic", "main", by="eve").number
    shown = ask(server, "GET", f"~/pulls/{theirs}").json
    assert (shown["head"]["label"], shown["head"]["sha"]) == ("eve:topic", pushed)
    assert shown["head"]["repo"]["full_name"] == "eve/engine"
    assert [one["number"] for one in ask(server, "GET", "~/pulls", head="acme:topic").json] == [ours]
    query = """{ repository(owner: "acme", name: "engine") { pullRequests(headRefName: "topic", first: 9) {
      nodes { number isCrossRepository headRepository { nameWithOwner } headRef { name } } } } }"""
    assert ask_graphql(server, query)["data"]["repository"]["pullRequests"]["nodes"] == [
        {
            "number": ours, "isCrossRepository": False, "headRepository": {"nameWithOwner": "acme/engine"},
            "headRef": {"name": "topic"},
        },
        {
            "number": theirs, "isCrossRepository": True, "headRepository": {"nameWithOwner": "eve/engine"},
            "headRef": None,
        },
    ]  # fmt: skip
    assert server.people.merge(theirs)


def test_a_repository_that_was_renamed_is_found_by_its_number(server: GitHubServer) -> None:
    server.world.old_names.append("acme/motor")
    number = opened(server)
    moved = ask(server, "GET", f"/repos/acme/motor/pulls/{number}")
    assert moved.status == 301
    assert ask(server, "GET", moved.headers["location"]).json["number"] == number
    assert ask(server, "POST", f"/repos/acme/motor/issues/{number}/comments", {"body": "x"}).status == 307
    assert server.world.comments == {}


def test_many_ask_at_once(server: GitHubServer) -> None:
    opened(server)
    with ThreadPoolExecutor(8) as pool:
        answers = list(
            pool.map(lambda word: ask(server, "POST", "~/issues/1/comments", {"body": word}), "abcdefgh" * 4)
        )
    assert {one.status for one in answers} == {201}
    assert len({one.json["id"] for one in answers}) == 32
    assert ask(server, "GET", "~/pulls/1").json["comments"] == 32
