"""What a name is in the line where it stands: a definition, an import, a call ...

First by the shape of the line, which is enough to choose; what is told to people is looked up in the syntax tree
of the statement, where there is a grammar.
"""

import re
from enum import StrEnum

from syncline.audit.dropped.code_words import IMPORTS
from syncline.audit.dropped.lost_lines import indent
from syncline.audit.dropped.text import Text
from syncline.audit.occurrences import is_word
from syncline.merge.text.syntax import language_of, parse, units


class Role(StrEnum):
    """What a name is, the most telling first."""

    DEFINITION = "definition"
    IMPORT = "import"
    CALL = "call"
    DECORATOR = "decorator"
    ARGUMENT = "keyword argument"
    PARAMETER = "parameter"
    FIELD = "field"
    MEMBER = "enum member"
    KEY = "key"
    USE = "use"
    VARIABLE = "variable"


_REACH = 3_000
"""Lines above one in which what it stands in is sought."""
RANK = {role: rank for rank, role in enumerate(Role)}

_DEFINES = re.compile(
    rb"(?:^|[\s(])(?:def|class|function|func|fn|fun|interface|struct|enum|trait|record|object|macro_rules!)\s+"
    rb"(?:\([^()]*\)\s*)?$"
)
_DECORATES = re.compile(rb"@[\w.]*$")
_CALLS = re.compile(rb"\s*\(")
_GETS = re.compile(rb"\s*=(?!=)")
_TYPED = re.compile(rb"\s*\??:")
_WORDS = {
    "function": Role.DEFINITION, "class": Role.DEFINITION, "method": Role.DEFINITION, "type": Role.DEFINITION,
    "signature": Role.DEFINITION, "constant": Role.FIELD, "field": Role.FIELD, "parameter": Role.PARAMETER,
    "argument": Role.ARGUMENT, "key": Role.KEY, "import": Role.IMPORT, "member": Role.MEMBER,
    "variable": Role.VARIABLE, "attribute": Role.ARGUMENT,
}  # fmt: skip
_NO_CALL = re.compile(rb"^\s*(?:if|for|while|switch|return|else|throw|new|await|yield|assert|not)\b")


def guess(name: bytes, line: bytes, above: bytes = b"") -> Role:
    """Return what a name seems to be in a line of code (comments and strings blanked).

    Args:
        name: the name.
        line: the line.
        above: the line that opens the bracket or block in which this one stands.
    """
    found = Role.USE
    at = line.find(name)
    while at >= 0:
        end = at + len(name)
        if is_word(line, at, end):
            role = _guess_at(line, at, end, above)
            found = min(found, role, key=RANK.__getitem__) if role is not Role.VARIABLE else _variable(found)
        at = line.find(name, end)
    return found


def _variable(found: Role) -> Role:
    return Role.VARIABLE if found is Role.USE else found


def _guess_at(line: bytes, at: int, end: int, above: bytes) -> Role:
    before = line[:at]
    bare = line.strip()
    first = not before.strip()
    if _DEFINES.search(before):
        return Role.DEFINITION
    if IMPORTS.match(line) or (IMPORTS.match(above) and b"=" not in bare):
        return Role.IMPORT
    if _DECORATES.fullmatch(before.lstrip()):
        return Role.DECORATOR
    if _CALLS.match(line, end):
        opens = bare.endswith(b"{") and not _NO_CALL.match(line) and b"=" not in bare and not before.endswith(b".")
        return Role.DEFINITION if opens else Role.CALL
    if _GETS.match(line, end) and not before.endswith(b"."):
        if first and not bare.endswith((b",", b"(")) and not above.rstrip().endswith(b"("):
            return Role.FIELD if above.lstrip().startswith(b"class") else Role.VARIABLE
        return Role.PARAMETER if _is_head(line) or _is_open_head(above) else Role.ARGUMENT
    if first and _TYPED.match(line, end):
        return Role.PARAMETER if _is_open_head(above) else Role.FIELD
    return Role.USE


_FUNCTION = re.compile(rb"\s*(?:async\s+)?(?:def|func|function|fn|fun)\b")


def _is_head(line: bytes) -> bool:
    return _FUNCTION.match(line) is not None


def _is_open_head(line: bytes) -> bool:
    """Whether a line begins a function's parameters that go on below."""
    return _is_head(line) and line.count(b"(") > line.count(b")")


def role_in(path: bytes, text: Text, at: int, name: bytes) -> Role:
    """Return what a name is in line `at` (0-based): by the grammar of its statement, or by its shape."""
    found = guess(name, text.code_lines[at], text.code_lines[opener(text, at)])
    if found in {Role.CALL, Role.DECORATOR}:
        return found
    language = language_of(path)
    if language is None:
        return found
    start, end = statement(text, at)
    content = b"\n".join(text.lines[start:end])
    tree = parse(language, content)
    if tree is None:
        return found
    for unit in units(language, tree, content):
        if unit.name == name and start + unit.line - 1 == at:
            return _WORDS.get(unit.word, found)
    return found


def opener(text: Text, at: int) -> int:
    """Return the line in whose block or bracket a line stands: the nearest one above that is indented less."""
    known = text.openers.get(at)
    if known is None:
        known = text.openers[at] = _opener(text, at)
    return known


def _opener(text: Text, at: int) -> int:
    depth = indent(text.lines[at])
    if not depth:
        return at
    for above in range(at - 1, max(-1, at - _REACH), -1):
        line = text.code_lines[above]
        if line and not line.isspace() and indent(line) < depth:
            if line.lstrip()[:1] not in (b")", b"}", b"]"):
                return above
            depth = indent(line) + 1
    return at


_HEAD = re.compile(
    rb"\s*(?:(?:export|default|public|private|protected|static|abstract|final|async|pub|inline|virtual|override)"
    rb"\s+)*"
    rb"(?:def|class|function|func|fn|fun|interface|struct|trait|impl|module)\s+(?:\([^()]*\)\s*)?(\w+)"
)


def enclosing(text: Text, at: int) -> bytes:
    """Return the name of the definition in which a line stands; empty when it stands in none."""
    while True:
        above = opener(text, at)
        if above == at:
            return b""
        found = _HEAD.match(text.code_lines[above])
        if found:
            return found[1]
        at = above


def statement(text: Text, at: int) -> tuple[int, int]:
    """Return the lines of the outermost statement that holds line `at`: from its first to behind its last."""
    start = at
    while start > 0 and not _begins(text.lines[start]):
        start -= 1
    while start > 0 and text.lines[start - 1].startswith(b"@"):
        start -= 1
    end = at + 1
    while end < len(text.lines) and not _begins(text.lines[end]):
        end += 1
    return start, end


def _begins(line: bytes) -> bool:
    return bool(line) and not line[:1].isspace() and line[:1] not in (b")", b"]", b"}", b"#", b"/", b"*")
