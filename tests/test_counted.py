import pytest

from syncline.counted import counted


@pytest.mark.parametrize(
    ("number", "nouns", "said"),
    [
        (0, ("merge",), "0 merges"),
        (1, ("merge",), "1 merge"),
        (1234, ("merge",), "1,234 merges"),
        (1, ("path needs", "paths need"), "1 path needs"),
        (2, ("path needs", "paths need"), "2 paths need"),
    ],
)
def test_numbers_with_their_nouns(number: int, nouns: tuple[str, ...], said: str) -> None:
    assert counted(number, *nouns) == said
