import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from syncline.markup.plain_text import one_line
from syncline.propose.html import render_html
from syncline.propose.model import Report
from tests.propose.plain import plain_report
from tests.propose.reports import REPORTS

VOID = {"meta", "input", "link", "br", "hr", "img"}
# SVG shapes, which the page closes itself.
SELF_CLOSED = {"path", "circle", "rect"}


class Page(HTMLParser):
    """What a browser would make of a page: elements in order, their text, and whether they nest."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.inside: dict[str, list[str]] = {"style": [], "script": []}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs)
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in SELF_CLOSED
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        here = self.open[-1] if self.open else ""
        self.inside.get(here, self.words).append(data)

    def all(self, name: str) -> list[str]:
        """All values of an attribute."""
        return [value for _, attrs in self.elements if (value := attrs.get(name)) is not None]

    def text(self) -> str:
        """What is read."""
        return "".join(self.words)


def _check_form(page: Page) -> None:
    assert page.open == []
    tags = [tag for tag, _ in page.elements]
    assert (tags.count("script"), tags.count("style"), tags.count("h1"), tags.count("main")) == (1, 1, 1, 1)
    assert not set(tags) & {"img", "iframe", "link", "object", "embed", "base", "form", "image", "use"}
    # Nothing is loaded, nothing runs but the one script, and no style is set where the policy forbids it.
    assert page.all("src") + page.all("style") + page.all("srcset") == []
    assert not any(name.startswith("on") for _, attrs in page.elements for name in attrs)
    ids = page.all("id")
    assert len(ids) == len(set(ids))
    for href in page.all("href"):
        assert href.startswith(("https://", "http://")) or href.removeprefix("#") in ids
    for kind in ("style", "script"):
        digest = base64.b64encode(hashlib.sha256("".join(page.inside[kind]).encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in str(page.all("content"))
    assert "url(" not in page.inside["style"][0]
    assert "@import" not in page.inside["style"][0]


@settings(
    max_examples=40,
    phases=[Phase.explicit, Phase.generate],  # a whole report takes minutes to shrink
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(REPORTS)
def test_any_report_makes_a_sound_page(report: Report) -> None:
    text = render_html(report)
    assert text.encode()
    assert not re.search("[\x00-\x08\x0b-\x1f\u202a-\u202e]", text)
    page = Page(text)
    _check_form(page)
    shown = page.text()
    for row in report.decisions:
        assert one_line(row.path) in shown
    for stop in report.stops:
        assert one_line(stop) in shown


@pytest.fixture
def page() -> Page:
    return Page(render_html(plain_report()))


def test_the_page_has_its_parts_in_order(page: Page) -> None:
    sections = [str(attrs["id"]) for tag, attrs in page.elements if tag == "section" and "id" in attrs]
    assert sections == ["person", "history", "decisions", "lines", "commits", "checks"]


def test_every_control_has_a_name(page: Page) -> None:
    labelled = 0
    inside_label = False
    text = render_html(plain_report())
    for found in re.finditer(r"<(/?)(label|input|select)\b", text):
        closing, tag = found.groups()
        if tag == "label":
            inside_label = not closing
        elif not closing:
            assert inside_label
            labelled += 1
    assert labelled == sum(tag in {"input", "select"} for tag, _ in page.elements) == 6


def test_without_scripts_the_filters_are_not_seen(page: Page) -> None:
    filters = next(attrs for _, attrs in page.elements if attrs.get("id") == "filters")
    assert "hidden" in filters


def test_every_filter_offers_what_is_there(page: Page) -> None:
    keys = {"status", "outcome", "kind", "resolver", "category"}
    paths = [attrs for tag, attrs in page.elements if tag == "details" and "data-status" in attrs]
    assert {attrs["data-key"] for tag, attrs in page.elements if tag == "select"} == keys
    there = {attrs[f"data-{key}"] for attrs in paths for key in keys}
    offered = {attrs["value"] for tag, attrs in page.elements if tag == "option" and attrs["value"]}
    assert offered == there


def test_the_open_path_leads_to_its_conflict(page: Page) -> None:
    opened = next(
        attrs for tag, attrs in page.elements if tag == "details" and attrs.get("data-status") == "unresolved"
    )
    assert f"#{opened['id']}" in page.all("href")


def test_both_sides_and_what_only_one_has(page: Page) -> None:
    text = render_html(plain_report())
    assert '<span class="only">ours\n</span>same\n' in text
    assert text.count('<span class="add">+small\n</span>') == 1
    assert "Target, dev" in page.text()
    assert "Source, main" in page.text()


@pytest.mark.parametrize(("left", "words"), [(3, "commit 3 is excluded, 3 left"), (0, "")])
def test_the_picture_shows_the_boundary_only_when_there_is_one(left: int, words: str) -> None:
    report = plain_report()
    figures = replace(report.figures, left=left, boundary=report.figures.boundary if left else None)
    page = Page(render_html(replace(report, figures=figures)))
    boundaries = [attrs for tag, attrs in page.elements if tag == "path" and attrs.get("class") == "boundary"]
    assert len(boundaries) == (2 if left else 0)
    assert words in page.text()


def test_a_log_is_a_link_only_when_it_is_one() -> None:
    report = plain_report()
    (check,) = report.checks
    for log in ("javascript:alert(1)", "/var/log/1.log", "data:text/html,x"):
        page = Page(render_html(replace(report, checks=(replace(check, log=log),))))
        assert log not in page.all("href")
        assert log in page.text()
