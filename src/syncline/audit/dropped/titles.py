"""Headings of documents and keys of configuration: what has a name where there is no code. Pure, for any bytes."""

import re
from collections.abc import Sequence

_MARKDOWN = re.compile(rb"\s{0,3}#{1,6}\s+(.*?)\s*#*$")
_UNDERLINE = re.compile(rb"([=\-~^\"'`#*+.:_])\1{2,}$")
_KEY = re.compile(rb"[\s\-]*(?:export\s+)?[\"']?([A-Za-z_][\w./-]*)[\"']?\s*(?::(?=\s|$)|=(?!=))")
_TABLE = re.compile(rb"\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*$")
_FENCE = re.compile(rb"\s*(```|~~~)")

PROSE = (b".md", b".markdown", b".mdx", b".rst", b".adoc")
KEYED = (
    b".yaml", b".yml", b".toml", b".json", b".jsonc", b".json5", b".ini", b".cfg", b".conf", b".properties",
    b".env",
    b".neon",
)  # fmt: skip


def headings(lines: Sequence[bytes]) -> dict[int, bytes]:
    """Return the headings of a Markdown or reStructuredText document by their lines (0-based)."""
    found: dict[int, bytes] = {}
    fence = b""
    for at, line in enumerate(lines):
        mark = _FENCE.match(line)
        if mark is not None and (not fence or mark[1] == fence):
            fence = b"" if fence else mark[1]
        if fence:
            continue
        title = _MARKDOWN.match(line)
        if title is not None:
            found[at] = title[1]
        elif (
            at
            and _UNDERLINE.match(line)
            and lines[at - 1].strip()
            and len(line.rstrip()) >= len(lines[at - 1].rstrip())
        ):
            found[at - 1] = lines[at - 1].strip()
    return {at: title for at, title in found.items() if title}


def keys(lines: Sequence[bytes]) -> dict[tuple[bytes, ...], int]:
    """Return the keys of a configuration and their lines: each a path from the outermost, by indentation."""
    found: dict[tuple[bytes, ...], int] = {}
    table: tuple[bytes, ...] = ()
    above: list[tuple[int, bytes]] = []
    for at, line in enumerate(lines):
        head = _TABLE.match(line)
        if head is not None and not line[:1].isspace():
            table, above = (head[1],), []
            found.setdefault(table, at)
            continue
        key = _KEY.match(line)
        if key is None:
            continue
        depth = key.start(1) - (1 if line[key.start(1) - 1 : key.start(1)] in (b'"', b"'") else 0)
        while above and above[-1][0] >= depth:
            above.pop()
        above.append((depth, key[1]))
        found.setdefault((*table, *(name for _, name in above)), at)
    return found
