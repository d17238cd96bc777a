import os
from pathlib import Path

import pytest

from testing.sealed import git, sealed_environment, sealed_home


def test_nothing_of_the_caller_gets_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GITHUB_TOKEN", "GIT_CONFIG_COUNT", "EMAIL"):
        monkeypatch.setenv(name, "from outside")
    sealed = sealed_environment(tmp_path / "home")
    assert "from outside" not in sealed.values()
    assert sealed["PATH"] == os.environ["PATH"]
    assert sealed["GIT_TERMINAL_PROMPT"] == "0"
    assert git(tmp_path, "init", "--quiet", "repo") == b""


def test_the_tests_themselves_run_sealed() -> None:
    assert os.environ["HOME"] == str(sealed_home())
    assert {key: os.environ[key] for key in sealed_environment(sealed_home())} == sealed_environment(sealed_home())
    assert not [key for key in os.environ if key.startswith(("GITHUB_", "GH_", "SSH_"))]


def test_git_sees_only_the_sealed_configuration(tmp_path: Path) -> None:
    origins = git(tmp_path, "config", "--list", "--show-origin", "--name-only").decode().splitlines()
    assert {line.split("\t")[0] for line in origins} == {f"file:{sealed_home()}/.gitconfig"}


def test_a_home_of_ones_own_keeps_its_configuration(tmp_path: Path) -> None:
    (tmp_path / ".gitconfig").write_text("[user]\n\tname = Somebody Else\n")
    sealed_environment(tmp_path)
    assert (tmp_path / ".gitconfig").read_text() == "[user]\n\tname = Somebody Else\n"
