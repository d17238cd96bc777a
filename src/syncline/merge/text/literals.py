"""Numbers, versions, dates and times of a text, each as a whole: `1.05`, `2.2.4`, `2025-01-05`, `11:30`. Pure.

Words and tokens are cut at their dots, dashes and colons; put together of two, they are a value nobody wrote.
"""

import re
from collections.abc import Iterable

_LITERAL = re.compile(rb"(?<![\w.])v?\d\w*(?:[.:-]\d\w*)+")


def literals(lines: Iterable[bytes]) -> list[bytes]:
    """Return the literals that have more than one part, in order."""
    return [match.group() for line in lines for match in _LITERAL.finditer(line)]
