from datetime import UTC, datetime
from pathlib import Path

from pathspec import GitIgnoreSpec

from syncline.config.load import load

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "megatron-lm.toml"


def test_the_lane() -> None:
    lane = load(EXAMPLE).lane()
    assert (lane.name, lane.source, lane.target, lane.slice) == ("main-to-dev", "main", "dev", 100)
    now = datetime(2026, 7, 13, 15, tzinfo=UTC)
    assert lane.branch_name(now=now, slice_tip="0" * 40) == "main2dev/13_07_2026"
    assert lane.title_text(now=now, slice_tip="0" * 40) == "chore: nightly sync main into dev (13_07_2026)"
    assert lane.ci_trigger_text("f" * 40) == f"/ok to test {'f' * 40}"
    assert lane.next_start(now) == datetime(2026, 7, 16, 15, tzinfo=UTC)
    assert lane.formatters == ()


def test_its_rules_match_the_paths_they_are_for() -> None:
    lane = load(EXAMPLE).lane()
    cases = {
        ".github/CODEOWNERS": "protect",
        "tests/functional_tests/test_cases/golden_values.json": "ours",
        "tests/functional_tests/test_cases/gpt/tp1/golden_values_dev_dgx_h100.json": "ours",
        "tests/test_utils/recipes/bert.yaml": "ours",
        "tests/test_utils/recipes/h100/t5.yaml": "ours",
        "tests/test_utils/recipes/h100/gpt.yaml": None,
        "megatron/core/golden_values.py": None,
    }
    for path, take in cases.items():
        found = [rule.take for rule in lane.paths if GitIgnoreSpec.from_lines(rule.match).match_file(path)]
        assert (found[0] if found else None) == take, path
    coupled = GitIgnoreSpec.from_lines(lane.coupled[0].paths)
    inside = ("pyproject.toml", "uv.lock", "docker/Dockerfile.ci.dev", "experimental/lite/pyproject.toml")
    assert [coupled.match_file(path) for path in inside] == [True, True, True, False]


def test_its_rules_know_their_lines() -> None:
    lines = EXAMPLE.read_text().splitlines()
    lane = load(EXAMPLE).lane()
    assert len(lane.paths) == 3
    for rule in lane.paths:
        assert lines[rule.line - 1] == "[[lanes.main-to-dev.paths]]"
        assert f'reason = "{rule.reason}"' in lines[rule.line : rule.line + 8]
    assert lines[lane.coupled[0].line - 1] == "[[lanes.main-to-dev.coupled]]"


def test_its_gate_waits_for_a_check_it_has() -> None:
    lane = load(EXAMPLE).lane()
    assert set(lane.gate.sentinel) <= {check.name for check in lane.checks}


def test_its_formatters_work_once_they_are_turned_on(tmp_path: Path) -> None:
    text = EXAMPLE.read_text().replace("# [[", "[[")
    for key in ("name", "command", "match", "timeout"):
        text = text.replace(f"\n# {key} = ", f"\n{key} = ")
    (tmp_path / "syncline.toml").write_text(text)
    assert [item.name for item in load(tmp_path / "syncline.toml").lane().formatters] == ["black", "isort"]
