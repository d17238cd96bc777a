"""The way to one value of a TOML document, and how it is written in a message."""

import re

Key = str | int
KeyPath = tuple[Key, ...]
"""Table keys as text, places in a list as 0-based numbers: `("lanes", "x", "paths", 0, "match")`."""

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_LONGEST = 60


def shorten(text: str) -> str:
    """`text` on one line in double quotes, its middle left out when it is long."""
    if len(text) > _LONGEST:
        text = f"{text[: _LONGEST // 2]}...{text[-_LONGEST // 4 :]}"
    body = "".join(_escape(char) for char in text)
    return f'"{body}"'


def _escape(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    return char if char.isprintable() else char.encode("unicode_escape").decode("ascii")


def show(path: KeyPath) -> str:
    """`path` as TOML writes it, places in brackets: `lanes.x.paths[0].match`."""
    words: list[str] = []
    for key in path:
        if isinstance(key, int):
            words.append(f"[{key}]")
        else:
            words.append("." if words else "")
            words.append(key if _BARE.fullmatch(key) and len(key) <= _LONGEST else shorten(key))
    return "".join(words)
