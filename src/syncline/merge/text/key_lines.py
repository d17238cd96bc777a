"""Lines cut into entries with a key: JSON, YAML, TOML, properties, XML and dictionaries in code. Pure.

An entry is a line with a key and the deeper or bracketed lines under it; comments and blank lines above are
part of it. No parser: what does not look like entries is not cut at all.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from syncline.merge.alignment import squeezed
from syncline.merge.hunks import Lines

_FORMATS = {
    "json": rb"\.(json5?|jsonc|webmanifest|babelrc|eslintrc)$",
    "yaml": rb"\.(ya?ml|clang-format|clang-tidy)$|(^|/)CITATION\.cff$",
    "toml": rb"\.(toml|ini|cfg|conf|properties|env|mk|editorconfig|neon|service|gitmodules)$|(^|/)Makefile$",
    "xml": rb"\.(xml|props|targets|csproj|vcxproj|config|ui|qrc|plist|xsd|resx|nuspec)$",
    "dict": (
        rb"\.(py|rb|js|jsx|ts|tsx|mjs|cjs|vue|php|go|rs|java|c|h|cc|cpp|hpp|cs|swift|kt|lua|gradle|groovy|gn|bzl"
        rb"|dart)$"
    ),
}
_KEY = rb"""("[^"\n]{1,200}"|'[^'\n]{1,200}'|[\w.$@/*+\[\]()-]{1,200})"""
_ENTRIES = {
    "json": re.compile(rb"\s*" + _KEY + rb"\s*:|\s*(\"[^\"\n]*\"),?\s*$|\s*(\{)\s*$"),
    "yaml": re.compile(rb"\s*" + _KEY + rb"\s*:(?=\s|$)|\s*(-\s.*\S)\s*$"),
    "toml": re.compile(rb"\s*" + _KEY + rb"\s*(?:[+:?]?=|:(?=\s))|(\[.*\])\s*$"),
    "dict": re.compile(rb"\s*" + _KEY + rb"\s*(?::(?!:)|=>|=(?![=>]))\s*\S|\s*([\w.\"'-]{1,200}),\s*$"),
}
_COMMENT = re.compile(rb"\s*(#|//|/\*|\*|<!--|;)")
_TAG = re.compile(rb"\s*<([\w:.-]+)((?:\s[^<>]*)?)(/?>|$)")
_NAMING = re.compile(
    rb"""\s(?:[\w.-]*:)?(?:name|id|key|Include|Update|class|type|ref|alias|event|file|path|value)\s*=\s*("[^"]*"|'[^']*')"""
)
_CHILD = re.compile(rb"\s*<(groupId|artifactId|classifier|type|id|name|phase)>\s*([^<]*?)\s*</")
COMMA = re.compile(rb",(?=\s*(?:(?:#|//).*)?\s*$)")
_BRACKETS = ((b"(", b")"), (b"[", b"]"), (b"{", b"}"))
_CLOSERS = (b"}", b"]", b")")


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry, as its lines stand."""

    head: Lines
    """Comments and blank lines above it."""
    body: Lines

    @property
    def value(self) -> bytes:
        """What it says: no white space, no comma behind it."""
        text = b"".join(self.body)
        last = self.body[-1] if self.body else b""
        return squeezed(text[: len(text) - len(last)] + COMMA.sub(b"", last))


def entries(lines: Lines, syntax: str) -> dict[bytes, Entry] | None:
    """Cut lines into entries by key, in order; None if they are anything else, or a key comes twice.

    What stands behind the last entry has the key b"" and no body.
    """
    filled = [line for line in lines if line.strip()]
    if not filled:
        return {b"": Entry(lines, ())} if lines else {}
    cutter = _Cutter(syntax, min(map(_depth, filled)))
    return cutter.found if all(map(cutter.take, lines)) and cutter.finish() else None


def _depth(line: bytes) -> int:
    return len(line) - len(line.lstrip())


class _Cutter:
    """Takes line after line; says False where one is no part of an entry."""

    def __init__(self, syntax: str, least: int) -> None:
        self.found: dict[bytes, Entry] = {}
        self._syntax = syntax
        self._least = least
        self._section = b""
        self._head: list[bytes] = []
        self._body: list[bytes] = []
        self._blanks: list[bytes] = []

    def take(self, line: bytes) -> bool:
        if not line.strip():
            self._blanks.append(line)
            return True
        if self._goes_on(line):
            if not self._body:
                return False
            self._body += [*self._blanks, line]
            self._blanks = []
            return True
        if self._body and not self._close():
            return False
        self._head += self._blanks
        self._blanks = []
        if _COMMENT.match(line):
            self._head.append(line)
        else:
            self._body = [line]
        return True

    def finish(self) -> bool:
        if self._body and not self._close():
            return False
        rest = (*self._head, *self._blanks)
        if rest:
            self.found[b""] = Entry(rest, ())
        return True

    def _goes_on(self, line: bytes) -> bool:
        """Whether the line belongs to the entry begun before it."""
        text = line.strip()
        if _depth(line) > self._least or text[:1] in _CLOSERS or text.startswith((b"</", b"end")):
            return True
        # A YAML list may stand at the indentation of its key.
        body = self._body
        is_item = self._syntax == "yaml" and text.startswith(b"- ")
        return is_item and bool(body) and not body[0].lstrip().startswith(b"-")

    def _close(self) -> bool:
        body, syntax = self._body, self._syntax
        key = _key(body, syntax, self._section)
        if key is None or key in self.found or not _balanced(body, syntax):
            return False
        if syntax == "toml":
            if body[-1].rstrip().endswith(b"\\"):
                return False
            if body[0].lstrip().startswith(b"["):
                self._section = body[0].strip()
        self.found[key] = Entry(tuple(self._head), tuple(body))
        self._head, self._body = [], []
        return True


def _key(body: Sequence[bytes], syntax: str, section: bytes) -> bytes | None:
    if syntax == "xml":
        return _tag_key(body)
    match = _ENTRIES[syntax].match(body[0])
    if match is None:
        return None
    name = next(part for part in match.groups() if part is not None)
    if name == b"{":
        return b"{" + squeezed(body[1]) if len(body) > 2 else None
    return (section + b" " if section and syntax == "toml" else b"") + name.strip(b"\"'").strip()


def _tag_key(body: Sequence[bytes]) -> bytes | None:
    match = _TAG.match(body[0])
    if match is None:
        return None
    naming = _NAMING.search(match[2])
    key = match[1] + (b" " + naming[1] if naming else b"")
    if len(body) > 1:
        children = [found[2] for line in body[1:6] if (found := _CHILD.match(line))]
        key = b" ".join([key, *children])
    elif match[1] in {b"module", b"file", b"string", b"item", b"value", b"include", b"exclude"} and not naming:
        key = squeezed(body[0])
    return key


def _balanced(body: Sequence[bytes], syntax: str) -> bool:
    text = b"".join(body)
    if syntax == "xml":
        opened = len(re.findall(rb"<[\w:.-]", text))
        return opened == text.count(b"</") + text.count(b"/>")
    return all(text.count(a) == text.count(b) for a, b in _BRACKETS)


def format_of(path: bytes) -> str | None:
    """Return the format of a file by its path; None if it has no entries."""
    return next((name for name, pattern in _FORMATS.items() if re.search(pattern, path)), None)
