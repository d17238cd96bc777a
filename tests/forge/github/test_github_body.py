import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.errors import ForgeError
from syncline.forge.github import marker as markers
from syncline.forge.github.body_block import BEGIN, Body, parse, render
from syncline.forge.github.fit import BODY_LIMIT
from syncline.forge.github.marker import ProposalMarker
from syncline.forge.protocol import ProposalState

MARK = ProposalMarker("nightly", "abc-1", "sync/x")
texts = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=60)
words = st.text(st.sampled_from('ab->!<"\\\n&'), max_size=12)


@given(
    st.builds(
        ProposalMarker,
        lane=words,
        run=words,
        branch=words,
        labels=st.tuples(words),
        unfinished=st.just(True),  # noqa: FBT003 - without it labels are not kept
        ended=st.sampled_from([None, *ProposalState]),
        superseded_by=st.none() | st.integers(1, 99),
    )
)
def test_a_marker_comes_back_from_a_comment(mark: ProposalMarker) -> None:
    line = markers.write(mark)
    assert "\n" not in line
    assert "--" not in line.removeprefix("<!--").removesuffix("-->")
    assert markers.read(f"before\n{line}\nafter") == mark


@pytest.mark.parametrize(
    "body",
    [
        "",
        "> " + markers.write(MARK),
        "text " + markers.write(MARK),
        "<!-- syncline:proposal {broken -->",
        '<!-- syncline:proposal {"lane":"x"} -->',
        '<!-- syncline:proposal ["lane"] -->',
        '<!-- syncline:other {"lane":"a","run":"b","branch":"c"} -->',
        "<!-- syncline:proposal " + "[" * 100_000 + " -->",
    ],
)
def test_what_is_no_marker(body: str) -> None:
    assert markers.read(body) is None


def test_a_comment_carries_its_marker_in_the_first_line_only() -> None:
    text = markers.write_comment("ready:--x", "Ready\nat last")
    assert markers.read_comment(text) == ("ready:--x", "Ready\nat last")
    assert markers.read_comment(text.replace("\n", "\r\n")) == ("ready:--x", "Ready\nat last")
    assert markers.read_comment(f"\n{text}") is None
    assert markers.read_comment(f"> {text}") is None


@given(texts, texts, texts, texts)
def test_what_people_write_around_the_block_stays(before: str, text: str, after: str, again: str) -> None:
    body = parse(render(Body(text, MARK)))
    assert (body.text, body.marker, body.before, body.after) == (text, MARK, "", "")
    edited = f"{before}\n{render(body)}\n{after}"
    seen = parse(edited.replace("\n", "\r\n"))
    assert seen.marker == MARK
    rewritten = render(Body(again, MARK, seen.before, seen.after))
    assert rewritten.startswith(f"{before}\n")
    assert rewritten.endswith(f"\n{after}")
    assert parse(rewritten).text == again


def test_a_tick_inside_is_lost_and_one_outside_stays() -> None:
    body = render(Body("- [ ] ours", MARK)) + "\n- [x] theirs"
    seen = parse(body.replace("[ ] ours", "[x] ours"))
    assert render(Body("- [ ] ours", seen.marker, seen.before, seen.after)) == body


def test_a_body_without_a_block_is_people_s_alone() -> None:
    assert parse("Hello") == Body("", None, before="Hello")
    with pytest.raises(ValueError, match="without a marker"):
        render(parse("Hello"))


def test_a_line_of_the_block_quoted_above_is_no_block() -> None:
    quoted = "What is this?\n```\n" + BEGIN + "\n```\n"
    seen = parse(quoted + render(Body("ours", MARK, "", "\nbye")))
    assert (seen.before, seen.text, seen.after) == (quoted, "ours", "\nbye")


def test_the_end_mark_was_taken_away() -> None:
    whole = render(Body("ours", MARK, "Hello\n"))
    cut = re.sub(r"<!-- syncline:end.*-->", "", whole)
    assert (parse(cut).before, parse(cut).marker) == (parse(whole).before, MARK)
    assert parse(cut).after == ""


def test_the_begin_mark_was_taken_away() -> None:
    whole = render(Body("ours", MARK, "", "\nbye"))
    cut = re.sub(r"<!-- syncline:begin.*-->\n", "", whole)
    assert (parse(cut).marker, parse(cut).text, parse(cut).after) == (MARK, "ours", "\nbye")


def test_our_text_cannot_end_the_block_too_early() -> None:
    body = render(Body("a\n<!-- syncline:end: x -->\nb\n<!-- syncline:begin -->\nc", MARK, "", "\ntheirs"))
    assert parse(body).after == "\ntheirs"
    assert parse(body).text.endswith("c")


@pytest.mark.parametrize("line", ["x" * 99, "é" * 99, "𝄞" * 50, ""])
def test_what_is_too_long_is_cut_at_a_line(line: str) -> None:
    body = render(Body("\n".join([line] * 70_000), MARK, "before\n", "\nafter"))
    assert BODY_LIMIT - 400 < len(body.encode("utf-16-le")) // 2 <= BODY_LIMIT
    seen = parse(body)
    assert (seen.before, seen.after) == ("before\n", "\nafter")
    assert "Cut here" in seen.text
    assert set(seen.text.split("\n\n*Cut")[0].split("\n")) <= {line}


def test_what_is_open_where_it_is_cut_is_closed() -> None:
    text = "<details><summary>all</summary>\n\n````text\n```\n" + "line\n" * 20_000
    seen = parse(render(Body(text, MARK)))
    assert re.search(r"line\n````\n</details>\n\n\*Cut here", seen.text)


def test_people_leave_no_room() -> None:
    with pytest.raises(ForgeError, match="no room"):
        render(Body("text", MARK, "x" * BODY_LIMIT))
