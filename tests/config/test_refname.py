import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.config.refname import branch_fault, nested


@pytest.mark.parametrize(
    "name", ["main", "release/1.x", "main2dev/29_11_2026", "a@b", "é/ü", "a.b", "x.locked", "@x", "head"]
)
def test_branches(name: str) -> None:
    assert branch_fault(name) == ""


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("", "empty"),
        ("a b", "space"),
        ("a\tb", "control character"),
        ("a..b", '".."'),
        ("a//b", '"//"'),
        ("a@{1}", '"@{"'),
        ("/a", 'starts with "/"'),
        ("a/", 'ends with "/"'),
        ("a.", 'ends with "/" or "."'),
        ("-a", 'starts with "-"'),
        ("HEAD", '"HEAD"'),
        ("@", '"@"'),
        (".a", 'starts with "."'),
        ("a/.b", 'starts with "."'),
        ("a.lock/b", '".lock"'),
        ("refs/heads/main", "branch name alone"),
        ("a" * 251, "longer"),
        ("a/" * 600 + "a", "longer"),
    ],
)
def test_what_is_no_branch(name: str, fault: str) -> None:
    assert fault in branch_fault(name)


@given(st.text(st.sampled_from("a.@{}/-~^:?*[\\ \tlockHEADé\x7f"), max_size=8))
def test_git_agrees(name: str) -> None:
    git = subprocess.run(
        ["git", "check-ref-format", "--branch", name],  # noqa: S607 - the git of the machine
        capture_output=True,
        check=False,
    )
    # Git would allow a branch "@", which it then takes for HEAD wherever it is named.
    assert (branch_fault(name) == "") == (git.returncode == 0 and name != "@")


@pytest.mark.parametrize(
    ("one", "other", "clash"),
    [("a", "a/b", True), ("a/b", "a", True), ("a", "ab", False), ("a", "a", False)],
)
def test_nested(one: str, other: str, *, clash: bool) -> None:
    assert nested(one, other) is clash
