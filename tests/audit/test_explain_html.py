import base64
import hashlib
from dataclasses import replace
from html.parser import HTMLParser

from hypothesis import given

from syncline.audit.explain.html import render_html
from syncline.audit.explain.told import Told
from syncline.audit.finding import Severity
from syncline.audit.task import NotRun
from syncline.markup.plain_text import one_line
from tests.audit.explained import LOST, MARKERS, SEEN, hostile, told
from tests.propose.reports import HOSTILE

TAGS = {
    "html", "head", "meta", "title", "style", "body", "header", "div", "p", "h1", "h2", "h3", "dl", "dt", "dd",
    "main", "section", "ul", "li", "nav", "a", "article", "pre", "code", "span", "small", "strong", "footer",
}  # fmt: skip


class Page(HTMLParser):
    """Elements of a page, in order, and what is read; they must nest."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.style = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "style":
            self.style += data
        else:
            self.words += data


def page_of(audit: Told) -> Page:
    page = Page(render_html(audit))
    assert {tag for tag, _ in page.elements} <= TAGS
    names = {name for _, attrs in page.elements for name in attrs}
    assert not names & {"src", "style", "srcset"}
    assert not [name for name in names if name.startswith("on")]
    digest = base64.b64encode(hashlib.sha256(page.style.encode()).digest()).decode()
    policy = next(attrs["content"] for _, attrs in page.elements if "http-equiv" in attrs)
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert "url(" not in page.style
    assert "@import" not in page.style
    links = {attrs["href"] for _, attrs in page.elements if "href" in attrs}
    assert links <= {f"#{severity.value}" for severity in Severity}
    return page


def test_the_page_shows_everything() -> None:
    page = page_of(told(MARKERS, LOST, SEEN, waived=(LOST,), not_run=(NotRun("types", "no pyrefly"),)))
    for words in (
        "1 stop, 1 fix, 1 look, 1 waived", "b.txt:1", "src/a.py:3", "ours' call of f() is gone",
        "    f(1)\n    f(2)", "1234567890 added the call: Call f (#1234)", "put the line back", "no pyrefly",
        f'syncline waive {LOST.id} --because "..."', "never: settle the conflict", "it moved to c.py",
    ):  # fmt: skip
        assert words in page.words


def test_a_page_without_findings_says_so() -> None:
    assert "Nothing was found." in page_of(told()).words
    assert "Nothing was found by the parts that ran." in page_of(told(not_run=(NotRun("a", "b"),))).words


def test_of_many_findings_less_is_shown() -> None:
    many = [replace(LOST, symbol=f"f{number}", text=("x\n",) * 50) for number in range(150)]
    assert page_of(told(*many)).words.count("30 more lines are not shown") == 150
    assert "more lines" not in page_of(told(*many[:3])).words


@given(HOSTILE)
def test_any_text_is_shown_as_it_is(words: str) -> None:
    findings = [hostile(words, words, severity) for severity in Severity]
    page = page_of(told(*findings, waived=(hostile(words),), not_run=(NotRun(words, words),)))
    assert one_line(words) in page.words


def test_a_message_of_any_length_fits_on_a_page() -> None:
    page = render_html(told(replace(LOST, message="w" * 1_000_000)))
    assert len(page) < 100_000
    assert "w" * 900 in page
