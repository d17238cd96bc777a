"""What the lane did is told where it speaks for an answer, and nowhere else."""

from hypothesis import given
from hypothesis import strategies as st

from syncline.merge.ladder.feature_words import weighed
from syncline.merge.ladder.memory import KINDS, LEVELS, Memory
from syncline.merge.ladder.words_for import MOST_SENTENCES, record_in_words
from tests.merge.ladder.hunks import candidate, facts, proposes

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
