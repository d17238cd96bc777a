"""The corpus: logs as the tools write them, each with the failure that a person would name.

`corpus/GROUP.toml` has a table for each `corpus/NAME.log`: `tool`, and what else must be told of `kind`, `path`,
`line`, `symbol`, `test`, `weight` (`cause` where none is given). `also` lists other tools that tell a cause in the
same log; any tool beyond these must not. A log with `none` tells of no failure at all. `signature` is what the
failure is known by in other runs, and `cause` whose doing it is as far as the log tells (`unknown` where none
is given: whose fault a type error is, only both parents can tell).
"""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from syncline.checks.logs.read_log import read_log
from syncline.checks.triage.cluster import cluster
from syncline.checks.triage.transient import known
from syncline.checks.triage.verdict import Facts, judge

CORPUS = Path(__file__).parent / "corpus"
EXPECTED: dict[str, dict[str, Any]] = {
    name: entry
    for file in sorted(CORPUS.glob("*.toml"))
    for name, entry in tomllib.loads(file.read_text(encoding="utf-8")).items()
}
SHARE = 0.95
TOLD = ("tool", "kind", "path", "line", "symbol", "test", "weight")


def test_every_log_is_expected_to_tell_something() -> None:
    assert {file.stem for file in CORPUS.glob("*.log")} == set(EXPECTED)
    assert len(EXPECTED) >= 120


def wrong(name: str) -> list[str]:
    """Return what is not as it must be in what the log of a name tells."""
    expected = dict(EXPECTED[name])
    log = read_log(CORPUS / f"{name}.log")
    if expected.pop("none", False):
        return [f"tells {one.tool}: {one.message}" for one in log.failures]
    cause, signature = expected.pop("cause", "unknown"), expected.pop("signature")
    also = {expected["tool"], *expected.pop("also", ())}
    assert set(expected) <= set(TOLD)
    if log.cause is None:
        return ["tells nothing"]
    expected.setdefault("weight", "cause")
    told = {key: getattr(log.cause, key) for key in expected}
    (fault,) = cluster([("check", log.cause)])
    told |= {"signature": log.cause.signature, "cause": judge(fault, Facts(signatures=known())).cause.value}
    expected |= {"signature": signature, "cause": cause}
    found = [
        f"{key}: wanted {expected[key]!r}, told {told[key]!r}" for key in expected if told[key] != expected[key]
    ]
    others = {failure.tool for failure in log.failures if failure.weight == "cause"} - also
    return [*found, *(f"{tool} tells a cause too" for tool in sorted(others))]


@pytest.mark.parametrize("name", EXPECTED)
def test_the_failure_is_found(name: str) -> None:
    assert wrong(name) == []


def test_the_share_that_is_right(record_property: Callable[[str, object], None]) -> None:
    """What the whole is worth, should an entry be let go some day: signature, cause and the rest of each log."""
    right = sum(not wrong(name) for name in EXPECTED)
    told = f"{right} of {len(EXPECTED)} logs are told right"
    record_property("corpus", told)
    assert right >= SHARE * len(EXPECTED), told


def test_causes_of_all_kinds_are_expected() -> None:
    causes = [entry.get("cause", "unknown") for entry in EXPECTED.values() if not entry.get("none")]
    assert {one for one in causes if causes.count(one) >= 5} == {"unknown", "infrastructure", "dependency"}
    assert "flaky" in causes


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
