"""The names that a side brought since base and of which uses in code got lost."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from syncline.audit.dropped.code_words import IMPORTS, WORD, is_name
from syncline.audit.dropped.losses import Loss
from syncline.audit.dropped.occurrences import occurrences, places, stands_in
from syncline.audit.dropped.roles import RANK, Role, guess, opener
from syncline.audit.dropped.text import Text

_ASSIGNED = re.compile(rb"[ \t]*(?::[^=\n]*)?=(?!=)(?![^\n]*,[ \t]*$)", re.MULTILINE)
MOST = 24
"""Names of one file that are looked at."""
_GUESSED = 80
"""Names of one file of which it is told what they are."""
_LINES = 300
"""Lines of a file taken whole that are looked at: what it lost is told in a few names."""
_PLACES = 6
"""Lines that are looked at for what a name is."""


@dataclass(frozen=True, slots=True)
class LostName:
    """A name that a side has new in a file, and that the merge has there less often."""

    name: bytes
    had: int
    """How often it stands in the side's code."""
    has: int
    """How often it stands in the merge's code of the same file."""
    places: tuple[int, ...]
    """The lost lines on which it stands, 0-based in the side's version."""
    role: Role
    """The most telling of what it is there, by its looks."""
    at: int
    """The line where it is that."""
    local: bool
    """Whether it is only a variable there."""
    new: bool
    """Whether neither base nor the other side has it in the file."""

    @property
    def counts(self) -> bool:
        """Whether it can tell anything: a variable that is gone with what used it cannot."""
        return self.new and (self.has > 0 or not self.local)

    @property
    def half(self) -> bool:
        """Whether some uses were lost and others stayed."""
        return self.has > 0


def lost_names(loss: Loss, *, most: int = MOST) -> dict[bytes, LostName]:
    """Return the names that the side brought into a file, the other side has not, and the merge has less often.

    A name that is imported counts also where others have it, as long as the merge has it too: it may be undefined.

    Args:
        loss: the file.
        most: how many names are enough, the most telling first.
    """
    if loss.had.style is None:
        return {}
    candidates = _candidates(loss)
    if not candidates:
        return {}
    imported = _imported(loss)
    lines_of: dict[bytes, list[int]] = {}
    lines = loss.had.code_lines
    for at in loss.lost:
        for name in WORD.findall(lines[at]):
            if name in candidates:
                lines_of.setdefault(name, []).append(at)
    counting = []
    for name in lines_of:
        new = candidates[name]
        had, has = occurrences(loss.had.code, name), occurrences(loss.merged.code, name)
        if has >= had or (not new and not (has and name in imported)):
            continue
        # Where the name got into a text (`getattr(config, "name")`), it is not lost.
        if has + _quoted(loss.merged, name) < had + _quoted(loss.had, name):
            counting.append((name, had, has, new))
    found = []
    for name, had, has, new in sorted(counting, key=lambda one: (not one[2], -len(one[0]), one[0]))[:_GUESSED]:
        role, at = _most_telling(loss, name, lines_of[name])
        local = role in {Role.USE, Role.VARIABLE, Role.ARGUMENT} and _is_variable(loss, name)
        found.append(LostName(name, had, has, tuple(dict.fromkeys(lines_of[name])), role, at, local, new))
    # Of a thing that is gone as a whole, a few names tell as much as all: those that are left somewhere first.
    found.sort(key=lambda one: (not one.half, one.local, RANK[one.role]))
    return {one.name: one for one in found[:most]}


def _candidates(loss: Loss) -> dict[bytes, bool]:
    """Return the names on lost lines that may count, and whether they are new; comments are not told from code."""
    found: dict[bytes, bool] = {}
    known: set[bytes] = set()
    for at in loss.lost if not loss.whole else loss.lost[:_LINES]:
        line = loss.had.lines[at]
        brings = IMPORTS.match(line) is not None or (
            line[:1].isspace() and line.rstrip()[-1:] in (b",", b"(", b")")
        )
        for name in WORD.findall(line):
            if name in found or not is_name(name) or (name in known and not brings):
                continue
            new = not stands_in(loss.base.content, name) and not stands_in(loss.other.content, name)
            if new or brings:
                found[name] = new
            else:
                known.add(name)
    return found


def _quoted(text: Text, name: bytes) -> int:
    return text.content.count(b"'" + name + b"'") + text.content.count(b'"' + name + b'"')


def _imported(loss: Loss) -> set[bytes]:
    """Return the words of the lost import lines."""
    lines = loss.had.code_lines
    return {
        name
        for at in loss.lost
        if IMPORTS.match(lines[at]) or (lines[at][:1].isspace() and IMPORTS.match(lines[opener(loss.had, at)]))
        for name in WORD.findall(lines[at])
    }


def _most_telling(loss: Loss, name: bytes, where: Iterable[int]) -> tuple[Role, int]:
    lines = loss.had.code_lines
    return min(
        ((guess(name, lines[at], lines[opener(loss.had, at)]), at) for at in list(where)[:_PLACES]),
        key=lambda one: (RANK[one[0]], one[1]),
    )


def _is_variable(loss: Loss, name: bytes) -> bool:
    """Whether the side's version gives a name its value as a variable of a function."""
    code = loss.had.code
    for at in places(code, name):
        start = code.rfind(b"\n", 0, at) + 1
        if start < at and code[start:at].isspace() and _ASSIGNED.match(code, at + len(name)):
            return True
    return False
