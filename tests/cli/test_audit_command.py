"""`syncline audit`: which merge is meant, how the result is written, how it ends."""

import json
from pathlib import Path

import pytest

from testing.builder import RepositoryBuilder
from testing.lane import build_lane
from testing.missing import lose
from testing.state import differences, snapshot
from tests.cli.auditing import START, built, run, use

POLICY = """
version = 1
[lanes.x]
source = "main"
target = "dev"
"""


@pytest.fixture(autouse=True)
def _plain_audits(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch)


def test_findings_as_text(builder: RepositoryBuilder, capsys: pytest.CaptureFixture[str]) -> None:
    repo = built(builder)
    before = snapshot(repo)
    done = run(capsys, repo, "audit")
    assert done.code == 1
    sha = repo.oid("call g (#12)")[:10]
    lines = done.out.split("\n")
    assert lines[0] == "fix (1): very likely mistakes"
    assert lines[1].startswith("  a.py:2  the call of g() is gone  [lost-call ")
    assert lines[2:5] == [
        "      |     g()",
        f"      because  {sha} added the call: call g (#12)",
        "      do       put it back",
    ]
    assert lines[-2] == f"{repo['dev'][:10]}: 1 fix"
    assert done.err == ""
    assert differences(before, snapshot(repo)) == []


def test_the_document(builder: RepositoryBuilder, capsys: pytest.CaptureFixture[str]) -> None:
    repo = built(builder)
    document = run(capsys, repo, "audit", "dev", "--json").json()
    assert run(capsys, repo, "audit", "dev", "--format", "json").json()["findings"] == document["findings"]
    (finding,) = document["findings"]
    assert finding | {"id": "", "evidence": []} == {
        "id": "", "kind": "lost-call", "severity": "fix", "path": "a.py", "line": 2, "symbol": "f",
        "side": "theirs", "message": "the call of g() is gone", "evidence": [],
        "text": ["    g()\n"], "suggestion": "put it back",
    }  # fmt: skip
    assert [one["sha"] for one in finding["evidence"]] == [repo.oid("call g (#12)")]
    assert document["counts"] == {"stop": 0, "fix": 1, "look": 0}
    assert isinstance(document["seconds"], float)
    assert set(document["seconds_by_audit"]) == {"calls", "markers", "evidence"}
    assert (document["waived"], document["expired"], document["not_run"]) == ([], [], [])
    assert (document["merge"], document["ours"], document["theirs"], document["bases"], document["lane"]) == (
        repo["dev"], repo.oid("ours"), repo["main"], [repo.oid("start")], None,
    )  # fmt: skip


def test_nothing_found(builder: RepositoryBuilder, capsys: pytest.CaptureFixture[str]) -> None:
    repo = built(builder, START)
    done = run(capsys, repo, "audit")
    assert (done.code, done.out, done.err) == (0, f"{repo['dev'][:10]}: no findings\n", "")


@pytest.mark.parametrize(
    ("output", "start"),
    [("markdown", "**Audit of `"), ("html", "<!doctype html>\n"), ("sarif", '{"$schema": "https://')],
)
def test_formats(output: str, start: str, builder: RepositoryBuilder, capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, built(builder), "audit", "--format", output)
    assert done.code == 1
    assert done.out.startswith(start)
    assert "the call of g() is gone" in done.out
    if output == "sarif":
        assert json.loads(done.out)["runs"][0]["results"][0]["ruleId"] == "lost-call"


@pytest.mark.parametrize("arguments", [[], ["--json"], ["--format", "markdown"], ["--verbose"]])
def test_what_did_not_run_is_never_passed_over(
    arguments: list[str],
    builder: RepositoryBuilder,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    use(monkeypatch, with_missing=True)
    done = run(capsys, built(builder, START), "audit", *arguments)
    assert done.code == 0
    assert done.err == "not run: types: pyrefly is not installed\n"
    if arguments == ["--json"]:
        assert done.json()["not_run"] == [{"name": "types", "why": "pyrefly is not\ninstalled"}]
    else:
        assert "1 part of the audit did not run" in done.out


def test_where_no_audit_could_run_nothing_is_passed(
    builder: RepositoryBuilder, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, with_missing=True)
    done = run(capsys, built(builder, START), "audit", "--only", "types")
    assert done.code == 2
    assert "not run: types" in done.err
    assert "no findings" in done.out


def test_some_audits_only(builder: RepositoryBuilder, capsys: pytest.CaptureFixture[str]) -> None:
    repo = built(builder)
    assert run(capsys, repo, "audit", "--only", "markers").code == 0
    assert run(capsys, repo, "audit", "--only", "markers, calls").code == 1
    done = run(capsys, repo, "audit", "--only", "marker")
    assert done.code == 2
    assert done.err == (
        "error: --only: no audit is named 'marker'\n"
        "  hint: did you mean 'markers'? known are calls, markers\n"
    )  # fmt: skip


def test_three_trees_of_any_origin(builder: RepositoryBuilder, capsys: pytest.CaptureFixture[str]) -> None:
    repo = built(builder)
    sides = ("--ours", repo.oid("ours"), "--theirs", "main", "--merged")
    tree = repo.text("rev-parse", "dev^{tree}")
    for merged in ("dev", tree, tree[:12], "dev^{tree}"):
        document = run(capsys, repo, "audit", *sides, merged, "--json").json()
        assert document["counts"]["fix"] == 1
        assert document["merge"] is None
    assert document["merged"] == tree


def test_sides_without_a_common_ancestor(builder: RepositoryBuilder, capsys: pytest.CaptureFixture[str]) -> None:
    one, other = builder.branch("one"), builder.branch("other")
    one.commit("one", {"a.py": START})
    other.commit("other", {"b.py": "1\n"})
    one.merge(other, "joined", {"a.py": "def f():\n    pass\n"})
    document = run(capsys, builder.finish(), "audit", "one", "--json").json()
    assert document["bases"] == []
    assert document["counts"]["fix"] == 1


def test_what_is_no_merge_of_two(builder: RepositoryBuilder, capsys: pytest.CaptureFixture[str]) -> None:
    dev = builder.branch("dev")
    dev.commit("root", {"a": "1\n"})
    one, other = dev.branch("one"), dev.branch("other")
    dev.commit("dev", {"b": "1\n"})
    one.commit("one", {"c": "1\n"})
    other.commit("other", {"d": "1\n"})
    dev.merge([one, other], "octopus")
    repo = builder.finish()
    for revision, words, hint in (
        (repo.oid("root"), "is a root commit", "--ours A --theirs B --merged C"),
        ("one", "has 1 parent, and no sync's merge commit is below it", "--ours A --theirs B --merged C"),
        ("nosuch", "no commit is named 'nosuch'", "git fetch"),
        (
            "dev",
            f"{repo['dev'][:10]} is an octopus merge of 3 parents; an audit compares two sides",
            f"--ours {repo.oid('dev')[:10]} --theirs {repo['one'][:10]} --merged {repo['dev'][:10]}",
        ),
    ):
        done = run(capsys, repo, "audit", revision)
        assert done.code == 2, revision
        assert words in done.err
        assert hint in done.err
        assert done.out == ""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--ours", "dev"), "--ours came without --theirs and --merged"),
        (("--ours", "dev", "--merged", "dev"), "--ours and --merged came without --theirs"),
        (("dev", "--ours", "dev"), "a merge and --ours were both given"),
        (("--ours", "dev", "--theirs", "main", "--merged", "x"), "no commit or tree is named 'x'"),
        (("--ours", "dev", "--theirs", "main", "--merged", ""), "no commit or tree is named ''"),
        (("--ours", "dev^{tree}", "--theirs", "main", "--merged", "dev"), "no commit is named 'dev^{tree}'"),
        (("--json", "--format", "html"), "--json and --format html were both given"),
        (("--only", ""), "no audit is named ''"),
        (("",), "no commit is named ''"),
        (("--format", "xml"), "Invalid value for '--format'"),
        (("--lane", "x"), "there is no syncline.toml"),
    ],
)
def test_wrong_words(
    arguments: tuple[str, ...], words: str, builder: RepositoryBuilder, capsys: pytest.CaptureFixture[str]
) -> None:
    done = run(capsys, built(builder), "audit", *arguments)
    assert done.code == 2
    assert words.lower() in (done.err + done.out).lower()


def test_a_shallow_clone_is_refused(
    builder: RepositoryBuilder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clone = built(builder).shallow_clone(tmp_path / "shallow", 1)
    done = run(capsys, clone, "audit", "origin/dev")
    assert done.code == 2
    assert "git fetch --unshallow" in done.err


def test_a_parent_that_is_missing(builder: RepositoryBuilder, capsys: pytest.CaptureFixture[str]) -> None:
    repo = built(builder)
    lost = repo["main"]
    repo.git("repack", "-adq")
    objects = repo.git("cat-file", "--batch-check=%(objectname)", "--batch-all-objects").decode().split()
    keep = "\n".join(oid for oid in objects if oid != lost)
    pack = repo.git_dir / "objects" / "pack"
    name = repo.git("pack-objects", "-q", str(pack / "pack"), input=keep.encode()).decode().strip()
    for file in pack.iterdir():
        if name not in file.name:
            file.unlink()
    done = run(capsys, repo, "audit", "dev")
    assert done.code == 2
    assert lost[:10] in done.err
    assert "hint" in done.err


def test_where_nothing_can_be_compared_nothing_is_passed(
    builder: RepositoryBuilder, capsys: pytest.CaptureFixture[str]
) -> None:
    """A partial clone that has no file: that nothing is found says nothing."""
    repo = built(builder)
    objects = repo.text("rev-list", "--objects", "--no-object-names", "--all").split()
    for oid in objects:
        if repo.text("cat-file", "-t", oid) == "blob":
            lose(repo.git_dir, oid)
    done = run(capsys, repo, "audit", "dev")
    assert done.code == 2
    assert "there is nothing to compare: versions of a.py" in done.err
    lose(repo.git_dir, repo.text("rev-parse", "main^{tree}"))
    done = run(capsys, repo, "audit", "dev")
    assert done.code == 2
    assert "diff-tree" in done.err


def test_the_other_parent_is_target_where_the_lane_says_so(
    builder: RepositoryBuilder, capsys: pytest.CaptureFixture[str]
) -> None:
    dev = builder.branch("dev")
    dev.commit("start", {"a.py": "def f():\n    pass\n"})
    source = dev.branch("main")
    dev.commit("ours", {"o.txt": "1\n"})
    source.commit("theirs", {"a.py": START})
    dev.merge(source, "sync", swap_parents=True)
    repo = builder.finish(head="dev")
    first = run(capsys, repo, "audit", "--json").json()
    assert (first["ours"], first["theirs"]) == (repo["main"], repo.oid("ours"))
    (repo.path / "syncline.toml").write_text(POLICY)
    second = run(capsys, repo, "audit", "--json").json()
    assert (second["ours"], second["theirs"], second["lane"]) == (repo.oid("ours"), repo["main"], "x")


def test_what_a_lane_skips_and_ignores(builder: RepositoryBuilder, capsys: pytest.CaptureFixture[str]) -> None:
    repo = built(builder)
    file = repo.path / "syncline.toml"
    for settings, code in (('skip = ["calls"]', 0), ('ignore = ["*.py"]', 0), ('skip = ["markers", "ty"]', 1)):
        file.write_text(f"{POLICY}[lanes.x.audit]\n{settings}\n")
        assert run(capsys, repo, "audit").code == code
    file.write_text(f'{POLICY}[lanes.x.audit]\nskip = ["call"]\n')
    done = run(capsys, repo, "audit")
    assert done.code == 2
    assert "lanes.x.audit.skip: no audit or checker is named 'call'" in done.err
    assert "did you mean 'calls'? known are calls, markers, ruff, pyrefly, ty" in done.err


def test_a_sync_is_audited_at_its_branch_with_what_people_added(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    story = build_lane(tmp_path)
    assert story.run("sync").code == 0
    repo = story.repo
    branch = repo.text("for-each-ref", "--format=%(refname:short)", "refs/heads/main2dev")
    merge = repo.tip(branch)
    repo.git("checkout", "-q", branch)
    (repo.path / "app.txt").write_text("<<<<<<< left\n")
    repo.git("commit", "-qam", "people's work")
    config = ("--config", str(story.config))
    done = run(capsys, repo, "audit", branch, *config, "--json")
    document = done.json()
    assert [(one["kind"], one["path"]) for one in document["findings"]] == [("conflict-markers", "app.txt")]
    assert (document["merge"], document["merged"]) == (merge, repo.tip(branch))
    assert run(capsys, repo, "audit", merge, *config).code == 0


def test_which_merge_a_branch_means(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    story = build_lane(tmp_path)
    assert story.run("sync").code == 0
    repo = story.repo
    branch = repo.text("for-each-ref", "--format=%(refname:short)", "refs/heads/main2dev")
    sync, start = repo.tip(branch), repo.tip("dev")

    def audited(revision: str) -> tuple[str, str, str]:
        document = run(capsys, repo, "audit", revision, "--config", str(story.config), "--json").json()
        return document["merge"], document["ours"], document["merged"]

    # Target moves, and somebody brings the proposal's branch up to date: it is the sync that is judged.
    repo.git("commit", "-q", "--allow-empty", "-m", "target moves")
    moved = repo.tip("dev")
    repo.git("checkout", "-q", branch)
    repo.git("merge", "-q", "--no-edit", "dev")
    updated = repo.tip(branch)
    assert audited(branch) == (sync, moved, updated)
    assert audited(sync) == (sync, start, sync)

    # It lands, its branch goes, and later somebody merges by hand: that merge is judged.
    repo.git("checkout", "-q", "dev")
    repo.git("merge", "-q", "--ff-only", branch)
    repo.git("branch", "-q", "-D", branch)
    repo.git("merge", "-q", "--no-edit", "main", "-X", "ours")
    assert audited("dev") == (repo.tip("dev"), updated, repo.tip("dev"))
