"""What a page shows of what evidence says, and that it stays small whatever a merge is like."""

import json
from dataclasses import asdict, replace

import pytest

from syncline.merge.model import Decision, Evidence, HunkDecision, Offer, Side, Status
from syncline.propose import judged_hunks as shown
from syncline.propose.body import render_body
from syncline.propose.html import render_html
from syncline.propose.judged_hunks import judged_hunks
from syncline.propose.model import AnsweredPath, DecisionRow, EvidenceLine, FromAnswersRow, OpenPath, Report
from syncline.propose.words import judged
from tests.propose.plain import plain_report

WHY = Evidence("both added a line")


def offer(side: Side, confidence: float, *lines: bytes) -> Offer:
    return Offer(side, ("token-merge",), confidence, (WHY,), lines, (("gap", 1.5),))


def hunk(index: int, *offers: Offer, settled: bool = False, beside: int = 0) -> HunkDecision:
    status = Status.RESOLVED if settled else Status.UNRESOLVED
    return HunkDecision(index, status, "same" if settled else "", 0.9 if settled else None, (WHY,), offers, beside)


def decision(path: str, *hunks: HunkDecision) -> Decision:
    return Decision(path.encode(), Status.UNRESOLVED, Side.OURS, "", None, (), None, None, hunks)


def test_candidates_are_shown_the_likeliest_first_and_a_side_without_its_text() -> None:
    both = offer(Side.BOTH, 0.8, b"a\n", b"b\n")
    found = judged_hunks([decision("a.py", hunk(0, both, offer(Side.OURS, 0.1, b"a\n"), beside=3))], [])
    (one,) = found[b"a.py"].hunks
    assert [(c.side, c.by, c.confidence) for c in one.candidates] == [
        ("a text that is neither side's", ("token-merge",), 0.8),
        ("target's side", ("token-merge",), 0.1),
    ]
    texts = [candidate.text.text if candidate.text else None for candidate in one.candidates]
    assert texts == ["a\nb\n", None]
    assert one.candidates[0].evidence == (EvidenceLine("both added a line", ""),)
    assert one.candidates_left_out == 3


def test_what_is_settled_is_told_by_whom_and_why() -> None:
    found = judged_hunks([], [decision("a.py", hunk(0, offer(Side.OURS, 0.9, b"a\n"), settled=True))])
    (one,) = found[b"a.py"].hunks
    assert (one.resolver, one.confidence, one.candidates, one.candidates_left_out) == ("same", 0.9, (), 0)
    assert one.evidence == (EvidenceLine("both added a line", ""),)


def test_what_weighed_is_told_of_every_candidate_and_of_what_is_settled() -> None:
    sure = hunk(1, offer(Side.OURS, 0.9, b"a\n"), settled=True)
    found = judged_hunks([decision("a.py", hunk(0, offer(Side.BOTH, 0.8, b"a\n")), sure)], [])
    opened, settled = found[b"a.py"].hunks
    told = "for it: distance between the sides' edits (+1.5)"
    assert ([one.weighed for one in opened.candidates], opened.weighed, settled.weighed) == ([told], "", told)


def test_an_answer_of_an_open_file_is_not_said_to_be_in_the_tree() -> None:
    sure = hunk(1, offer(Side.OURS, 0.9, b"a\n"), settled=True)
    (_, opened), (settled,) = (
        part.hunks
        for part in judged_hunks(
            [decision("a.py", hunk(0, offer(Side.BOTH, 0.8, b"a\n")), sure)],
            [replace(decision("b.py", sure), status=Status.RESOLVED)],
        ).values()
    )
    assert judged(opened) == (
        "same has an answer, 90% sure, which is not in the tree while other regions of the file are open"
    )
    assert judged(settled) == "settled from evidence by same, 90% sure"


@pytest.mark.parametrize(("path", "kept"), [("a.py", 40), ("golden_values/a.json", 6)])
def test_of_a_path_with_many_hunks_open_ones_come_first(path: str, kept: int) -> None:
    hunks = [hunk(number, settled=number < 50) for number in range(100)]
    part = judged_hunks([decision(path, *hunks)], [])[path.encode()]
    assert [one.index for one in part.hunks] == list(range(50, 50 + kept))
    assert part.left_out == 100 - kept


def test_thousands_of_long_answers_take_little_room() -> None:
    long = tuple(b"x" * 200 + b"\n" for _ in range(300))
    evidence = tuple(Evidence(f"{number} " + "y" * 900) for number in range(50))
    offers = [replace(offer(Side.BOTH, 0.5, *long), evidence=evidence)] * 9
    opened = [decision(f"{number}.py", hunk(0, *offers)) for number in range(5_000)]
    found = judged_hunks(opened, [])
    texts = [c.text.text for part in found.values() for one in part.hunks for c in one.candidates if c.text]
    assert sum(map(len, texts)) <= shown.TEXTS_TOTAL
    assert sum(len(part.hunks) for part in found.values()) == shown.MOST_HUNKS
    first, last = found[b"0.py"], found[b"4999.py"]
    assert first.hunks[0].candidates_left_out == 5
    assert "lines are not shown" in first.hunks[0].candidates[0].text.cut  # type: ignore[union-attr]
    assert [one.text for one in first.hunks[0].candidates[0].evidence][-1] == "and 47 more"
    assert (last.hunks, last.left_out) == ((), 1)
    assert len(json.dumps([asdict(part) for part in found.values()])) < 4_000_000


def many_open(number: int) -> Report:
    report = plain_report()
    row: DecisionRow = report.decisions[0]
    path: OpenPath = report.unresolved[0]
    return replace(
        report,
        decisions=tuple(replace(row, path=f"{n}.py") for n in range(number)),
        unresolved=tuple(replace(path, path=f"{n}.py") for n in range(number)),
    )


def test_the_body_shows_candidates_and_says_what_it_leaves_out() -> None:
    body = render_body(many_open(1))
    told = "  - a text that is neither side's, 83% sure (token-merge): the edits are 3 words apart\n"
    assert told + "    ```\n    ours\n    of both\n    same\n    ```\n" in body
    assert "  - target's side, 10% sure (no resolver; by what is usual elsewhere)\n  - 2 less likely " in body
    assert "**Answer this first:** `0.py`; it speaks for 3 more: 2 with the same text, numbers aside, 1 of" in body
    assert "960 more open paths are in the full report." in render_body(many_open(1_000), limit=400_000)
    assert len(render_body(many_open(1_000))) <= 65_536


def test_the_page_shows_candidates_beside_the_sides() -> None:
    page = render_html(many_open(1))
    assert "a text that is neither side&#39;s, 83% sure (token-merge)" in page
    assert "<code>ours\nof both\nsame\n</code>" in page
    assert "2 less likely answers are not shown" in page
    assert '<th scope="col">Speaks for</th>' in page
    assert page.index('<div class="pair">') < page.index('<div class="judged">')


def test_what_answers_settle_is_listed_with_its_commands() -> None:
    path = AnsweredPath("b.py", "source's side", "repeated", 0.96, (EvidenceLine("settled so elsewhere", ""),))
    row = FromAnswersRow(7, (path,), ("git switch x", "git apply --index p"))
    report = replace(many_open(1), from_answers=row)
    body = render_body(report)
    assert "**Now 7 more can be settled from your answers.**" in body
    assert "| `b.py` | source's side, 96% sure (repeated) | settled so elsewhere |" in body
    assert "6 more paths are in the full report." in body
    assert "git apply --index p\n" in body
    page = render_html(report)
    assert "6 more paths are named in the commit's message" in page
    assert "git apply --index p" in page
    # Where there is no room, what they are worth to a reader stays longest.
    assert "Now 7 more can be settled" in render_body(report, limit=2_400)


def test_rules_are_told_from_evidence() -> None:
    report = plain_report()
    by_rule = report.decisions[1]
    by_evidence = replace(by_rule, path="e.py", basis="evidence", resolver="token-merge", confidence=0.97)
    report = replace(report, decisions=(*report.decisions, by_evidence), conflicts=3)
    body = render_body(report)
    assert "1 settled by the lane's rules, 1 settled from evidence, 1 still open." in body
    assert "| path-rule | a rule of the lane | resolved | 1 |" in body
    assert "| token-merge | evidence | resolved | 1 |" in body
    assert "from evidence, 97% sure (token-merge); path rule" in body
    page = render_html(report)
    assert "<small>from evidence: token-merge</small>" in page
    assert "<small>path-rule</small>" in page
