"""The pages of a replay from their templates."""

import html
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from syncline.counted import counted
from syncline.markup.page import asset, content_hash, environment
from syncline.replay.html.excerpts import Row
from syncline.replay.html.fates import Fate

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_HERE = Path(__file__).parent / "templates"

FATES = {
    Fate.AGREED: "as people did",
    Fate.DISAGREED: "otherwise than people did",
    Fate.UNKNOWN: "left open; what people wrote cannot be told",
    Fate.NOT_OFFERED: "left open; nobody offered what people wrote",
    Fate.NOT_FIRST: "left open; the right answer was offered, another one seemed likelier",
    Fate.CLOSED: "left open; the right answer came first, the lane's record supported none",
    Fate.UNSURE: "left open; the right answer came first, below the gate",
    Fate.REFUSED: "left open; the right answer came first and sure enough, a check refused it",
}
"""What is said of a hunk on its page."""
WAYS = {
    Fate.UNKNOWN: "what people wrote cannot be told",
    Fate.NOT_OFFERED: "nobody offered what people wrote",
    Fate.NOT_FIRST: "offered, but not first",
    Fate.CLOSED: "first, gate closed",
    Fate.UNSURE: "first, below the gate",
    Fate.REFUSED: "first, refused by a check",
}
"""What is said of an open hunk in a list."""


def render(template: str, **values: Any) -> bytes:
    """Return a page.

    Args:
        template: its name without endings.
        values: what it shows; texts may hold anything.
    """
    style, script = asset(_HERE / "page.css"), asset(_HERE / "filter.js") if template == "index" else ""
    found = _environment().get_template(f"{template}.html.jinja")
    hashes = {"style_hash": content_hash(style), "script_hash": content_hash(script)}
    page = found.render(values, style=style, script=script, fate_words=FATES, ways=WAYS, **hashes)
    return page.encode()


@cache
def _environment() -> "Environment":
    return environment(
        _HERE,
        {
            "percent": lambda value: "-" if value is None else f"{value:.0%}",
            "share": _share,
            "counted": counted,
            "day": _head,
            "short": _head,
            "lines": _lines,
            "signed": lambda value: f"{value:+.2f}",
        },
    )


def _head(text: str) -> str:
    """Return the day of a date; as much of a commit id as tells it apart."""
    return text[:10]


def _share(part: int, whole: int) -> str:
    """Return a share in percent, the sign of nothing where there is nothing to share."""
    return f"{100 * part / whole:.1f}%" if whole else "-"


def _lines(rows: Sequence[Row]) -> "Markup":
    """Return lines of a text, an element for each; most of a page, so that no template is asked line by line."""
    from markupsafe import Markup  # noqa: PLC0415 - comes with jinja2

    parts = []
    for row in rows:
        pieces = (
            f"<b>{html.escape(text, quote=False)}</b>" if differs else html.escape(text, quote=False)
            for text, differs in row.pieces
        )  # fmt: skip
        parts.append(f'<span class="l {row.kind}">{"".join(pieces)}\n</span>')
    return Markup("".join(parts))  # noqa: S704 - escaped piece by piece above
