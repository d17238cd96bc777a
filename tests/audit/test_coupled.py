from pathlib import Path

import pytest

from syncline.audit.coupled import out_of_step
from syncline.audit.finding import Finding, Severity
from syncline.audit.task import NotRun
from testing.audited import findings_of, task_of
from testing.blobs import Files

NAME = '[project]\nname = "app"\n'


def pyproject(*requirements: str) -> str:
    return f"{NAME}dependencies = [\n" + "".join(f'  "{one}",\n' for one in requirements) + "]\n"


def uv_lock(*requirements: str, twice: str = "") -> str:
    names = [one.split(">")[0] for one in requirements]
    metadata = "".join(
        f'    {{ name = "{one.split(">")[0]}", specifier = ">{one.split(">")[1]}" }},\n' for one in requirements
    )
    needs = "".join(f'    {{ name = "{name}" }},\n' for name in names)
    blocks = "".join(
        f'\n[[package]]\nname = "{name}"\nversion = "9"\n' for name in [*names, *filter(None, [twice])]
    )
    return (
        f'version = 1\n\n[[package]]\nname = "app"\nsource = {{ virtual = "." }}\ndependencies = [\n{needs}]\n\n'
        f"[package.metadata]\nrequires-dist = [\n{metadata}]\n{blocks}"
    )


BASE = {"pyproject.toml": pyproject("a>1", "b>1"), "uv.lock": uv_lock("a>1", "b>1")}
OURS = {"pyproject.toml": pyproject("a>1", "b>1", "c>1"), "uv.lock": uv_lock("a>1", "b>1", "c>1")}
THEIRS = {"pyproject.toml": pyproject("a>2", "b>1"), "uv.lock": uv_lock("a>2", "b>1")}
BOTH = {"pyproject.toml": pyproject("a>2", "b>1", "c>1"), "uv.lock": uv_lock("a>2", "b>1", "c>1")}


@pytest.fixture(autouse=True)
def _without_uv(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("syncline.audit.coupled.find_uv", lambda: None)


def found(
    place: Path, merged: Files, base: Files = BASE, ours: Files = OURS, theirs: Files = THEIRS
) -> list[Finding]:
    with task_of(place, base, ours, theirs, merged) as task:
        return findings_of(out_of_step, task)


def test_a_merge_in_step(tmp_path: Path) -> None:
    assert found(tmp_path, BOTH) == []


def test_a_manifest_of_both_sides_with_the_lock_file_of_one(tmp_path: Path) -> None:
    (one,) = found(tmp_path, BOTH | {"uv.lock": OURS["uv.lock"]})
    assert (one.kind, one.severity, one.path, one.symbol) == ("lock-out-of-step", Severity.FIX, b"uv.lock", "a")
    assert one.message == "pyproject.toml wants a >2, which uv.lock does not hold"
    assert one.suggestion == "uv lock"


def test_a_manifest_and_a_lock_file_of_different_sides(tmp_path: Path) -> None:
    merged = {"pyproject.toml": OURS["pyproject.toml"], "uv.lock": THEIRS["uv.lock"]}
    assert [one.symbol for one in found(tmp_path, merged)] == ["a", "c"]


def test_a_pair_that_a_side_has_is_not_the_merges_doing(tmp_path: Path) -> None:
    wrong = OURS | {"uv.lock": THEIRS["uv.lock"]}
    assert found(tmp_path, wrong, ours=wrong, theirs={"x": "1\n"}) == []


def test_what_is_out_of_step_on_a_side_already_is_not_told(tmp_path: Path) -> None:
    ours = OURS | {"uv.lock": uv_lock("a>1", "b>1")}
    assert found(tmp_path, BOTH | {"uv.lock": uv_lock("a>2", "b>1")}, ours=ours) == []


def test_a_lock_file_that_contradicts_itself(tmp_path: Path) -> None:
    (one,) = found(tmp_path, BOTH | {"uv.lock": uv_lock("a>2", "b>1", "c>1", twice="b")})
    assert (one.kind, one.severity) == ("lock-broken", Severity.STOP)
    assert one.text == (
        "b 9 is listed twice",
        "b is listed in several versions, app does not say which one it needs",
    )


def test_a_workspace_has_one_lock_file_above(tmp_path: Path) -> None:
    base, ours, theirs, merged = (
        {f"x/y/{name}" if name == "package.json" else name: text for name, text in files.items()}
        for files in (
            {"package.json": '{"dependencies": {"a": "1"}}', "yarn.lock": "a@1:\n  version 1\n"},
            {
                "package.json": '{"dependencies": {"a": "1", "b": "1"}}',
                "yarn.lock": "a@1:\n  version 1\nb@1:\n  v\n",
            },
            {"yarn.lock": "a@1:\n  version 1.1\n"},
            {"yarn.lock": "a@1:\n  version 1.1\n"},
        )
    )
    (one,) = found(tmp_path, merged, base, ours, theirs)
    assert (one.path, one.message) == (b"yarn.lock", "x/y/package.json wants b 1, which yarn.lock does not hold")


def test_sources_of_a_manifest_taken_whole(tmp_path: Path) -> None:
    sources = '[tool.uv.sources]\na = { git = "https://example.org/a" }\n'
    theirs = {"pyproject.toml": THEIRS["pyproject.toml"] + sources}
    (one,) = found(tmp_path, {"pyproject.toml": OURS["pyproject.toml"]}, theirs=theirs)
    assert (one.kind, one.symbol, one.side, one.suggestion) == (
        "source-lost", "a", "theirs", 'add it to [tool.uv.sources] again: a = { git = "https://example.org/a" }',
    )  # fmt: skip


# --- uv --------------------------------------------------------------------------------------------------------

# What uv says on standard error, its exit status, and what comes of it. `MARK` is in the merged manifest only.
OUTDATED = "error: The lockfile at `uv.lock` needs to be updated, but `--check` was provided."


def uv_in(place: Path, script: str) -> str:
    place.mkdir()
    program = place / "uv"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return str(program)


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("exit 0", []),
        (f'grep -q "c>1" pyproject.toml && grep -q "a>2" pyproject.toml && {{ echo "{OUTDATED}" >&2; exit 1; }}',
         ["lock-out-of-step"]),
        (f'echo "{OUTDATED}" >&2; exit 1', []),  # wrong on the sides as well
        ('echo "error: No interpreter found" >&2; exit 2', ["exit code 2: error: No interpreter found"]),
    ],
)  # fmt: skip
def test_uv_is_asked_where_it_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, told: list[str]
) -> None:
    uv = uv_in(tmp_path / "bin", script.replace("`", "\\`"))
    monkeypatch.setattr("syncline.audit.coupled.find_uv", lambda: uv)
    with task_of(tmp_path, BASE, OURS, THEIRS, BOTH) as task:
        answers = list(out_of_step(task))
    assert [one.why if isinstance(one, NotRun) else one.kind for one in answers] == told
