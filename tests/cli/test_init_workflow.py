"""`syncline init --forge github`: the workflow file, what it may do, and that it replaces nothing."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from syncline import __version__
from syncline.config.load import load
from syncline.config.starter.workflow import PERMISSIONS, PLACE, Stepped, workflow_text
from testing.builder import RepositoryBuilder
from testing.cli import Result, run_syncline
from testing.github_lane import POLICY, github_lane
from testing.lane import build_lane
from testing.repository import BuiltRepository
from testing.state import differences, snapshot

# https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#permissions
KNOWN = {
    "actions", "attestations", "checks", "contents", "deployments", "discussions", "id-token", "issues", "models",
    "packages", "pages", "pull-requests", "security-events", "statuses",
}  # fmt: skip
DOCS = Path(__file__).parents[2] / "docs" / "github.md"
URL = "https://github.com/acme/engine.git"


@pytest.fixture
def clone(tmp_path: Path) -> BuiltRepository:
    """A clone of a repository with `main` and `dev`, whose remote is called a GitHub repository."""
    made = build_lane(tmp_path, policy="").repo.clone(tmp_path / "clone")
    made.git("remote", "set-url", "origin", URL)
    return made


def init(repo: BuiltRepository, *arguments: str) -> Result:
    return run_syncline("init", "--forge", "github", *arguments, repo=repo)


def read(text: str) -> dict[Any, Any]:
    document = yaml.safe_load(text)
    assert isinstance(document, dict)
    return document


def commands(document: dict[Any, Any]) -> list[str]:
    return [step["run"].strip() for step in document["jobs"]["sync"]["steps"] if "run" in step]


def test_both_files_and_nothing_else(clone: BuiltRepository) -> None:
    before = snapshot(clone)
    done = init(clone)
    assert done.code == 0, done.err
    changed = {line.split(":")[1].strip() for line in differences(before, snapshot(clone)) if "files" in line}
    assert changed == {".github", ".github/workflows", PLACE, "syncline.toml"}
    lane = load(clone.path / "syncline.toml").lane()
    assert (lane.name, lane.forge, lane.source_at, lane.target_at) == ("main-to-dev", "github", "origin", "origin")
    assert lane.checks == ()  # they are GitHub's
    text = (clone.path / PLACE).read_text()
    document = read(text)
    triggers = document[True]  # YAML 1.1 takes `on` for true
    assert set(triggers) == {"schedule", "workflow_dispatch"}
    assert [set(one) for one in triggers["schedule"]] == [{"cron"}]
    assert document["concurrency"] == {"group": "syncline", "cancel-in-progress": False}
    assert document["permissions"] == {}
    assert commands(document)[0] == f'python -m pip install "syncline=={__version__}"'
    assert commands(document)[-1] == "syncline sync main-to-dev || [ $? -eq 1 ]"
    steps = document["jobs"]["sync"]["steps"]
    assert next(step["with"] for step in steps if "checkout" in step.get("uses", "")) == {"fetch-depth": 0}
    pinned = [step["uses"] for step in steps if "uses" in step]
    assert pinned
    assert all(re.fullmatch(r"actions/[a-z-]+@v\d+", one) for one in pinned), pinned
    assert "starts no other workflow" in " ".join(text.replace("#", " ").split())
    assert "secrets." not in text


def test_the_permissions_are_those_that_the_manual_asks_for(clone: BuiltRepository) -> None:
    init(clone)
    granted = read((clone.path / PLACE).read_text())["jobs"]["sync"]["permissions"]
    assert set(granted) <= KNOWN
    asked: dict[str, str] = {}
    for names, access in re.findall(
        r"^\| ([A-Z][\w ,]+) \| (read(?: and write)?) \|", DOCS.read_text(), re.MULTILINE
    ):
        for name in names.split(", "):
            key = {"commit-statuses": "statuses"}.get(
                name.lower().replace(" ", "-"), name.lower().replace(" ", "-")
            )
            asked[key] = "write" if "write" in access else "read"
    assert asked.pop("metadata") == "read"  # every token has it
    assert granted == asked | {"contents": "write"}  # git pushes with it


def test_what_it_grants_is_enough_from_plan_to_ready(tmp_path: Path) -> None:
    with github_lane(tmp_path, policy=POLICY) as lane:
        granted = {name.replace("-", "_"): access for name, access, _ in PERMISSIONS}
        lane.server.token = lane.server.people.workflow_token(**granted)
        assert lane.sync().done
        lane.ci()
        assert lane.sync().done == "proposal 1 is ready"


POLICY_THERE = """version = 1
[lanes.nightly]
source = "main"
target = "dev"
remote = "origin"
forge = "github"
schedule = "30  4 * * mon-fri"
time_zone = "Europe/Berlin"
[lanes.nightly.identity]
name = "Sync Bot"
email = "sync@example.org"
[lanes.nightly.github]
app_id = 7
app_key_env = "SYNC_KEY"
[lanes.local]
source = "main"
target = "dev"
"""


def test_beside_a_policy_that_is_there_it_writes_the_workflow_alone(clone: BuiltRepository) -> None:
    policy = clone.path / "syncline.toml"
    policy.write_text(POLICY_THERE)
    shown = init(clone, "--print")
    done = init(clone)
    assert (done.code, policy.read_text()) == (0, POLICY_THERE), done.err
    text = (clone.path / PLACE).read_text()
    assert text == shown.out
    document = read(text)
    assert document[True]["schedule"] == [{"cron": "30 4 * * mon-fri"}]
    assert "Europe/Berlin" in text  # told, as GitHub counts in UTC
    assert len(commands(document)) == 2  # the lane has an identity: git needs none
    assert document["jobs"]["sync"]["steps"][-1]["env"] == {"SYNC_KEY": "${{ secrets.SYNC_KEY }}"}


def test_showing_the_gate_needs_to_write_checks() -> None:
    for lanes, access in (
        ([Stepped("one")], "read"),
        ([Stepped("one"), Stepped("two", gate_check=True)], "write"),
    ):
        assert read(workflow_text(lanes, version="1"))["jobs"]["sync"]["permissions"]["checks"] == access


def test_several_lanes_do_not_hold_each_other_up() -> None:
    document = read(workflow_text([Stepped("one"), Stepped("two", "0 5 * * *")], version="1", config="a b/x.toml"))
    steps = document["jobs"]["sync"]["steps"]
    assert [command.split(" ||")[0] for command in commands(document)[-2:]] == [
        "syncline sync --config 'a b/x.toml' one", "syncline sync --config 'a b/x.toml' two",
    ]  # fmt: skip
    assert steps[-1]["if"] == "${{ !cancelled() }}"


def _file(repo: BuiltRepository) -> None:
    place = repo.path / PLACE
    place.parent.mkdir(parents=True)
    place.write_text("mine\n")


def _dangling(repo: BuiltRepository) -> None:
    place = repo.path / PLACE
    place.parent.mkdir(parents=True)
    place.symlink_to("../../../outside.yml")


def _link_out(repo: BuiltRepository) -> None:
    (repo.path.parent / "outside").mkdir()
    (repo.path / ".github").symlink_to("../outside")


def _no_directory(repo: BuiltRepository) -> None:
    (repo.path / ".github").write_text("mine\n")


def _local(repo: BuiltRepository) -> None:
    (repo.path / "syncline.toml").write_text('version = 1\n[lanes.a]\nsource = "main"\ntarget = "dev"\n')


def _key_file(repo: BuiltRepository) -> None:
    text = POLICY_THERE.replace('app_key_env = "SYNC_KEY"', 'app_key_file = "/etc/key.pem"')
    (repo.path / "syncline.toml").write_text(text)


@pytest.mark.parametrize(
    ("put", "words"),
    [
        (_file, "there is a workflow already"), (_dangling, "there is a workflow already"),
        (_link_out, "leads out of the repository"), (_no_directory, "is no directory"),
        (_local, "no lane of the policy lives at GitHub"), (_key_file, "app_key_env"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("force", [False, True])
def test_what_is_in_the_way_stays(clone: BuiltRepository, put: Any, words: str, *, force: bool) -> None:
    put(clone)
    before = snapshot(clone)
    done = init(clone, *(["--force"] if force else []))
    if force and put in {_local, _key_file}:
        assert done.code == 0  # the policy is what --force replaces
        return
    assert done.code == 2
    assert words in done.err
    assert differences(before, snapshot(clone)) == []
    assert not (clone.path.parent / "outside.yml").exists()
    assert list(clone.path.parent.glob("outside/*")) == []


@pytest.mark.parametrize(
    ("url", "arguments", "words"),
    [
        ("/srv/git/engine", (), "no remote is a GitHub repository"),
        ("/srv/git/engine", ("--remote", "origin"), "the remote 'origin' is no GitHub repository"),
        (URL, ("--remote", "nobody"), "the remote 'nobody' is no GitHub repository"),
        (URL, ("--config", "../elsewhere.toml"), "lies outside of the repository"),
        (URL, ("--config", "${{ x }}.toml"), "its name does not go into a workflow"),
    ],
)
def test_what_makes_no_workflow_is_refused(
    clone: BuiltRepository, url: str, arguments: tuple[str, ...], words: str
) -> None:
    clone.git("remote", "set-url", "origin", url)
    before = snapshot(clone)
    arguments = tuple(str(clone.path / one) if one.endswith(".toml") else one for one in arguments)
    done = init(clone, *arguments)
    assert (done.code, words in done.err) == (2, True), done.err
    assert differences(before, snapshot(clone)) == []


def test_print_and_json(clone: BuiltRepository) -> None:
    before = snapshot(clone)
    printed = init(clone, "--print").out
    said = init(clone, "--print", "--json").json()
    assert said["text"] in printed
    assert said["workflow_text"] in printed
    assert (said["written"], said["workflow"], said["forge"]) == (False, PLACE, "github")
    assert differences(before, snapshot(clone)) == []


def test_a_bare_repository_has_no_place_for_it(tmp_path: Path) -> None:
    build = RepositoryBuilder(tmp_path / "bare.git", bare=True)
    main = build.branch("main")
    main.commit("start", {"a": "a\n"})
    dev = main.branch("dev")
    main.commit("m", {"m": "m\n"})
    dev.commit("d", {"d": "d\n"})
    repo = build.finish()
    repo.git("remote", "add", "origin", URL)
    repo.git("update-ref", "refs/remotes/origin/main", repo["main"])
    repo.git("update-ref", "refs/remotes/origin/dev", repo["dev"])
    done = init(repo)
    assert done.code == 2
    assert "belongs into a work tree" in done.err
