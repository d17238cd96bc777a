"""The mend of a name that one side renamed while the other side began to use it in new places, in Python."""

import io
import tokenize
from collections.abc import Iterator

from syncline.audit.finding import Edit, Finding
from syncline.audit.four_trees import other
from syncline.audit.task import Task
from syncline.git.paths import json_path
from syncline.merge.hunks import split_lines
from syncline.merge.model import Side
from syncline.repair.mend import Mend
from syncline.repair.python_units import python_units

_NAMES = {Side.OURS: "target", Side.THEIRS: "source"}
_LEAST = 3
"""Lines a definition must have for its text to tell it; shorter ones are alike by chance."""


def follow_rename(task: Task, finding: Finding) -> Iterator[Mend]:
    """Yield what uses the new name, where the definition has the same text under another name since."""
    if finding.kind != "import-lost-name" or not finding.side:
        return
    side = Side(finding.side)
    renames = set(_renames(task, finding.symbol, other(side)))
    entry = task.trees.repository.entry(task.trees.merged_tree, finding.path)
    if len(renames) != 1 or entry is None:
        return
    new, module = next(iter(renames))
    content = task.trees.text(entry)
    edits = _renamed(finding.path, content, finding.symbol, new)
    if edits:
        what = f"call `{finding.symbol}` `{new}`, as {_NAMES[other(side)]} renamed it in {json_path(module)}"
        yield Mend(finding, what, edits=edits)


def _renames(task: Task, old: str, by: Side) -> Iterator[tuple[str, bytes]]:
    """Yield (new name, file) for each definition that a side has under another name than base, text alike."""
    for file in task.files:
        if not file.path.endswith(b".py") or file.base is None or file.of(by) is None:
            continue
        contents = task.trees.contents(file)
        if contents is None or old.encode() not in contents.base:
            continue
        base, now, merged = (python_units(text) for text in (contents.base, contents.of(by), contents.merged))
        if base is None or now is None or merged is None or old not in base or old in now:
            continue
        unit = base[old]
        if not unit.is_definition or len(unit.bare.split(b"\n")) < _LEAST:
            continue
        for name, one in now.items():
            fresh = name not in base and name in merged and one.is_definition and "." not in name
            if fresh and _without(one.bare, name) == _without(unit.bare, old):
                yield name, file.path


def _without(text: bytes, name: str) -> tuple[str, ...]:
    """Return the words of a definition with its own name taken out, comments and documentation as they are."""
    return tuple(text.decode("utf-8", "replace").replace(name, "\0").split())


def _renamed(path: bytes, content: bytes, old: str, new: str) -> tuple[Edit, ...]:
    """Return what renames a name that is imported; nothing where the new one is in use already."""
    try:
        tokens = list(tokenize.tokenize(io.BytesIO(content).readline))
    except (tokenize.TokenError, SyntaxError, ValueError):
        return ()
    names = [token for token in tokens if token.type == tokenize.NAME]
    if any(token.string == new for token in names):
        return ()
    lines = split_lines(content)
    depth, found = 0, list[tuple[int, int]]()
    for at, token in enumerate(tokens):
        depth += (token.string in {"(", "[", "{"}) - (token.string in {")", "]", "}"})
        if token.type != tokenize.NAME or token.string != old:
            continue
        keyword = depth > 0 and tokens[at + 1].string == "="  # a token always follows: the end of the file
        if not keyword and tokens[at - 1].string != ".":
            found.append((token.start[0] - 1, token.start[1]))
    changed: dict[int, bytes] = {}
    for row, column in reversed(found):
        text = changed.get(row, lines[row]).decode("utf-8", "surrogateescape")
        changed[row] = (text[:column] + new + text[column + len(old) :]).encode("utf-8", "surrogateescape")
    return tuple(Edit(path, row, row + 1, (line,)) for row, line in sorted(changed.items()))
