import pytest

from syncline.merge.file_group import FileGroup
from syncline.merge.ladder.facts import Candidate, Facts
from syncline.merge.ladder.memory import Answered, Memory
from syncline.merge.ladder.words_for import answers_in_words, record_in_words

THEIRS = Candidate("theirs", b"t", None, ())
FACTS = Facts(b"a.md", 0, FileGroup.DATA, {}, {"exact": "e", "path": "a.md"}, (THEIRS,))


@pytest.mark.parametrize(("level", "row", "said"), [
    ("exact", [4.0, 0.0, 0.0], "source's side was taken in 0% of about 4 past conflicts just like this one"),
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
