"""What an XML text gives, element by element: entries with a name, coordinates of Maven. Pure, linear, no parser.

A part of a document is read like a whole one: elements that are not opened in it are of one parent, those behind
the end of an element that began above it are of another.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from syncline.merge.text import syntax

_TAG = re.compile(rb"<!--|-->|<!\[CDATA\[|\]\]>|<(/?)([A-Za-z_][\w:.-]*+)([^<>]*+)>")
_ATTRIBUTE = re.compile(rb"(?<![\w:.-])([A-Za-z_][\w:.-]*+)\s{0,9}=\s{0,9}(\"[^\"]*\"|'[^']*')")
_CLOSED_BY = {b"<!--": b"-->", b"<![CDATA[": b"]]>"}
_NAMING = frozenset({b"name", b"id", b"key", b"Include", b"android:name", b"x:Key"})
"""Attributes that tell an element from those beside it."""
_VALUES = frozenset({b"value", b"version", b"Version"})
"""Attributes that say something of it: an entry with another value is the same one."""
_COORDINATES = frozenset({b"groupId", b"artifactId", b"classifier", b"type"})
_ONCE = frozenset({b"groupId", b"artifactId", b"version"})
"""What a project, a dependency or a plugin of Maven has at most once."""
_ARTIFACTS = frozenset({b"dependency", b"plugin"})
_NEAR = 50
"""How many open elements are searched for the one that is closed; more are open only in broken text."""


@dataclass(slots=True)
class _Open:
    """An element that is open, and what stands in it."""

    tag: bytes
    begins: int
    """Where its content begins."""
    names: Counter[bytes] = field(default_factory=Counter)
    coordinates: list[bytes] = field(default_factory=list)


def names_in_xml(lines: Sequence[bytes]) -> Counter[bytes]:
    """Return the names that elements have, each with how often it stands in one parent; none of what is data."""
    text = b"".join(lines)
    found: Counter[bytes] = Counter()
    if not syntax.parsable(text):
        return found
    stack = [_Open(b"", 0)]
    until: bytes | None = None
    for match in _TAG.finditer(text):
        token = match[0]
        if until is not None or match[2] is None:
            until = None if token == until else until or _CLOSED_BY.get(token)
        elif match[1]:
            _close(stack, match[2], text, match.start(), found)
        else:
            name = _entry(match[2], match[3])
            if name is not None:
                stack[-1].names[name] += 1
            if not match[3].endswith(b"/"):
                stack.append(_Open(match[2], match.end()))
    while stack:
        _count(stack.pop(), found)
    return found


def _close(stack: list[_Open], tag: bytes, text: bytes, end: int, found: Counter[bytes]) -> None:
    near = stack[-_NEAR:]
    if all(one.tag != tag for one in near):
        # It began above the text: what comes now is of another parent.
        while stack:
            _count(stack.pop(), found)
        stack.append(_Open(b"", end))
        return
    while (inner := stack.pop()).tag != tag:
        _count(inner, found)
    _count(inner, found)
    parent = stack[-1]
    if tag in _ONCE:
        parent.names[tag] += 1
    if tag in _COORDINATES:
        parent.coordinates.append(text[inner.begins : end].strip())
    elif tag in _ARTIFACTS and inner.coordinates:
        parent.names[tag + b" " + b":".join(inner.coordinates)] += 1


def _count(scope: _Open, found: Counter[bytes]) -> None:
    """Take over what stands in an element."""
    for name, count in scope.names.items():
        # Lists of versions have nothing but versions.
        if count > found[name] and (name != b"version" or b"artifactId" in scope.names):
            found[name] = count


def _entry(tag: bytes, inside: bytes) -> bytes | None:
    """Return an element with what tells it from others; None where it has no name."""
    if b"=" not in inside:
        return None
    attributes = dict(_ATTRIBUTE.findall(inside))
    if _NAMING.isdisjoint(attributes):
        return None
    told = (name + b"=" + value for name, value in sorted(attributes.items()) if name not in _VALUES)
    return b" ".join((tag, *told))
