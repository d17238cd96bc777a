from collections import Counter
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from syncline.audit.four_trees import SIDES
from syncline.audit.pattern_lines import side_lines
from syncline.audit.same_ends import same_ends
from testing.audited import task_of

TEXT = st.lists(st.sampled_from([b"a\n", b"b\n", b"ab\n", b"\n", b"a", b"c\r\n"]), max_size=10).map(b"".join)


@given(TEXT, TEXT, TEXT, TEXT)
def test_common_ends_are_whole_lines(head: bytes, one: bytes, other: bytes, tail: bytes) -> None:
    texts = head + one + tail, head + other + tail
    start, end = same_ends(*texts)
    middles = [text[start : len(text) - end] for text in texts]
    assert texts[0][:start] == texts[1][:start]
    assert texts[0][len(texts[0]) - end :] == texts[1][len(texts[1]) - end :]
    assert start == 0 or texts[0][start - 1 : start] == b"\n"
    assert all(start + len(middle) + end == len(text) for middle, text in zip(middles, texts, strict=True))
    # What differs is not lost: as many lines of each kind came and went as in the whole texts.
    whole, part = ([Counter(text.split(b"\n")) for text in pair] for pair in (texts, middles))
    assert whole[0] - whole[1] == part[0] - part[1]
    assert whole[1] - whole[0] == part[1] - part[0]


def test_lines_of_the_sides(tmp_path: Path) -> None:
    base = {"a.py": "one\ntwo\nthree\n", "b.md": "1\n", "c.py": "1\n"}
    ours = {"a.py": "one\ntwo and a half\nthree\nfour(five)\n", "b.md": "2\n", "d.py": b"\0\n"}
    with task_of(tmp_path, base, ours, {"c.py": "1\n2\n"}, {}) as task:
        found = side_lines(task)
    one, two = (found[side] for side in SIDES)
    assert [(file.file.path, file.added, file.removed) for file in one.files] == [
        (b"a.py", ((1, b"two and a half"), (3, b"four(five)")), (b"two",))
    ]
    assert one.words == {b"two", b"and", b"a", b"half", b"four", b"five"}
    assert one.added == {b"two and a half", b"four(five)"}
    assert [(file.file.path, file.added) for file in two.files] == [(b"c.py", ((1, b"2"),))]
