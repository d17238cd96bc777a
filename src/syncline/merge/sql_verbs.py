"""Why a merged SQL statement must not be accepted: one side made it do something else. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from syncline.merge.case import HunkCase
from syncline.merge.hunks import Lines

_VERBS = re.compile(
    rb"(?:select|insert|update|delete|merge|truncate|drop|alter|create|grant|revoke)\b", re.IGNORECASE
)
_COMMENT = re.compile(rb"--[^\n]*")


def sql_verbs(hunk: HunkCase, lines: Lines) -> Iterator[str]:
    """Yield a sentence for a statement that no version has, where a side changed what a statement does.

    `DELETE FROM t WHERE x = 1` of one side and `SELECT a FROM t` of the other become `DELETE FROM t`.
    """
    if not hunk.file.path.lower().endswith(b".sql"):
        return
    base, *sides = (_statements(version) for version in (hunk.base, hunk.ours, hunk.theirs))
    if not any(_verbs(base - side) - _verbs(side - base) for side in sides):
        return
    for statement in _statements(lines) - base - sides[0] - sides[1]:
        if _VERBS.match(statement):
            yield f"no version has it, and a side changed what it does: {_shown(statement)}"


def _statements(lines: Iterable[bytes]) -> Counter[bytes]:
    text = _COMMENT.sub(b"", b"".join(lines))
    return Counter(b" ".join(part.split()) for part in text.split(b";") if part.strip())


def _verbs(statements: Counter[bytes]) -> Counter[bytes]:
    found: Counter[bytes] = Counter()
    for statement, count in statements.items():
        match = _VERBS.match(statement)
        if match:
            found[match.group().upper()] += count
    return found


def _shown(statement: bytes) -> str:
    return statement.decode("utf-8", "replace")[:100]
