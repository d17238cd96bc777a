from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from syncline.audit.audit import Audited
from syncline.audit.finding import Edit, EvidenceCommit, Finding, Severity
from syncline.audit.stored import read_stored, store, stored_at
from syncline.audit.task import NotRun, Task
from syncline.config.models import AuditSettings, Lane
from syncline.git import CommitId
from testing.audited import task_of

TEXTS = st.text(max_size=12) | st.just("\udcff")
FINDINGS = st.builds(
    Finding,
    kind=TEXTS,
    severity=st.sampled_from(Severity),
    path=st.binary(max_size=8),
    message=TEXTS,
    line=st.none() | st.integers(1, 9),
    symbol=TEXTS,
    side=TEXTS,
    evidence=st.lists(st.builds(EvidenceCommit, st.just(CommitId("1" * 40)), TEXTS), max_size=2).map(tuple),
    text=st.lists(TEXTS, max_size=2).map(tuple),
    suggestion=TEXTS,
    edits=st.lists(
        st.builds(Edit, st.binary(max_size=4), st.just(1), st.just(2), st.lists(st.binary(max_size=4)).map(tuple)),
        max_size=2,
    ).map(tuple),
)


@settings(max_examples=40, deadline=None)
@given(st.lists(FINDINGS, max_size=3))
def test_what_was_kept_is_read_as_it_was(tmp_path_factory: pytest.TempPathFactory, found: list[Finding]) -> None:
    file = tmp_path_factory.mktemp("kept") / "deep" / "one.json"
    audited = Audited(tuple(found), (), {"one": 0.5})
    store(file, audited)
    assert read_stored(file) == audited


def test_a_result_that_is_not_whole_is_not_kept(tmp_path: Path) -> None:
    file = tmp_path / "one.json"
    store(file, Audited((), (NotRun("tool", "missing"),), {}))
    assert not file.exists()


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"{}", b'{"findings": [1], "not_run": [], "seconds": {}}'])
def test_what_cannot_be_read_is_not_there(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "one.json"
    file.write_bytes(content)
    assert read_stored(file) is None


def test_old_results_go(tmp_path: Path) -> None:
    for number in range(90):
        store(tmp_path / f"{number}.json", Audited((), (), {}))
    assert len(list(tmp_path.iterdir())) == 80
    assert (tmp_path / "89.json").exists()


def test_another_policy_is_another_result(tmp_path: Path) -> None:
    lane = Lane(name="nightly", source="main", target="dev")
    other = lane.model_copy(update={"audit": AuditSettings(ignore=("vendor/",))})
    with task_of(tmp_path, {"a": "1\n"}, {}, {}, {}, lane=lane) as task:
        tasks = [Task(task.trees, one) for one in (lane, other, None)]
        tasks += [Task(task.trees, lane, frozenset(waiting)) for waiting in ([b"a"], [b"b"], [b"a", b"b"])]
        names = [stored_at(tmp_path, one, audits) for one in tasks for audits in (("dropped",), ("fits",))]
    assert len(set(names)) == 12
