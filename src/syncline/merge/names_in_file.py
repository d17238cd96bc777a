"""What a whole file gives under a name, to be counted: what git merged and an answer may say the same. Pure.

Line by line, in one pass: what stands deeper is of the line above that is less deep, and counted only where that
line is known to hold names. What a grammar knows better is told by it (`acceptance`).
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from syncline.merge.doubled_names import BRANCH, LONG, Names, is_xml, names_of
from syncline.merge.xml_names import names_in_xml

_LISTS = re.compile(rb"(?:import|require) \($")
"""What stands in them is the file's own."""
_HOLDERS = re.compile(rb"(?:[\w@]+ )*(?:class|object|interface|message|enum)\b.*[({]$|[\w-]+ = \[$")
"""What stands in them is theirs: types of Kotlin and messages of proto, lists of TOML."""
_HELD = frozenset({b"kt", b"kts", b"proto", b"toml"})


def names_in_file(path: bytes, lines: Sequence[bytes]) -> Counter[bytes]:
    """Return the names that a file gives, each with how often; none where its form says nothing of names."""
    if is_xml(path):
        return names_in_xml(lines)
    names = names_of(path)
    return Counter() if names is None else _by_line(lines, names, held=path.rpartition(b".")[2].lower() in _HELD)


def _by_line(lines: Sequence[bytes], names: Names, *, held: bool) -> Counter[bytes]:
    found: Counter[bytes] = Counter()
    section = above = b""
    depth = _Depth(held)
    for line in lines:
        text = b" ".join(line.split())
        if not text or len(text) > LONG:
            continue
        prefix = depth.enter(len(line) - len(line.lstrip()), text)
        if prefix is not None:
            if BRANCH.match(text):
                return Counter()  # what stands under one condition may stand again under another
            if text.startswith(b"[") and text.endswith(b"]"):
                section = text
                depth.leave()
            # Tables in double brackets may stand again, and so may what is decorated.
            elif not section.startswith(b"[[") and not above.startswith((b"@", b"#[")):
                found.update(section + prefix + name for name in set(names(text)) if name)
        above = text
    return found


@dataclass(slots=True)
class _Depth:
    """The lines that are less deep than the one that is read."""

    held: bool
    """Whether what stands deeper may be somebody's names."""
    _above: list[tuple[int, bytes | None]] = field(default_factory=list)
    """Their indentation, and what names below them begin with; None where names below them say nothing."""

    def enter(self, indent: int, text: bytes) -> bytes | None:
        """Go on to a line; return what its names begin with, None where they say nothing."""
        closes = text[0] in b")}]"
        # The end of a head that spans lines stands where it began: what follows is still below it.
        while self._above and self._above[-1][0] >= indent and not (closes and self._above[-1][0] == indent):
            self._above.pop()
        prefix = self._above[-1][1] if self._above else b""
        if closes:
            return prefix
        below = None
        if prefix is not None and _LISTS.match(text):
            below = prefix
        elif prefix is not None and self.held and _HOLDERS.match(text):
            below = prefix + text + b" "
        self._above.append((indent, below))
        return prefix

    def leave(self) -> None:
        """Forget the line that was entered last: nothing is below it."""
        if self._above:
            self._above.pop()
