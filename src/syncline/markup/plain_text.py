"""Text from strangers (subjects, authors, paths, file contents) made safe to look at. Pure.

Control characters become visible pictures and direction overrides become escapes, so that a text cannot show
something else than it says (https://trojansource.codes). Markup is escaped elsewhere.
"""

import re

_DANGEROUS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")
_PICTURES = 0x2400


def block(text: str) -> str:
    r"""Return `text` with only tabs and newlines left of all control characters; CR LF reads `␍` and a newline."""
    return _DANGEROUS.sub(_visible, text)


def one_line(text: str, limit: int = 0) -> str:
    r"""Return `text` as one line: newlines and tabs read `\n` and `\t`, cut to `limit` characters if not 0."""
    line = block(text).replace("\n", "\\n").replace("\t", "\\t")
    return line if not limit or len(line) <= limit else line[: limit - 1] + "…"


def _visible(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x20:
        return chr(_PICTURES + code)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
