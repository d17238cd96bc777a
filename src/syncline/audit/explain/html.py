"""An audit as one self-contained HTML page. Nothing is loaded from anywhere, and nothing on it runs."""

from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from syncline.audit.explain.told import Told, clip, cut, groups, place, summary, waiver_words
from syncline.audit.finding import Finding
from syncline.audit.waivers import NEVER
from syncline.markup.page import asset, content_hash, environment

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = Path(__file__).parent
_MANY = 100
_MOST_LINES, _MOST_OF_MANY = 200, 20
"""Lines of a finding's text: fewer where there are many findings."""
_WIDTH = 1000
"""Characters of a line: minified code would make a page of megabytes."""
_MESSAGE = 1000
"""Characters of a message: a checker's words may be of any length."""


def render_html(told: Told) -> str:
    """Return the page.

    Args:
        told: the audit; its texts may hold anything.
    """
    style = asset(TEMPLATES / "page.css")
    template = _environment().get_template("page.html.jinja")
    return template.render(
        told=told,
        summary=summary(told),
        worst=next((group.severity.value for group in groups(told)), "none"),
        style=style,
        style_hash=content_hash(style),
        **what_findings_need(told),
    )


def what_findings_need(told: Told) -> dict[str, Any]:
    """Return what a page has to give a template that shows findings by `finding.html.jinja`."""
    most = _MOST_LINES if len(told.findings) <= _MANY else _MOST_OF_MANY
    clipped = tuple(
        replace(group, findings=tuple(replace(one, message=clip(one.message, _MESSAGE)) for one in group.findings))
        for group in groups(told)
    )
    return {"groups": clipped, "excerpt": partial(_excerpt, most=most), "never": NEVER}


FILTERS = {"place": place, "waiver": waiver_words, "sha": lambda oid: oid[:10]}
"""The filters such a template uses."""


@cache
def _environment() -> "Environment":
    return environment(TEMPLATES, FILTERS)


def _excerpt(finding: Finding, *, most: int) -> tuple[str, int]:
    """Return the finding's text, as much of it as a page can carry, and how many lines are left out."""
    shown, left = cut([clip(line, _WIDTH) for line in finding.text], most)
    return "\n".join(shown), left
