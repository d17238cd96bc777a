"""Fits Markdown into GitHub's limit: cut at a line, with what is open there closed again. Pure."""

import re

BODY_LIMIT = 65_536
"""Characters GitHub takes ("body is too long (maximum is 65536 characters)")."""

CUT = "\n\n*Cut here: GitHub takes no longer text. The report has all of it.*"

_FENCE = re.compile(r"^[ ]{0,3}(?P<fence>`{3,}|~{3,})", re.MULTILINE)


def length(text: str) -> int:
    """In UTF-16 units, never less than what GitHub counts."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def fit(text: str, room: int) -> str | None:
    """`text` within `room` UTF-16 units, whole or its first lines and a word that it was cut; None: no room."""
    if length(text) <= room:
        return text
    room -= length(CUT)
    lines: list[str] = []
    taken = 0
    for line in text.split("\n"):
        taken += length(line) + 1
        if taken > room:
            break
        lines.append(line)
    # Whatever is open where it is cut is closed again, or it would swallow the rest of the body.
    while lines and length("\n".join(lines) + _closing(lines)) > room:
        lines.pop()
    return "\n".join(lines) + _closing(lines) + CUT if lines else None


def _closing(lines: list[str]) -> str:
    text = "\n".join(lines)
    fence = ""
    for found in _FENCE.finditer(text):
        if not fence:
            fence = found["fence"]
        elif found["fence"].startswith(fence):
            fence = ""
    comment = "\n-->" if text.rfind("<!--") > text.rfind("-->") else ""
    details = text.count("<details") - text.count("</details>")
    return comment + (f"\n{fence}" if fence else "") + "\n</details>" * max(0, details)
