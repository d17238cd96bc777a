"""A first look into `syncline.toml`, so that git can start while the models are imported.

What is read here is a guess that nobody relies on: the lane is read again, and validated, by `load`.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from syncline.config.file import read_file
from syncline.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Glimpse:
    """What git can start on: two local branches and how many commits of source one sync takes (0: all)."""

    source: str
    target: str
    slice: int


def peek(path: Path, lane: str | None) -> Glimpse | None:
    """Return a glimpse of a lane with local branches; None when the file does not plainly say so."""
    try:
        lanes = tomllib.loads(read_file(path).decode("utf-8-sig"))["lanes"]
        words = lanes[lane] if lane is not None else next(iter(lanes.values()))
        found = Glimpse(words["source"], words["target"], words.get("slice", 0))
    except (ConfigError, OSError, ValueError, KeyError, TypeError, AttributeError, StopIteration, RecursionError):
        return None  # `load` says what is wrong
    remotes = any(name in words for name in ("remote", "source_remote", "target_remote"))
    fits = isinstance(found.source, str) and isinstance(found.target, str) and type(found.slice) is int
    return found if fits and found.slice >= 0 and not remotes else None
