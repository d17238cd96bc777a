import re
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt  # rich brings it
from markdown_it.token import Token

from syncline.propose.body import render_body
from syncline.propose.model import DecisionRow, DiffText, Excerpt, Report
from tests.propose.reports import REPORTS, any_of

MARKER = "<!-- syncline:state=eyJ9 -->"
LINK = "https://ci.example.org/run/1/report.html"
# What the body itself writes; everything else in angle brackets would be a stranger's.
TAGS = re.compile(r"</?(details|summary|code|sub)>")

# A whole report takes minutes to shrink, and reads well enough as it is.
GENERATE = settings(
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def _tokens(body: str) -> list[Token]:
    tokens = MarkdownIt("commonmark").enable("table").parse(body)
    return [one for token in tokens for one in [token, *(token.children or [])]]


def _check_form(body: str) -> None:
    tokens = _tokens(body)
    written = "".join(token.content for token in tokens if token.type in {"html_block", "html_inline"})
    markup = re.sub(r"<!--.*?-->", "", written, flags=re.DOTALL)
    assert markup.count("<details>") == markup.count("</details>")
    assert markup.count("<summary>") == markup.count("</summary>")
    assert "<" not in TAGS.sub("", markup)
    depth = 0
    for part in re.findall(r"</?details>", markup):
        depth += 1 if part == "<details>" else -1
        assert depth >= 0
    for token in tokens:
        if token.type == "fence":
            # Closed by its own fence, not by the end of the text.
            assert token.map is not None
            assert body.split("\n")[token.map[1] - 1].strip() == token.markup
    assert not any(token.type in {"code_block", "image"} for token in tokens)
    assert all(token.attrGet("href") == LINK for token in tokens if token.type == "link_open")


@settings(GENERATE, max_examples=80)
@given(REPORTS, st.integers(2_000, 70_000), st.booleans())
def test_any_report_fits_any_limit_and_is_well_formed(report: Report, limit: int, linked: bool) -> None:  # noqa: FBT001 - drawn
    body = render_body(report, limit=limit, report_link=LINK if linked else "", state_marker=MARKER)
    assert len(body) <= limit
    first, second = body.split("\n")[:2]
    assert first.startswith("<!-- syncline:lane=")
    assert first.endswith("-->")
    assert second == MARKER
    _check_form(body)


@settings(GENERATE, max_examples=10)
@given(REPORTS, any_of(DecisionRow), any_of(DiffText))
def test_hundreds_of_paths_fit_too(report: Report, row: DecisionRow, diff: DiffText) -> None:
    patch = Excerpt("+x = '```'\n" * 60, 60, 720, "")
    big = replace(
        report,
        decisions=tuple(replace(row, path=f"a/{number}.py") for number in range(300)),
        diffs=tuple(replace(diff, path=f"a/{number}.py", patch=patch) for number in range(300)),
    )
    for limit in (2_000, 10_000, 65_536):
        body = render_body(big, limit=limit, report_link=LINK, state_marker=MARKER)
        assert len(body) <= limit
        assert "[full report][report]" in body
        _check_form(body)


@pytest.fixture
def report() -> Report:
    """A plain report with two diffs, one large."""
    from tests.propose.plain import plain_report  # noqa: PLC0415 - made once, used here

    return plain_report()


def test_the_order_of_reading(report: Report) -> None:
    body = render_body(report, report_link=LINK)
    headings = re.findall(r"^### (.*)$", body, re.MULTILINE)
    assert headings == [
        "Needs a person first",
        "Lines",
        "Decisions",
        "Remerge-diff",
        "Tested",
        "Not tested",
        "Gate",
    ]
    assert body.index("Needs a person first") < body.index("Python lines: +30 / -2 across 3 files")


DROPS = [
    # limit, what is still there, what is not
    (65_536, ["+large 0", "+small", "Import me (#5)", "Taken from source: 1 path"], ["the diff is in"]),
    (6_000, ["+small", "Import me (#5)", "`large.py` +400 / -0; the diff is in"], ["+large 0"]),
    (2_000, ["39999999", "git add -- open.py"], ["+small", "Import me (#5)"]),
]


@pytest.mark.parametrize(("limit", "present", "absent"), DROPS)
def test_the_least_useful_gives_way_first(
    report: Report, limit: int, present: list[str], absent: list[str]
) -> None:
    body = render_body(report, limit=limit, report_link=LINK)
    assert [text for text in present if text not in body] == []
    assert [text for text in absent if text in body] == []


def test_a_path_as_link_is_shown_as_it_is(report: Report) -> None:
    body = render_body(report, report_link="/srv/my reports/report.html")
    assert body.endswith("Full report: `/srv/my reports/report.html`\n")


def test_the_summary_is_in_plain_words(report: Report) -> None:
    body = render_body(report)
    assert "**Needs a person.** 1 path needs a decision; the commands are below.\n" in body
    assert "This brings 2 commits of main into dev, the oldest 2 of 5 on its line, in one merge commit" in body
    assert "Commit 3 (bbbbbbbbbb Later (#6)) is excluded; 3 commits are left for later syncs." in body
