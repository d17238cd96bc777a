"""What a finding's id holds, and what it does not: waivers and comments must survive the next merge."""

from dataclasses import replace
from typing import Any

import pytest

from syncline.audit.finding import Edit, EvidenceCommit, Finding, Severity
from syncline.git import CommitId

BY_TEXT = Finding("lost-line", Severity.FIX, b"a.py", "a line is gone", line=3, side="ours", text=("x\n", "y\n"))
BY_SYMBOL = replace(BY_TEXT, symbol="f")
SAME: dict[str, dict[str, Any]] = {
    "line": {"line": 9},
    "message": {"message": "other words"},
    "severity": {"severity": Severity.STOP},
    "commits": {"evidence": (EvidenceCommit(CommitId("a" * 40), "added it"),)},
    "suggestion": {"suggestion": "put it back"},
    "mend": {"edits": (Edit(b"a.py", 0, 1, (b"x\n",)),)},
}
OTHER: dict[str, dict[str, Any]] = {
    "kind": {"kind": "lost-call"},
    "path": {"path": b"b.py"},
    "no path": {"path": b""},
    "less text": {"text": ("x\n",)},
    "text cut elsewhere": {"text": ("x\ny\n",)},
    "side": {"side": "theirs"},
}


@pytest.mark.parametrize("name", SAME)
@pytest.mark.parametrize("finding", [BY_TEXT, BY_SYMBOL], ids=["by text", "by symbol"])
def test_an_id_stays(name: str, finding: Finding) -> None:
    assert replace(finding, **SAME[name]).id == finding.id


@pytest.mark.parametrize("name", OTHER)
def test_an_id_tells_apart(name: str) -> None:
    assert replace(BY_TEXT, **OTHER[name]).id != BY_TEXT.id


def test_a_symbol_says_enough() -> None:
    assert replace(BY_SYMBOL, side="theirs", text=()).id == BY_SYMBOL.id
    assert replace(BY_SYMBOL, symbol="g").id != BY_SYMBOL.id
    assert replace(BY_SYMBOL, path=b"b.py").id != BY_SYMBOL.id


@pytest.mark.parametrize("finding", [BY_TEXT, BY_SYMBOL], ids=["by text", "by symbol"])
def test_an_id_is_what_a_waiver_can_name(finding: Finding) -> None:
    assert len(finding.id) == 12
    assert set(finding.id) <= set("0123456789abcdef")


def test_text_that_is_no_utf_8_has_an_id() -> None:
    assert replace(BY_TEXT, text=("\udcff",)).id != replace(BY_TEXT, text=("\udcfe",)).id
