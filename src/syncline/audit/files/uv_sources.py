"""`[tool.uv.sources]`: sources that the merge lost, and revisions in which the sides differ (MISSION N7)."""

import tomllib
from collections.abc import Iterator
from typing import Any

from syncline.audit.files.lock_formats import python_name, python_requirements, requirement
from syncline.audit.files.three_way import NAMES
from syncline.audit.finding import Finding, Severity
from syncline.audit.four_trees import SIDES, Contents, other


def lost_sources(path: bytes, contents: Contents) -> Iterator[Finding]:
    """Yield what became of the sources that the sides of a `pyproject.toml` name, where it is not plain."""
    trees = [_read(content) for content in (contents.base, contents.ours, contents.theirs, contents.merged)]
    if any(tree is None for tree in trees):
        return  # told by the audit of what parses
    projects = [tree or {} for tree in trees]
    base, _, _, merged = (_sources(project) for project in projects)
    sides = {side: _sources(project) for side, project in zip(SIDES, projects[1:3], strict=True)}
    needed = {requirement(text).partition(" ")[0] for text in python_requirements(projects[3])}
    for side in SIDES:
        for name, source in sides[side].items():
            if name in base or name in sides[other(side)] or name in merged:
                continue
            yield Finding(
                "source-lost", Severity.FIX if name in needed else Severity.LOOK, path,
                f"{NAMES[side]} added the source of {name} ({source}), the merge has none"
                + ("" if name in needed else ", nor does it need the package"),
                symbol=name, side=side, text=(f"{name} = {source}",),
                suggestion=f"add it to [tool.uv.sources] again: {name} = {source}",
            )  # fmt: skip
    ours, theirs = (sides[side] for side in SIDES)
    for name in sorted(ours.keys() & theirs.keys()):
        if ours[name] == theirs[name] or base.get(name) in {ours[name], theirs[name]}:
            continue
        kept = merged.get(name)
        holds = {ours[name]: "target's", theirs[name]: "source's", None: "none"}.get(kept, f"{kept}, neither's")
        yield Finding(
            "source-revisions", Severity.LOOK, path,
            f"the sides want different sources of {name} (see the text); the merge has {holds}",
            symbol=name, text=(f"target: {ours[name]}", f"source: {theirs[name]}"),
        )  # fmt: skip


def _read(content: bytes) -> dict[str, Any] | None:
    try:
        return tomllib.loads(content.decode())
    except (ValueError, RecursionError):
        return None


def _sources(project: dict[str, Any]) -> dict[str, str]:
    table = project
    for key in ("tool", "uv", "sources"):
        table = table.get(key) if isinstance(table, dict) else None
    return {python_name(name): _shown(source) for name, source in table.items()} if isinstance(table, dict) else {}


def _shown(source: object) -> str:
    """Return a source as TOML would have it, on one line, its keys in order."""
    if isinstance(source, dict):
        return "{ " + ", ".join(f"{key} = {_shown(source[key])}" for key in sorted(source)) + " }"
    if isinstance(source, list):
        return "[" + ", ".join(map(_shown, source)) + "]"
    return f'"{source}"' if isinstance(source, str) else str(source)
