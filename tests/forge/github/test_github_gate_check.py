from collections.abc import Callable
from pathlib import Path

import pytest

from syncline.checks.gate import OWN_CHECK, GateState, Verdict, evaluate
from syncline.checks.model import Check, CheckState, Conclusion, Rollup
from syncline.config.load import load
from syncline.config.models import GateRule
from syncline.errors import ForgeError
from syncline.forge.github import required
from syncline.forge.github import rollup as rollups
from syncline.forge.github.client import Client
from syncline.forge.github.gate_check import is_posted, post, summary, title
from syncline.forge.github.settings import GitHubSettings
from syncline.forge.protocol import Shown
from syncline.lane.verdict import verdict_of
from testing.github import Fail, GitHubServer, Reset
from tests.forge.github.opening import tip

LANE = """version = 1
[lanes.x]
source = "main"
target = "dev"
remote = "origin"
forge = "github"
[lanes.x.gate]
required = ["unit", ".*"]
"""
MakeClient = Callable[[str], Client]


@pytest.fixture
def make_client(server: GitHubServer) -> MakeClient:
    settings = GitHubSettings(server.owner, server.name, api=server.api)
    return lambda token: Client(settings, {"GITHUB_TOKEN": token}, sleep=lambda _: None)


@pytest.fixture
def app(server: GitHubServer, make_client: MakeClient) -> Client:
    return make_client(server.people.workflow_token())


def judged(sha: str, **checks: Conclusion | None) -> Verdict:
    """The verdict on checks by name; None: still at work. `unit` is required."""
    found = tuple(
        Check(name, sha, CheckState.COMPLETED if end else CheckState.RUNNING, end) for name, end in checks.items()
    )
    return evaluate(GateRule(required=("unit",)), Rollup(sha, found), sha)


def test_an_app_posts_one_check_run_and_changes_it(server: GitHubServer, app: Client) -> None:
    sha = tip(server)
    waiting = post(app, judged(sha, lint=Conclusion.SUCCESS))
    (run,) = server.world.checks_of(sha)
    assert (run.name, run.external_id, run.status, run.conclusion) == (OWN_CHECK, sha, "in_progress", None)
    assert "| waits | `unit` | no check matches this required pattern yet |" in (run.summary or "")
    red = post(app, judged(sha, unit=Conclusion.FAILURE), url="https://ci.example/1")
    assert (red.id, run.status, run.conclusion) == (waiting.id, "completed", "failure")
    assert run.details_url == "https://ci.example/1"
    green = post(app, judged(sha, unit=Conclusion.SUCCESS))
    assert (green.id, run.conclusion) == (waiting.id, "success")
    assert run.title == "green: 1 check counted, nothing in the way"
    assert len(server.world.checks_of(sha)) == 1
    assert server.world.statuses == []


def test_the_same_verdict_writes_nothing(server: GitHubServer, app: Client) -> None:
    verdict = judged(tip(server), unit=None)
    first = post(app, verdict)
    before = len(server.log.writes())
    assert post(app, verdict) == Shown("check", first.id, changed=False)
    assert len(server.log.writes()) == before


def test_a_verdict_taken_back_is_a_new_check_run(server: GitHubServer, app: Client) -> None:
    sha = tip(server)
    green = post(app, judged(sha, unit=Conclusion.SUCCESS))
    again = post(app, judged(sha, unit=None))
    assert again.id > green.id
    (newest,) = server.world.checks_of(sha)
    assert (newest.id, newest.status) == (again.id, "in_progress")
    assert not post(app, judged(sha, unit=None)).changed


def test_each_commit_has_its_own(server: GitHubServer, app: Client) -> None:
    one, two = tip(server, "sync/1"), tip(server, "sync/2")
    post(app, judged(one, unit=Conclusion.SUCCESS))
    post(app, judged(two, unit=None))
    assert [run.conclusion for sha in (one, two) for run in server.world.checks_of(sha)] == ["success", None]


def test_a_persons_token_sets_a_status(server: GitHubServer, make_client: MakeClient) -> None:
    client, sha = make_client(server.token), tip(server)
    first = post(client, judged(sha, unit=None), url="https://ci.example/1")
    (status,) = server.world.statuses
    assert (first.kind, status.context, status.state) == ("status", OWN_CHECK, "pending")
    assert (status.description, status.target_url) == ("waits for 1", "https://ci.example/1")
    tried = server.log.count("POST", "*/check-runs")
    assert not post(client, judged(sha, unit=None), url="https://ci.example/1").changed
    post(client, judged(sha, unit=Conclusion.FAILURE))
    assert [one.state for one in server.world.statuses] == ["pending", "failure"]
    assert server.log.count("POST", "*/check-runs") == tried == 1


def test_an_app_without_the_permission_sets_a_status(server: GitHubServer, make_client: MakeClient) -> None:
    client = make_client(server.people.workflow_token(statuses="write"))
    assert post(client, judged(tip(server), unit=Conclusion.SUCCESS)).kind == "status"
    assert [one.state for one in server.world.statuses] == ["success"]


def test_an_app_with_the_right_to_checks_alone(server: GitHubServer, make_client: MakeClient) -> None:
    client = make_client(server.people.workflow_token(checks="write"))
    assert post(client, judged(tip(server), unit=Conclusion.SUCCESS)).kind == "check"
    assert not post(client, judged(tip(server), unit=Conclusion.SUCCESS)).changed


def test_two_accounts_do_not_contradict_each_other(
    server: GitHubServer, app: Client, make_client: MakeClient
) -> None:
    person, sha = make_client(server.token), tip(server)
    post(app, judged(sha, unit=Conclusion.SUCCESS))
    assert post(person, judged(sha, unit=Conclusion.FAILURE)).kind == "status"
    assert post(app, judged(sha, unit=Conclusion.SUCCESS)) == post(app, judged(sha, unit=Conclusion.SUCCESS))
    assert [one.state for one in server.world.statuses] == ["failure", "success"]


def test_another_apps_check_run_is_left_alone(server: GitHubServer, app: Client, make_client: MakeClient) -> None:
    sha = tip(server)
    other = post(app, judged(sha, unit=None))
    server.people.install_app("syncline-app", "", checks="write", statuses="write")
    theirs = server.world.app("syncline-app")
    mine = make_client(server.people.workflow_token())
    server.world.check_runs[other.id].app = theirs
    posted = post(mine, judged(sha, unit=Conclusion.SUCCESS))
    assert posted.id != other.id
    assert server.world.check_runs[other.id].status == "in_progress"


def test_what_may_be_done_is_looked_for(server: GitHubServer, app: Client) -> None:
    sha = tip(server)
    server.disturb("POST", "*/check-runs", Reset())
    assert post(app, judged(sha, unit=None)).changed
    assert len(server.world.checks_of(sha, newest=False)) == 1
    server.disturb("POST", "*/check-runs", Fail(502))
    with pytest.raises(ForgeError, match="not known"):
        post(app, judged(tip(server, "sync/2"), unit=None))


def test_a_status_of_unknown_fate_is_looked_for(server: GitHubServer, make_client: MakeClient) -> None:
    server.disturb("POST", "*/statuses/*", Fail(502, "after"))
    assert post(make_client(server.token), judged(tip(server), unit=None)).changed
    assert len(server.world.statuses) == 1


@pytest.mark.parametrize("as_app", [True, False])
def test_whether_it_is_posted(server: GitHubServer, app: Client, make_client: MakeClient, *, as_app: bool) -> None:
    client = app if as_app else make_client(server.token)
    sha = tip(server)
    waiting, red = judged(sha, unit=None), judged(sha, unit=Conclusion.FAILURE)
    assert not is_posted(client, waiting)
    post(client, waiting)
    assert is_posted(client, waiting)
    assert not is_posted(client, red)
    post(client, red)
    assert [is_posted(client, one) for one in (waiting, red)] == [False, True]
    # Another account says something else beside it: both must say the same.
    post(app, red)
    server.people.status(sha, OWN_CHECK, "success")
    assert not is_posted(client, red)
    post(client, red)
    assert not post(client, red).changed
    assert is_posted(client, red)


def test_a_verdict_on_no_commit_is_refused(app: Client) -> None:
    with pytest.raises(ForgeError, match="full commit id"):
        post(app, judged("main"))


@pytest.mark.parametrize("as_app", [True, False])
def test_the_gate_does_not_wait_for_itself(
    server: GitHubServer, app: Client, make_client: MakeClient, tmp_path: Path, *, as_app: bool
) -> None:
    client = app if as_app else make_client(server.token)
    sha = tip(server)
    (tmp_path / "syncline.toml").write_text(LANE)
    lane = load(tmp_path / "syncline.toml").lane()
    server.people.protect("dev", [OWN_CHECK, "unit"])
    server.people.check(sha, "unit")
    demands = required.required(client, "dev")

    def verdict() -> Verdict:
        return verdict_of(lane, rollups.rollup(client, sha, demands), sha)

    assert verdict().state is GateState.GREEN
    post(client, judged(sha, unit=Conclusion.FAILURE))
    with_itself = evaluate(lane.gate, rollups.rollup(client, sha, demands), sha)
    assert with_itself.state is GateState.RED
    assert verdict().state is GateState.GREEN
    post(client, verdict())
    assert verdict().green


def test_what_a_name_holds_becomes_no_markup() -> None:
    sha = "1" * 40
    verdict = judged(sha, **{"a|b`c`\n@team <x>": Conclusion.FAILURE})
    row = "| red | ``a\\|b`c`\\n@team <x>`` | did not succeed | `failure` |"
    assert row in summary(verdict).split("\n")
    assert title(verdict) == "1 red, waits for 1"


def test_five_hundred_reasons_fit() -> None:
    sha = "1" * 40
    verdict = judged(sha, **{f"check {number} {'x' * 900}": None for number in range(500)})
    assert len(summary(verdict)) < 65_536
    assert title(verdict) == "waits for 501"
    short = judged(sha, **{f"check {number}": None for number in range(500)})
    assert "And 401 more." in summary(short)
    assert summary(short).endswith("500 results counted, 0 left out.")


def test_green_says_so() -> None:
    words = summary(judged("1" * 40, unit=Conclusion.SUCCESS))
    assert words == "Nothing stands in the way.\n\n1 result counted, 0 left out."
