"""Edits in words, for evidence that people read. Pure."""

from collections.abc import Sequence

from syncline.merge.text.diff import Edit
from syncline.merge.text.three_way import Merged
from syncline.merge.text.token_region import TokenRegion
from syncline.merge.text.tokens import Tokens

_SHOWN = 60
"""How much of an edit is shown, in characters."""


def told_edits(region: TokenRegion, merged: Merged) -> str:
    """Return a sentence that says what either side changed, and how far apart."""
    if merged.woven:
        return "both sides added the same lines here, and each some of its own between them"
    if not merged.ours and not merged.theirs:
        return "both sides made the same change, in different layout"
    ours, theirs = _side(region.base, region.ours, merged.ours), _side(region.base, region.theirs, merged.theirs)
    if not merged.theirs:
        return f"target made every change that source made here, and {ours}"
    if not merged.ours:
        return f"source made every change that target made here, and {theirs}"
    distance = "touching" if not merged.gap else f"{merged.gap} unchanged token{'s' * (merged.gap > 1)} apart"
    return f"target {ours}; source {theirs}; {distance}"


def _side(base: Tokens, side: Tokens, edits: Sequence[Edit]) -> str:
    if not edits:
        return ""
    first = max(edits, key=lambda edit: (edit.a_end - edit.a + edit.b_end - edit.b, -edit.a))
    old, new = _shown(base, first.a, first.a_end), _shown(side, first.b, first.b_end)
    if first.a == first.a_end:
        told = f"added {new}"
    elif first.b == first.b_end:
        told = f"removed {old}"
    else:
        told = f"changed {old} to {new}"
    more = len(edits) - 1
    return f"{told} and made {more} more edit{'s' * (more > 1)}" if more else told


def _shown(tokens: Tokens, start: int, end: int) -> str:
    part = tokens.part(start, min(end, start + _SHOWN))
    text = b" ".join(part.join().split()).decode(errors="backslashreplace")
    text = "".join(letter if letter.isprintable() else "?" for letter in text)
    return f"`{text[:_SHOWN]}...`" if len(text) > _SHOWN or end - start > _SHOWN else f"`{text}`"
