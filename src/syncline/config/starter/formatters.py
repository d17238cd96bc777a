"""Which formatters the two branches are set up for: their configuration files are read, nothing is run."""

import tomllib
from dataclasses import dataclass
from typing import Any

from syncline.git import Repository, TreeId

_LARGEST = 1024 * 1024
_RUFF_FILES = (b"ruff.toml", b".ruff.toml")


@dataclass(frozen=True, slots=True)
class FormatterSeen:
    """A formatter the target has settings for, and whether source has the very same."""

    name: str
    command: tuple[str, ...]
    where: str
    same: bool


def formatters_seen(repository: Repository, source: TreeId, target: TreeId) -> tuple[FormatterSeen, ...]:
    """Return the formatters in the order they should run: isort follows black's profile, so it comes after it."""
    ours, theirs = _settings(repository, target), _settings(repository, source)
    commands = {
        "black": ("black", "--quiet"),
        "isort": ("isort", "--quiet"),
        "ruff": ("ruff", "format", "--quiet"),
    }
    if "black" in ours and not _formats(ours.get("ruff")):
        del commands["ruff"]  # there to lint
    return tuple(
        FormatterSeen(name, command, ours[name][0], ours[name] == theirs.get(name))
        for name, command in commands.items()
        if name in ours
    )


def _formats(ruff: tuple[str, Any] | None) -> bool:
    return ruff is not None and isinstance(ruff[1], dict) and "format" in ruff[1]


def _settings(repository: Repository, tree: TreeId) -> dict[str, tuple[str, Any]]:
    """The file and the settings of each formatter."""
    found: dict[str, tuple[str, Any]] = {}
    tools = _toml(repository, tree, b"pyproject.toml").get("tool")
    if isinstance(tools, dict):
        found = {name: ("pyproject.toml", tools[name]) for name in ("black", "isort", "ruff") if name in tools}
    for file in _RUFF_FILES:
        entry = repository.entry(tree, file)
        if entry is not None and entry.mode.is_file:
            found["ruff"] = (file.decode(), _toml(repository, tree, file))
    return found


def _toml(repository: Repository, tree: TreeId, path: bytes) -> dict[str, Any]:
    """The content of a TOML file; empty when it is none. A wrong file there is not this command's business."""
    entry = repository.entry(tree, path)
    if entry is None or not entry.mode.is_file:
        return {}
    content = repository.blob(entry.oid)
    if len(content) > _LARGEST:
        return {}
    try:
        return tomllib.loads(content.decode())
    except (ValueError, RecursionError):
        return {}
