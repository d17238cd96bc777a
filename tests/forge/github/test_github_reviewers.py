from collections.abc import Sequence

import pytest

from syncline.forge.github.client import Client
from syncline.forge.github.reviewers import MOST, owners, request
from syncline.forge.github.settings import GitHubSettings
from tests.forge.github.answering import Got, Reply, answering

OWNERS = """
# who looks at what
*           @ada someone@example.org
/src/       @org/core @bo   # the core
*.gold      @Golden
/src/free
docs/**/a\\ b.md @cy
!no         @dee
[x]         @eve
"""


@pytest.mark.parametrize(
    ("paths", "found"),
    [
        (["README"], ["ada"]),
        (["src/x.py"], ["bo", "org/core"]),
        (["lib/src/x.py"], ["ada"]),
        (["src/run.gold"], ["Golden"]),
        (["src/free"], []),
        (["docs/x/a b.md"], ["cy"]),
        (["no", "x"], ["ada"]),
        (["a", "b", "src/x"], ["ada", "bo", "org/core"]),
        ([], []),
    ],
)
def test_the_last_line_that_matches_tells_the_owners(paths: list[str], found: list[str]) -> None:
    assert owners(OWNERS, paths) == found


class Hub:
    """A pull request by `me`, of whom `ada` has reviewed and `bo` was asked; `gone` cannot be asked."""

    def __init__(self) -> None:
        self.asked: list[Sequence[str]] = []

    def __call__(self, got: Got) -> Reply:
        path = got.path.split("?")[0].removeprefix("/repos/org/tools/")
        match got.method, path:
            case "GET", "pulls/7":
                return Reply(
                    {
                        "user": {"login": "me"},
                        "requested_reviewers": [{"login": "bo"}],
                        "requested_teams": [{"slug": "core"}],
                    }
                )
            case "GET", "pulls/7/reviews":
                return Reply([{"id": 1, "user": {"login": "Ada"}}, {"id": 2, "user": None}])
            case "GET", "pulls/7/files":
                return Reply([{"filename": "src/x.py"}, {"filename": "run.gold"}])
            case "GET", "contents/CODEOWNERS":
                return Reply({"encoding": "base64", "content": "KiBAYWRh\nIEBnb25lIEBjeSBAb3JnL2NvcmU=\n"})
            case "POST", "pulls/7/requested_reviewers":
                names = [*got.body["reviewers"], *got.body["team_reviewers"]]
                if "gone" in names:
                    return Reply({"message": "Reviews may only be requested from collaborators."}, status=422)
                self.asked.append(names)
                return Reply({}, status=201)
        return Reply({"message": "Not Found"}, status=404)


def run(wanted: Sequence[str]) -> tuple[list[Sequence[str]], list[str]]:
    hub, told = Hub(), list[str]()
    with (
        answering(hub) as server,
        Client(GitHubSettings("org", "tools", api=server.url), {"GITHUB_TOKEN": "x"}) as client,
    ):
        request(client, 7, target="dev", wanted=wanted, tell=told.append)
    return hub.asked, told


def test_who_was_asked_or_has_reviewed_is_not_asked_again() -> None:
    assert run(["ada", "bo", "org/core", "me", "cy", "org/docs"]) == ([["cy", "docs"]], [])
    assert run(["ada"]) == ([], [])
    assert run([]) == ([], [])


def test_code_owners_are_asked_and_who_cannot_be_is_told() -> None:
    asked, told = run(["CODEOWNERS", "dee"])
    assert asked == [["dee"], ["cy"]]
    assert told == ["GitHub does not let gone be asked for a review of proposal 7"]


def test_no_more_than_github_takes() -> None:
    ((names,), (words,)) = run([f"p{number}" for number in range(MOST + 2)])
    assert len(names) == MOST
    assert "17 reviewers" in words
