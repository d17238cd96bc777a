import re
from dataclasses import replace
from html.parser import HTMLParser

from hypothesis import given
from markdown_it import MarkdownIt  # rich brings it

from syncline.audit.explain.markdown import LIMIT, render_markdown
from syncline.audit.finding import Severity
from syncline.audit.task import NotRun
from tests.audit.explained import LOST, MARKERS, SEEN, WHOLE, hostile, told
from tests.propose.reports import HOSTILE


def test_findings_are_folded_by_severity() -> None:
    page = render_markdown(told(MARKERS, LOST, SEEN, waived=(LOST,), not_run=(NotRun("types", "no pyrefly"),)))
    assert page.startswith(
        "**Audit of `dddddddddd`**: 1 stop, 1 fix, 1 look, 1 waived; 1 part of the audit did not"
    )
    assert page.index("### Stop (1)") < page.index("### Fix (1)") < page.index("### Look (1)")
    assert "<summary><code>src/a.py:3</code> ours' call of f() is gone</summary>" in page
    assert "```\n    f(1)\n    f(2)\n```\n" in page
    assert "- because: `1234567890` added the call: Call f (#1234)\n" in page
    assert f"`syncline waive {LOST.id} --because ...`" in page
    assert f"syncline waive {MARKERS.id}" not in page
    assert "- `types`: no pyrefly\n" in page
    assert "<summary>the merge as a whole the head" in render_markdown(told(WHOLE))
    assert "waived by Ada on 2026-11-30: it moved to c.py" in page
    assert page.count("<details>") == page.count("</details>") == 4


def test_no_findings_are_said_in_a_line() -> None:
    assert render_markdown(told()) == "**Audit of `dddddddddd`**: no findings\n\n"


def test_what_does_not_fit_is_left_out_from_the_least_grave_on() -> None:
    text = tuple(f"{'x' * 200}\n" for _ in range(30))
    looks = [replace(SEEN, path=f"{number}.py".encode(), text=text) for number in range(300)]
    fixes = [replace(LOST, path=f"f{number}.py".encode(), symbol="", text=text[:3]) for number in range(40)]
    page = render_markdown(told(MARKERS, *fixes, *looks))
    assert len(page) <= LIMIT
    assert page.count("<details>") == page.count("</details>")
    assert "<summary><code>b.txt:1</code>" in page
    assert "<summary><code>f39.py:3</code>" in page
    assert "<summary><code>299.py</code>" not in page
    small = render_markdown(told(MARKERS, *fixes, *looks), 1000)
    assert "### Fix (40): very likely mistakes\n\n40 findings, too long to be shown here" in small
    assert len(small) <= 1000


class Html(HTMLParser):
    """The elements of the page's HTML, and what is read in them outside of code."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.words = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert attrs == []
        self.tags.add(tag)
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "code" not in self.open:
            self.words += data


@given(HOSTILE)
def test_no_text_becomes_markup_or_calls_anybody(words: str) -> None:
    findings = [hostile(words, severity=severity) for severity in Severity]
    page = render_markdown(told(*findings, waived=(hostile(words),), not_run=(NotRun(words, words),)))
    tokens = MarkdownIt("commonmark").parse(page)
    inline = [inner for token in tokens for inner in token.children or ()]
    plain = {"text", "text_special", "softbreak"}
    assert {token.type for token in inline} <= plain | {"code_inline", "strong_open", "strong_close"}
    assert [token.tag for token in tokens if token.type == "heading_open"] == ["h3"] * 3
    html = Html("".join(token.content for token in tokens if token.type == "html_block"))
    assert html.tags <= {"details", "summary", "code"}
    read = "".join(token.content for token in inline if token.type in plain) + html.words
    assert not re.search(r"@[\w-]", read)
    assert not re.search(r"(?<!\()#\d|://", read)
