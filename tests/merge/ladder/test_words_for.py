"""What the lane did is told where it speaks for an answer, and nowhere else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.merge.file_group import FileGroup
from syncline.merge.ladder.facts import Candidate, Facts
from syncline.merge.ladder.feature_words import weighed
from syncline.merge.ladder.memory import KINDS, LEVELS, Answered, Memory
from syncline.merge.ladder.words_for import MOST_SENTENCES, answers_in_words, record_in_words
from tests.merge.ladder.hunks import candidate, facts, proposes

THEIRS = Candidate("theirs", b"t", None, ())
FACTS = Facts(b"a.md", 0, FileGroup.DATA, {}, {"exact": "e", "path": "a.md"}, (THEIRS,))


@pytest.mark.parametrize(("level", "row", "said"), [
    ("exact", [0.0, 4.0, 0.0], "source's side was taken in 100% of about 4 past conflicts just like this one"),
    ("exact", [0.0, 0.9, 0.0], "source's side was taken in 100% of about 1 past conflict just like this one"),
    ("path", [1.0, 1.0, 0.0], "source's side was taken in 50% of about 2 past conflicts in this file"),
])  # fmt: skip
def test_the_record_in_words(level: str, row: list[float], said: str) -> None:
    memory = Memory()
    memory.counts[level][FACTS.keys[level]] = row
    assert record_in_words(FACTS, THEIRS, memory) == [said]


@pytest.mark.parametrize(("row", "said"), [
    ([0.0, 1.0, 0.0], "1 of 1 conflict just like this one that people settled"),
    ([2.0, 1.0, 0.0], "1 of 3 conflicts just like this one that people settled"),
])  # fmt: skip
def test_answers_in_words(row: list[float], said: str) -> None:
    answered = Answered()
    answered.counts["exact"]["e"] = row
    assert answers_in_words(FACTS, THEIRS, answered) == [f"source's side was taken in {said} in this merge"]


HUNK = facts(proposes(b"x = f(2)\n"))
TOLD = [level for level in LEVELS if level != "same"]
ROWS = st.lists(st.floats(0, 9), min_size=3, max_size=3)


@given(st.dictionaries(st.sampled_from(TOLD), ROWS), st.sampled_from(KINDS))
def test_no_sentence_speaks_against_the_answer(rows: dict[str, list[float]], kind: str) -> None:
    memory = Memory()
    for level, row in rows.items():
        memory.counts[level][HUNK.keys[level]] = row
    told = record_in_words(HUNK, candidate(HUNK, kind), memory)
    index = KINDS.index(kind)
    supporting = [row for row in rows.values() if sum(row) >= 0.5 and row[index] == max(row)]
    assert len(told) == min(MOST_SENTENCES, len(supporting))
    shares = {f"{row[index] / sum(row):.0%}" for row in supporting}
    assert all(any(f" {share} " in sentence for share in shares) for sentence in told)


def test_what_weighed_is_told_with_its_sign() -> None:
    reasons = [("no_base", 1.26), ("says_superset", -0.5), ("size", 0.7), ("lines_base", 0.001), ("gap", 0.2)]
    assert weighed(reasons, most=2) == (
        "for it: nothing in base (+1.3), size of the file (+0.7); against it: superset offers it (-0.5)"
    )
    assert weighed([]) == ""
