from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.config import template

FIELDS = {"lane": "main-to-dev", "slice": "0a1b2c3", "date": datetime(2026, 11, 29, 3, 5, tzinfo=UTC)}
KINDS = {"texts": ("lane", "slice"), "dates": ("date",)}


@pytest.mark.parametrize(
    ("text", "rendered"),
    [
        ("plain", "plain"),
        ("main2dev/{date:%d_%m_%Y}", "main2dev/29_11_2026"),
        ("{date}", "2026-11-29"),
        ("{lane}@{slice:.4}", "main-to-dev@0a1b"),
        ("{{{lane}}}", "{main-to-dev}"),
        ("{date:%H:%M}", "03:05"),
    ],
)
def test_render(text: str, rendered: str) -> None:
    template.check(text, **KINDS)
    assert template.render(text, FIELDS) == rendered


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("{branch}", "unknown field {branch}; allowed: {date}, {lane}, {slice}"),
        ("{}", "unknown field {}"),
        ("{0}", "unknown field {0}"),
        ("{lane.__class__}", "unknown field {lane.__class__}"),
        ("{lane[0]}", "unknown field {lane[0]}"),
        ("{lane!r}", 'wanted {lane} without "!r"'),
        ("{lane:>999999999}", "may only be cut"),
        ("{lane:{slice}}", "may only be cut"),
        ("{date:%Q}", "unknown date format '%Q'"),
        ("{date:%}", "unknown date format '%'"),
        ("{date:today}", "wants a date format"),
        ("{date:%Y{lane}}", "wants a date format"),
        ("{lane", "expected '}'"),
        ("lane}", "Single '}'"),
    ],
)
def test_what_is_no_template(text: str, fault: str) -> None:
    with pytest.raises(ValueError, match=r".") as raised:
        template.check(text, **KINDS)
    assert fault in str(raised.value)


@given(st.text(st.sampled_from("{}:%!.[]a0Yd") | st.characters(codec="utf-8")) | st.from_regex(r"\{date:.*\}"))
def test_what_passes_the_check_can_be_rendered(text: str) -> None:
    try:
        template.check(text, texts=("a", "lane"), dates=("d", "date"))
    except ValueError:
        return
    date = FIELDS["date"]
    assert isinstance(template.render(text, {**FIELDS, "a": "b", "d": date}), str)
