"""The long texts of a report: conflict hunks and the remerge-diff, each cut to a size a page can carry.

Files are read one after the other; only what is shown stays in memory.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from syncline.git import CommitId, Repository, TreeId
from syncline.git.diff import Change, changes, patch
from syncline.git.paths import json_path
from syncline.markup.plain_text import block
from syncline.merge.conflicted_files import conflicted_files
from syncline.merge.model import MergeResult
from syncline.propose.category import Category, category_of
from syncline.propose.model import DiffText, Excerpt, HunkText

# Together they keep the page of a merge with hundreds of conflicts below about 5 MB.
HUNKS_TOTAL = 1_300_000
DIFFS_TOTAL = 1_200_000
_BATCH = 64
_HEADER = (b"diff --git ", b"index ", b"--- ", b"+++ ")


@dataclass(frozen=True, slots=True)
class Cap:
    """How much of one text is kept."""

    lines: int
    size: int
    """Characters."""
    hunks: int = 0
    """How many hunks of one path are kept."""


_HUNK, _GENERATED_HUNK = Cap(200, 20_000, 80), Cap(40, 4_000, 6)
_DIFF, _GENERATED_DIFF = Cap(600, 60_000), Cap(120, 8_000)


def _cut(text: str, total: int, size: int, cap: Cap) -> Excerpt:
    kept = text[: cap.size]
    if len(kept) < len(text) and "\n" in kept:
        kept = kept[: kept.rindex("\n") + 1]
    lines = kept.split("\n")
    if len(lines) > cap.lines:
        kept = "\n".join(lines[: cap.lines]) + "\n"
    shown = kept.count("\n") + (not kept.endswith("\n") and kept != "")
    if shown < total:
        return Excerpt(kept, total, size, f"{total - shown:,} of {total:,} lines are not shown")
    return Excerpt(kept, total, size, f"{size - len(kept):,} of {size:,} characters are not shown")


def shrink(part: Excerpt, size: int) -> Excerpt:
    """Cut an excerpt further, to `size` characters."""
    if len(part.text) <= size:
        return part
    return _cut(part.text, part.lines, part.size, Cap(part.lines, size))


def fair_size(sizes: Iterable[int], total: int) -> int:
    """Return the largest cap for which all `sizes`, each cut to it, fit in `total`."""
    ordered = sorted(sizes)
    left = total
    for number, size in enumerate(ordered):
        share = left // (len(ordered) - number)
        if size > share:
            return share
        left -= size
    return ordered[-1] if ordered else 0


# --- hunks --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PathHunks:
    """The hunks shown of one path, and how many more it has."""

    hunks: tuple[HunkText, ...]
    left_out: int


def hunk_texts(repository: Repository, result: MergeResult) -> dict[bytes, PathHunks]:
    """Return the marked regions of every text conflict, cut to what a page can carry."""
    found: dict[bytes, PathHunks] = {}
    for conflict, cut in conflicted_files(repository, result):
        cap = _cap(conflict.path, _HUNK, _GENERATED_HUNK)
        hunks = cut.hunks
        shown = tuple(
            HunkText(index, hunk.line, excerpt(hunk.ours, cap), excerpt(hunk.theirs, cap))
            for index, hunk in enumerate(hunks[: cap.hunks])
        )
        found[conflict.path] = PathHunks(shown, len(hunks) - len(shown))
    sides = [side for path in found.values() for hunk in path.hunks for side in (hunk.ours, hunk.theirs)]
    size = fair_size((len(side.text) for side in sides), HUNKS_TOTAL)
    return {path: _fit(part, size) for path, part in found.items()}


def excerpt(lines: Sequence[bytes], cap: Cap) -> Excerpt:
    """Return lines as text, cut to what `cap` allows."""
    # Only the start is decoded: a side may be a whole golden file.
    total, size = len(lines), sum(map(len, lines))
    start = b"".join(lines[: cap.lines + 1])[: 4 * cap.size]
    text = block(start.decode("utf-8", "replace"))
    if total <= cap.lines and len(text) <= cap.size:
        return Excerpt(text, total, len(text), "")
    return _cut(text, total, size, cap)


def _fit(part: PathHunks, size: int) -> PathHunks:
    hunks = tuple(
        replace(hunk, ours=shrink(hunk.ours, size), theirs=shrink(hunk.theirs, size)) for hunk in part.hunks
    )
    return PathHunks(hunks, part.left_out)


def _cap(path: bytes, normal: Cap, generated: Cap) -> Cap:
    return generated if category_of(json_path(path)) is Category.GENERATED else normal


# --- the remerge-diff ---------------------------------------------------------------------------------------


def remerge_diff(repository: Repository, git_tree: TreeId, head: CommitId) -> tuple[DiffText, ...]:
    """Return, for each path where the head differs from git's own result, the way there."""
    changed = list(changes(repository, git_tree, head))
    diffs: list[DiffText] = []
    for start in range(0, len(changed), _BATCH):
        batch = changed[start : start + _BATCH]
        printed = patch(repository, git_tree, head, [change.path for change in batch])
        diffs += _texts(batch, _sections(printed))
    size = fair_size((len(diff.patch.text) for diff in diffs), DIFFS_TOTAL)
    return tuple(replace(diff, patch=shrink(diff.patch, size)) for diff in diffs)


def _sections(printed: bytes) -> Iterator[list[bytes]]:
    """Cut a patch at its `diff --git` lines; content never starts at column 0 with such a word."""
    section: list[bytes] = []
    for line in printed.split(b"\n"):
        if line.startswith(b"diff --git ") and section:
            yield section
            section = []
        section.append(line)
    if any(section):
        yield section


def _texts(batch: Sequence[Change], sections: Iterator[list[bytes]]) -> Iterator[DiffText]:
    for change in batch:
        # A file that became a symlink or a submodule is shown as a deletion and an addition.
        parts = [next(sections, []) for _ in range(2 if _changes_type(change) else 1)]
        yield _text(change.path, [line for part in parts for line in _body(part)])


def _changes_type(change: Change) -> bool:
    if change.old is None or change.new is None:
        return False
    return change.old.mode[:3] != change.new.mode[:3]


def _body(section: Sequence[bytes]) -> list[bytes]:
    """Leave out the header lines that only repeat the path."""
    start = next((i for i, line in enumerate(section) if line.startswith(b"@@")), len(section))
    head = [line for line in section[:start] if line and not line.startswith(_HEADER)]
    body = list(section[start:])
    while body and not body[-1]:
        body.pop()
    return head + body


def _text(path: bytes, lines: Sequence[bytes]) -> DiffText:
    counts: Mapping[bytes, int] = {
        sign: sum(1 for line in lines if line.startswith(sign)) for sign in (b"+", b"-")
    }
    whole = excerpt([line + b"\n" for line in lines], _cap(path, _DIFF, _GENERATED_DIFF))
    name = json_path(path)
    return DiffText(name, category_of(name).value, counts[b"+"], counts[b"-"], whole)
