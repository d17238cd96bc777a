"""What one side renamed, renamed in the other side's new text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from syncline.merge.proposal import Proposal
from syncline.merge.resolvers import rename_replay
from testing.cases import file_case

WORDS = (b"foo", b"bar", b"a.b", b"../x/", b"(", b")", b" ", b"\n", b"\r\n", b"\xff\x00", b"1", b"end")
texts = st.lists(st.sampled_from(WORDS), max_size=14).map(b"".join)


def offers(base: bytes, ours: bytes, theirs: bytes) -> list[Proposal]:
    return list(rename_replay.propose(file_case(base, ours, theirs)))


def texts_of(found: list[Proposal]) -> list[bytes]:
    return [b"".join(offer.lines) for offer in found]


def test_a_call_renamed_here_and_its_argument_changed_there() -> None:
    [offer] = offers(
        b"x = 1\nraise(translate('Unable to find'))\n",
        b"x = 1\nraise(MP_TEXT('Unable to find'))\n",
        b"x = 1\nraise(translate('No free GCLKs'))\n",
    )
    assert offer.lines == (b"raise(MP_TEXT('No free GCLKs'))\n",)
    assert {"one-rename", "names", "each-place"} <= set(offer.marks)
    assert "`translate` to `MP_TEXT`" in offer.evidence[0].text


def test_both_directions_agree() -> None:
    [offer] = offers(b"a\nfoo(old, 1)\n", b"a\nfoo(fresh, 1)\n", b"a\nbar(old, 1)\n")
    assert offer.lines == (b"bar(fresh, 1)\n",)
    assert "both-directions-agree" in offer.marks


def test_a_path_that_got_shorter() -> None:
    [offer] = offers(
        b"files:\n  '../vue/index.js'\n", b"files:\n  'vue/index.js'\n", b"files:\n  '../vue/index.ts',\n"
    )
    assert offer.lines == (b"  'vue/index.ts',\n",)
    assert "path" in offer.marks


def test_a_name_that_grew_is_not_grown_twice() -> None:
    [offer] = offers(
        b"a\nbuffer: Buffer = get()\n",
        b"a\nbuffer: Buffer.Pooled = get()\n",
        b"a\nbuffer: Buffer = fetch(Buffer.Pooled)\n",
    )
    assert offer.lines == (b"buffer: Buffer.Pooled = fetch(Buffer.Pooled)\n",)


def test_a_rename_over_the_file_reaches_added_rows() -> None:
    base = b"use(Type)\nuse(Type, 1)\n\nrows = [\n  row(Type, 1),\n]\n"
    ours = base.replace(b"Type", b"LegacyType")
    theirs = base.replace(b"  row(Type, 1),\n", b"  row(Type, 1),\n  row(Type, 2),\n")
    [offer] = offers(base, ours, theirs)
    assert offer.lines == (b"  row(LegacyType, 1),\n", b"  row(LegacyType, 2),\n")
    assert {"file", "whole-file", "names"} <= set(offer.marks)


def test_a_number_is_not_replayed_in_other_places() -> None:
    base = b"a\nexporter: 3.1.8\n"
    assert b"4.9.9" not in b"".join(
        texts_of(offers(base, base.replace(b"3.1.8", b"4.8.8"), base.replace(b"3.1.8", b"3.1.9")))
    )


@pytest.mark.parametrize(
    ("line", "base", "ours", "theirs"),
    [
        (b'__version__ = "%s"\n', b"1.0", b"1.1.dev0", b"1.0.2"),
        (b'version = "%s"\n', b"1.0.0", b"1.1.0", b"1.0.1"),
        (b"v%s\n", b"2.4.0", b"3.0.0", b"2.4.1"),
        (b"rate = %s\n", b"0.50", b"1.50", b"0.75"),
        (b"released: %s\n", b"2024-01-02", b"2024-03-02", b"2024-01-05"),
        (b"a==%s\n", b"1.0.0", b"1.0.1", b"2.0.0"),
    ],
)
def test_no_number_is_made_of_two(line: bytes, base: bytes, ours: bytes, theirs: bytes) -> None:
    for one, other in ((ours, theirs), (theirs, ours)):
        found = offers(*(b"above\n" + line % version for version in (base, one, other)))
        assert set(texts_of(found)) <= {line % ours, line % theirs}


def test_a_version_that_is_the_same_on_both_sides_may_change() -> None:
    [offer] = offers(b"a\nimage: x:4.1.0\n", b"a\nimage: y:4.1.0\n", b"a\nimage: x:4.2.0\n")
    assert offer.lines == (b"image: y:4.2.0\n",)


@pytest.mark.parametrize("more", [b"", b"w = older.data\n", b"w = old.data\n"])
def test_no_half_of_a_rename_is_offered(more: bytes) -> None:
    base = b"import old.mod\n\nx = old.mod.a()\ny = old.mod.b()\nz = old.mod.f(1)\n" + more + b"end\n"
    new = base.replace(b"old.mod", b"new.mod")
    for call in (b"f(1, old.mod.K)", b"f(old.mod.K)", b"g(old.mod.K, 1)"):
        used = base.replace(b"f(1)", call)
        for ours, theirs in ((new, used), (used, new)):
            found = texts_of(offers(base, ours, theirs))
            assert any(call.replace(b"old", b"new") in text for text in found)
            assert not [text for text in found if b"old.mod" in text]


def test_names_that_were_swapped() -> None:
    base, ours = b"above\ncall(first, second)\n", b"above\ncall(second, first)\n"
    [offer] = offers(base, ours, base.replace(b"call", b"ask"))
    assert offer.lines == (b"ask(second, first)\n",)


def test_a_change_of_what_the_other_side_took_away_is_left_alone() -> None:
    assert offers(b"a\nfoo(x)\nend\n", b"a\nbar(x)\nend\n", b"a\nwhatever\nend\n") == []


@settings(max_examples=60)
@given(texts, texts, texts)
def test_any_bytes(base: bytes, ours: bytes, theirs: bytes) -> None:
    case = file_case(base, ours, theirs)
    for offer in rename_replay.propose(case):
        hunk = case.hunks[offer.hunk]
        assert hunk.ours != hunk.theirs
        assert set(offer.lines) >= {
            line for line in set(hunk.base) & set(hunk.ours) & set(hunk.theirs) if line.strip()
        }
