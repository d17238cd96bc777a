import pytest

from syncline.demo.shelf import parse_edits


def test_pairs_are_read_by_file() -> None:
    text = "=== a/b.py\n--- was\none\n--- is\ntwo\nthree\n--- was\nfour\n--- is\n=== c\n--- was\n--- x\n--- is\n\n"
    assert parse_edits(text) == {
        "a/b.py": [("one\n", "two\nthree\n"), ("four\n", "")],
        "c": [("--- x\n", "\n")],
    }


@pytest.mark.parametrize(
    "text",
    [
        "one\n=== a\n",
        "--- was\none\n--- is\ntwo\n",
        "=== a\nstray\n--- was\none\n--- is\ntwo\n",
        "=== a\n--- is\ntwo\n",
        "=== a\n--- was\none\n",
        "=== a\n--- was\none\n--- was\ntwo\n",
        "=== a\n--- was\none\n=== b\n--- is\ntwo\n",
    ],
)
def test_what_is_out_of_order_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="edits file"):
        parse_edits(text)
