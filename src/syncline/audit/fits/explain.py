"""Makes findings of what checkers say: in plain words, with the sides the line and its definition come from."""

import re
from collections.abc import Sequence
from functools import cached_property

from syncline.audit.finding import Asked, Did, Edit, Finding, Severity
from syncline.audit.fits.compare import Fresh
from syncline.audit.fits.definitions import Definitions
from syncline.audit.fits.enclosing import class_of, enclosing, is_tried
from syncline.audit.fits.own_names import own_names
from syncline.audit.fits.put_back import import_of, place_for_import
from syncline.audit.fits.python_tools import Fault
from syncline.audit.fits.three_trees import ThreeTrees
from syncline.audit.fits.wording import About, called
from syncline.audit.four_trees import SIDES, other
from syncline.audit.task import Task
from syncline.merge.model import Side

_WORD = {Side.OURS: "target", Side.THEIRS: "source"}
_TESTS = re.compile(rb"(^|/)tests?/|(^|/)(test_[^/]*|[^/]*_tests?|conftest)\.py$")
_NAME_ALONE = re.compile(r"[\w.]+(\s+as\s+\w+)?\s*,?\s*(#.*)?$")
_IMPORT = re.compile(rf"from\s|import\s|{_NAME_ALONE.pattern}")
_UNKNOWN_ARGUMENT = {"unexpected-keyword", "unknown-argument"}
_MOST_LINES = 4
_DEFINED_TWICE = "doubled-definition"
_LONGEST = 200


class Explainer:
    """Words for one merge."""

    def __init__(self, task: Task, trees: ThreeTrees) -> None:
        self._task = task
        self._trees = trees
        self._definitions = Definitions(task.trees, task.trees.files, open_paths=task.open_paths)

    # --- findings ---------------------------------------------------------------------------------------------

    def fault(self, path: bytes, group: Sequence[tuple[About, Fresh]]) -> Finding:
        """Return the finding for a name that is used in the wrong way in a file, however often."""
        about, first = group[0]
        severity = self._severity(about, path, first)
        users = self._users(path, first.text)
        suggestion, edits = self._mend(path, about, first)
        return Finding(
            _DEFINED_TWICE if about.fault is Fault.DOUBLED else about.fault.value,
            severity,
            path,
            f"{self._what(path, group)}; {_origin(users)}",
            line=first.diagnostic.line or None,
            symbol=about.symbol,
            text=tuple(dict.fromkeys(one.text for _, one in group))[:_MOST_LINES],
            asks=self._asks(path, about, users),
            suggestion=suggestion,
            edits=edits,
        )

    def doubled_imports(self, path: bytes, group: Sequence[tuple[About, Fresh]]) -> Finding:
        """Return the one finding for names that a file imports twice."""
        group = sorted(group, key=lambda told: told[1].diagnostic.line)
        names = list(dict.fromkeys(about.symbol for about, _ in group))
        shown = ", ".join(f"`{name}`" for name in names[:_MOST_LINES])
        more = f" and {len(names) - _MOST_LINES} more names" if len(names) > _MOST_LINES else ""
        first = group[0][1]
        return Finding(
            Fault.DOUBLED.value,
            Severity.FIX,
            path,
            f"{shown}{more} are imported a second time in {_lines(group)}: both sides' imports were kept"
            if len(names) > 1
            else f"{shown} is imported a second time in {_lines(group)}",
            line=first.diagnostic.line or None,
            symbol=names[0],
            text=tuple(dict.fromkeys(one.text for _, one in group))[:_MOST_LINES],
            suggestion="keep one of the imports",
        )

    def said_by(self, checker: str, group: Sequence[Fresh]) -> Finding:
        """Return the finding for what a configured checker says of a file, however often."""
        first = group[0]
        found = first.diagnostic
        rule = f" ({found.rule})" if found.rule else ""
        quoted = re.search(r"[`'\"]([A-Za-z_]\w*)[`'\"]", found.message)
        return Finding(
            f"checker-{checker}",
            Severity.FIX,
            found.path,
            f"{checker} says of the merge and of neither side: {found.message[:_LONGEST]}{rule}; "
            + _origin(self._users(found.path, first.text)),
            line=found.line or None,
            symbol=quoted[1] if quoted else "",
            text=(first.text,) if first.text else (found.normal[:_LONGEST],),
        )

    # --- which of them ----------------------------------------------------------------------------------------

    def concerns(self, about: About, one: Fresh) -> bool:
        """Whether a fault can come from the merge: the project is to have what is missing, and a side has it."""
        if about.fault is Fault.ATTRIBUTE:
            return self._definitions.lost_member(about.owner, about.symbol)
        if about.fault is Fault.CALL:
            return self._definitions.other_signature(about.owner)
        if about.fault is Fault.IMPORT:  # what is not installed here says nothing of a merge
            own = about.owner.startswith(".") or about.owner.split(".", maxsplit=1)[0] in self._own
            return own and not self._definitions.is_open(about.owner)
        if about.fault is Fault.ABSTRACT:
            return not self._definitions.is_open(about.symbol)
        if about.fault is Fault.DOUBLED and re.match(r"(from|import)\s", one.text):
            # What a function imports again for itself does no harm.
            return not self._trees.lines(None, one.diagnostic.path)[one.diagnostic.line - 1][:1].isspace()
        return True

    @cached_property
    def _own(self) -> set[str]:
        """The names that modules of the merge and of the sides begin with."""
        return set().union(*(own_names(self._trees.files(where)) for where in (None, *SIDES)))

    def class_around(self, one: Fresh) -> str:
        """Return the name of the class in which a line stands."""
        return class_of(self._trees.lines(None, one.diagnostic.path), one.diagnostic.line)

    def is_doubled_import(self, about: About, one: Fresh) -> bool:
        """Whether a name is imported twice (and not defined twice)."""
        return about.fault is Fault.DOUBLED and _IMPORT.match(one.text) is not None

    # --- words ------------------------------------------------------------------------------------------------

    def _severity(self, about: About, path: bytes, first: Fresh) -> Severity:
        lines = self._trees.lines(None, path)
        if about.fault is Fault.DOUBLED or "__all__" in first.diagnostic.message or _TESTS.search(path):
            return Severity.FIX
        if about.fault is Fault.IMPORT and is_tried(lines, first.diagnostic.line):
            return Severity.FIX  # somebody expected that it may not be there
        return Severity.STOP

    def _what(self, path: bytes, group: Sequence[tuple[About, Fresh]]) -> str:
        about, first = group[0]
        place = enclosing(self._trees.lines(None, path), first.diagnostic.line)
        where = f"{f'in `{place}` ' if place else ''}({_lines(group)})"
        arguments = list(dict.fromkeys(name for one, _ in group for name in one.arguments))
        shown = ", ".join(f"`{name}`" for name in arguments)
        symbol = f"`{about.symbol}`"
        if about.fault is Fault.DOUBLED:
            return f"{symbol} is defined a second time {where}"
        if about.fault is Fault.NAME:
            if "__all__" in first.diagnostic.message:
                return f"{symbol} is named in `__all__` ({_lines(group)}), and nothing defines it"
            return f"{symbol} is used {where}, and nothing defines it there"
        if about.fault is Fault.ATTRIBUTE:
            return f"{symbol} is used {where}, and `{about.owner}` has no such attribute"
        if about.fault is Fault.IMPORT:
            if about.owner.rpartition(".")[2] == about.symbol:
                return f"module `{about.owner}` is imported {where}, and is not there"
            return f"{symbol} is imported from `{about.owner}` {where}, which has no such name"
        if about.fault is Fault.ABSTRACT:
            return f"{symbol} is instantiated {where}, and lacks abstract methods: {first.diagnostic.message}"
        if about.lacks:
            return f"`{called(about.owner)}` is called {where} without {shown}"
        if arguments:
            unknown = first.diagnostic.rule in _UNKNOWN_ARGUMENT
            why = "takes no such argument" if unknown else "does not take it so"
            return f"{shown} is given to `{called(about.owner)}` {where}, which {why}"
        function = called(about.owner)
        return f"`{function}` is called {where} with arguments it does not take: {first.diagnostic.message}"

    def _users(self, path: bytes, text: str) -> list[Side]:
        """Return the sides that have a line of a file; both where the merge has the file as it always was."""
        file = self._task.trees.by_path.get(path)
        if file is None:
            return list(SIDES)
        return [side for side in SIDES if text and text in self._trees.said(side, file.path_of(side))]

    # --- mends ------------------------------------------------------------------------------------------------

    def _mend(self, path: bytes, about: About, first: Fresh) -> tuple[str, tuple[Edit, ...]]:
        """Return what would mend a name that nothing defines: the import that a side has, if it still holds."""
        file = self._task.trees.by_path.get(path)
        if about.fault is not Fault.NAME or file is None:
            return "", ()
        for side in SIDES:
            had = import_of(self._trees.imports(side, file.path_of(side)), about.symbol)
            if had is None or not self._definitions.still_has(had.module, had.name):
                continue
            suggestion = f"put back `{had.statement}`, as {_WORD[side]} has it"
            at = place_for_import(self._trees.imports(None, path), first.diagnostic.line)
            if at is None:
                return suggestion, ()
            content = self._task.trees.text(file.merged)
            ending = b"\r\n" if b"\r\n" in content else b"\n"
            return suggestion, (Edit(path, at, at, (had.statement.encode() + ending,)),)
        return "", ()

    # --- evidence ---------------------------------------------------------------------------------------------

    def _asks(self, path: bytes, about: About, users: list[Side]) -> tuple[Asked, ...]:
        """Ask for who wrote the use on one side, and who changed the definition on the other."""
        file = self._task.trees.by_path.get(path)
        word = about.symbol.encode("utf-8", "replace")
        asks = []
        if file is not None and len(users) == 1:
            asks.append(Asked(users[0], file.path_of(users[0]), word, Did.ADDED, f"added `{about.symbol}`"))
        changed = file if about.fault is Fault.NAME else self._definitions.file_of(about.owner, near=path)
        if changed is None:
            return tuple(asks)
        for side in [other(users[0])] if len(users) == 1 else SIDES:
            at = changed.path_of(side)
            if about.lacks and about.arguments:
                name = about.arguments[0]
                asks.append(Asked(side, at, name.encode(), Did.ADDED, f"added parameter `{name}`"))
            else:
                asks.append(Asked(side, at, word, Did.REMOVED, f"removed `{about.symbol}`"))
        return tuple(asks)


def _origin(users: Sequence[Side]) -> str:
    if len(users) == 1:
        return f"the line is {_WORD[users[0]]}'s, where it fits"
    return "both sides have the line, and it fits in each" if users else "neither side has this line"


def _lines(group: Sequence[tuple[About, Fresh]]) -> str:
    numbers = sorted({one.diagnostic.line for _, one in group})
    shown = ", ".join(str(number) for number in numbers[:_MOST_LINES])
    more = f" and {len(numbers) - _MOST_LINES} more" if len(numbers) > _MOST_LINES else ""
    return f"line{'s' if len(numbers) > 1 else ''} {shown}{more}"
