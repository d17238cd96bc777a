"""Writing GitHub-flavoured Markdown that says exactly what a stranger's text says, and nothing more. Pure.

No text may become markup, notify somebody (`@name`), link a proposal it does not mean (`owner/repo#1`), or
close an issue when the proposal lands ("fixes #1").
https://docs.github.com/en/get-started/writing-on-github/working-with-advanced-formatting/autolinked-references-and-urls
"""

import html
import re
from collections.abc import Sequence

from syncline.markup.plain_text import block, one_line

# A zero-width space parts what GitHub would put together, and is not seen.
_APART = "\u200b"
_MARKUP = re.compile(r"([\\`*_{}\[\]<>|~$])")
_ENTITY = re.compile(r"&(?=#?\w+;)")
_MENTION = re.compile(r"@(?=[\w-])")
_URL = re.compile(r":(?=//)|(?<=www)\.", re.IGNORECASE)
# Only `(#123)`, as a squash merge writes it, stays a link: it closes nothing and names this repository.
_NUMBER = re.compile(r"(?<!\()#(?=\d)|#(?=\d+(?:[^\d)]|$))|\bGH-(?=\d)", re.IGNORECASE)
# At the start of a line these would begin a heading, a list or a quotation.
_START = re.compile(r"^(\d*)([#+\-=.)])")


def text(words: str, limit: int = 0) -> str:
    """Return words as inline Markdown, cut to `limit` characters of them."""
    line = _MARKUP.sub(r"\\\1", one_line(words.strip(), limit))
    line = unlinked(_ENTITY.sub(r"\\&", line))
    return _START.sub(r"\1\\\2", line)


def unlinked(words: str) -> str:
    """Return words in which nothing notifies, links or closes anything, for texts that are no Markdown."""
    for pattern in (_MENTION, _URL, _NUMBER):
        words = pattern.sub(lambda found: found[0] + _APART, words)
    return words


def code(words: str, limit: int = 240) -> str:
    """Return words as a code span, whatever backticks are in it."""
    line = one_line(words, limit) or " "
    fence = "`" * (_longest_run(line) + 1)
    pad = " " if line.startswith(("`", " ")) or line.endswith(("`", " ")) else ""
    return f"{fence}{pad}{line}{pad}{fence}"


def html_code(words: str, limit: int = 240) -> str:
    """Return words as a `<code>` element, for places where Markdown is not read (`<summary>`)."""
    return f"<code>{html.escape(one_line(words, limit), quote=False)}</code>"


def html_text(words: str) -> str:
    """Return words for places where Markdown is not read."""
    return unlinked(html.escape(one_line(words), quote=False))


def fenced(content: str, language: str) -> str:
    """Return a fenced block, its fence longer than any run of backticks in it."""
    body = block(content)
    fence = "`" * max(3, _longest_run(body) + 1)
    end = "" if body.endswith("\n") or not body else "\n"
    return f"{fence}{language}\n{body}{end}{fence}\n"


def _longest_run(content: str) -> int:
    return max(map(len, re.findall("`+", content)), default=0)


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table; cells are Markdown already."""
    lines = [_row(header), "|" + " --- |" * len(header), *(_row(row) for row in rows)]
    return "\n".join(lines) + "\n"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(_cell(cell) for cell in cells) + " |"


def _cell(cell: str) -> str:
    # A pipe ends a cell even inside a code span, unless a backslash stands before it (GFM, tables).
    return re.sub(r"(?<!\\)\|", r"\\|", cell)


def opening(summary: str) -> str:
    """Return the start of a folded part; `summary` is HTML."""
    return f"<details>\n<summary>{summary}</summary>\n\n"


CLOSING = "\n</details>\n\n"


def comment(words: str) -> str:
    """Return a hidden marker; what would end it early is taken apart."""
    return f"<!-- {re.sub('(?<=-)(?=!?>)', _APART, one_line(words))} -->"


def target(link: str) -> str:
    """Return a URL for a link reference: nothing in it can end it early."""
    return "<" + re.sub(r"[\s<>\\\x00-\x1f\x7f]", lambda c: f"%{ord(c[0]) % 256:02X}", link) + ">"
