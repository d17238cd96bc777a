"""The ladder at work in a merge: every conflict gets a decision with its reasons, whether settled or not."""

import pytest

from syncline.git import CommitId, Repository
from syncline.git.merge_tree import merge_tree
from syncline.merge.conflicts import conflicts_of
from syncline.merge.ladder.gate import Outcome
from syncline.merge.ladder.lane_record import LaneRecord
from syncline.merge.ladder.settler import RECORD, Settlement, Settler
from syncline.merge.model import Side, Status
from testing.builder import RepositoryBuilder
from testing.handmade import handmade_weights
from testing.weights import weights_by_voice

LINES = "".join(f"line {number}\n" for number in range(9))


def settle(builder: RepositoryBuilder, record: LaneRecord, *, handmade: bool = False) -> dict[str, Settlement]:
    """Settle a merge with a hunk to be merged by words, a hunk nobody speaks for, a deletion and a lock file."""
    main = builder.branch("main")
    text = LINES.replace("line 3", "call(one, two)")
    main.commit("Start", {"a.md": text, "b.md": LINES, "gone.md": LINES, "uv.lock": text})
    dev = main.branch("dev")
    for branch, words in ((main, "call(ONE, two)"), (dev, "call(one, TWO)")):
        files = {"a.md": text.replace("call(one, two)", words), "b.md": LINES.replace("line 3", branch.name)}
        branch.commit(branch.name, files | {"uv.lock": files["a.md"]})
    main.commit("Change", {"gone.md": LINES + "more\n"})
    dev.commit("Drop", delete=["gone.md"])
    built = builder.finish(head="dev")
    ours, theirs = CommitId(built["dev"]), CommitId(built["main"])
    weights = handmade_weights() if handmade else weights_by_voice()
    with Repository.open(built.path) as repository:
        merged = merge_tree(repository, ours, theirs)
        conflicts = conflicts_of(merged, ours=ours, theirs=theirs)
        settler = Settler(repository, ours, theirs, weights, record, 0.9)
        settler.prepare(conflicts)
        return {
            conflict.path.decode(): settler.settle(conflict, repository.entry(merged.tree, conflict.path))
            for conflict in conflicts
        }


@pytest.fixture
def record() -> LaneRecord:
    """A lane on which sure answers were right."""
    record = LaneRecord()
    outcomes = [Outcome(group, 0.99, right=True) for group in ("data", "code")]
    record.gate.learn(outcomes, 1.0)
    record.gate_with_answers.learn(outcomes, 1.0)
    return record


def test_words_of_both_sides(builder: RepositoryBuilder, record: LaneRecord) -> None:
    found = settle(builder, record)["a.md"]
    assert (found.whole, found.side) == (True, Side.BOTH)
    assert found.content == LINES.replace("line 3", "call(ONE, TWO)").encode()
    (hunk,) = found.hunks
    assert (hunk.status, hunk.confidence) == (Status.RESOLVED, found.confidence)
    assert found.resolver == hunk.resolver != ""
    assert hunk.evidence
    assert hunk.offers[0].side is Side.BOTH
    assert ("says_token-merge", 3.0) in hunk.offers[0].reasons


def test_what_is_left_open_has_its_offers(builder: RepositoryBuilder, record: LaneRecord) -> None:
    found = settle(builder, record)
    for path in ("b.md", "gone.md"):
        settlement = found[path]
        assert (settlement.whole, settlement.resolver, settlement.confidence) == (False, "", None)
        assert all(hunk.status is Status.UNRESOLVED for hunk in settlement.hunks)
        assert {Side.OURS, Side.THEIRS} <= {offer.side for hunk in settlement.hunks for offer in hunk.offers}


def test_lock_files_are_left_to_their_tool(builder: RepositoryBuilder, record: LaneRecord) -> None:
    record.gate.learn([Outcome("lock", 0.99, right=True)] * 4, 1.0)
    found = settle(builder, record)["uv.lock"]
    assert not found.whole
    assert all(hunk.status is Status.UNRESOLVED for hunk in found.hunks)


def test_a_lane_without_a_record_settles_nothing(builder: RepositoryBuilder) -> None:
    assert not any(found.whole for found in settle(builder, LaneRecord()).values())


def test_a_side_that_the_lane_always_took(builder: RepositoryBuilder, record: LaneRecord) -> None:
    for path in ("b.md", "gone.md"):
        record.memory.counts["path"][path] = [20.0, 0.0, 0.0]
    found = settle(builder, record, handmade=True)
    for path in ("b.md", "gone.md"):
        settlement = found[path]
        assert (settlement.whole, settlement.side, settlement.content) == (True, Side.OURS, None)
    assert found["gone.md"].resolver == RECORD
    assert any("past conflicts in this file" in said.text for said in found["gone.md"].evidence)
