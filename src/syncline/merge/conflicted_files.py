"""The text conflicts of a merge, as git left their files: how many hunks they have, and the hunks themselves."""

from collections.abc import Iterator

from syncline.git import Entry, Repository
from syncline.merge.hunks import ConflictedFile, count_hunks, parse_conflicted
from syncline.merge.model import Conflict, MergeResult
from syncline.merge.read_cases import has_text


def hunk_counts(repository: Repository, result: MergeResult) -> Iterator[tuple[bytes, int]]:
    """Yield (path, number of marked regions) for every conflict that has text."""
    textual = _textual(repository, result)
    contents = repository.blobs(merged.oid for _, merged in textual)
    for (conflict, _), content in zip(textual, contents, strict=True):
        yield conflict.path, count_hunks(content, ours_label=result.ours)


def conflicted_files(repository: Repository, result: MergeResult) -> Iterator[tuple[Conflict, ConflictedFile]]:
    """Yield every text conflict with its file cut into hunks; one file in memory at a time."""
    for conflict, merged in _textual(repository, result):
        ours, theirs = conflict.stages.ours, conflict.stages.theirs
        assert ours is not None  # noqa: S101 - a text conflict has both
        assert theirs is not None  # noqa: S101
        content, our_text, their_text = repository.blobs([merged.oid, ours.oid, theirs.oid])
        yield (
            conflict,
            parse_conflicted(
                content, ours=our_text, theirs=their_text, ours_label=result.ours, theirs_label=result.theirs
            ),
        )


def _textual(repository: Repository, result: MergeResult) -> list[tuple[Conflict, Entry]]:
    """Return the conflicts between two texts, with what git left at their path."""
    found = []
    for conflict in result.conflicts:
        merged = repository.entry(result.git_tree, conflict.path)
        if merged is not None and has_text(conflict, merged):
            found.append((conflict, merged))
    return found
