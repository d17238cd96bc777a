"""Whatever a log holds: no parser raises, keeps more than some lines, or tells something of no line."""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from syncline.checks.logs.failure import LogFailure
from syncline.checks.logs.parser import Line, Parser
from syncline.checks.logs.parsers.registry import PARSERS
from syncline.checks.logs.prefixes import without_prefixes
from syncline.checks.logs.words import Words

CORPUS = Path(__file__).parent / "corpus"
SEEN = sorted({line for file in CORPUS.glob("*.log") for line in file.read_text(encoding="utf-8").splitlines()})
PIECES = st.one_of(
    st.sampled_from(SEEN), st.sampled_from(sorted({w for kind in PARSERS for w in kind.words})), st.text()
)
LINES = st.lists(
    st.lists(PIECES, max_size=3).map("".join).map(lambda text: text.replace("\n", " ")[:4000]), max_size=30
)


@settings(max_examples=60, deadline=None)
@given(LINES)
def test_lines_of_all_tools_in_any_order(lines: list[str]) -> None:
    for kind in PARSERS:
        parser: Parser = kind()
        found = [one for number, text in enumerate(lines, 1) for one in parser.feed(Line(number, text))]
        found += parser.end()
        assert not list(parser.end()), "what was open is told once"
        for failure in found:
            assert 1 <= failure.at <= len(lines)
            assert failure.tool
            assert failure.kind
            assert failure.message
            assert "\n" not in failure.message
            assert len(failure.message) <= 1000
            assert len(failure.excerpt) <= 25
            assert failure.line is None or failure.line >= 0


def test_a_block_that_is_never_closed_is_bounded() -> None:
    for kind in PARSERS:
        parser: Parser = kind()
        for start in SEEN:
            list(parser.feed(Line(1, start)))
        for number in range(1000):
            list(parser.feed(Line(2 + number, "  x")))
        kept = sum(len(value) for value in vars(parser).values() if isinstance(value, list))
        assert kept <= 300, kind.__name__


def test_the_words_of_a_parser_miss_nothing_that_it_would_find() -> None:
    asks = {kind: Words({word: frozenset({0}) for word in kind.words}) for kind in PARSERS}
    for file in sorted(CORPUS.glob("*.log")):
        texts = [without_prefixes(text)[0] for text in file.read_text(encoding="utf-8").splitlines()]
        lines = [Line(number, text) for number, text in enumerate(texts, 1)]
        for kind, words in asks.items():
            whole, asked = kind(), kind()
            everything = [one for line in lines for one in whole.feed(line)] + list(whole.end())
            found: list[LogFailure] = []
            for line in lines:
                if asked.busy or any(True for _ in words.owners(line.text)):
                    found += asked.feed(line)
            assert [*found, *asked.end()] == everything, f"{kind.__name__} on {file.name}"
