"""A text without the white space that surely means nothing: two texts with one key differ in layout alone. Pure.

Answers are compared with what people wrote without any white space, which is right for scoring and too loose for
settling: an indentation can be a block's end, a space a string's content, a line break a statement's.
"""

from collections.abc import Iterator, Sequence

from syncline.merge.hunks import split_lines
from syncline.merge.text.tokens import Kind, tokenize

_INDENTED = frozenset(b"py pyi pyx pxd bzl bazel star".split())
"""Indentation means something, the space between tokens and lines within brackets do not."""
_LINES = frozenset(b"kt kts scala groovy gradle go js jsx mjs cjs ts tsx mts cts swift toml".split())
"""Neither indentation nor the space between tokens means anything, the ends of lines do outside brackets."""
_FREE = frozenset(
    b"c h cc cpp cxx hpp hh hxx inc cu cuh m mm java rs cs dart php proto thrift glsl metal cl hip hlsl zig sol"
    b" json json5 jsonc css less scss xml xsd pom csproj vcxproj props targets".split()
)
"""The ends of lines mean nothing either, but those of comments and of lines for a preprocessor."""
_DEPTH = {b"(": 1, b"[": 1, b")": -1, b"]": -1}


def layout_key(lines: Sequence[bytes], path: bytes) -> tuple[tuple[bytes, ...], ...]:
    """Return what a text says: equal for two texts only if they differ in nothing but layout.

    Args:
        lines: some whole lines of a file.
        path: the file, whose suffix tells what white space means there. Where it is not known, all of it counts
            but blank lines and what stands at the ends of lines.
    """
    suffix = path.rpartition(b"/")[2].rpartition(b".")[2].lower()
    if suffix in _INDENTED:
        return tuple(_logical(lines, path, indented=True))
    if suffix in _LINES:
        return tuple(_logical(lines, path, indented=False))
    if suffix in _FREE:
        return (tuple(_free(lines, path)),)
    return tuple((line,) for line in _ends_aside(lines))


def same_layout(one: Sequence[bytes], other: Sequence[bytes], path: bytes) -> bool:
    """Return whether two texts that are equal without white space differ in nothing but layout."""
    return _ends_aside(one) == _ends_aside(other) or layout_key(one, path) == layout_key(other, path)


def _ends_aside(lines: Sequence[bytes]) -> list[bytes]:
    """Return what counts in any format: all but blank lines and the ends of lines."""
    return [text for line in lines if (text := line.rstrip())]


def _free(lines: Sequence[bytes], path: bytes) -> Iterator[bytes]:
    for line in split_lines(b"".join(lines)):
        tokens = tokenize(line, path)
        if len(tokens):
            ends = tokens.kinds[-1] is Kind.COMMENT or tokens.texts[0] == b"#"
            yield from (b"\n", *tokens.texts, b"\n") if ends else tokens.texts


def _logical(lines: Sequence[bytes], path: bytes, *, indented: bool) -> list[tuple[bytes, ...]]:
    """Return the tokens of each line, those within brackets joined; with its indentation where that counts."""
    found: list[tuple[bytes, ...]] = []
    depth = 0
    for line in split_lines(b"".join(lines)):
        tokens = tokenize(line, path)
        if not len(tokens):
            continue
        if depth and found:
            found[-1] += tokens.texts
        else:
            indent = line[: len(line) - len(line.lstrip())]
            found.append((indent, *tokens.texts) if indented else tokens.texts)
        for token, kind in zip(tokens.texts, tokens.kinds, strict=True):
            depth = max(0, depth + _DEPTH.get(token, 0)) if kind is not Kind.COMMENT else depth
    return found
