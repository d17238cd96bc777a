"""Names that one side removed or renamed while the other side began to use them, in any language.

Certain by three facts: the one side removed the definition, the other side's own lines mention the name without
defining it, and the merge has no other mention of it anywhere.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches

from syncline.audit.evidence import asks_for
from syncline.audit.files.three_way import NAMES
from syncline.audit.finding import Did, Finding, Severity
from syncline.audit.four_trees import SIDES, FourTrees, other
from syncline.audit.mentions import mentions
from syncline.audit.occurrences import PLAIN, places
from syncline.audit.pattern_lines import SideFile, SideLines, words_of
from syncline.git.paths import json_path
from syncline.merge.file_group import FileGroup, file_group
from syncline.merge.model import Side

_DEFINES = re.compile(
    rb"\b(?:def|class|func|function|fn|struct|interface|enum|trait|type|const|define|val|var|let)[ \t]+"
    rb"(?:\([^)\n]*\)[ \t]*)?([A-Za-z_]\w{3,})"
    rb"|^[ \t]*(?:self\.|cls\.)?([A-Za-z_]\w{3,})[ \t]*(?::[^=:\n]+)?=(?!=)"
    rb"|^[ \t]*([A-Za-z_]\w{3,})[ \t]*:[ \t]*[A-Za-z\[\"'(]"
    rb"|^[ \t]*(?:(?:public|private|protected|static|final|virtual|inline|async|abstract|override|export)[ \t]+)+"
    rb"(?:[\w:<>\[\]*&?,.]+[ \t]+)*[*&]?([A-Za-z_]\w{3,})[ \t]*\("
    rb"|^[A-Za-z_][\w:<>*& \t]*[ \t][*&]?(?:\w+::)?([A-Za-z_]\w{3,})[ \t]*\([^;\n]*$",
    re.MULTILINE,
)
"""A definition, in the languages that are common; a wrong guess does no harm, the two other facts decide."""

_MOST = 20
"""Names that are looked for in the whole merge; where more seem to be gone, history was rewritten."""


def stale_names(trees: FourTrees, sides: Mapping[Side, SideLines]) -> Iterator[Finding]:
    """Yield a finding for each file that uses a name of one side which the other side defines no more.

    Args:
        trees: the merge.
        sides: what each side did.
    """
    gone = {side: _unknown(trees, sides[side], sides[other(side)]) for side in SIDES}
    names = sorted(set().union(*gone.values()))
    found = mentions(trees, names) if names else {}
    for side in SIDES:
        remover, user = sides[side], sides[other(side)]
        for name in sorted(gone[side]):
            places = found.get(name, [])
            if any(line not in user.added for _, _, line in places):
                continue
            used = [place for place in places if _uses(name, place[2])]
            for path in sorted({path for path, _, _ in used}):
                number, line = next((number, line) for there, number, line in used if there == path)
                yield _finding(trees, name.decode(), (path, number, line), remover, gone[side][name], user)


def _unknown(trees: FourTrees, remover: SideLines, user: SideLines) -> Mapping[bytes, SideFile]:
    """Return the names that only the user's own lines seem to mention, with the file that had them."""
    gone = {name: file for name, file in _gone(remover, user).items() if _used_in_merge(trees, name, user)}
    if len(gone) > _MOST:
        return {}
    merged = _code_of(trees) if gone else []
    return {name: file for name, file in gone.items() if not _others_mention(merged, name, user)}


def _gone(remover: SideLines, user: SideLines) -> dict[bytes, SideFile]:
    """Return the names that one side defines and mentions no more, and that the other side's new lines mention."""
    found: dict[bytes, SideFile] = {}
    sought = user.words - remover.words
    for file in remover.files:
        # Most lines mention no such name, which is told faster than what they define.
        lines = [line for line in file.removed if not sought.isdisjoint(words_of(line))]
        for match in _DEFINES.finditer(b"\n".join(lines)):
            name = match[match.lastindex or 1]
            if name in sought and name not in file.text:
                found.setdefault(name, file)
    return found


def _used_in_merge(trees: FourTrees, name: bytes, user: SideLines) -> bool:
    """Whether the merge has lines of the user's that use the name, and none that defines it."""
    used = False
    for file in user.files:
        if name not in file.words:
            continue
        merged = trees.text(file.file.merged)
        lines = [line for _, line in file.added if name in line and line in merged]
        if any(_defines(name, line) for line in lines):
            return False
        used = used or any(_uses(name, line) for line in lines)
    return used


def _code_of(trees: FourTrees) -> list[bytes]:
    """Return the source code that somebody changed, as the merge has it."""
    merged = (trees.text(file.merged) for file in trees.files if file_group(file.path) is FileGroup.CODE)
    return [content for content in merged if b"\0" not in content[:8000]]


def _others_mention(merged: Sequence[bytes], name: bytes, user: SideLines) -> bool:
    """Whether source code mentions a name in a line that is not the user's own."""
    for content in merged:
        if name not in content:
            continue
        for at in places(content, name, PLAIN):
            end = content.find(b"\n", at)
            line = content[content.rfind(b"\n", 0, at) + 1 : end if end >= 0 else len(content)]
            if line not in user.added:
                return True
    return False


def _defines(name: bytes, line: bytes) -> bool:
    return any(match[match.lastindex or 1] == name for match in _DEFINES.finditer(line))


def _uses(name: bytes, line: bytes) -> bool:
    """Whether a line calls, imports or reaches into an object for a name, outside of texts and comments."""
    for match in re.finditer(rb"(?:(?:\.|->|::)" + name + rb"\b)|\b" + name + rb"[ \t]*\(", line):
        before = line[: match.start()]
        if before.count(b'"') % 2 or before.count(b"'") % 2 or before.count(b"`") % 2:
            continue
        if re.search(rb"#|//|^\s*(?:\*|--|;)", before) is None:
            return True
    return re.match(rb"\s*(?:from\s+\S+\s+import|import|use)\b[^#]*\b" + name + rb"\b", line) is not None


def _finding(
    trees: FourTrees,
    name: str,
    place: tuple[bytes, int, bytes],
    remover: SideLines,
    where: SideFile,
    user: SideLines,
) -> Finding:
    path, number, line = place
    known = {match[match.lastindex or 1].decode() for match in _DEFINES.finditer(where.blob)}
    close = get_close_matches(name, known, n=1, cutoff=0.75)
    file = trees.by_path.get(path)
    using = path if file is None else file.path_of(user.side)
    removing = where.file.path_of(remover.side)
    return Finding(
        "stale-name", Severity.FIX, path,
        f"{NAMES[user.side]} uses {name}, which {NAMES[remover.side]} removed from {json_path(removing)}; "
        "nothing in the merge defines it",
        line=number, symbol=name, side=user.side, text=(line.decode("utf-8", "replace").strip(),),
        asks=(
            *asks_for(remover.side, removing, [name.encode()], Did.REMOVED, f"removed {name}"),
            *asks_for(user.side, using, [name.encode()], Did.ADDED, f"uses {name}"),
        ),
        suggestion=f"use {close[0]}, which {NAMES[remover.side]} has in its place" if close else "",
    )  # fmt: skip
