"""What errors and stacks of JavaScript look like, whoever prints them. Pure."""

import re
from collections.abc import Iterable

ERROR = re.compile(
    r"^(?:Uncaught )?(?P<kind>(?:[A-Z]\w*)?(?:Error|Exception))(?: \[(?P<code>\w+)\])?: (?P<message>.*)"
)
_FRAME = re.compile(
    r"^\s*(?:at |\u276f )(?:.{1,300}? \()?(?:file://)?(?P<path>/?[^\s():][^():]*):(?P<line>\d+):\d+\)?$"
)
_NOT_OURS = ("node_modules/", "node:", "internal/", "<anonymous>", "[eval]")


def first_frame(texts: Iterable[str]) -> re.Match[str] | None:
    """Return the first frame that is in neither a library nor Node itself."""
    for text in texts:
        match = _FRAME.match(text)
        if match is not None and not any(part in match["path"] for part in _NOT_OURS):
            return match
    return None
