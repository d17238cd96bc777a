"""The corpus: logs as the tools write them, each with the failure that a person would name.

`corpus/GROUP.toml` has a table for each `corpus/NAME.log`: `tool`, and what else must be told of `kind`, `path`,
`line`, `symbol`, `test`, `weight` (`cause` where none is given). `also` lists other tools that tell a cause in the
same log; any tool beyond these must not. A log with `none` tells of no failure at all.
"""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from syncline.checks.logs.read_log import read_log

CORPUS = Path(__file__).parent / "corpus"
EXPECTED: dict[str, dict[str, Any]] = {
    name: entry
    for file in sorted(CORPUS.glob("*.toml"))
    for name, entry in tomllib.loads(file.read_text(encoding="utf-8")).items()
}
TOLD = ("tool", "kind", "path", "line", "symbol", "test", "weight")


def test_every_log_is_expected_to_tell_something() -> None:
    assert {file.stem for file in CORPUS.glob("*.log")} == set(EXPECTED)
    assert len(EXPECTED) >= 100


@pytest.mark.parametrize("name", EXPECTED)
def test_the_failure_is_found(name: str) -> None:
    expected = dict(EXPECTED[name])
    log = read_log(CORPUS / f"{name}.log")
    if expected.pop("none", False):
        assert log.failures == ()
        return
    expected.setdefault("weight", "cause")
    also = {expected["tool"], *expected.pop("also", ())}
    assert set(expected) <= set(TOLD)
    assert log.cause is not None
    assert {key: getattr(log.cause, key) for key in expected} == expected
    assert {failure.tool for failure in log.failures if failure.weight == "cause"} <= also


@pytest.mark.parametrize("name", [name for name, entry in EXPECTED.items() if "test" not in entry])
def test_a_signature_is_the_same_on_another_machine_at_another_time(name: str, tmp_path: Path) -> None:
    """Timestamps, colours and line breaks of another system are no part of what is told."""
    text = (CORPUS / f"{name}.log").read_text(encoding="utf-8")
    if text.startswith(("2026-", "[20")):
        pytest.skip("has timestamps of its own")
    other = tmp_path / "other.log"
    lines = [f"2026-05-06T07:08:{number % 60:02}.1234567Z {line}" for number, line in enumerate(text.splitlines())]
    other.write_bytes("\r\n".join([*lines, ""]).encode())
    signatures = [failure.signature for failure in read_log(CORPUS / f"{name}.log").failures]
    assert [failure.signature for failure in read_log(other).failures] == signatures
