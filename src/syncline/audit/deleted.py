"""Files that the merge lost or brought back, with a verdict: restore, leave or ask.

A deletion that a side made and nothing in the merge speaks against is left alone, and not told. Told is what
something in the merge still imports; what a side had anew and the merge left out; what neither side deleted; what
a side changed while the other deleted it; and, the other way round, what a side deleted and the merge has all the
same. Many of one kind in one directory are told once.
"""

import posixpath
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from syncline.audit.finding import EvidenceCommit, Finding, Severity
from syncline.audit.four_trees import SIDES, FourTrees, Versions, other
from syncline.audit.modules.imports import Force
from syncline.audit.modules.lost import Lost, Use, lost_files, mentions, users
from syncline.audit.task import Task
from syncline.git import CommitId, Entry
from syncline.git.history import Touch, last_touches, removals
from syncline.git.paths import json_path
from syncline.merge.model import Side

_NAMES = {Side.OURS: "target", Side.THEIRS: "source"}
_MANY = 2
"""How many files of one directory are told each on its own."""
_SHOWN = 3
_LISTED = 40
"""Paths in the text of one finding."""
_LAYOUT = re.compile(rb"[\s,;()\\\"']+")


@dataclass(frozen=True, slots=True)
class _Case:
    """One file and what is to be said of it."""

    kind: str
    severity: Severity
    path: bytes
    what: str
    """What happened, to be read behind the name of the file or the number of files."""
    verdict: str
    side: Side
    """Whose change was lost."""
    removed_by: Side | None = None
    """In whose history the removal is looked for."""
    changed_by: Side | None = None
    needed: Sequence[Use] = field(default=())


def deleted(task: Task) -> Iterator[Finding]:
    """Yield what was lost or brought back and should perhaps not have been."""
    cases = [*_gone(task), *_back(task)]
    if cases:
        evidence = _Evidence(task.trees, cases)
        for group in _grouped(cases):
            yield _finding(group, evidence)


def _gone(task: Task) -> Iterator[_Case]:
    lost = [one for one in lost_files(task) if one.moved_to is None]
    needed = {**mentions(task, lost), **users(task, lost)}
    content = {file.merged.oid for file in task.files if file.merged is not None and file.merged.mode.is_file}
    for one in lost:
        uses = needed.get(one.path, ())
        if uses:
            yield _needed(one, uses)
        elif one.entry.oid not in content:  # it may have moved to where git sees no rename
            yield from _unneeded(task, one)


def _needed(one: Lost, uses: Sequence[Use]) -> _Case:
    forces = {use.what.force for use in uses}
    deleted_by = one.by if one.by is not None and one.base is not None else None
    did = f"{_NAMES[deleted_by]} deleted it" if deleted_by else "the merge has it not"
    verdict = f"restore it as {_NAMES[one.sides[0]]} has it"
    if deleted_by is not None:
        verdict += f", or take away what {_NAMES[one.sides[0]]} added that needs it"
    return _Case(
        "deleted-needed", _severity(forces), one.path, f"{did}, but {_by(uses)}", verdict,
        one.sides[0], removed_by=deleted_by, needed=tuple(uses),
    )  # fmt: skip


def _severity(forces: Collection[Force]) -> Severity:
    if Force.FAILS in forces:
        return Severity.STOP
    return Severity.FIX if Force.LATER in forces else Severity.LOOK


def _by(uses: Sequence[Use]) -> str:
    first = uses[0]
    files = len({use.path for use in uses})
    more = f" and {files - 1} more" if files > 1 else ""
    words = first.what.words.decode("utf-8", "replace")
    does = "names" if first.what.force is Force.NAMED else "imports"
    return f"{json_path(first.path)}:{first.what.line}{more} {does} it ({words})"


def _unneeded(task: Task, one: Lost) -> Iterator[_Case]:
    base, by = one.base, one.by
    if by is None:
        yield _Case(
            "deleted-by-merge", Severity.LOOK, one.path, "in both sides and not in the merge",
            "restore it, unless somebody says why it went", one.sides[0],
        )  # fmt: skip
        return
    side = one.sides[0]
    if base is None:
        yield _Case(
            "left-out", Severity.LOOK, one.path, f"new in {_NAMES[side]} and not in the merge",
            f"restore what {_NAMES[side]} added, unless it is left out on purpose", side, changed_by=side,
        )  # fmt: skip
    elif one.entry != base and _more_than_layout(task.trees, base, one.entry) and not _followed(task.trees, one):
        yield _Case(
            "deleted-changed", Severity.LOOK, one.path,
            f"changed in {_NAMES[side]}, deleted in {_NAMES[by]} and in the merge",
            f"leave it deleted, unless the change in {_NAMES[side]} has to live on elsewhere", side,
            removed_by=by, changed_by=side,
        )  # fmt: skip


def _followed(trees: FourTrees, one: Lost) -> bool:
    """Whether git's own merge brought a side's change to where the other side has the file now.

    Else it would have a conflict there. It looks for more renames than anybody who only compares two trees.
    """
    git = trees.automatic
    return git is not None and one.path not in git.stages and trees.repository.entry(git.tree, one.path) is None


def _more_than_layout(trees: FourTrees, old: Entry, new: Entry) -> bool:
    return _LAYOUT.sub(b"", trees.text(old)) != _LAYOUT.sub(b"", trees.text(new))


def _back(task: Task) -> Iterator[_Case]:
    found: list[tuple[Versions, Side]] = []
    for file in task.files:
        if file.merged is None or file.base is None or not file.merged.mode.is_file:
            continue
        gone = [side for side in SIDES if file.of(side) is None]
        if len(gone) == 2:
            yield _Case(
                "brought-back", Severity.LOOK, file.path, "deleted in both sides, and in the merge all the same",
                "delete it", gone[0], removed_by=gone[0],
            )  # fmt: skip
        elif gone and file.of(other(gone[0])) == file.base:
            found.append((file, gone[0]))
    # Where git itself kept the file (its place in a directory that was renamed, say) nobody brought it back.
    found = [(file, side) for file, side in found if not _as_git_has_it(task.trees, file)]
    lost = [Lost(file.path, (other(side),), file.base) for file, side in found if file.base is not None]
    needed = users(task, lost, back=True)
    for file, side in found:
        what = f"deleted in {_NAMES[side]}, unchanged in {_NAMES[other(side)]}, and in the merge all the same"
        uses = needed.get(file.path, ())
        if uses:
            what += f"; {_by(uses)}"
        verdict = f"ask {_NAMES[side]} what takes its place" if uses else f"delete it, as {_NAMES[side]} did"
        yield _Case("brought-back", Severity.LOOK, file.path, what, verdict, side, removed_by=side)


def _as_git_has_it(trees: FourTrees, file: Versions) -> bool:
    merge = trees.automatic
    if merge is None or file.path in merge.stages:
        return False
    return trees.repository.entry(merge.tree, file.path) == file.merged


# --- telling ----------------------------------------------------------------------------------------------------


def _grouped(cases: Iterable[_Case]) -> Iterator[Sequence[_Case]]:
    """Yield the cases that are told together: many of one kind and side in one directory."""
    groups: dict[tuple[str, str, str, bytes], list[_Case]] = defaultdict(list)
    for case in cases:
        if case.needed:
            yield (case,)
        else:
            groups[case.kind, case.what, case.verdict, posixpath.dirname(case.path)].append(case)
    wider: dict[tuple[str, str, str, bytes], list[_Case]] = defaultdict(list)
    for (kind, what, verdict, directory), group in groups.items():
        top = b"/".join(directory.split(b"/")[:2])
        wider[kind, what, verdict, top] += group
    for group in wider.values():
        if len(group) > _MANY:
            yield group
        else:
            yield from ((case,) for case in group)


def _finding(group: Sequence[_Case], evidence: "_Evidence") -> Finding:
    case = group[0]
    paths = [json_path(one.path) for one in group]
    if len(group) == 1:
        path, message = case.path, f"{posixpath.basename(paths[0])}: {case.what}"
    else:
        path = posixpath.commonpath([posixpath.dirname(b"/" + one.path) for one in group]).lstrip(b"/")
        message = f"{len(group)} files: {case.what} ({', '.join(paths[:_SHOWN])}, ...)"
    text = (
        paths if len(group) > 1 else [use.what.words.decode("utf-8", "replace") for use in case.needed[:_LISTED]]
    )
    suggestion = case.verdict
    if case.needed or case.kind in {"left-out", "deleted-by-merge"}:
        suggestion += f": git checkout {evidence.tip_of(case.side)[:12]} -- {paths[0]}"
    elif case.kind == "brought-back" and case.verdict.startswith("delete"):
        suggestion += f": git rm {paths[0]}"
    return Finding(
        case.kind, case.severity, path, message, symbol=_symbol(case) if len(group) == 1 else "",
        side=case.side.value, text=tuple(text[:_LISTED]), suggestion=suggestion, evidence=evidence.of(group),
    )  # fmt: skip


def _symbol(case: _Case) -> str:
    return posixpath.basename(case.path).decode("utf-8", "replace")


class _Evidence:
    """Who removed and who changed the files, each side asked once."""

    def __init__(self, trees: FourTrees, cases: Collection[_Case]) -> None:
        self._trees = trees
        self._removed: dict[Side, Mapping[bytes, Touch]] = {}
        self._changed: dict[Side, Mapping[bytes, Touch]] = {}
        for side in SIDES:
            tip, without = self.tip_of(side), [self.tip_of(other(side))]
            gone = [case.path for case in cases if case.removed_by is side]
            changed = [case.path for case in cases if case.changed_by is side]
            self._removed[side] = removals(trees.repository, without, tip, gone) if gone else {}
            self._changed[side] = last_touches(trees.repository, without, tip, changed) if changed else {}

    def tip_of(self, side: Side) -> CommitId:
        """Return a side's commit."""
        return self._trees.ours if side is Side.OURS else self._trees.theirs

    def of(self, group: Iterable[_Case]) -> tuple[EvidenceCommit, ...]:
        found: dict[tuple[CommitId, str], EvidenceCommit] = {}
        for case in group:
            for side, known, did in (
                (case.removed_by, self._removed, "removed it"),
                (case.changed_by, self._changed, "changed it"),
            ):
                touch = known[side].get(case.path) if side is not None else None
                if side is not None and touch is not None:
                    why = f"{did} in {_NAMES[side]}: {touch.subject}"
                    found[touch.commit, did] = EvidenceCommit(touch.commit, why)
        return tuple(found.values())[:6]
