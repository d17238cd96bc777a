"""A mend: what takes one finding away, as edits of the merged tree, with its evidence in a sentence."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from syncline.audit.finding import Edit, Finding
from syncline.git import Entry, Repository, TreeId
from syncline.git.paths import json_path
from syncline.merge.hunks import split_lines


@dataclass(frozen=True, slots=True)
class Mend:
    """What would take a finding away."""

    finding: Finding
    what: str
    """What it does, to be read behind the name of the file: "put the lost lines back"."""
    edits: tuple[Edit, ...] = ()
    """Lines of regular files, as they stand in the tree that the finding is of."""
    entries: tuple[tuple[bytes, Entry | None], ...] = ()
    """Whole paths: what is to stand there; None where nothing is."""
    last: bool = False
    """Whether it is tried only after all others: it costs what the other side did in the file."""

    @property
    def paths(self) -> frozenset[bytes]:
        """The paths it changes."""
        return frozenset((*(edit.path for edit in self.edits), *(path for path, _ in self.entries)))

    @property
    def words(self) -> str:
        """One line for people: where, what, and on what evidence."""
        place = json_path(min(self.paths or {self.finding.path}))
        known = self.finding.line is not None and self.finding.path in self.paths
        line = f":{self.finding.line}" if known else ""
        # Without the commits' own words: those may speak to a forge ("fixes #12").
        evidence = [f"{item.sha.short} {item.why.partition(':')[0]}" for item in self.finding.evidence[:3]]
        because = f"{self.finding.kind}{f' `{self.finding.symbol}`' if self.finding.symbol else ''}"
        return " ".join(f"{place}{line}: {self.what} ({'; '.join([because, *evidence])})".split())


def clash(one: Mend, two: Mend) -> bool:
    """Whether two mends cannot both be made: they change the same lines, or one the whole file."""
    if one.entries or two.entries:
        mine, theirs = dict(one.entries), dict(two.entries)
        return any(
            path not in mine or path not in theirs or mine[path] != theirs[path] for path in one.paths & two.paths
        )
    return any(_overlap(mine, their) for mine in one.edits for their in two.edits)


def _overlap(one: Edit, two: Edit) -> bool:
    if one.path != two.path or one == two:
        return False
    if one.start == one.end and two.start == two.end:
        return False  # both put lines in, if at one place, then one behind the other
    return one.start < two.end and two.start < one.end


def apply(repository: Repository, tree: TreeId, mends: Sequence[Mend]) -> TreeId:
    """Return the tree with all mends made; none of them may clash with another.

    Raises:
        ValueError: an edit is of lines that the file does not have.
        GitError: missing objects.
    """
    entries = {path: entry for mend in mends for path, entry in mend.entries}
    by_path: dict[bytes, dict[Edit, None]] = defaultdict(dict)
    for mend in mends:
        for edit in mend.edits:
            by_path[edit.path][edit] = None  # the same edit of two mends is made once
    for path, edits in by_path.items():
        entry = repository.entry(tree, path)
        if entry is None or not entry.mode.is_file:
            raise ValueError(f"{json_path(path)} is no file to be edited")
        content = edited(repository.blob(entry.oid), edits)
        entries[path] = Entry(entry.mode, repository.write_blob(content))
    return repository.edit_tree(tree, entries)


def edited(content: bytes, edits: Iterable[Edit]) -> bytes:
    """Return a text with edits made; those at one place stand in the order given.

    Raises:
        ValueError: an edit is of lines that the text does not have.
    """
    lines = list(split_lines(content))
    # From the end, so that the numbers above stay true; of two at one place the later one first.
    order = sorted(enumerate(edits), key=lambda one: (one[1].start, one[1].end, one[0]), reverse=True)
    for _, edit in order:
        if not 0 <= edit.start <= edit.end <= len(lines):
            raise ValueError(f"lines {edit.start + 1} to {edit.end} of a text that has {len(lines)}")
        lines[edit.start : edit.end] = edit.lines
    return b"".join(lines)


def compatible(mends: Iterable[Mend]) -> tuple[list[Mend], list[tuple[Mend, Mend]]]:
    """Return the mends that can all be made, and those left out, each with the one that it clashes with.

    Args:
        mends: the graver first; of two that clash the later is left out.
    """
    kept: list[Mend] = []
    out: list[tuple[Mend, Mend]] = []
    at: Mapping[bytes, list[Mend]] = defaultdict(list)
    for mend in mends:
        against = next((one for path in mend.paths for one in at[path] if clash(mend, one)), None)
        if against is not None:
            out.append((mend, against))
            continue
        kept.append(mend)
        for path in mend.paths:
            at[path].append(mend)
    return kept, out
