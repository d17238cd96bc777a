"""`syncline waive`: a finding that may pass, for as long as its code stays the same."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from syncline.audit import registry
from syncline.audit.finding import Finding, Severity
from testing.builder import RepositoryBuilder
from testing.lane import build_lane
from testing.repository import BuiltRepository
from tests.cli.auditing import START, built, run, use

POLICY = '# The policy.\nversion = 1\n[lanes.x]\nsource = "main" # upstream\ntarget = "dev"\n'


@pytest.fixture(autouse=True)
def _plain_audits(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch)


def with_policy(repo: BuiltRepository) -> Path:
    file = repo.path / "syncline.toml"
    file.write_text(POLICY)
    return file


def finding_id(capsys: pytest.CaptureFixture[str], repo: BuiltRepository, *arguments: str) -> str:
    (finding,) = run(capsys, repo, "audit", *arguments, "--json").json()["findings"]
    return str(finding["id"])


def test_a_finding_is_waived_until_its_code_changes(
    builder: RepositoryBuilder, capsys: pytest.CaptureFixture[str]
) -> None:
    repo = built(builder)
    file = with_policy(repo)
    wanted = finding_id(capsys, repo)
    today = datetime.now(UTC).date().isoformat()
    done = run(capsys, repo, "waive", wanted, "--because", "g moved to lib")
    assert done.code == 0
    assert done.out.startswith("waived    a.py:2  the call of g() is gone\nwritten   ")
    assert f"{file}:7; commit it" in done.out
    assert file.read_text().startswith(f'{POLICY}\n[[lanes.x.waivers]]\nfinding = "{wanted}"\npath = "a.py"\n')

    passed = run(capsys, repo, "audit")
    assert passed.code == 0
    assert passed.out == f"{repo['dev'][:10]}: no findings, 1 waived\n"
    (waived,) = run(capsys, repo, "audit", "--json").json()["waived"]
    assert waived["id"] == wanted
    assert waived["waiver"] | {"code": "", "by": ""} == {
        "finding": wanted, "because": "g moved to lib", "path": "a.py", "code": "", "by": "", "on": today,
    }  # fmt: skip

    again = run(capsys, repo, "waive", wanted, "--because", "once more")
    assert again.code == 0
    assert again.out.split("\n")[1].startswith("already   waived by ")
    assert "once more" not in file.read_text()

    repo.git("checkout", "-q", "-B", "newer", "dev^")
    (repo.path / "a.py").write_text(START.replace("g()", "return 1"))
    repo.git("add", "a.py")
    tree = repo.text("write-tree")
    sides = ("--ours", "dev^", "--theirs", "main", "--merged", tree)
    expired = run(capsys, repo, "audit", *sides)
    assert expired.code == 1
    words = f"the call of g() is gone (a waiver of {today} no longer holds: the code changed, or it is graver now)"
    assert words in expired.out
    assert run(capsys, repo, "audit", *sides, "--json").json()["expired"][0]["finding"] == wanted

    # Taking the table out takes the waiver back.
    file.write_text(POLICY)
    assert run(capsys, repo, "audit", "dev").code == 1


def test_an_expired_waiver_is_written_anew(builder: RepositoryBuilder, capsys: pytest.CaptureFixture[str]) -> None:
    repo = built(builder)
    file = with_policy(repo)
    wanted = finding_id(capsys, repo)
    file.write_text(f'{POLICY}\n[[lanes.x.waivers]]\nfinding = "{wanted}"\nbecause = "old"\ncode = "{"0" * 16}"\n')
    assert run(capsys, repo, "audit").code == 1
    document = run(capsys, repo, "waive", wanted, "--because", "new", "--json").json()
    assert document["already"] is False
    assert document["waiver"]["because"] == "new"
    assert file.read_text().count("[[lanes.x.waivers]]") == 1
    assert run(capsys, repo, "audit").code == 0


def test_an_unknown_id_is_refused_with_close_ones(
    builder: RepositoryBuilder, capsys: pytest.CaptureFixture[str]
) -> None:
    repo = built(builder)
    file = with_policy(repo)
    wanted = finding_id(capsys, repo)
    done = run(capsys, repo, "waive", wanted[:-1] + "x", "--because", "why")
    assert done.code == 2
    assert f"no finding has the id '{wanted[:-1]}x' in the audit of HEAD" in done.err
    assert f"did you mean {wanted} (a.py:2  the call of g() is gone)" in done.err
    assert file.read_text() == POLICY


def test_what_nobody_may_waive(builder: RepositoryBuilder, capsys: pytest.CaptureFixture[str]) -> None:
    repo = built(builder, START + "<<<<<<< a\n")
    file = with_policy(repo)
    wanted = finding_id(capsys, repo)
    done = run(capsys, repo, "waive", wanted, "--because", "why")
    assert done.code == 2
    assert "is a 'conflict-markers', which nobody may waive: a.py:1" in done.err
    assert "hint: settle the conflict" in done.err
    assert file.read_text() == POLICY


@pytest.mark.parametrize("because", ["", "  ", "two\nlines", "\x1b[2J"])
def test_a_reason_is_one_line(
    because: str, builder: RepositoryBuilder, capsys: pytest.CaptureFixture[str]
) -> None:
    repo = built(builder)
    file = with_policy(repo)
    done = run(capsys, repo, "waive", finding_id(capsys, repo), "--because", because)
    assert done.code == 2
    assert "--because" in done.err
    assert "\x1b" not in done.err
    assert file.read_text() == POLICY


def test_without_a_policy_there_is_nowhere_to_write(
    builder: RepositoryBuilder, capsys: pytest.CaptureFixture[str]
) -> None:
    done = run(capsys, built(builder), "waive", "0" * 12, "--because", "why", "--json")
    assert done.code == 2
    assert "there is no syncline.toml" in json.loads(done.out)["error"]


def test_a_mistake_in_the_file_is_told(builder: RepositoryBuilder, capsys: pytest.CaptureFixture[str]) -> None:
    repo = built(builder)
    (repo.path / "syncline.toml").write_text(f"{POLICY}slise = 1\n")
    done = run(capsys, repo, "waive", "0" * 12, "--because", "why")
    assert done.code == 2
    assert "syncline.toml:6: lanes.x.slise: unknown key" in done.err


def test_a_finding_of_an_open_proposal_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    story = build_lane(tmp_path)
    assert story.run("sync").code == 0
    seen = Finding("seen", Severity.LOOK, b"app.txt", "look at it", line=1)
    monkeypatch.setattr(registry, "AUDITS", {"always": lambda _task: iter((seen,))})
    config = ("--config", str(story.config))
    assert story.repo.text("symbolic-ref", "--short", "HEAD") == "dev"  # which is no merge
    unknown = run(capsys, story.repo, "waive", "0" * 12, "--because", "why", *config)
    assert unknown.code == 2
    assert "in the audit of proposal 1" in unknown.err
    assert run(capsys, story.repo, "waive", seen.id, "--because", "seen by Ada", *config).code == 0
    branch = story.repo.text("for-each-ref", "--format=%(refname:short)", "refs/heads/main2dev")
    assert run(capsys, story.repo, "audit", branch, *config).code == 0
    assert 'because = "seen by Ada"' in story.config.read_text()


def test_without_a_merge_or_a_proposal_there_is_nothing_to_look_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    story = build_lane(tmp_path)
    done = run(capsys, story.repo, "waive", "0" * 12, "--because", "why", "--config", str(story.config))
    assert done.code == 2
    assert "a merge commit was expected at 'HEAD'" in done.err
