"""Combine: target's text, and with it the definitions that only source has and the imports they need.

For files whose two versions hold different definitions. As a path rule (`take = "combine"`) it settles a whole
file: target's version with what it lacks. As a resolver it offers the same for each hunk, on top of what git
merged, where source only added: right in 84 % of 38 and 64 % of 73 hunks of code in two sets of repositories.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from syncline.merge.acceptance import faults
from syncline.merge.alignment import regions, squeezed
from syncline.merge.case import FileCase, HunkCase
from syncline.merge.file_group import FileGroup, file_group
from syncline.merge.hunks import Hunk, Lines
from syncline.merge.model import Evidence
from syncline.merge.proposal import Proposal
from syncline.merge.text import syntax
from syncline.merge.text.combination import Added, Combination, combine
from syncline.merge.text.diff import edits

NAME = "combine"

_TOLD = 4
"""How many names are told."""


@dataclass(frozen=True, slots=True)
class Combined:
    """What the rule makes of a file."""

    content: bytes | None
    """None where it cannot be applied."""
    words: str
    """What was done, or why it cannot be."""


def combined(case: FileCase) -> Combined:
    """Return target's file with source's missing definitions, as far as the result may be accepted."""
    language = syntax.language_of(case.path)
    done = combine(language, case.base if case.has_base else None, case.ours, case.theirs) if language else None
    if done is None:
        return Combined(None, "no definitions can be told apart in both versions")
    content = b"".join(done.lines)
    found = faults(case, content)
    if found:
        return Combined(None, f"target's file with source's missing definitions {found[0]}")
    return Combined(content, _words(done.added, done.imports))


def propose(case: FileCase) -> Iterator[Proposal]:
    """Yield target's side of each hunk with the definitions it lacks."""
    language = syntax.language_of(case.path)
    # In generated files none of 7 was right.
    if (
        language is None
        or file_group(case.path) is not FileGroup.CODE
        or not any(_only_adds(hunk) for hunk in case.hunks)
    ):
        return
    trunk = b"".join(line for part in case.cut.parts for line in (part.ours if isinstance(part, Hunk) else part))
    done = combine(language, case.base if case.has_base else None, trunk, case.theirs)
    if done is None:
        return
    answers = regions(case.cut, done.lines, key=bytes)
    for hunk, lines in zip(case.hunks, answers, strict=True):
        if lines is None or lines == hunk.ours or not _only_adds(hunk) or not _keeps_added(hunk, lines):
            continue
        added, imports = _of(hunk, lines, done)
        if added or imports:
            yield Proposal(hunk.index, lines, NAME, (Evidence(_words(added, imports)),), _marks(added, imports))


def _only_adds(hunk: HunkCase) -> bool:
    """Whether source has new lines there, and none of them in place of old ones."""
    if hunk.ours == hunk.theirs:
        return False
    base, theirs = (
        [key for line in lines if (key := squeezed(line))]
        for lines in (hunk.outer.base.of(hunk.file.base_lines), hunk.outer.theirs.of(hunk.file.their_lines))
    )
    changed = [edit for edit in edits(base, theirs) if edit.b < edit.b_end]
    return bool(changed) and all(edit.a == edit.a_end for edit in changed)


def _of(hunk: HunkCase, lines: Lines, done: Combination) -> tuple[tuple[Added, ...], tuple[bytes, ...]]:
    """Return the definitions and imports that came into a hunk."""
    new = {*lines} - {*hunk.ours}
    text = b"".join(new)
    added = tuple(one for one in done.added if all(line in lines for line in one.lines) and new & {*one.lines})
    own = {line for one in added for line in one.lines}
    return added, tuple(name for name in done.imports if name in text) if new - own else ()


def _keeps_added(hunk: HunkCase, lines: Lines) -> bool:
    """Whether every line that source added there is in `lines`; where one was lost, 0 of 14 were right."""
    base = set(map(squeezed, hunk.outer.base.of(hunk.file.base_lines)))
    return set(map(squeezed, hunk.theirs)) - base - {b""} <= set(map(squeezed, lines))


def _marks(added: tuple[Added, ...], imports: tuple[bytes, ...]) -> tuple[str, ...]:
    marks = []
    if added:
        marks.append("members" if any(one.inside for one in added) else "whole-definitions")
        marks.append("appended" if all(one.appended for one in added) else "in-place")
    if imports:
        marks.append("with-imports")
    return tuple(marks)


def _words(added: tuple[Added, ...], imports: tuple[bytes, ...]) -> str:
    if not added and not imports:
        return "target's text; source has no definition there that target lacks"
    what = []
    if added:
        what.append(f"source's {_shown([one.name for one in added])}, which target lacks")
    if imports:
        what.append(f"the imports of {_shown(list(imports))}")
    return f"target's text with {' and '.join(what)}"


def _shown(names: list[bytes]) -> str:
    shown = [name.decode("utf-8", "replace")[:60] for name in dict.fromkeys(names)]
    return ", ".join(shown[:_TOLD]) + (f" and {len(shown) - _TOLD} more" if len(shown) > _TOLD else "")
