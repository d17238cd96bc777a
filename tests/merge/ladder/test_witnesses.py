"""Who bears out an attempt: somebody who came to the same answer in another way."""

import pytest

from syncline.merge.ladder.witnesses import is_borne_out, is_seconded
from tests.merge.ladder.hunks import candidate, facts, proposes

MERGED, OURS, THEIRS = b"x = f(2)\n", b"x = 2\n", b"x = f(1)\n"
TRIED, BEFORE = "attempted", "attempted-before"


@pytest.mark.parametrize(
    ("offers", "kind", "seconded", "borne_out"),
    [
        ([(MERGED, TRIED, "alone")], "merged", False, False),
        ([(MERGED, TRIED, "alone"), (MERGED, "token-merge")], "merged", True, True),
        ([(OURS, TRIED, "alone"), (OURS, "superset")], "ours", True, True),
        ([(THEIRS, TRIED, "alone"), (OURS, "superset")], "theirs", False, False),
        # No attempt, no witness of one; what a newer attempt gave up is none.
        ([(MERGED, "token-merge"), (MERGED, "structure")], "merged", False, False),
        ([(MERGED, BEFORE), (MERGED, "token-merge")], "merged", False, False),
        ([(MERGED, TRIED, "contested"), (MERGED, BEFORE)], "merged", False, False),
        # What other attempts contest a resolver may second, but nothing bears it out.
        ([(OURS, TRIED, "contested"), (OURS, "superset")], "ours", True, False),
        # Other attempts bear it out; they are no witness of another kind.
        ([(OURS, TRIED, "by-2")], "ours", False, True),
        ([(OURS, TRIED, "by-3+")], "ours", False, True),
        ([(OURS, TRIED, "by-3+"), (OURS, "superset")], "ours", True, True),
        # A driver may have made the attempt; what people answered in this merge may be copied from it.
        ([(MERGED, TRIED, "alone"), (MERGED, "driver:mergiraf")], "merged", False, False),
        ([(MERGED, TRIED, "alone"), (MERGED, "repeated", "same-hunk")], "merged", False, False),
        ([(MERGED, TRIED, "alone"), (MERGED, "driver:mergiraf"), (MERGED, "structure")], "merged", True, True),
        # Who speaks for both sides bears out neither.
        ([(OURS, TRIED, "alone"), (OURS, "versions", "own"), (THEIRS, "versions")], "ours", False, False),
        ([(THEIRS, TRIED, "alone"), (OURS, "versions", "own"), (THEIRS, "versions")], "theirs", False, False),
        ([(OURS, TRIED, "alone"), (OURS, "versions"), (MERGED, "versions")], "ours", True, True),
        ([(MERGED, TRIED, "alone"), (MERGED, "both-added"), (b"y\n", "both-added")], "merged", True, True),
    ],
)  # fmt: skip
def test_witnesses(offers: list[tuple[bytes, str]], kind: str, seconded: bool, borne_out: bool) -> None:  # noqa: FBT001
    known = facts(*(proposes(text, *said) for text, *said in offers))
    answer = candidate(known, kind)
    assert (is_seconded(answer, known.candidates), is_borne_out(answer, known.candidates)) == (seconded, borne_out)
