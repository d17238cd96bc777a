"""The policy's own file is protected, and what the lane learned: no merge may change what it is decided by.

A rule of the lane that names the file itself (not by a wildcard) wins over this. The rule is from no file, which
keeps it out of `Lane.digest`: where the policy lies is no part of the policy.
"""

from pathlib import Path

from syncline.config.find import FILE_NAME
from syncline.config.models import Config, Lane, PathRule


def protect_own_file(config: Config, path: Path, work_tree: Path | None) -> Config:
    """Return the configuration with the rule that keeps target's version of the file it was read from.

    Args:
        config: what was read.
        path: from where.
        work_tree: the repository's work tree, None when bare.
    """
    names = {f"/{FILE_NAME}"}
    if work_tree is not None and path.resolve().is_relative_to(work_tree.resolve()):
        names.add("/" + str(path.resolve().relative_to(work_tree.resolve())))
    lanes = {name: _protected(lane, _names(lane, names)) for name, lane in config.lanes.items()}
    return Config(version=config.version, lanes=lanes)


def _names(lane: Lane, names: set[str]) -> list[str]:
    # What target's record says decides, too: source may have one of another lane at the same path.
    return sorted(names | ({f"/{lane.learned_path}"} if lane.learned_path is not None else set()))


def _protected(lane: Lane, names: list[str]) -> Lane:
    named = {pattern.lstrip("/") for rule in lane.paths for pattern in rule.match}
    wanted = tuple(_literal(name) for name in names if name.lstrip("/") not in named)
    if not wanted:
        return lane
    own = PathRule(
        match=wanted, take="protect", file="", reason="the policy decides what is merged, not the other way round"
    )
    return lane.model_copy(update={"paths": (own, *lane.paths)})


def _literal(name: str) -> str:
    """Escape what gitignore patterns give a meaning to."""
    return "".join(f"\\{c}" if c in "*?[]\\!# " else c for c in name)
