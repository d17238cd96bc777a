"""Which branch names git accepts, without asking git.

The rules are those of https://git-scm.com/docs/git-check-ref-format, plus what it adds for branches (not
`HEAD`, no leading dash) and what a file system allows, since a loose ref is a file.
"""

import re

_RULES = tuple(
    (re.compile(pattern), text)
    for pattern, text in (
        (r"\A\Z", "it is empty"),
        (r"[\x00-\x1f\x7f]", "it contains a control character"),
        (r"[ ~^:?*\[\\]", "it contains a space or one of ~ ^ : ? * [ \\"),
        (r"\.\.|@\{|//", 'it contains "..", "@{" or "//"'),
        (r"\A/|[/.]\Z", 'it starts with "/" or ends with "/" or "."'),
        (r"\Arefs/", 'it starts with "refs/" (write the branch name alone)'),
        (r"\A(-.*|HEAD|@)\Z", 'it is "HEAD" or "@" or starts with "-"'),
        (r"(\A|/)\.|\.lock(/|\Z)", 'a part between slashes starts with "." or ends with ".lock"'),
    )
)
# Git appends ".lock" to the file while it writes a ref: 255 bytes is the usual limit of a file name.
_LONGEST_PART = 250
_LONGEST = 1000


def branch_fault(name: str) -> str:
    """Say why git would refuse `name` as a branch; empty when it would not."""
    for rule, text in _RULES:
        if rule.search(name):
            return text
    if len(name.encode()) > _LONGEST or any(len(part.encode()) > _LONGEST_PART for part in name.split("/")):
        return f"it is longer than {_LONGEST} bytes, or {_LONGEST_PART} between slashes"
    return ""


def nested(one: str, other: str) -> bool:
    """Whether git cannot hold both branches, because one is a directory in the name of the other."""
    return one.startswith(f"{other}/") or other.startswith(f"{one}/")
