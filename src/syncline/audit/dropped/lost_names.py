"""The names that a side brought since base and of which uses in code got lost."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from syncline.audit.dropped.code_words import IMPORTS, WORD, is_name
from syncline.audit.dropped.losses import Loss
from syncline.audit.dropped.roles import RANK, Role, guess, opener
from syncline.audit.dropped.text import Text
from syncline.audit.occurrences import occurrences, places, stands_in

_ASSIGNED = re.compile(rb"[ \t]*(?::[^=\n]*)?=(?!=)(?![^\n]*,[ \t]*$)", re.MULTILINE)
MOST = 24
"""Names of one file that are looked at."""
_LISTED = re.compile(rb"\s+[\w.]+(?:\s+as\s+\w+)?,?\s*(?:#.*)?$")
"""A line that may be one of an import over several lines."""
_FEW = 300
"""Names that are sought one by one."""
_MOST_LINES = 5_000
"""Lost lines of a file in which names are sought."""
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
    lines_of = _lines_of(loss, candidates)
    counting = _short(loss, candidates, lines_of)
    found = []
    for name, had, has, new in sorted(counting, key=lambda one: (not one[2], -len(one[0]), one[0]))[:_GUESSED]:
        role, at = _most_telling(loss, name, lines_of[name])
        local = role in {Role.USE, Role.VARIABLE, Role.ARGUMENT} and _is_variable(loss, name)
        found.append(LostName(name, had, has, tuple(dict.fromkeys(lines_of[name])), role, at, local, new))
    # Of a thing that is gone as a whole, a few names tell as much as all: those that are left somewhere first.
    found.sort(key=lambda one: (not one.half, one.local, RANK[one.role]))
    return {one.name: one for one in found[:most]}


def _lines_of(loss: Loss, names: Container[bytes]) -> dict[bytes, list[int]]:
    """Return the lost lines on which names stand in code."""
    found: dict[bytes, list[int]] = {}
    lines = loss.had.code_lines
    for at in loss.lost:
        for name in WORD.findall(lines[at]):
            if name in names:
                found.setdefault(name, []).append(at)
    return found


def _short(
    loss: Loss, candidates: Mapping[bytes, bool], names: Collection[bytes]
) -> list[tuple[bytes, int, int, bool]]:
    """Return the names that the merge's code has less often: (name, how often the side has it, the merge, new)."""
    imported = _imported(loss) if not all(candidates.values()) else frozenset()
    in_merged = _finder(loss.merged.content, len(names))
    count_had, count_has = _counter(loss.had, len(names)), _counter(loss.merged, len(names))
    found = []
    for name in names:
        new = candidates[name]
        had = count_had(name)
        if not in_merged(name):
            found += [(name, had, 0, new)] if new else []
            continue
        has = count_has(name)
        if has >= had or (not new and not (has and name in imported)):
            continue
        # Where the name got into a text (`getattr(config, "name")`), it is not lost.
        if has + _quoted(loss.merged, name) < had + _quoted(loss.had, name):
            found.append((name, had, has, new))
    return found


def _candidates(loss: Loss) -> dict[bytes, bool]:
    """Return the names on lost lines that may count, and whether they are new; comments are not told from code."""
    found: dict[bytes, bool] = {}
    lines = loss.lost[: _LINES if loss.whole else _MOST_LINES]
    for at in lines:
        line = loss.had.lines[at]
        brings = IMPORTS.match(line) is not None or _LISTED.match(line) is not None
        for name in WORD.findall(line):
            if is_name(name):
                found[name] = found.get(name, False) or brings
    in_base, in_other = _finder(loss.base.content, len(found)), _finder(loss.other.content, len(found))
    new = {name: not in_base(name) and not in_other(name) for name in found}
    return {name: new[name] for name, brings in found.items() if new[name] or brings}


def _finder(content: bytes, names: int) -> Callable[[bytes], bool]:
    """Return what tells whether a name stands in a text; for many names it cuts the text into words."""
    if names > _FEW:
        return set(WORD.findall(content)).__contains__
    return partial(stands_in, content)


def _counter(text: Text, names: int) -> Callable[[bytes], int]:
    """Return what tells how often a name stands in code; for many names it cuts the code into words."""
    if names > _FEW:
        counts = Counter(WORD.findall(text.code))
        return lambda name: counts[name]
    return lambda name: occurrences(text.code, name)


def _quoted(text: Text, name: bytes) -> int:
    return text.content.count(b"'" + name + b"'") + text.content.count(b'"' + name + b'"')


def _imported(loss: Loss) -> frozenset[bytes]:
    """Return the words of the lost import lines."""
    lines = loss.had.code_lines
    return frozenset(
        name
        for at in loss.lost
        if IMPORTS.match(lines[at]) or (lines[at][:1].isspace() and IMPORTS.match(lines[opener(loss.had, at)]))
        for name in WORD.findall(lines[at])
    )


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
