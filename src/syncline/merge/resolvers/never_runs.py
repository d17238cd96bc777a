"""Whether an addition would never run behind another: that one leaves, or takes all that is left. Pure."""

import re

from syncline.merge.hunks import Lines
from syncline.merge.text.blocks import manner_of

_LEAVES = re.compile(
    rb"(?:return|raise|throw|break|continue|goto|panic!?|(?:sys\.|os\.|process\.)?exit)\b(?!\s*[:=])"
)
_MAY_STAY = re.compile(rb"\s(?:if|unless)\s")
"""Ruby and Perl leave only where this holds."""
_NAMES = re.compile(
    rb"@|#\[|(?:case|when|default|else|elif|elsif|except|rescue|ensure|catch|finally)\b|[\w$]+\s*:"
    rb"|(?:(?:public|private|protected|static|export|async|pub|final|override|abstract)\s+)*"
    rb"(?:def|class|function|func|fn|interface|struct|enum|type|macro_rules!)\b"
)
"""What is reached by its name, wherever it stands."""
_TAKES_ALL = re.compile(rb"default\s*(?::|->)|_\s*=>|case\s+_\s*(?::|=>)|else\s*->")
_CASE = re.compile(rb"case\b|when\b|.*(?:=>|->)")
_PROSE = frozenset(b"md markdown rst txt adoc json yaml yml toml xml html css ini cfg".split())


def never_runs(second: Lines, first: Lines, path: bytes) -> bool:
    """Return whether `second`, put behind `first`, would never be reached."""
    if path.rpartition(b".")[2].lower() in _PROSE:
        return False
    manner = manner_of(path)
    above = [one for one in manner.statements(first) if _WORD.search(one[1])]
    indent, begins = next(iter(manner.statements(second)), (0, b""))
    if not above or not begins:
        return False
    depth, last = above[-1]
    if depth == indent and _LEAVES.match(last) and not _MAY_STAY.search(last) and not _NAMES.match(begins):
        return True
    return _CASE.match(begins) is not None and any(
        depth == indent and _TAKES_ALL.match(text) for depth, text in above
    )


_WORD = re.compile(rb"\w")
