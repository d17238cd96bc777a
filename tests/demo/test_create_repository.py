from pathlib import Path

import pytest

from syncline.demo.history import Branch, publish
from syncline.demo.people import MEI
from syncline.errors import GitError
from syncline.git import Repository
from syncline.git.create import check_out, create_repository
from testing.sealed import git
from tests.demo.sync import NOON


def test_templates_and_config_have_no_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    template = tmp_path / "template"
    (template / "hooks").mkdir(parents=True)
    (template / "hooks" / "pre-commit").write_text("#!/bin/sh\nexit 1\n")
    config = tmp_path / "gitconfig"
    config.write_text(f"[init]\n\ttemplateDir = {template}\n\tdefaultBranch = trunk\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    monkeypatch.setenv("GIT_TEMPLATE_DIR", str(template))
    place = tmp_path / "deep" / "new"
    create_repository(place, default_branch="main")
    assert (place / ".git" / "HEAD").read_text() == "ref: refs/heads/main\n"
    assert not (place / ".git" / "hooks").exists()


def test_a_relative_place_is_below_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    create_repository(Path("-new"), default_branch="main")
    assert (tmp_path / "-new" / ".git").is_dir()


def test_an_empty_directory_will_do(tmp_path: Path) -> None:
    create_repository(tmp_path, default_branch="main")
    assert (tmp_path / ".git").is_dir()


def test_a_repository_is_not_made_over_another(tmp_path: Path) -> None:
    create_repository(tmp_path, default_branch="main")
    with pytest.raises(GitError, match=r"not empty \(it holds \.git\)"):
        create_repository(tmp_path, default_branch="main")


def test_a_file_is_no_place(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(GitError, match="there is a file") as caught:
        create_repository(tmp_path / "file", default_branch="main")
    assert "is empty" in caught.value.hint


def test_a_branch_name_git_refuses(tmp_path: Path) -> None:
    with pytest.raises(GitError, match="invalid"):
        create_repository(tmp_path / "new", default_branch="a..b")


def test_check_out_fills_index_and_work_tree(tmp_path: Path) -> None:
    create_repository(tmp_path / "new", default_branch="main")
    with Repository.open(tmp_path / "new") as repository:
        branch = Branch(repository, "topic", repository.empty_tree)
        branch.commit("x", by=MEI, when=NOON, write={"run": "#!/bin/sh\n", "d/f": "f\n"}, executable=["run"])
        publish([branch], why="test")
        with pytest.raises(GitError, match="no commit is named"):
            check_out(repository, "main")
        check_out(repository, "topic")
    assert git(tmp_path / "new", "status", "--porcelain", "--branch") == b"## topic\n"
    assert (tmp_path / "new" / "run").stat().st_mode & 0o111
    assert (tmp_path / "new" / "d" / "f").read_text() == "f\n"


def test_a_bare_repository_has_nowhere_to_check_out(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "--bare", "bare.git")
    with (
        Repository.open(tmp_path / "bare.git") as repository,
        pytest.raises(GitError, match="no work tree"),
    ):
        check_out(repository, "main")
