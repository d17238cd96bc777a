"""Whatever is proposed: what is accepted gives no name twice that neither side does."""

import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from syncline.merge.acceptance import Acceptance
from syncline.merge.case import FileCase
from syncline.merge.doubled_names import doubled_names
from syncline.merge.hunks import Lines
from syncline.merge.ladder.settle import assemble
from syncline.merge.proposals import propose_all
from testing.cases import file_case
from tests.merge.entries import FORMATS, entry

NAME = re.compile(rb"(?<![A-Za-z\d])n\d\b")
ENTRIES = st.lists(st.tuples(st.sampled_from(range(8)), st.integers(0, 2)), max_size=5, unique_by=lambda e: e[0])


def accepted(case: FileCase) -> Iterator[bytes]:
    """The files in which an offer that may stand, or a side, or both sides one after the other, is taken."""
    judge = Acceptance(case)
    for hunk in case.hunks:
        offered: list[Lines] = [(*hunk.ours, *hunk.theirs), (*hunk.theirs, *hunk.ours), hunk.ours, hunk.theirs]
        offered += [offer.lines for offer in propose_all(case) if offer.hunk == hunk.index]
        for lines in dict.fromkeys(offered):
            if lines not in {hunk.ours, hunk.theirs} and [
                *doubled_names(hunk, lines),
                *judge.hunk_faults(hunk.index, lines),
            ]:
                continue
            for side in ("ours", "theirs"):
                answers = [lines if one is hunk else getattr(one, side) for one in case.hunks]
                content = assemble(case, answers)
                if not judge.file_faults(content):
                    yield content


@pytest.mark.parametrize(("path", "above", "form", "below"), FORMATS)
@settings(max_examples=25, deadline=None)
@given(base=ENTRIES, ours=st.tuples(ENTRIES, ENTRIES), theirs=st.tuples(ENTRIES, ENTRIES))
def test_what_is_accepted_gives_no_name_twice(
    path: bytes,
    above: bytes,
    form: bytes,
    below: bytes,
    base: list[tuple[int, int]],
    ours: tuple[list[tuple[int, int]], list[tuple[int, int]]],
    theirs: tuple[list[tuple[int, int]], list[tuple[int, int]]],
) -> None:
    rest = b"".join(entry(form, b"k%d" % number, 0) for number in range(5))

    def file(first: list[tuple[int, int]], last: list[tuple[int, int]]) -> bytes:
        known = {name for name, _ in first}
        parts = [first, [one for one in last if one[0] not in known]]
        texts = [b"".join(entry(form, b"n%d" % name, value) for name, value in part) for part in parts]
        return above + texts[0] + rest + texts[1] + below

    case = file_case(file([], base), file(*ours), file(*theirs), path=path)
    for content in accepted(case):
        names = NAME.findall(content)
        assert len(set(names)) == len(names), content.decode()
