import re
from pathlib import Path

import pytest

from syncline.demo.story import Story, build, config_text
from syncline.errors import GitError
from syncline.git import CommitId, Mode, Repository
from syncline.git.commit import read_commit, read_commits
from syncline.git.history import count_apart, first_parent_line, merge_bases
from syncline.merge.model import Side
from testing.sealed import git
from tests.demo.sync import branch_tip, failures, merge_slice, slice_tip, the_lane


def text(repository: Repository, commit: CommitId, path: str) -> str:
    entry = repository.entry(read_commit(repository, commit).tree, path.encode())
    assert entry is not None, path
    return repository.blob(entry.oid).decode()


def landed(repository: Repository, branch: str, number: int) -> CommitId:
    """The commit of proposal `number` on a branch."""
    other = {"main": "dev", "dev": "main"}[branch]
    line = first_parent_line(repository, branch_tip(repository, other), branch_tip(repository, branch))
    commits = read_commits(repository, line)
    [found] = [commit.oid for commit in commits if commit.subject.endswith(f"(#{number})")]
    return found


def test_two_builds_give_the_same_ids(story: Story, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = tmp_path / "gitconfig"
    config.write_text(
        "[user]\n\tname = Someone Else\n[core]\n\tautocrlf = true\n[commit]\n\tgpgSign = true\n"
        f"[init]\n\ttemplateDir = {tmp_path}\n\tdefaultObjectFormat = sha256\n"
    )
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "nowhere"))
    monkeypatch.setenv("TZ", "Asia/Kathmandu")
    other = build(tmp_path / "other").repository
    monkeypatch.delenv("GIT_DIR")
    show = ["for-each-ref", "--format=%(refname) %(objectname)", "refs/heads/main", "refs/heads/dev"]
    assert git(other, *show) == git(story.repository, *show)


def test_the_repository_is_whole_and_its_work_tree_clean(story: Story) -> None:
    assert git(story.repository, "status", "--porcelain", "--branch") == b"## main\n"
    git(story.repository, "fsck", "--strict", "--no-dangling")
    assert (story.repository / "tinytron" / "training.py").is_file()


def test_a_taken_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(GitError, match=r"not empty \(it holds thesis.tex\)"):
        build(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_both_branches_went_on_by_many_people(repository: Repository) -> None:
    main, dev = branch_tip(repository, "main"), branch_tip(repository, "dev")
    only_main, only_dev = count_apart(repository, main, dev)
    assert only_main >= 24
    assert only_dev >= 20
    for ahead, behind in ((main, dev), (dev, main)):
        commits = read_commits(repository, first_parent_line(repository, behind, ahead))
        assert len({commit.author for commit in commits}) >= 5
        assert all(re.search(r" \(#\d+\)$", commit.subject) for commit in commits)
        dates = [commit.committed for commit in commits]
        assert dates == sorted(dates)
    assert len(merge_bases(repository, main, dev)) == 1


def test_the_configuration_is_in_both_branches(repository: Repository) -> None:
    lane = the_lane()
    assert (lane.source, lane.target) == ("main", "dev")
    for branch in (lane.source, lane.target):
        assert text(repository, branch_tip(repository, branch), "syncline.toml") == config_text()


def test_the_slice_ends_before_the_tip(repository: Repository) -> None:
    tip = slice_tip(repository)
    assert tip == landed(repository, "main", 140)
    assert tip != branch_tip(repository, "main")


@pytest.mark.parametrize("where", ["main", "dev", "slice"])
def test_every_side_is_green(repository: Repository, where: str) -> None:
    tip = slice_tip(repository) if where == "slice" else branch_tip(repository, where)
    assert failures(repository, tip) == {}


DECISIONS = [
    # path, kind, side that decided (None: unresolved)
    (".github/CODEOWNERS", "content", Side.OURS),
    ("docker/Dockerfile.ci.dev", "content", Side.OURS),
    ("pyproject.toml", "content", Side.OURS),
    ("scripts/launch.sh", "modify/delete", None),
    ("tests/golden/tiny_lm.json", "content", Side.OURS),
    ("tests/test_recompute.py", "add/add", None),
    ("tests/test_router.py", "add/add", None),
    ("tinytron/arguments.py", "content", None),
    ("tinytron/legacy_sampler.py", "modify/delete", None),
    ("tinytron/recompute.py", "add/add", None),
    ("tinytron/router.py", "add/add", None),
    ("tinytron/schedule.py", "content", None),
    ("tinytron/training.py", "content", None),
    ("tinytron/utils.py", "content", None),
    ("uv.lock", "content", Side.OURS),
]


def test_git_conflicts_where_the_story_says(repository: Repository) -> None:
    merged = merge_slice(repository)
    conflicts = [(conflict.path.decode(), conflict.kind.value) for conflict in merged.conflicts]
    assert conflicts == [(path, kind) for path, kind, _ in DECISIONS]


def test_rules_settle_what_they_name(repository: Repository) -> None:
    merged = merge_slice(repository)
    dev = read_commit(repository, merged.ours).tree
    for path, _, side in DECISIONS:
        if side is Side.OURS:
            name = path.encode()
            assert repository.entry(merged.tree, name) == repository.entry(dev, name), path
    ruled = {path.encode() for path, _, side in DECISIONS if side is not None}
    assert not ruled & {decision.path for decision in merged.unresolved}


@pytest.mark.parametrize("path", [b"docs/old_api.md", b"tinytron/fp16_scaler.py", b"tests/test_fp16_scaler.py"])
def test_what_one_side_deleted_alone_is_gone(repository: Repository, path: bytes) -> None:
    merged = merge_slice(repository)
    sides = [read_commit(repository, commit).tree for commit in (merged.ours, merged.theirs)]
    assert [repository.entry(tree, path) is None for tree in sides].count(True) == 1
    assert repository.entry(merged.tree, path) is None


def test_an_edit_follows_the_renamed_file(repository: Repository) -> None:
    tree = merge_slice(repository).tree
    assert repository.entry(tree, b"tinytron/timers.py") is None
    entry = repository.entry(tree, b"tinytron/profiling.py")
    assert entry is not None
    assert b"def reset(self):" in repository.blob(entry.oid)


def test_a_mode_comes_over(repository: Repository) -> None:
    entry = repository.entry(merge_slice(repository).tree, b"tools/lint.py")
    assert entry is not None
    assert entry.mode is Mode.EXECUTABLE


@pytest.mark.parametrize(
    ("squash", "last_step", "newest", "path"),
    [
        (("main", 124), ("dev", 111), "dev", "tinytron/recompute.py"),
        (("main", 124), ("dev", 111), "dev", "tests/test_recompute.py"),
        (("dev", 113), ("main", 106), "main", "tinytron/router.py"),
        (("dev", 113), ("main", 106), "main", "tests/test_router.py"),
    ],
)
def test_a_squash_is_a_step_of_the_chain(
    repository: Repository, squash: tuple[str, int], last_step: tuple[str, int], newest: str, path: str
) -> None:
    squashed = text(repository, landed(repository, *squash), path)
    assert squashed == text(repository, landed(repository, *last_step), path)
    assert squashed != text(repository, branch_tip(repository, newest), path)


def test_the_format_only_side_changes_no_meaning(repository: Repository) -> None:
    import ast  # noqa: PLC0415 - only here

    path = "tinytron/schedule.py"
    commit = landed(repository, "main", 116)
    [before] = read_commit(repository, commit).parents
    old, new = text(repository, before, path), text(repository, commit, path)
    assert old != new
    assert ast.dump(ast.parse(old)) == ast.dump(ast.parse(new))
