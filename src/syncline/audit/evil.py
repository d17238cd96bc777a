"""What people changed beyond the conflicts (an "evil merge"): listed for the reviewer (MISSION R1).

Git merged these lines; whoever made the merge wrote others in their place. Only a person can tell whether that was
needed, so that a few findings have to do: the largest changes one by one, the rest in one list. Formatting and
text that only moved is no change: each word that goes comes back.
"""

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass

from syncline.audit.evidence import asks_for
from syncline.audit.files.by_hand import HandMade, by_hand
from syncline.audit.files.three_way import NAMES
from syncline.audit.finding import Did, Finding, Severity
from syncline.audit.four_trees import SIDES, Contents, FourTrees, Versions, other
from syncline.audit.same_ends import same_ends
from syncline.audit.task import Answer, NotRun, Task
from syncline.git.paths import json_path
from syncline.merge.file_group import FileGroup, file_group
from syncline.merge.model import Side
from syncline.merge.resolvers.path_rule import first_rule
from syncline.merge.resolvers.patterns import matches

_ONE_BY_ONE = 6
"""Files with a finding of their own; a reviewer reads no more, and the rest is listed."""
_SHOWN = 6
"""Lines of a file that are shown."""
_LISTED = 40
"""Files in a list."""

_WORD = re.compile(rb"\w+|[^\w\s()\[\]{},;'\"\\]+")
"""What formatters and people who sort imports leave alone."""
_IMPORT = re.compile(rb"\s*(?:from|import|use|using|require|#include|package|export)\b")


@dataclass(frozen=True, slots=True)
class Change:
    """What was done by hand to a file; lines as they stand, in order."""

    file: Versions
    written: tuple[tuple[int, bytes], ...]
    """Lines that neither side nor git's merge has, with their 1-based numbers."""
    taken_out: tuple[bytes, ...]
    """Lines that git's merge has outside of conflicts."""

    @property
    def size(self) -> int:
        """How many lines it concerns."""
        return len(self.written) + len(self.taken_out)


def changed_by_hand(task: Task) -> Iterator[Answer]:
    """Yield a finding for each of the largest changes made by hand outside of conflicts, and one for the rest."""
    if task.trees.automatic is None:
        yield NotRun(
            "by-hand", "git has no merge of its own to compare with: no common ancestor, or objects are missing"
        )
        return
    made = [one for one in by_hand(task) if file_group(one.file.path) is not FileGroup.LOCK]
    task.trees.read_ahead(
        entry
        for one in made
        if one.file.is_mixed or not one.conflicted
        for entry in (one.file.base, one.file.ours, one.file.theirs, one.file.merged, one.automatic)
    )
    changes = []
    whole: dict[Side, list[Change]] = {side: [] for side in SIDES}
    for one in made:
        if one.file.is_mixed:
            change = _change(task.trees, one)
            if change is not None:
                changes.append(change)
        elif one.automatic is not None and not one.conflicted and not _ruled(task, one.file.path):
            taken = Side.OURS if one.file.merged == one.file.ours else Side.THEIRS
            lost = _lost(task.trees, one.file, other(taken))
            if lost:
                whole[taken].append(Change(one.file, (), lost))
    yield from _hand_findings(changes)
    for side, files in whole.items():
        yield from _whole_findings(side, files)


# --- what was changed ------------------------------------------------------------------------------------------


def _change(trees: FourTrees, made: HandMade) -> Change | None:
    contents = trees.contents(made.file)
    if contents is None:
        return None
    # Where git has nothing at this place (a renamed file), only lines that no side has can be told.
    return change_of(made.file, contents, trees.text(made.automatic), (trees.ours, trees.theirs))


def change_of(file: Versions, contents: Contents, automatic: bytes, labels: tuple[str, str]) -> Change | None:
    """Return what was done by hand to a file; None where that is nothing, or formatting.

    Args:
        file: the file.
        contents: its four versions.
        automatic: what git made of it, markers included.
        labels: what stands behind `<<<<<<<` and `>>>>>>>`.
    """
    outside, inside = _cut(automatic, labels)
    merged = contents.merged.split(b"\n")
    known = {*outside, *contents.ours.split(b"\n"), *contents.theirs.split(b"\n")}
    new = [at for at, line in enumerate(merged) if line not in known and line.strip()]
    here = set(merged)
    gone = [line for line in outside if line not in here and line.strip()]
    if new and inside:
        new = _not_in_conflict(new, merged, outside, inside)
    came, went = _words(merged[at] for at in new), _words(gone)
    # A word is new or gone when the whole file has more or fewer of it: formatted lines may equal others.
    more, less = set(came - went), set(went - came)
    if more:
        more &= _surplus(contents.merged, automatic)
    if less:
        less &= _surplus(b"\n".join(outside), contents.merged)
    written = tuple((at + 1, merged[at]) for at in new if _has_any(merged[at], more))
    taken_out = tuple(line for line in gone if _has_any(line, less))
    if not (written or taken_out or inside) and automatic and _balance(contents.merged) != _balance(automatic):
        # Formatters put brackets in and out in pairs. One alone is a change, if only of a text or a comment.
        written = tuple((at + 1, merged[at]) for at in new)
        taken_out = tuple(gone)
    return Change(file, written, taken_out) if written or taken_out else None


def _cut(automatic: bytes, labels: tuple[str, str]) -> tuple[list[bytes], list[int]]:
    """Return the lines outside of marked regions, and before which of them a region stands."""
    opening, closing = b"<<<<<<< " + labels[0].encode(), b">>>>>>> " + labels[1].encode()
    if opening not in automatic:
        return automatic.split(b"\n"), []
    outside: list[bytes] = []
    inside: list[int] = []
    marked = False
    for line in automatic.split(b"\n"):
        if not marked and line.startswith(opening):
            marked = True
            inside.append(len(outside))
        elif marked:
            marked = not line.startswith(closing)
        else:
            outside.append(line)
    return outside, inside


def _not_in_conflict(
    new: Sequence[int], merged: Sequence[bytes], outside: Sequence[bytes], inside: Sequence[int]
) -> list[int]:
    """Return the new lines that are not where a conflict was, by the lines around them that stand once in both."""
    once = {line for line, count in Counter(outside).items() if count == 1}
    there = {line: place for place, line in enumerate(outside) if line in once}
    twice = {line for line, count in Counter(line for line in merged if line in once).items() if count > 1}
    places = [there.get(line) if line not in twice else None for line in merged]
    found = []
    for at in new:
        before = next((places[i] for i in range(at - 1, -1, -1) if places[i] is not None), -1)
        after = next((places[i] for i in range(at + 1, len(places)) if places[i] is not None), len(outside))
        assert before is not None  # noqa: S101 - only what is not None is taken
        assert after is not None  # noqa: S101 - only what is not None is taken
        if not any(before < place <= after for place in inside):
            found.append(at)
    return found


def _balance(text: bytes) -> tuple[int, ...]:
    return tuple(text.count(pair[:1]) - text.count(pair[1:]) for pair in (b"()", b"[]", b"{}"))


def _words(lines: Iterable[bytes]) -> Counter[bytes]:
    return Counter(word for line in lines for word in _WORD.findall(line))


def _surplus(text: bytes, other: bytes) -> set[bytes]:
    """Return the words of which the one text has more than the other; lines that both have are not looked at."""
    start, end = same_ends(text, other)
    here, there = (Counter(one[start : len(one) - end].split(b"\n")) for one in (text, other))
    more, less = _words((here - there).elements()), _words((there - here).elements())
    return set(more - less)


def _has_any(line: bytes, words: Container[bytes]) -> bool:
    found = _WORD.findall(line)
    if _IMPORT.match(line):
        # Imports that are joined or split have their first words more or less often.
        found = [word for word in found[2:] if word != b"import"]
    return any(word in words for word in found)


def _lost(trees: FourTrees, file: Versions, side: Side) -> tuple[bytes, ...]:
    """Return the lines a side added (or, if it only removed, those it removed) that are not so in the merge."""
    contents = trees.contents(file)
    if contents is None:
        return ()
    before, after = contents.base.split(b"\n"), contents.of(side).split(b"\n")
    known, here = set(before), set(after)
    added = [line for line in after if line not in known and line.strip()]
    removed = [line for line in before if line not in here and line.strip()]
    came, went = _words(added), _words(removed)
    more, less = came - went, went - came
    merged = set(contents.merged.split(b"\n"))
    lost = [line for line in added if line not in merged and _has_any(line, more)]
    return tuple(lost or [line for line in removed if line in merged and _has_any(line, less)])


def _ruled(task: Task, path: bytes) -> bool:
    """Whether the lane's policy takes a side of a path, whatever git makes of it."""
    lane = task.lane
    return lane is not None and (
        first_rule(lane.paths, [path]) is not None or any(matches(one.paths, path) for one in lane.coupled)
    )


# --- what is said ----------------------------------------------------------------------------------------------


def _hand_findings(changes: list[Change]) -> Iterator[Finding]:
    ranked = sorted(changes, key=lambda change: (_rank(change.file.path), -change.size, change.file.path))
    alone = ranked[:_ONE_BY_ONE] if len(ranked) > _ONE_BY_ONE + 1 else ranked
    for change in alone:
        line = change.written[0][0] if change.written else None
        yield Finding(
            "changed-by-hand", Severity.LOOK, change.file.path,
            f"changed by hand outside of conflicts: {_counted(change)}",
            line=line, text=(*_marked("+", (text for _, text in change.written)), *_marked("-", change.taken_out)),
        )  # fmt: skip
    rest = sorted(ranked[len(alone) :], key=lambda change: change.file.path)
    if rest:
        yield Finding(
            "changed-by-hand", Severity.LOOK, b"",
            f"{len(rest)} more files were changed by hand outside of conflicts, "
            f"{sum(len(change.written) for change in rest)} lines written and "
            f"{sum(len(change.taken_out) for change in rest)} taken out",
            text=tuple(f"{json_path(change.file.path)}: {_counted(change)}" for change in rest[:_LISTED]),
        )  # fmt: skip


def _rank(path: bytes) -> int:
    return (FileGroup.CODE, FileGroup.DATA, FileGroup.GENERATED, FileGroup.LOCK).index(file_group(path))


def _counted(change: Change) -> str:
    parts = [
        f"{_lines(count)} {what}"
        for count, what in (
            (len(change.written), "that neither side has"),
            (len(change.taken_out), "that git had merged taken out"),
        )
        if count
    ]
    return ", ".join(parts)


def _lines(count: int) -> str:
    return f"{count} {'line' if count == 1 else 'lines'}"


def _marked(mark: str, lines: Iterable[bytes]) -> Iterator[str]:
    for _, line in zip(range(_SHOWN), lines, strict=False):
        yield f"{mark} {line.decode('utf-8', 'replace').strip()}"


def _whole_findings(side: Side, files: list[Change]) -> Iterator[Finding]:
    loser = other(side)
    what = f"git had merged both sides' changes, the merge holds {NAMES[side]}'s file alone"
    if len(files) <= _ONE_BY_ONE:
        for change in files:
            path = change.file.path_of(loser)
            yield Finding(
                "whole-file-taken", Severity.LOOK, change.file.path,
                f"{what}: {NAMES[loser]}'s change of {_lines(len(change.taken_out))} is lost",
                side=loser, text=tuple(line.decode("utf-8", "replace") for line in change.taken_out[:_SHOWN]),
                asks=asks_for(
                    loser, path, [line for line in change.taken_out if b"\0" not in line], Did.ADDED,
                    "made the change that is lost", most=2,
                ),
            )  # fmt: skip
    else:
        yield Finding(
            "whole-file-taken", Severity.LOOK, b"",
            f"in {len(files)} files {what}: {NAMES[loser]}'s changes to them are lost",
            side=loser,
            text=tuple(f"{json_path(one.file.path)}: {_lines(len(one.taken_out))}" for one in files[:_LISTED]),
            asks=tuple(
                ask
                for one in files[:_ONE_BY_ONE]
                for ask in asks_for(
                    loser, one.file.path_of(loser), one.taken_out, Did.ADDED, "made a change that is lost", most=1
                )
            ),
        )  # fmt: skip
