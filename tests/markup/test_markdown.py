import re

import pytest
from hypothesis import given
from markdown_it import MarkdownIt  # rich brings it
from markdown_it.token import Token

from syncline.markup.markdown import code, fenced, html_code, html_text, table, text, unlinked
from syncline.markup.plain_text import block, one_line
from tests.propose.reports import HOSTILE

APART = "\u200b"
TEXTS = [
    ("plain words", "plain words"),
    ("a *b* _c_ `d`", r"a \*b\* \_c\_ \`d\`"),
    ("<img src=x>", r"\<img src=x\>"),
    ("thanks @ada", f"thanks @{APART}ada"),
    ("mail a@b.org", f"mail a@{APART}b.org"),
    ("Add x (#123)", "Add x (#123)"),
    ("fixes #12", f"fixes #{APART}12"),
    ("other/repo#12", f"other/repo#{APART}12"),
    ("GH-12", f"GH-{APART}12"),
    ("https://a.org", f"https:{APART}//a.org"),
    ("a | b", r"a \| b"),
    ("two\nlines", r"two\\nlines"),
    ("# heading", r"\# heading"),
    ("- item", r"\- item"),
    ("12. twelve", r"12\. twelve"),
    ("&lt;", r"\&lt;"),
    ("$x$ ~y~", r"\$x\$ \~y\~"),
    ("nul \x00", "nul \u2400"),
    ("\u202egnp.exe", r"\\u202egnp.exe"),
]


@pytest.mark.parametrize(("words", "markdown"), TEXTS)
def test_text_never_becomes_markup(words: str, markdown: str) -> None:
    assert text(words) == markdown


def _inline(markdown: str) -> list[Token]:
    tokens = MarkdownIt("commonmark").parse(markdown)
    assert [token.type for token in tokens] in ([], ["paragraph_open", "inline", "paragraph_close"])
    return (tokens[1].children or []) if tokens else []


@given(HOSTILE)
def test_text_reads_as_it_was(words: str) -> None:
    tokens = _inline(text(words))
    assert {token.type for token in tokens} <= {"text", "text_special"}
    shown = "".join(token.content for token in tokens).replace(APART, "")
    assert shown == one_line(words.strip()).strip().replace(APART, "")


@given(HOSTILE)
def test_text_notifies_nobody_and_closes_nothing(words: str) -> None:
    written = text(words)
    assert not re.search(r"@[\w-]", written)
    assert not re.search(r"(?<!\()#\d", written)


@given(HOSTILE.filter(lambda words: words.strip() != ""))
def test_code_reads_as_it_was(words: str) -> None:
    tokens = _inline("x " + code(words, 0))
    assert [token.type for token in tokens] == ["text", "code_inline"]
    assert tokens[1].content == one_line(words)


@given(HOSTILE)
def test_a_fence_holds_whatever_is_in_it(content: str) -> None:
    tokens = MarkdownIt("commonmark").parse(fenced(content, "diff") + "after\n")
    assert [token.type for token in tokens] == ["fence", "paragraph_open", "inline", "paragraph_close"]
    assert tokens[0].content.rstrip("\n") == block(content).rstrip("\n")


@given(HOSTILE, HOSTILE)
def test_a_table_keeps_its_columns(one: str, other: str) -> None:
    tokens = MarkdownIt("commonmark").enable("table").parse(table(["A", "B"], [[code(one), text(other)]]))
    assert sum(token.type == "td_open" for token in tokens) == 2


def test_html_code_is_escaped() -> None:
    assert html_code("<b>&\n") == "<code>&lt;b&gt;&amp;\\n</code>"


@given(HOSTILE)
def test_html_text_notifies_nobody_and_closes_nothing(words: str) -> None:
    written = html_text(words)
    assert not re.search(r"@[\w-]|<|(?<!\()#\d|://", written)


def test_a_subject_in_a_commit_s_message_closes_and_calls_nobody() -> None:
    told = unlinked("Fixes #12, closes acme/engine#3 GH-4 @acme/team https://github.com/a/b/issues/5 (#6)")
    assert not [bad for bad in ("#12", "#3", "GH-4", "@acme", "https://") if bad in told]
    assert told.endswith("(#6)")  # as a squash merge writes it: closes nothing
    assert unlinked("plain: a_b * c") == "plain: a_b * c"
