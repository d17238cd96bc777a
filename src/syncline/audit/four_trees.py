"""The four trees of a merge, file by file: what every audit compares."""

from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from syncline.errors import GitError
from syncline.git import CommitId, Entry, Mode, Repository, TreeId
from syncline.git.commit import read_commit
from syncline.git.diff import Change, changes, renamed
from syncline.git.history import merge_bases
from syncline.git.merge_tree import MergeTree, RunningMerge, start_merge_tree
from syncline.git.oid import Oid
from syncline.git.paths import json_path
from syncline.merge.model import Side

LARGEST = 1_000_000
"""Bytes of a file whose content is audited; what is larger was written by no person."""
_KEEP = 64 * 1024 * 1024
"""Bytes of contents that are kept for the next audit that asks."""
SIDES = (Side.OURS, Side.THEIRS)


def other(side: Side) -> Side:
    """Return the opposite side."""
    return Side.THEIRS if side is Side.OURS else Side.OURS


@dataclass(frozen=True, slots=True)
class Versions:
    """One file in the four trees; None where a tree has nothing there. Renames are followed."""

    path: bytes
    """Where the merge has it; where it had its place last, when the merge has it no more."""
    base: Entry | None
    ours: Entry | None
    theirs: Entry | None
    merged: Entry | None
    our_path: bytes
    """Where target has it."""
    their_path: bytes
    """Where source has it."""

    def of(self, side: Side) -> Entry | None:
        """Return a side's version."""
        return self.ours if side is Side.OURS else self.theirs

    def path_of(self, side: Side) -> bytes:
        """Return where a side has it."""
        return self.our_path if side is Side.OURS else self.their_path

    def changed_by(self, side: Side) -> bool:
        """Whether a side's version differs from base."""
        return self.of(side) != self.base

    @property
    def is_mixed(self) -> bool:
        """Whether the merge holds content that is neither side's: only there can be what nobody wrote."""
        content = None if self.merged is None else self.merged.oid
        return content is not None and all(
            entry is None or entry.oid != content for entry in (self.ours, self.theirs)
        )

    def lost_by(self, side: Side) -> bool:
        """Whether a side changed the file and the merge holds something else than that change."""
        return self.changed_by(side) and self.of(side) is not None and self.merged != self.of(side)


@dataclass(frozen=True, slots=True)
class Contents:
    """What the four trees have in one file; empty where one has none."""

    base: bytes
    ours: bytes
    theirs: bytes
    merged: bytes

    def of(self, side: Side) -> bytes:
        """Return a side's version."""
        return self.ours if side is Side.OURS else self.theirs


class FourTrees:
    """Base, ours, theirs and merged, and the files in which they differ. Not safe to share between threads."""

    def __init__(
        self, repository: Repository, ours: CommitId, theirs: CommitId, merged: CommitId | TreeId
    ) -> None:
        self.repository = repository
        self.ours = ours
        """The target side's commit."""
        self.theirs = theirs
        """The source side's commit."""
        self.merged = merged
        """The merge commit, or the commit or tree to be judged in its place."""
        self.unread: dict[str, str] = {}
        """What could not be read, and why: objects that are not here. It grows as the audits ask."""
        self._running: RunningMerge | None = None
        self._known: OrderedDict[Oid, bytes] = OrderedDict()
        self._size = 0

    # --- trees ------------------------------------------------------------------------------------------------

    @cached_property
    def bases(self) -> tuple[CommitId, ...]:
        """The best common ancestors of the sides; none when their histories are unrelated."""
        return merge_bases(self.repository, self.ours, self.theirs)

    @cached_property
    def base(self) -> CommitId | TreeId:
        """The base that a three-way merge starts from: of several ancestors, what git makes of them."""
        if not self.bases:
            return self.repository.empty_tree
        if len(self.bases) == 1:
            return self.bases[0]
        # Criss-cross history: as git's recursive strategies, the ancestors merged (two of them are enough: a third
        # one only adds what one of the sides has as well).
        return start_merge_tree(self.repository, self.bases[0], self.bases[1]).finish().tree

    @cached_property
    def merged_tree(self) -> TreeId:
        """The tree to be judged."""
        if isinstance(self.merged, TreeId):
            return self.merged
        return read_commit(self.repository, self.merged).tree

    def tree_of(self, side: Side) -> TreeId:
        """Return a side's tree."""
        return read_commit(self.repository, self.ours if side is Side.OURS else self.theirs).tree

    def start_automatic(self) -> None:
        """Let git begin its own merge in the background, for `automatic`."""
        if self._running is None and self.bases:
            self._running = start_merge_tree(self.repository, self.ours, self.theirs)

    @cached_property
    def automatic(self) -> MergeTree | None:
        """Git's own merge of the sides, markers included; None for unrelated histories, or if objects are missing.

        Where the merge differs from it outside of conflicts, somebody changed by hand what git had merged.
        """
        self.start_automatic()
        if self._running is None:
            return None
        try:
            return self._running.finish()
        except GitError as error:
            self.unread["git's own merge"] = error.message
            return None

    @cached_property
    def beyond_git(self) -> tuple[Change, ...]:
        """What the merge has otherwise than git's own merge, markers included; nothing where git has none."""
        if self.automatic is None:
            return ()
        return tuple(changes(self.repository, self.automatic.tree, self.merged_tree))

    # --- files ------------------------------------------------------------------------------------------------

    @cached_property
    def files(self) -> tuple[Versions, ...]:
        """Every file (links and submodules included) that is not the same in all four trees, sorted by path.

        Files of which a version is not here are left out, and told in `unread`.
        """
        listed = self._listed()
        versions = {file.path: (file.base, file.ours, file.theirs, file.merged) for file in listed}
        wanted = {
            entry.oid
            for entries in versions.values()
            for entry in entries
            if entry is not None and entry.mode is not Mode.SUBMODULE
        }
        missing = self.repository.missing(wanted)
        if not missing:
            return tuple(listed)
        gone = {
            path for path, entries in versions.items() if any(entry and entry.oid in missing for entry in entries)
        }
        names = ", ".join(json_path(path) for path in sorted(gone)[:5])
        more = f" and {len(gone) - 5} more" if len(gone) > 5 else ""
        self.unread["files"] = f"versions of {names}{more} are missing here"
        return tuple(file for file in listed if file.path not in gone)

    def _listed(self) -> list[Versions]:
        at_base: dict[bytes, Entry | None] = {}
        found: dict[str, dict[bytes, Entry | None]] = {}
        trees = (("ours", self.ours), ("theirs", self.theirs), ("merged", self.merged))
        for name, tree in trees:
            found[name] = {}
            for change in changes(self.repository, self.base, tree):
                at_base[change.path] = change.old
                found[name][change.path] = change.new
        ours, theirs, merged = found["ours"], found["theirs"], found["merged"]

        def now(changed: dict[bytes, Entry | None], path: bytes) -> Entry | None:
            return changed[path] if path in changed else at_base.get(path)

        moved = {name: self._renames(found[name], at_base, tree) for name, tree in trees[:2]}
        # What a side renamed and the merge has there is the same rename: git need not look for it again.
        sides = {after: before for name in ("theirs", "ours") for after, before in moved[name].items()}
        moved["merged"] = self._renames(merged, at_base, self.merged, known=sides)
        elsewhere = set(moved["merged"].values())
        for name, side in (("ours", ours), ("theirs", theirs)):
            # A side moved the file, the merge left it where it was: it is listed there.
            elsewhere |= {
                after for after, before in moved[name].items()
                if now(merged, after) is None and now(merged, before) is not None and now(side, before) is None
            }  # fmt: skip
        moved_on = {name: {before: after for after, before in moved[name].items()} for name in ("ours", "theirs")}
        listed = []
        for path in sorted(at_base.keys() - elsewhere):
            # The name that base has, the one that the merge has, and those of the sides may be four.
            old = moved["merged"].get(path, path)
            places = []
            for name, side in (("ours", ours), ("theirs", theirs)):
                place = path
                if now(side, path) is None:
                    place = old if now(side, old) is not None else path
                    place = moved_on[name].get(old, place)
                places.append(place)
            base = at_base.get(path) if path not in moved["merged"] else at_base.get(old)
            entries = (base, now(ours, places[0]), now(theirs, places[1]), now(merged, path))
            if any(entry != entries[0] for entry in entries[1:]):
                listed.append(Versions(path, *entries, *places))
        return listed

    def _renames(
        self, changed: dict[bytes, Entry | None], at_base: dict[bytes, Entry | None], tree: CommitId | TreeId,
        *, known: Mapping[bytes, bytes] | None = None,
    ) -> dict[bytes, bytes]:  # fmt: skip
        """Return the files that a tree has under another name than base: new name -> old name."""
        gone = {path: at_base[path] for path, new in changed.items() if new is None}
        come = {path: new for path, new in changed.items() if new is not None and at_base.get(path) is None}
        found: dict[bytes, bytes] = {}
        for after, before in (*(known or {}).items(), *_same_content(gone, come)):
            if after in come and before in gone:
                found[after] = before
                del come[after], gone[before]
        if not gone or not come:
            return found
        try:
            return found | renamed(self.repository, self.base, tree, among=(*gone, *come))
        except GitError as error:
            self.unread["renames"] = error.message
            return found

    @cached_property
    def mixed(self) -> tuple[Versions, ...]:
        """The regular files whose content in the merge is neither side's."""
        return tuple(
            file for file in self.files if file.is_mixed and file.merged is not None and file.merged.mode.is_file
        )

    @cached_property
    def by_path(self) -> dict[bytes, Versions]:
        """The files by the path the merge has them at."""
        return {file.path: file for file in self.files}

    # --- contents ---------------------------------------------------------------------------------------------

    def text(self, entry: Entry | None) -> bytes:
        """Return the content of a regular file; empty for nothing and anything else."""
        if entry is None or not entry.mode.is_file:
            return b""
        known = self._known.get(entry.oid)
        if known is None:
            known = self.repository.blob(entry.oid)
            self._keep(entry.oid, known)
        return known

    def contents(self, file: Versions) -> "Contents | None":
        """Return the four contents of a file; None where one is binary or larger than any person writes."""
        found = Contents(*(self.text(entry) for entry in (file.base, file.ours, file.theirs, file.merged)))
        contents = (found.base, found.ours, found.theirs, found.merged)
        if any(len(content) > LARGEST for content in contents):
            if file.is_mixed:
                self.unread[json_path(file.path)] = f"a version has more than {LARGEST:,} bytes"
            return None
        return None if any(b"\0" in content[:8192] for content in contents) else found

    def read_ahead(self, entries: Iterable[Entry | None]) -> None:
        """Read many contents at once, which is faster than one after the other."""
        wanted = dict.fromkeys(
            entry.oid
            for entry in entries
            if entry is not None and entry.mode.is_file and entry.oid not in self._known
        )
        for oid, content in zip(wanted, self.repository.blobs(wanted), strict=True):
            self._keep(oid, content)

    def _keep(self, oid: Oid, content: bytes) -> None:
        self._known[oid] = content
        self._size += len(content)
        while self._size > _KEEP:
            _, dropped = self._known.popitem(last=False)
            self._size -= len(dropped)


def _same_content(
    gone: Mapping[bytes, Entry | None], come: Mapping[bytes, Entry | None]
) -> Iterator[tuple[bytes, bytes]]:
    """Yield (new, old) name of what was moved as it is; where several have that content, git has to choose."""
    before, after = ({path: entry for path, entry in one.items() if entry} for one in (gone, come))
    counts = [Counter(entry.oid for entry in one.values()) for one in (before, after)]
    once = {entry.oid: path for path, entry in before.items() if all(count[entry.oid] == 1 for count in counts)}
    for path, entry in after.items():
        old = once.get(entry.oid)
        if old is not None and before[old].mode.is_file and entry.mode.is_file:
            yield path, old
