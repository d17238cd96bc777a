"""Whether a name still means something in a file or a tree: by the shapes of lines, on the safe side. Pure."""

import re

from syncline.audit.dropped.roles import Role, guess, opener
from syncline.audit.dropped.text import Text

_STAR = re.compile(rb"^\s*from\s+\S+\s+import\s+\*", re.MULTILINE)
_BINDERS = {Role.DEFINITION, Role.IMPORT, Role.VARIABLE, Role.PARAMETER, Role.FIELD, Role.MEMBER}


def may_be_bound(text: Text, name: bytes) -> bool:
    """Whether something in a file may give a name its meaning: when in doubt, yes."""
    if _STAR.search(text.code):
        return True
    word = re.escape(name)
    binds = re.compile(
        rb"\b(?:as|for|global|nonlocal|lambda)\b[^:\n]*(?<!\w)%b\b|^\s*%b\s*[,:]"
        rb"|,\s*%b\s*[,=)]?\s*.*(?<![=!<>])=(?!=)|:=" % (word, word, word)
    )
    head = re.compile(rb"\s*(?:async\s+)?def\b|.*\blambda\b")
    for at in text.places(name):
        line = text.code_lines[at]
        above = text.code_lines[opener(text, at)]
        if guess(name, line, above) in _BINDERS or binds.search(line):
            return True
        if head.match(line) or (head.match(above) and above.count(b"(") > above.count(b")")):
            return True
    return False


def uses(text: Text, name: bytes) -> int:
    """Return how often a name is used in a file's code, attributes of other things left out."""
    word = re.escape(name)
    # The name first: a pattern that begins with a text is sought many times faster.
    return len(re.findall(rb"%b\b(?!\s*=(?!=))(?<![\w$.]%b)" % (word, word), text.code))


def may_define(line: bytes, name: bytes) -> bool:
    """Whether a line of any file may define a name, a method's included."""
    word = re.escape(name)
    if guess(name, line) in {Role.DEFINITION, Role.IMPORT, Role.DECORATOR}:
        return True
    found = re.search(rb"(?<![\w$])" + word + rb"\s*(?::[^=]*)?=(?!=)(.*)|['\"]" + word + rb"['\"]", line)
    # `x = Class.x` takes a definition for granted, it is none.
    return found is not None and (found[1] is None or not re.search(rb"\." + word + rb"\b", found[1]))
