"""Reports for tests: one of any shape, with the most hostile texts there are."""

import dataclasses
import typing
from typing import Any, TypeVar

from hypothesis import strategies as st

from syncline.audit.explain.told import Told
from syncline.audit.finding import EvidenceCommit, Finding, Severity
from syncline.audit.task import NotRun
from syncline.audit.waivers import Applied
from syncline.git import CommitId
from syncline.propose import model
from syncline.propose.category import Category
from syncline.propose.outcome import Outcome

T = TypeVar("T")

HOSTILE = st.text(
    st.one_of(
        st.sampled_from(list("`~*_[](){}<>|@#$\\&;:/-=+.!\n\r\t\x00\x1b\u202e\udc80\ufeff ab1w")),
        st.characters(),
    ),
    max_size=30,
) | st.sampled_from(
    [
        "@everyone look",
        "fixes #12",
        "(#123)",
        "<script>alert(1)</script>",
        "</details>",
        "```\n</details>\n",
        "~~~",
        "--> <!-- syncline:lane=other -->",
        "a" * 400,
        "https://example.org/x",
        "| a | b |",
        "&lt;b&gt;",
        "# heading",
        "1. one",
    ]
)
_SMALL = st.integers(min_value=0, max_value=2_000_000)
_FINDINGS = st.builds(
    Finding,
    kind=HOSTILE,
    severity=st.sampled_from(Severity),
    path=st.binary(max_size=12) | st.just(b"a `b` <i>.py"),
    message=HOSTILE,
    symbol=HOSTILE,
    side=HOSTILE,
    text=st.lists(HOSTILE, max_size=2).map(tuple),
    evidence=st.lists(st.builds(EvidenceCommit, st.just(CommitId("a" * 40)), HOSTILE), max_size=2).map(tuple),
    suggestion=HOSTILE,
)


def _numbered(found: list[Finding]) -> tuple[Finding, ...]:
    """No two findings of an audit have one id."""
    return tuple(dataclasses.replace(finding, nth=number) for number, finding in enumerate(found))


_AUDITS = st.builds(
    Told,
    ours=st.just(CommitId("1" * 40)),
    theirs=st.just(CommitId("2" * 40)),
    bases=st.just(()),
    merged=st.just(CommitId("3" * 40)),
    merge=st.none(),
    lane=HOSTILE,
    applied=st.builds(Applied, st.lists(_FINDINGS, max_size=3).map(_numbered), st.just(()), st.just(())),
    not_run=st.lists(st.builds(NotRun, HOSTILE, HOSTILE), max_size=1).map(tuple),
    seconds=st.just({}),
)
_FIXED: dict[tuple[type, str], st.SearchStrategy[Any]] = {
    (model.Report, "audit"): st.none() | _AUDITS,
    (model.DecisionRow, "category"): st.sampled_from([one.value for one in Category]),
    (model.DiffText, "category"): st.sampled_from([one.value for one in Category]),
    (model.DecisionRow, "outcome"): st.sampled_from([one.value for one in Outcome]),
    (model.DecisionRow, "status"): st.sampled_from(["resolved", "kept", "unresolved", "settled"]),
    (model.DecisionRow, "basis"): st.sampled_from(["rule", "evidence", "person", ""]),
    (model.JudgedHunk, "confidence"): st.none() | st.floats(0, 1),
    (model.CandidateText, "confidence"): st.floats(0, 1),
    (model.AnsweredPath, "confidence"): st.floats(0, 1),
    (model.GateRow, "state"): st.sampled_from(["none", "green", "waiting", "red"]),
    (model.CommitLine, "date"): st.sampled_from(["2026-11-29", ""]),
    (model.CheckRow, "conclusion"): st.sampled_from(["", "success", "failure"]),
    (model.DecisionRow, "confidence"): st.none() | st.floats(0, 1),
    (model.CheckRow, "seconds"): st.none() | st.floats(0, 1e6),
}


def any_of(kind: type[T]) -> st.SearchStrategy[T]:
    """Any value of a dataclass of `propose.model`."""
    return st.builds(kind, **{name: _field(kind, name, hint) for name, hint in _hints(kind).items()})


def _hints(kind: type[Any]) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _field(kind: type[Any], name: str, hint: Any) -> st.SearchStrategy[Any]:
    fixed = _FIXED.get((kind, name))
    return _strategy(hint) if fixed is None else fixed


def _strategy(hint: Any) -> st.SearchStrategy[Any]:
    if dataclasses.is_dataclass(hint):
        return any_of(typing.cast("type[Any]", hint))
    arguments = typing.get_args(hint)
    if typing.get_origin(hint) is tuple:
        return st.lists(_strategy(arguments[0]), max_size=2).map(tuple)
    if arguments:
        return st.one_of(*(_strategy(one) for one in arguments))
    known: dict[Any, st.SearchStrategy[Any]] = {
        str: HOSTILE,
        int: _SMALL,
        bool: st.booleans(),
        type(None): st.none(),
    }
    return known[hint]


REPORTS = any_of(model.Report)
