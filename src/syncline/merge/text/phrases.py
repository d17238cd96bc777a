"""A second opinion on a merge of tokens: the same merge in phrases, parted by brackets and commas. Pure."""

from collections.abc import Sequence

from syncline.merge.text.diff import edits
from syncline.merge.text.three_way import merge_edits
from syncline.merge.text.token_region import TokenRegion
from syncline.merge.text.tokens import Tokens

_PARTING = frozenset((b"(", b")", b"[", b"]", b"{", b"}", b",", b";"))

Phrase = tuple[bytes, ...]


def merge_phrases(region: TokenRegion) -> bytes | None:
    """Return the merge of a region's phrases without white space; None where both sides changed one phrase."""
    base, ours, theirs = (phrases(side) for side in (region.base, region.ours, region.theirs))
    merged = merge_edits(ours, theirs, len(base), edits(base, ours), edits(base, theirs))
    if merged is None:
        return None
    found: list[bytes] = []
    for place in merged.places:
        found += ours[place.ours] if place.ours is not None else theirs[place.theirs or 0]
    return b"".join(b"".join(found).split())


def phrases(tokens: Tokens) -> Sequence[Phrase]:
    """Cut tokens at brackets, commas and semicolons, each of which is a phrase, and at line ends."""
    found: list[Phrase] = []
    run: list[bytes] = []
    for at, token in enumerate(tokens.texts):
        parts = token in _PARTING
        if run and (parts or b"\n" in tokens.gaps[at]):
            found.append(tuple(run))
            run = []
        if parts:
            found.append((token,))
        else:
            run.append(token)
    return [*found, tuple(run)] if run else found
