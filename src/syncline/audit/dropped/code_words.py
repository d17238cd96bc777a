"""The words that do something in a file: names in code, without comments, strings and docstrings.

No grammar: a text in which a string or a comment is not told right only has some words more or less. Pure, linear,
for any bytes.
"""

import keyword
import re
from functools import cache

from syncline.merge.text.syntax import language_of

WORD = re.compile(rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*")
"""A name in any language."""
IMPORTS = re.compile(rb"\s*(?:from\s+\S+\s+import\b|import\b|use\s|using\s|#\s*include\b|require\b|package\s)")
"""How a line begins that brings names into a file."""
SHORTEST = 3
"""Letters of a name that says something; `i` and `ok` are everywhere."""

_TRIPLE = rb'"""(?:[^"\\]|\\.|"(?!""))*+(?:"""|\Z)|' + rb"'''(?:[^'\\]|\\.|'(?!''))*+(?:'''|\Z)"
_DOUBLE = rb'"(?:[^"\\\n]|\\.)*+"'
_SINGLE = rb"'(?:[^'\\\n]|\\.)*+'"
_CHARACTER = rb"'(?:[^'\\\n]|\\[^\n]{1,9})'"
_BACK = rb"`(?:[^`\\]|\\.)*+(?:`|\Z)"
_BLOCK = rb"/\*.*?(?:\*/|\Z)"

_COMMENTS: dict[str, tuple[bytes, ...]] = {
    "Python": (_TRIPLE, rb"#[^\n]*", _DOUBLE, _SINGLE),
    "hash": (rb"(?<![$\\\w])#[^\n]*", _DOUBLE, _SINGLE),
    "slash": (_BLOCK, rb"(?<!:)//[^\n]*", _DOUBLE, _SINGLE),
    "slash-back": (_BLOCK, rb"(?<!:)//[^\n]*", _DOUBLE, _SINGLE, _BACK),
    "slash-character": (_BLOCK, rb"(?<!:)//[^\n]*", _DOUBLE, _CHARACTER),
    "php": (_BLOCK, rb"(?<!:)//[^\n]*", rb"#(?!\[)[^\n]*", _DOUBLE, _SINGLE),
    "dash": (rb"--[^\n]*", _DOUBLE, _SINGLE),
}
_STYLES: dict[str, str] = {
    "Python": "Python",
    "Ruby": "hash", "shell": "hash",
    "Java": "slash", "C": "slash", "C++": "slash", "C#": "slash", "Scala": "slash", "Kotlin": "slash",
    "Go": "slash-back", "JavaScript": "slash-back", "TypeScript": "slash-back",
    "Rust": "slash-character",
    "PHP": "php",
}  # fmt: skip
_OTHERS: dict[bytes, str] = {
    suffix: style
    for style, suffixes in (
        ("Python", b"pyx pxd"),
        ("hash", b"pl pm r jl ex exs cmake"),
        ("slash", b"m mm swift dart groovy gradle proto thrift zig glsl metal cl hip"),
        ("slash-back", b"vue svelte"),
        ("dash", b"lua hs sql"),
    )
    for suffix in suffixes.split()
}

KEYWORDS = frozenset(word.encode() for word in (*keyword.kwlist, *keyword.softkwlist)) | frozenset(
    b"abstract boolean byte case catch char const constexpr default delete double elif else end enum"
    b" export extends false final float func function goto implements inline instanceof int interface"
    b" internal let long mut namespace native new nil null operator override package private protected"
    b" public readonly register require require_once include return sealed self short sizeof static struct"
    b" super switch template this throw throws trait true type typedef typename typeof undefined union"
    b" unsigned use using var virtual void volatile where impl pub mod crate cls args kwargs".split()
)
"""Words that are no names anywhere, or that everything has."""


def style_of(path: bytes) -> str | None:
    """Return how comments and strings are written in a file, by its name; None where no program is in it."""
    language = language_of(path)
    if language is not None:
        return _STYLES.get(language.name)
    return _OTHERS.get(path.rpartition(b".")[2].lower())


def code_of(content: bytes, style: str) -> bytes:
    """Return the text with its comments and strings blanked; line breaks stay, so that lines keep numbers."""
    return _pattern(style).sub(_blank, content)


def is_name(word: bytes) -> bool:
    """Whether a word can be told from others: no keyword, not too short."""
    return len(word) >= SHORTEST and word not in KEYWORDS


@cache
def _pattern(style: str) -> re.Pattern[bytes]:
    return re.compile(b"|".join(_COMMENTS[style]), re.DOTALL)


def _blank(found: re.Match[bytes]) -> bytes:
    text = found[0]
    return b" " + b"\n" * text.count(b"\n") if b"\n" in text else b" "
