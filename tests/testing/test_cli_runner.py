from pathlib import Path

import pytest

from testing.cli import run_syncline

FAKE = """\
import os, sys
if "raise" in sys.argv: raise ValueError("oops")
print('{"cwd": "%s", "said": "%s"}' % (os.getcwd(), sys.stdin.read()))
print(os.environ.get("GITHUB_TOKEN"), file=sys.stderr)
sys.exit(3)
"""


@pytest.fixture
def fake(tmp_path: Path) -> dict[str, str]:
    """The environment in which another program goes by the product's name: the runner is tested here."""
    (tmp_path / "syncline").mkdir()
    (tmp_path / "syncline" / "__main__.py").write_text(FAKE)
    (tmp_path / "syncline" / "__init__.py").write_text("")
    return {"PYTHONPATH": str(tmp_path)}


def test_the_result_holds_all_that_came_back(
    fake: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "secret")
    result = run_syncline("x", repo=tmp_path, env=fake, input="in")
    assert (result.code, result.err) == (3, "None\n")
    assert result.json() == {"cwd": str(tmp_path), "said": "in"}


def test_a_traceback_fails_the_test(fake: dict[str, str]) -> None:
    with pytest.raises(AssertionError, match="ValueError: oops"):
        run_syncline("raise", env=fake)


def test_the_repository_cannot_pass_for_the_product(fake: dict[str, str]) -> None:
    result = run_syncline("--help", repo=Path(fake["PYTHONPATH"]), input="")
    assert result.code != 3
