"""Waivers hold as long as the code stays the same, and never for the hard invariants."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from syncline.audit.code_digest import code_digest
from syncline.audit.finding import Finding, Severity
from syncline.audit.waivers import NEVER, Applied, apply
from syncline.config.models import Lane, Waiver
from testing.audited import task_of

LOST = Finding("lost-call", Severity.FIX, b"a.py", "ours lost a call", line=2, symbol="f", text=("    g()",))
OTHER = Finding("lost-call", Severity.LOOK, b"a.py", "another one", line=2, symbol="h")
CODE = "def f():\n    pass\n"


def applied(
    place: Path, waivers: Sequence[Waiver], findings: Sequence[Finding] = (LOST, OTHER), code: str = CODE
) -> Applied:
    lane = Lane(name="x", source="main", target="dev", waivers=tuple(waivers))
    with task_of(place, {"b": "1\n"}, {"o": "1\n"}, {"t": "1\n"}, {"a.py": code}, lane=lane) as task:
        return apply(task, findings)


def waiver_of(place: Path, finding: Finding, code: str = CODE) -> Waiver:
    with task_of(place, {"b": "1\n"}, {"o": "1\n"}, {"t": "1\n"}, {"a.py": code}) as task:
        digest = code_digest(task.trees, finding)
    return Waiver(finding=finding.id, because="done elsewhere", code=digest, on=date(2026, 11, 1))


def test_a_waived_finding_does_not_stand(tmp_path: Path) -> None:
    waiver = waiver_of(tmp_path / "1", LOST)
    done = applied(tmp_path / "2", [waiver])
    assert done.standing == (OTHER,)
    assert [(one.finding, one.waiver) for one in done.waived] == [(LOST, waiver)]
    assert done.expired == ()


def test_code_that_changed_brings_it_back(tmp_path: Path) -> None:
    waiver = waiver_of(tmp_path / "1", LOST)
    done = applied(tmp_path / "2", [waiver], code="def f():\n    return 1\n")
    assert [finding.id for finding in done.standing] == [LOST.id, OTHER.id]
    assert done.standing[0].message == (
        "ours lost a call (a waiver of 2026-11-01 no longer holds: the code changed, or it is graver now)"
    )
    assert done.waived == ()
    assert [(one.finding, one.waiver) for one in done.expired] == [(done.standing[0], waiver)]


def test_what_has_become_graver_is_not_waived(tmp_path: Path) -> None:
    """An id names a symbol, not what is wrong with it: a definition may be lost, unless it is used."""
    grave = replace(LOST, kind="still-used", severity=Severity.STOP)
    assert grave.id == LOST.id
    done = applied(tmp_path / "2", [waiver_of(tmp_path / "1", LOST)], [grave])
    assert [finding.severity for finding in done.standing] == [Severity.STOP]
    assert len(done.expired) == 1
    done = applied(tmp_path / "4", [waiver_of(tmp_path / "3", grave)], [LOST])
    assert done.standing == ()


def test_of_several_waivers_one_that_holds_is_enough(tmp_path: Path) -> None:
    now = waiver_of(tmp_path / "1", LOST)
    before = waiver_of(tmp_path / "2", LOST, "def f():\n    return 1\n")
    done = applied(tmp_path / "3", [before, now])
    assert [one.waiver for one in done.waived] == [now]


@pytest.mark.parametrize("kind", NEVER)
def test_a_hard_invariant_is_never_waived(kind: str, tmp_path: Path) -> None:
    broken = Finding(kind, Severity.STOP, b"a.py", "broken", line=2)
    waiver = waiver_of(tmp_path / "1", broken)
    done = applied(tmp_path / "2", [waiver], [broken])
    assert done == Applied((broken,), (), ())


def test_without_a_policy_all_stands(tmp_path: Path) -> None:
    with task_of(tmp_path, {"b": "1\n"}, {"o": "1\n"}, {"t": "1\n"}, {"a.py": CODE}) as task:
        assert apply(task, [LOST, OTHER]).standing == (LOST, OTHER)
