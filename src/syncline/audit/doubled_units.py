"""Definitions, parameters, fields, keys and imports twice in one scope of the merge and of no side. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from syncline.audit.occurrences import stands_in
from syncline.audit.pieces import New, class_head
from syncline.merge.text import syntax
from syncline.merge.text.languages import Language
from syncline.merge.text.syntax import Unit


def units_twice(
    language: Language, merged: bytes, sides: Sequence[bytes], new: New | None
) -> list[tuple[Unit, Unit]]:
    """Return each unit that the merge has once more than the sides, with the one it repeats, in order.

    Args:
        language: what the file is written in.
        merged: the merged file.
        sides: what the sides have there.
        new: which of its statements no side has, where that is known: only these are parsed, unless in vain.
    """
    if new is not None and not _suspicious(language, merged, sides, new):
        return []
    again = _again(language, merged)
    if not again:
        return []
    allowed: Counter[tuple[str, bytes]] = Counter()
    for side in sides:
        allowed |= Counter((unit.word, unit.key) for _, unit in _again(language, side))
    found = []
    # Those that a side has as well tend to stand where they stood: the last ones are the new ones.
    for first, unit in again:
        if allowed[unit.word, unit.key] > 0:
            allowed[unit.word, unit.key] -= 1
        else:
            found.append((first, unit))
    return found


def _again(language: Language, content: bytes) -> list[tuple[Unit, Unit]]:
    """Return each unit that stands again in its scope, with the first one."""
    tree = syntax.parse(language, content)
    if tree is None:
        return []
    listed = list(syntax.units(language, tree, content))
    first: dict[tuple[int, str, bytes], Unit] = {}
    for unit in listed:
        first.setdefault((unit.scope, unit.word, unit.key), unit)
    found = [(first[unit.scope, unit.word, unit.key], unit) for unit in syntax.doubled(listed)]
    if language.name == "Python":
        told = {unit.start for _, unit in found}
        found += [pair for pair in _shadowing(listed, content) if pair[1].start not in told]
        found.sort(key=lambda pair: pair[1].start)
    return found


def _shadowing(listed: Iterable[Unit], content: bytes) -> Iterator[tuple[Unit, Unit]]:
    """Yield each definition that takes the place of one before it, of which one is decorated and the other is not.

    Two that are decorated may be a property and its setter, or what a decorator collects.
    """
    last: dict[tuple[int, bytes], Unit] = {}
    for unit in listed:
        if unit.word not in _DEFINITIONS or unit.name == b"_":
            continue
        before = last.get((unit.scope, unit.name))
        last[unit.scope, unit.name] = unit
        if before is None:
            continue
        above = [_decorators(one, content) for one in (before, unit)]
        if bool(above[0]) != bool(above[1]) and b"overload" not in above[0] and not stands_in(above[1], unit.name):
            yield before, unit


_DEFINITIONS = frozenset({"function", "method", "class"})


def _decorators(unit: Unit, content: bytes) -> bytes:
    """Return what stands above the head of a Python definition; empty where nothing does."""
    first = content.count(b"\n", 0, unit.start) + 1
    return b"\n".join(content[unit.start : unit.end].split(b"\n")[: unit.line - first])


# --- whether there may be any, told without a parser ------------------------------------------------------------


def _suspicious(language: Language, merged: bytes, sides: Sequence[bytes], new: New) -> bool:
    for piece in new.pieces:
        tree = syntax.parse(language, piece.alone)
        if tree is None or syntax.doubled(syntax.units(language, tree, piece.alone)):
            return True
    if _more_than_sides(b"", merged, merged, sides):
        return True
    for statement in new.statements:
        head = class_head(statement.text)
        if head is not None and _more_than_sides(head[2], statement.text, merged, sides):
            return True
    return False


def _more_than_sides(indentation: bytes, text: bytes, merged: bytes, sides: Sequence[bytes]) -> bool:
    """Return whether a name is bound twice at an indentation, and oftener in the file than in a side's."""
    twice = {name for name, count in Counter(_bound(indentation, text)).items() if count > 1}
    if not twice:
        return False
    here = Counter(_bound(indentation, merged))
    there: Counter[bytes] = Counter()
    for side in sides:
        there |= Counter(_bound(indentation, side))
    return any(here[name] > there[name] for name in twice)


def _bound(indentation: bytes, text: bytes) -> Iterator[bytes]:
    for definition, module, field in _binding(indentation).findall(b"\n" + text):
        yield definition or module or field


@cache
def _binding(indentation: bytes) -> re.Pattern[bytes]:
    field = rb"(\w+)[ \t]*(?::|=(?!=))" if indentation else rb"(?!)()"
    return re.compile(
        rb"\n%b(?:(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)|(from[ \t]+\S+|import[ \t]+\S+)|%b)"
        % (re.escape(indentation), field)
    )


def in_groups(found: Iterable[tuple[Unit, Unit]]) -> Iterator[list[tuple[Unit, Unit]]]:
    """Yield what is to be told together: all imports of a file, what else stands in one scope side by side."""
    imports: list[tuple[Unit, Unit]] = []
    group: list[tuple[Unit, Unit]] = []
    for pair in found:
        if pair[1].word == "import":
            imports.append(pair)
        elif group and _beside(group[-1][1], pair[1]):
            group.append(pair)
        else:
            if group:
                yield group
            group = [pair]
    if group:
        yield group
    if imports:
        yield imports


_FAR = 3
"""Lines between two doubled fields that belong to one block all the same (comments, a docstring)."""


def _beside(one: Unit, other: Unit) -> bool:
    same = one.scope == other.scope and one.word == other.word and one.word not in {"function", "method", "class"}
    return same and other.line - one.line <= _FAR
