import re
from dataclasses import replace

import pytest
from hypothesis import given

from syncline.audit.explain.text import lines
from syncline.audit.explain.told import proposal_number
from syncline.audit.finding import EvidenceCommit
from syncline.audit.task import NotRun
from tests.audit.explained import LOST, MARKERS, SEEN, SHA, WHOLE, hostile, told
from tests.propose.reports import HOSTILE


def test_the_gravest_first_each_with_its_place_text_commit_and_mend() -> None:
    assert list(lines(told(MARKERS, WHOLE, LOST, SEEN))) == [
        "stop (2): nothing may become ready while they stand",
        f"  b.txt:1  conflict markers are left in the file  [conflict-markers {MARKERS.id}]",
        f"  the merge as a whole  the head holds nothing of what was imported  [import-undone {WHOLE.id}]",
        "",
        "fix (1): very likely mistakes",
        f"  src/a.py:3  ours' call of f() is gone  [lost-call {LOST.id}]",
        "      |     f(1)",
        "      |     f(2)",
        "      because  1234567890 added the call: Call f (#1234)",
        "      do       put the line back",
        "",
        "look (1): for a person to see",
        f"  dir/\\xff\\n x.py  neither side has it  [written-by-hand {SEEN.id}]",
        "      | é\\udcff",
        "",
        "dddddddddd: 2 stop, 1 fix, 1 look",
    ]


def test_long_texts_and_many_commits_are_cut_and_verbose_shows_them() -> None:
    many = tuple(EvidenceCommit(SHA, f"commit {number}") for number in range(9))
    long = replace(LOST, text=tuple(f"line {number}\n" for number in range(20)), evidence=many)
    short = list(lines(told(long)))
    assert "      | line 5" in short
    assert "      | line 6" not in short
    assert "      | ... and 14 more lines" in short
    assert "      because  ... and 7 more commits (--verbose)" in short
    whole = list(lines(told(long), verbose=True))
    assert "      | line 19" in whole
    assert "      because  1234567890 commit 8" in whole
    assert whole[-2] == "seconds: dropped 0.50, evidence 0.25"


def test_what_is_waived_is_counted_and_listed_when_asked() -> None:
    audit = told(MARKERS, waived=(LOST,))
    assert list(lines(audit))[-1] == "dddddddddd: 1 stop, 1 waived"
    assert not any("waived by" in line for line in lines(audit))
    assert "      waived by Ada on 2026-11-30: it moved to c.py" in list(lines(audit, verbose=True))


def test_what_did_not_run_is_in_the_last_line() -> None:
    (last,) = lines(told(not_run=(NotRun("types", "pyrefly is not installed"),)))
    assert last == "dddddddddd: no findings; 1 part of the audit did not run"


def test_the_proposal_is_named_where_the_subject_is_cut() -> None:
    long = replace(LOST, evidence=(EvidenceCommit(SHA, "x" * 300 + " (#77)"),))
    (line,) = (line for line in lines(told(long)) if "because" in line)
    assert line.endswith("… (#77)")


@pytest.mark.parametrize(
    ("words", "number"),
    [("Fix (#12)", "#12"), ("Fix (#12) (#345)", "#345"), ("Fix #12", ""), ("(#x)", ""), ("", "")],
)
def test_proposal_numbers(words: str, number: str) -> None:
    assert proposal_number(words) == number


@given(HOSTILE)
def test_no_text_steers_a_terminal(words: str) -> None:
    for line in lines(told(hostile(words), waived=(hostile(words, "other"),)), verbose=True):
        assert not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", line)


def test_a_checker_gone_wild_is_bounded() -> None:
    many = [replace(LOST, symbol=f"s{number}", message="w" * 100_000) for number in range(1000)]
    short = list(lines(told(*many)))
    assert "  ... and 800 more (--verbose, or --format json)" in short
    assert sum(map(len, short)) < 300_000
    assert short[-1].endswith("1000 fix")
    assert sum(" [lost-call " in line for line in lines(told(*many), verbose=True)) == 1000
