"""Stubs for classes of libraries that are not there: what derives from them then still knows its own members.

Nothing is installed where checkers run. To a type checker a class whose base it cannot find may have any member;
`self.gone()` would never be wrong in a whole project that is built on one framework. A stub of the base, with
nothing in it, changes that. All members that the real base has are then missing as well, but on both sides; and
only what a class of the project lost counts (see `definitions`).
"""

import os
import re
import shutil
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from syncline.audit.fits.own_names import own_names

# Not tied to the start of a line: beginning with plain letters they are found twenty times as fast, and it does no
# harm to take what stands in a comment.
_CLASS = re.compile(rb"class[ \t]+\w+[ \t]*\(([^()]+)\)")
_IMPORT = re.compile(rb"import[ \t]+([^\n#;]+)")
_FROM = re.compile(rb"from[ \t]+([\w.]+)[ \t]+import[ \t]*(?:\(([^)]*)\)|([^\n#;]+))")
_DOTTED = re.compile(rb"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_ALIAS = re.compile(rb"([\w.]+)(?:\s+as\s+(\w+))?")
_LARGEST = 1_000_000
_MOST = 2000
"""Classes; a project that derives from more than that of others' is none."""
_KNOWN = frozenset({*sys.stdlib_module_names, "typing_extensions", "_typeshed", "mypy_extensions"})
_HEAD = "from typing import Any\ndef __getattr__(name: str) -> Any: ...\n"
_BODY = """class {name}:
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __class_getitem__(cls, item: Any) -> Any: ...
"""


def write_stubs(tree: Path, paths: Sequence[bytes], place: Path) -> None:
    """Write stubs for what classes below `tree` derive from and the tree has not; those of another tree go.

    Raises:
        OSError: they cannot be written.
    """
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    own = own_names(paths)
    classes: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for path in paths:
        with (tree / os.fsdecode(path)).open("rb") as file:
            content = file.read(_LARGEST)
        for parts in foreign_bases(content):
            if parts[0] not in own and parts[0] not in _KNOWN:
                classes[parts[:-1]].add(parts[-1])
    modules = {module[:length] for module in list(classes)[:_MOST] for length in range(1, len(module) + 1)}
    for module in modules:
        below = sorted(other[-1] for other in modules if other[:-1] == module)
        text = [_HEAD, *(f"from . import {name} as {name}\n" for name in below)]
        text += [_BODY.format(name=name) for name in sorted(classes.get(module, ())) if name not in below]
        directory = place.joinpath(*module)
        directory.mkdir(parents=True, exist_ok=True)
        (directory / "__init__.pyi").write_text("".join(text), encoding="utf-8")


def foreign_bases(content: bytes) -> set[tuple[str, ...]]:
    """Return the full names of the imported classes that classes of a module derive from, split at the dots."""
    bases = {
        base.strip()
        for listed in _CLASS.findall(content)
        for base in listed.split(b",")
        if _DOTTED.fullmatch(base.strip())
    }
    if not bases:
        return set()
    imported = _imported(content)
    found = set()
    for base in bases:
        first, _, rest = base.partition(b".")
        full = imported.get(first)
        if full is None:
            continue
        name = full + b"." + rest if rest else full
        parts = tuple(name.decode("utf-8", "replace").split("."))
        if not all(part.isidentifier() for part in parts):  # relative: the project's own
            continue
        # A class within a class is left alone: one cannot see which of the names are modules.
        if len(parts) > 1 and not any(part[:1].isupper() for part in parts[:-1]):
            found.add(parts)
    return found


def _imported(content: bytes) -> dict[bytes, bytes]:
    """Return what each imported name stands for."""
    names: dict[bytes, bytes] = {}
    for listed in _IMPORT.findall(content):
        for name, alias in _ALIAS.findall(listed):
            first = name.split(b".", 1)[0]
            names[alias or first] = name if alias else first
    for module, bracketed, plain in _FROM.findall(content):
        for name, alias in _ALIAS.findall(re.sub(rb"#[^\n]*", b"", bracketed or plain)):
            names[alias or name] = module + b"." + name
    return names
