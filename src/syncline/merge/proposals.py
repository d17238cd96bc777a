"""All that resolvers propose for one conflicted file."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from syncline.merge.alignment import squeezed
from syncline.merge.case import FileCase
from syncline.merge.file_group import FileGroup, file_group, is_lock
from syncline.merge.proposal import Proposal

if TYPE_CHECKING:
    from syncline.merge.past_versions import PastVersions

MAX_BYTES = 4_000_000
"""Files longer than this are left to rules and people: no evidence in them is worth the time it takes to find."""
MAX_HUNKS = 400
"""The same for files with more hunks."""


Further = Callable[[FileCase], Iterable[Proposal]]
"""Who else is asked: what this package must not know of, such as programs that people configured."""


def too_large(case: FileCase) -> str:
    """Return why no resolver looks at a file; empty where they do."""
    hunks, size = len(case.cut.hunks), max(len(case.base), len(case.ours), len(case.theirs))
    if hunks > MAX_HUNKS:
        return f"{hunks:,} hunks: not looked at, {MAX_HUNKS} are the most"
    if size > MAX_BYTES:
        return f"{size / 1_000_000:.1f} MB: not looked at, {MAX_BYTES // 1_000_000} MB are the most"
    return ""


def propose_all(
    case: FileCase, history: "PastVersions | None" = None, further: Further | None = None
) -> Iterator[Proposal]:
    """Yield every proposal for the hunks of `case`; none for a lock file, which only its tool can make right.

    In a generated file only the plainest are asked, and they offer what a side has, but for white space: of 118
    other texts 26 % were right (22 repositories). All others together offered that for seven of 1,160 hunks of
    nine repositories, three times rightly, and took most of the time.

    Args:
        case: the conflicted file.
        history: the versions it had on either side; without it no evidence is drawn from history.
        further: who is asked beside the resolvers.
    """
    if is_lock(case.path) or too_large(case):
        return
    if file_group(case.path) is FileGroup.GENERATED:
        offers = (offer for propose in _of_sides() for offer in propose(case) if _is_a_side(case, offer))
    else:
        offers = _by_resolvers(case, history)
    try:
        yield from offers
        if further is not None:
            yield from further(case)
    finally:
        case.token_regions.clear()
        case.words.clear()


def _by_resolvers(case: FileCase, history: "PastVersions | None") -> Iterator[Proposal]:
    for propose in _resolvers():
        yield from propose(case)
    if history is not None:
        from syncline.merge.resolvers import subsumption  # noqa: PLC0415 - see _resolvers

        yield from subsumption.propose(case, history)


def _is_a_side(case: FileCase, offer: Proposal) -> bool:
    hunk = case.hunks[offer.hunk]
    text = squeezed(b"".join(offer.lines))
    return any(text == squeezed(b"".join(side)) for side in (hunk.ours, hunk.theirs))


def _of_sides() -> "tuple[Callable[[FileCase], Iterator[Proposal]], ...]":
    from syncline.merge.resolvers import deletion, unchanged_side, whitespace  # noqa: PLC0415 - see below

    return whitespace.propose, unchanged_side.propose, deletion.propose


def _resolvers() -> "tuple[Callable[[FileCase], Iterator[Proposal]], ...]":
    # Imported only when a conflict is there to be settled.
    from syncline.merge.resolvers import (  # noqa: PLC0415
        both_added,
        changelog,
        deletion,
        format_only,
        imports,
        keyed_data,
        line_merge,
        line_set,
        rename_replay,
        sorted_lines,
        structure,
        superset,
        token_merge,
        unchanged_side,
        versions,
        whitespace,
    )

    modules = (
        whitespace, format_only, unchanged_side, token_merge, line_merge, rename_replay, deletion, superset,
        imports, structure, both_added, keyed_data, versions, sorted_lines, changelog, line_set,
    )  # fmt: skip
    return tuple(module.propose for module in modules)
