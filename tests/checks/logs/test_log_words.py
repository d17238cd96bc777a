"""Looking for many words at once finds what looking for each of them finds."""

from hypothesis import given
from hypothesis import strategies as st

from syncline.checks.logs.words import Words

letters = st.text(alphabet="ab] :", max_size=12)
word = st.text(alphabet="ab :", min_size=1, max_size=6)


@given(st.lists(st.tuples(word, st.booleans()), max_size=8, unique=True), letters)
def test_owners(words: list[tuple[str, bool]], text: str) -> None:
    owners = {("^" if first else "") + word: frozenset({at}) for at, (word, first) in enumerate(words)}
    wanted = {
        at
        for at, (word, first) in enumerate(words)
        if (text.startswith(word) or f"]{word}" in text if first else word in text)
    }
    looked = Words(owners)
    assert set(looked.owners(text)) == wanted
    assert looked.search(text) is not None or not wanted
