"""How much a backtracking engine works on a text: counted, not timed, so it is the same on every machine.

It walks a pattern as Python's `re` parses it, the way `re` itself does (from left to right, greedy first), and
counts what it looks at. Bounded repeats count as short ones: they make a pattern dearer by a factor, no steeper.
"""

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

MOST = 20_000
_SHORT = 3
_DEEP = 20_000
_Then = Callable[[int], bool]
_Op = tuple[Any, Any]


class TooMuchWorkError(Exception):
    """The count went over `MOST`."""


class Work:
    """Counts the steps of one pattern."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._tree: Sequence[_Op] = list(parser.parse(pattern.pattern, pattern.flags))
        self._flags = pattern.flags
        self._text = ""
        self._fit: dict[tuple[Any, str], bool] = {}
        self._groups: dict[int, tuple[int, int]] = {}
        self.steps = 0

    def search(self, text: str) -> int:
        """Return the steps of looking for the pattern at every place of a text, up to where it is found."""
        return self._from(text, range(len(text) + 1))

    def match(self, text: str) -> int:
        """Return the steps of trying the pattern at a text's beginning."""
        return self._from(text, range(1))

    def _from(self, text: str, starts: range) -> int:
        self._text, self.steps = text, 0
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(_DEEP)
        try:
            for start in starts:
                if self._run(self._tree, 0, start, lambda _: True):
                    break
        finally:
            sys.setrecursionlimit(limit)
        return self.steps

    def _step(self) -> None:
        self.steps += 1
        if self.steps > MOST:
            raise TooMuchWorkError

    def _run(self, ops: Sequence[_Op], at: int, place: int, then: _Then) -> bool:
        while at < len(ops):
            kind, value = ops[at]
            self._step()
            if kind in _ONE:
                if place >= len(self._text) or not self._fits(kind, value, self._text[place]):
                    return False
                place += 1
            elif kind is sre.AT:
                if not self._stands(value, place):
                    return False
            elif kind in {sre.ASSERT, sre.ASSERT_NOT}:
                if self._looks(value, place) is (kind is sre.ASSERT_NOT):
                    return False
            else:
                rest = at + 1
                return self._branch(kind, value, place, lambda end, rest=rest: self._run(ops, rest, end, then))
            at += 1
        return then(place)

    def _branch(self, kind: Any, value: Any, place: int, then: _Then) -> bool:
        if kind is sre.SUBPATTERN:
            group, _, _, inner = value

            def close(end: int) -> bool:
                if group is not None:
                    self._groups[group] = (place, end)
                return then(end)

            return self._run(inner, 0, place, close)
        if kind is sre.ATOMIC_GROUP:
            ends: list[int] = []
            return self._run(value, 0, place, lambda end: ends.append(end) is None) and then(ends[0])
        if kind is sre.POSSESSIVE_REPEAT and not _is_one(value[2]):
            return self._branch(sre.ATOMIC_GROUP, [(sre.MAX_REPEAT, value)], place, then)
        if kind is sre.BRANCH:
            return any(self._run(way, 0, place, then) for way in value[1])
        if kind is sre.GROUPREF:
            start, end = self._groups.get(value, (0, 0))
            same = self._text.startswith(self._text[start:end], place)
            return same and then(place + end - start)
        if kind in _REPEATS:
            least, most, inner = value
            least, most = min(least, _SHORT), most if most is sre.MAXREPEAT else min(most, _SHORT)
            inner = list(inner)
            if _is_one(inner):
                return self._of_one(kind, least, most, inner[0], place, then)
            return self._of_many(kind is sre.MAX_REPEAT, least, most, inner, place, then)
        raise NotImplementedError(kind)

    def _of_one(self, kind: Any, least: int, most: Any, op: _Op, place: int, then: _Then) -> bool:
        count = 0
        wanted = least if kind is sre.MIN_REPEAT else most
        while (wanted is sre.MAXREPEAT or count < wanted) and self._takes(op, place + count):
            count += 1
        if kind is sre.MIN_REPEAT:
            while count >= least:
                if then(place + count):
                    return True
                if (most is not sre.MAXREPEAT and count >= most) or not self._takes(op, place + count):
                    return False
                count += 1
            return False
        ends = range(count, least - 1, -1) if kind is sre.MAX_REPEAT else range(count, max(count, least) - 1, -1)
        return any(then(place + end) for end in ends)

    def _of_many(self, greedy: bool, least: int, most: Any, inner: Sequence[_Op], place: int, then: _Then) -> bool:  # noqa: FBT001
        def more(count: int, at: int) -> bool:
            def again(end: int) -> bool:
                return (end > at or count < least) and more(count + 1, end)

            may = most is sre.MAXREPEAT or count < most
            if count < least:
                return self._run(inner, 0, at, again)
            if greedy:
                return (may and self._run(inner, 0, at, again)) or then(at)
            return then(at) or (may and self._run(inner, 0, at, again))

        return more(0, place)

    def _takes(self, op: _Op, place: int) -> bool:
        self._step()
        return place < len(self._text) and self._fits(*op, self._text[place])

    def _looks(self, value: Any, place: int) -> bool:
        direction, inner = value
        if direction > 0:
            return self._run(inner, 0, place, lambda _: True)
        low, high = inner.getwidth()
        return any(
            self._run(inner, 0, place - width, lambda end: end == place)
            for width in range(low, min(high, place) + 1)
        )

    def _fits(self, kind: Any, value: Any, letter: str) -> bool:
        key = (id(value) if kind is sre.IN else (kind, value), letter)
        fits = self._fit.get(key)
        if fits is None:
            folded, every = bool(self._flags & re.IGNORECASE), bool(self._flags & re.DOTALL)
            fits = self._fit[key] = _fits(kind, value, letter, folded=folded, every=every)
        return fits

    def _stands(self, where: Any, place: int) -> bool:
        text = self._text
        if where in {sre.AT_BEGINNING, sre.AT_BEGINNING_STRING}:
            return place == 0 or (bool(self._flags & re.MULTILINE) and text[place - 1] == "\n")
        if where in {sre.AT_END, sre.AT_END_STRING}:
            return place == len(text) or (where is sre.AT_END and text[place:] == "\n")
        sides = [0 <= one < len(text) and (text[one].isalnum() or text[one] == "_") for one in (place - 1, place)]
        return (sides[0] != sides[1]) is (where is sre.AT_BOUNDARY)


_ONE = frozenset({sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN})
_REPEATS = frozenset({sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT})
_CLASSES: dict[Any, Callable[[str], bool]] = {
    sre.CATEGORY_DIGIT: str.isdecimal,
    sre.CATEGORY_SPACE: str.isspace,
    sre.CATEGORY_WORD: lambda letter: letter.isalnum() or letter == "_",
}
_NOT = {
    sre.CATEGORY_NOT_DIGIT: sre.CATEGORY_DIGIT,
    sre.CATEGORY_NOT_SPACE: sre.CATEGORY_SPACE,
    sre.CATEGORY_NOT_WORD: sre.CATEGORY_WORD,
}


def _is_one(ops: Sequence[_Op]) -> bool:
    return len(ops) == 1 and ops[0][0] in _ONE


def _fits(kind: Any, value: Any, letter: str, *, folded: bool, every: bool) -> bool:
    forms = {letter, letter.lower(), letter.upper()} if folded else {letter}
    if kind is sre.ANY:
        return every or letter != "\n"
    if kind in {sre.LITERAL, sre.NOT_LITERAL}:
        return (chr(value) in forms) is (kind is sre.LITERAL)
    negated = bool(value) and value[0][0] is sre.NEGATE
    return any(_within(one, forms) for one in value[int(negated) :]) is not negated


def _within(one: _Op, forms: set[str]) -> bool:
    kind, value = one
    if kind is sre.LITERAL:
        return chr(value) in forms
    if kind is sre.RANGE:
        return any(value[0] <= ord(form) <= value[1] for form in forms)
    if value in _NOT:
        return not any(_CLASSES[_NOT[value]](form) for form in forms)
    return any(_CLASSES[value](form) for form in forms)


LETTERS = " 1a/.:_-=('\"[]E#,<>\\+@é\t"
"""Of these texts are made that a pattern may run through again and again."""


@dataclass(frozen=True, slots=True)
class Hard:
    """A kind of text that a pattern runs far into, and may not fit in the end."""

    start: str
    pump: str
    end: str

    def of(self, length: int) -> str:
        """Return one whose middle has so many characters."""
        return self.start + (self.pump * (length // len(self.pump) + 1))[:length] + self.end


def hard_texts(pattern: re.Pattern[str]) -> Iterator[Hard]:
    """Yield kinds of texts that are hard for a pattern.

    Each begins with a text that the pattern fits up to one of its unbounded repeats, goes on with what that repeat
    takes, by itself and in turn with what stands beside it, and ends in what nothing takes.
    """
    flags = pattern.flags
    seen = set()
    for before, repeat, after in _repeats(list(parser.parse(pattern.pattern, flags)), ""):
        sample = _sample(repeat)
        takes = [letter for letter in LETTERS if _could(repeat, letter, flags)] or [sample]
        pumps = {*takes[:6], sample, sample + after[:3], before[-8:] + sample}
        pumps |= {takes[0] + other for other in takes[1:4]}
        for pump in sorted(filter(None, pumps)):
            for start in dict.fromkeys((before, "")):
                for end in ("", "\x00"):
                    kind = Hard(start, pump, end)
                    if kind not in seen:
                        seen.add(kind)
                        yield kind


def _repeats(ops: Sequence[_Op], before: str) -> Iterator[tuple[str, Sequence[_Op], str]]:
    """Yield each unbounded repeat with a text that leads to it, and one that may follow."""
    for at, (kind, value) in enumerate(ops):
        rest = _sample(ops[at + 1 :])
        if kind in {sre.SUBPATTERN, sre.ATOMIC_GROUP}:
            inside = value[3] if kind is sre.SUBPATTERN else value
            yield from ((lead, inner, after + rest) for lead, inner, after in _repeats(inside, before))
        elif kind is sre.BRANCH:
            for way in value[1]:
                yield from ((lead, inner, after + rest) for lead, inner, after in _repeats(way, before))
        elif kind in _REPEATS:
            yield from ((lead, inner, after + rest) for lead, inner, after in _repeats(value[2], before))
            if value[1] is sre.MAXREPEAT:
                yield before, value[2], rest
        before += _sample([(kind, value)])


def _could(inner: Sequence[_Op], letter: str, flags: int) -> bool:
    ops = list(inner)
    while len(ops) == 1 and ops[0][0] is sre.SUBPATTERN:
        ops = list(ops[0][1][3])
    return (
        bool(ops)
        and ops[0][0] in _ONE
        and _fits(ops[0][0], ops[0][1], letter, folded=bool(flags & re.IGNORECASE), every=False)
    )


def _sample(ops: Sequence[_Op]) -> str:
    """Return a short text that operations fit, as far as that is easily told."""
    text = ""
    for kind, value in ops:
        if kind is sre.LITERAL:
            text += chr(value)
        elif kind in _ONE:
            text += next(
                (one for one in "a1 /.:X-_" + LETTERS if _fits(kind, value, one, folded=False, every=False)), ""
            )
        elif kind in {sre.SUBPATTERN, sre.ATOMIC_GROUP}:
            text += _sample(value[3] if kind is sre.SUBPATTERN else value)
        elif kind is sre.BRANCH:
            text += _sample(value[1][0])
        elif kind in _REPEATS:
            text += _sample(value[2]) * min(value[0], _SHORT)
    return text
