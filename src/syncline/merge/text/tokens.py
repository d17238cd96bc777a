"""A text as tokens and the white space between them. Pure, linear, for any language and any bytes.

No grammar: words, numbers, strings that end on their line, operators, and the words of comments, told by the
file's suffix. What no rule fits is an operator of one byte, so that `join` always gives the text back.
Comments and texts that span lines are cut into words: a hunk may begin in the middle of one.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property, lru_cache
from itertools import pairwise

from syncline.merge.hunks import split_lines


class Kind(StrEnum):
    """What a token is."""

    WORD = "word"
    NUMBER = "number"
    STRING = "string"
    COMMENT = "comment"
    """A line comment's marker, or a word in it."""
    OPERATOR = "operator"


@dataclass(frozen=True, slots=True)
class Tokens:
    """A text, cut: `gaps[i]` is the white space before `texts[i]`, the last gap ends the text."""

    texts: tuple[bytes, ...]
    gaps: tuple[bytes, ...]
    kinds: tuple[Kind, ...]

    def __len__(self) -> int:
        return len(self.texts)

    def join(self) -> bytes:
        """Return the text again."""
        return b"".join(gap + text for gap, text in zip(self.gaps, self.texts, strict=False)) + self.gaps[-1]

    def part(self, start: int, end: int) -> "Tokens":
        """Return some of the tokens, with the white space before, between and after them."""
        return Tokens(self.texts[start:end], self.gaps[start : end + 1], self.kinds[start:end])

    def line_starts(self) -> list[int]:
        """Return the tokens that begin a line; blank lines have none."""
        return [at for at in range(len(self.texts)) if not at or b"\n" in self.gaps[at]]

    def lines(self) -> list[tuple[bytes, ...]]:
        """Return the tokens of each line that has any."""
        starts = self.line_starts()
        return [self.texts[start:end] for start, end in pairwise([*starts, len(self.texts)])]


_KINDS: dict[str | None, Kind] = {kind.value: kind for kind in Kind}
_SPACE = rb"(?P<space>[ \t\r\n\f\v]+)"
# "don't" is one word: its apostrophe opens no string.
_WORD = rb"(?P<word>[A-Za-z_$@\x80-\xff][\w$\x80-\xff]*(?:'(?:t|s|re|ve|ll|d|m)\b(?!'))?)"
_NUMBER = rb"(?P<number>\d[\w.]*(?<!\.))"
_DOUBLE = rb'"(?:[^"\\\n]|\\.)*"|`[^`\\\n]*`'
_SINGLE = rb"'(?:[^'\\\n]|\\.)*'"
_CHARACTER = rb"'(?:[^'\\\n]|\\[^\n]{1,9})'"
_OPERATOR = (
    rb'(?P<operator>"""|\'\'\'|/\*+|\*+/|<!--|-->|</|/>|<<=|>>=|\*\*=|//=|\.\.\.|===|!==|<=>|&&=|\|\|=|\?\?='
    rb"|->|=>|::|:=|==|!=|<=|>=|\+=|-=|\*=|/=|%=|&=|\|=|\^=|\+\+|--|&&|\|\||\?\?|\?\.|<<|\*\*|\\\S|.)"
)

_PROSE = b"md markdown txt rst adoc asciidoc textile org tex html htm"
_HASH = (
    b"py pyi pyx pxd rb rake gemspec sh bash zsh fish pl pm t r jl ex exs yml yaml toml cfg conf cmake mk make"
    b" tcl nix bzl bazel star properties gitignore dockerignore env po graphql coffee awk in ac am"
    b" requirements haml slim"
)
_SLASH = (
    b"c h cc cpp cxx hpp hh hxx inc cu cuh m mm java kt kts scala sc groovy gradle go rs js jsx mjs cjs ts tsx"
    b" mts cts vue svelte cs fs swift dart php proto thrift less scss glsl metal cl hip hlsl jsonc json5 zig"
    b" v sv sol d"
)
_DASH = b"sql lua hs ada adb ads elm vhd vhdl"
_SEMICOLON = b"ini lisp el clj cljs edn scm asm"
_PERCENT = b"erl hrl m4"
# Where a single quote opens no string that might hold more than one character: lifetimes, primes, digits.
_QUOTE_IS_CHARACTER = frozenset((b"rs hs ml mli fs elm ada adb ads clj cljs lisp el scm").split())


def _pattern(comment: bytes, strings: bytes) -> re.Pattern[bytes]:
    parts = [_SPACE]
    if comment:
        parts.append(rb"(?P<comment>(?:" + comment + rb")[^\n]*)")
    if strings:
        parts.append(rb"(?P<string>" + strings + rb")")
    return re.compile(b"|".join([*parts, _WORD, _NUMBER, _OPERATOR]), re.DOTALL)


_IN_PROSE = _pattern(b"", b"")


def _table() -> dict[bytes, re.Pattern[bytes]]:
    comments = {
        _HASH: rb"#(?![\[{])",
        _SLASH: rb"(?<!:)//",
        _DASH: rb"--",
        _SEMICOLON: rb";",
        _PERCENT: rb"%",
    }
    found = dict.fromkeys(_PROSE.split(), _IN_PROSE)
    for suffixes, comment in comments.items():
        with_strings = _pattern(comment, _DOUBLE + b"|" + _SINGLE)
        with_characters = _pattern(comment, _DOUBLE + b"|" + _CHARACTER)
        for suffix in suffixes.split():
            found[suffix] = with_characters if suffix in _QUOTE_IS_CHARACTER else with_strings
    return found


_BY_SUFFIX = _table()
_OTHER = _pattern(b"", _DOUBLE + b"|" + _SINGLE)
_HASH_NAMES = re.compile(
    rb"^(Makefile|Dockerfile|Gemfile|Rakefile|Jenkinsfile|CMakeLists\.txt|CODEOWNERS|\.\w+)", re.IGNORECASE
)


_Part = tuple[tuple[bytes, ...], bytes, tuple[bytes, ...], tuple[Kind, ...]]
"""Tokens of a part of a text, the white space before the first and behind each, and what they are."""


@dataclass(frozen=True)
class _Cutter:
    """Cuts texts of one kind of file; what it found in the lines it met last it keeps."""

    pattern: re.Pattern[bytes]

    @cached_property
    def line(self) -> Callable[[bytes], _Part]:
        """Cut a short line, or return again what was found in it: a file's versions share most of their lines."""
        return lru_cache(maxsize=_LINES)(self.cut)

    def cut(self, content: bytes) -> _Part:
        texts: list[bytes] = []
        gaps: list[bytes] = []
        kinds: list[Kind] = []
        gap = b""
        for found in self.pattern.finditer(content):
            group = found.lastgroup
            text = found.group()
            if group == "space":
                gap = text
            elif group == "comment":
                for word in _IN_PROSE.finditer(text):
                    if word.lastgroup == "space":
                        gap = word.group()
                    else:
                        texts.append(word.group())
                        gaps.append(gap)
                        kinds.append(Kind.COMMENT)
                        gap = b""
            else:
                texts.append(text)
                gaps.append(gap)
                kinds.append(_KINDS[group])
                gap = b""
        gaps.append(gap)
        return tuple(texts), gaps.pop(0), tuple(gaps), tuple(kinds)


_LINES = 8192
_SHORT = 300
"""How many lines are kept for each kind of file, and up to how many bytes: some 10 MB."""


@cache
def _cutter_of(pattern: re.Pattern[bytes]) -> _Cutter:
    return _Cutter(pattern)


def _pattern_of(path: bytes) -> re.Pattern[bytes]:
    name = path.rpartition(b"/")[2]
    if _HASH_NAMES.match(name):
        return _BY_SUFFIX[b"py"]
    return _BY_SUFFIX.get(name.rpartition(b".")[2].lower(), _OTHER)


def tokenize(content: bytes, path: bytes) -> Tokens:
    """Cut `content`; the name of its file tells how comments begin there."""
    cutter = _cutter_of(_pattern_of(path))
    texts: list[bytes] = []
    gaps: list[bytes] = [b""]
    kinds: list[Kind] = []
    for line in _whole_lines(content):
        found, gap, further, sorts = cutter.line(line) if len(line) <= _SHORT else cutter.cut(line)
        texts += found
        # The white space at the end of a line goes on at the beginning of the next.
        gaps[-1] += gap
        gaps += further
        kinds += sorts
    return Tokens(tuple(texts), tuple(gaps), tuple(kinds))


def _whole_lines(content: bytes) -> Iterator[bytes]:
    """Yield stretches of whole lines in whose ends no token stands; a string may go on behind a backslash."""
    lines = split_lines(content)
    if b"\\\n" not in content:
        yield from lines
        return
    held = b""
    for line in lines:
        held += line
        if not line.endswith(b"\\\n"):
            yield held
            held = b""
    if held:
        yield held
