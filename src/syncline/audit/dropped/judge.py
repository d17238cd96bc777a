"""How grave a loss is: what is provably broken, what is half done, what a person should see."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from syncline.audit.dropped.bound import may_be_bound, may_define, uses
from syncline.audit.dropped.groups import Group
from syncline.audit.dropped.losses import Loss
from syncline.audit.dropped.lost_names import LostName
from syncline.audit.dropped.roles import RANK, Role
from syncline.audit.dropped.standing import Stand, Standing
from syncline.audit.dropped.text import Text
from syncline.audit.finding import Severity
from syncline.audit.four_trees import FourTrees
from syncline.audit.mentions import mentions


class Why(StrEnum):
    """What makes a lost name worth telling, the gravest first."""

    UNDEFINED = "undefined"
    """It is still used, and nothing defines it."""
    UNUSED = "unused"
    """It is still defined, and nothing uses it."""
    HALF = "half"
    """Some of its uses here were lost, others stayed."""
    ELSEWHERE = "elsewhere"
    """It is lost from this file, and stands in others."""
    GONE = "gone"
    """Nothing of it is left."""


_RANK = {why: rank for rank, why in enumerate(Why)}
_TEST = re.compile(
    rb"(^|/)(tests?|testing|specs?|__tests__|benchmarks?|examples?)/|(^|/)(test_[^/]*|[^/]*[._-](test|spec)\.\w+)$"
)
_PUBLIC = {Role.DEFINITION, Role.FIELD, Role.MEMBER, Role.KEY}


_UNKNOWN = Stand(0, 0, ())
"""Of names that base has elsewhere: what is told of them does not depend on where they stand."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A lost name and what is wrong with it."""

    lost: LostName
    why: Why
    new: bool
    """Whether base has it in none of the files that changed."""
    stand: Stand
    severity: Severity | None
    """None where nobody would act on it."""


class Judge:
    """Judges the lost names of one merge."""

    def __init__(self, trees: FourTrees, standing: Standing) -> None:
        self._trees = trees
        self._standing = standing

    def names(
        self, loss: Loss, names: Mapping[bytes, LostName], old: set[bytes], stands: Mapping[bytes, Stand]
    ) -> dict[bytes, Judged]:
        """Return the names that are really lost: not those that moved, or were bound again another way."""
        found = {}
        for name, lost in names.items():
            stand = stands.get(name, _UNKNOWN)
            judged = self._judged(loss, lost, stand, new=lost.new and name not in old)
            if judged is not None:
                found[name] = judged
        return found

    def _judged(self, loss: Loss, lost: LostName, stand: Stand, *, new: bool) -> Judged | None:
        name = lost.name
        unbound = lost.role is Role.IMPORT and lost.half and uses(loss.merged, name)
        if unbound and not may_be_bound(loss.merged, name):
            sure = loss.path.endswith((b".py", b".pyi"))
            return Judged(lost, Why.UNDEFINED, new, stand, Severity.STOP if sure else Severity.FIX)
        if stand is _UNKNOWN or not lost.new or stand.gained >= lost.had - lost.has:
            return None
        if lost.role is Role.DEFINITION and new and self._still_called(loss, lost, stand):
            return Judged(lost, Why.UNDEFINED, new, stand, Severity.STOP)
        if lost.half:
            return self._half(loss, lost, stand, new=new)
        if new and stand.count == 1 and lost.role is not Role.DEFINITION and self._defined(stand, name):
            return Judged(lost, Why.UNUSED, new, stand, _grave(loss))
        if stand.count:
            return Judged(lost, Why.ELSEWHERE, new, stand, Severity.LOOK if new else None)
        public = lost.role in _PUBLIC and new
        return Judged(lost, Why.GONE, new, stand, Severity.LOOK if public else None)

    def _half(self, loss: Loss, lost: LostName, stand: Stand, *, new: bool) -> Judged:
        if lost.role is Role.PARAMETER:
            return Judged(lost, Why.HALF, new, stand, _grave(loss))
        if not new:
            return Judged(lost, Why.HALF, new, stand, None)
        unused = stand.count == 1 and self._defined(stand, lost.name)
        grave = Severity.LOOK if lost.local else _grave(loss)
        return Judged(lost, Why.UNUSED if unused else Why.HALF, new, stand, grave)

    def _defined(self, stand: Stand, name: bytes) -> bool:
        """Whether the one place where a name is left defines it."""
        content = self._standing.text_at(stand.paths[0])
        line = next(
            (line for line in content.split(b"\n") if re.search(rb"\b" + re.escape(name) + rb"\b", line)), b""
        )
        return re.search(rb"\b(?:def|class|function|func|fn|fun)\b", line) is not None

    def _still_called(self, loss: Loss, lost: LostName, stand: Stand) -> bool:
        if not stand.count:
            return False
        pattern = re.compile(rb"(?<![\w$])" + re.escape(lost.name) + rb"\s*\(")
        calls = bool(pattern.search(loss.merged.code))
        if not calls:
            for path in stand.paths[:20]:
                text = Text(self._standing.text_at(path), loss.had.style)
                if path != loss.path and pattern.search(text.code):
                    calls = True
        if not calls:
            return False
        for path in stand.paths:
            lines = self._standing.text_at(path).split(b"\n")
            if any(lost.name in line and may_define(line, lost.name) for line in lines):
                return False
        # The whole tree: what files have that nobody changed may define it too.
        found = mentions(self._trees, [lost.name]).get(lost.name, ())
        return not any(may_define(line, lost.name) for _, _, line in found)


def _grave(loss: Loss) -> Severity:
    return Severity.LOOK if loss.whole or _TEST.search(loss.path) else Severity.FIX


def most_telling(group: Group, judged: Mapping[bytes, Judged]) -> Judged | None:
    """Return the name by which a group is told; None when none of them counts."""
    order = {Severity.STOP: 0, Severity.FIX: 1, Severity.LOOK: 2}
    names = [judged[lost.name] for lost in group.names if lost.name in judged]
    counting = [one for one in names if one.severity is not None]
    if not counting:
        return None
    return min(
        counting,
        key=lambda one: (
            order[one.severity or Severity.LOOK], _RANK[one.why], RANK[one.lost.role], -len(one.lost.name),
            one.lost.name,
        ),
    )  # fmt: skip
