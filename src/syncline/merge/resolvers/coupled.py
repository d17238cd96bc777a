"""Coupled sets: files that move together or not at all (`pyproject.toml` and its lock file).

Evidence is which side moved the set since the merge base.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from syncline.git import Entry
from syncline.git.paths import json_path
from syncline.merge.model import Evidence, Side

if TYPE_CHECKING:
    # pydantic takes a fifth of a second to import; nothing here needs more than the names.
    from syncline.config.models import CoupledSet

NAME = "coupled"


@dataclass(frozen=True, slots=True)
class Member:
    """One file of the set, on both sides, and which side moved it since the merge base."""

    ours: Entry | None
    theirs: Entry | None
    moved_by_ours: bool
    moved_by_theirs: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """Which side the whole set takes; `side` None means both moved it and nothing says which wins."""

    side: Side | None
    evidence: Evidence


def decide(coupled: "CoupledSet", members: Mapping[bytes, Member], protected: Sequence[bytes]) -> Verdict:
    """Choose one side for a set, of which `members` differ between the sides.

    Args:
        coupled: the set from the lane's policy.
        members: the files of the set that differ between ours and theirs.
        protected: those of them that a `protect` rule names; they bind the whole set to ours.
    """
    where = f"coupled set {coupled.name!r} ({coupled.file}:{coupled.line})"
    reason = f": {coupled.reason}" if coupled.reason else ""
    if protected:
        return Verdict(Side.OURS, Evidence(f"{where} stays at target, {json_path(protected[0])} is protected"))
    if coupled.take == "ours":
        return Verdict(Side.OURS, Evidence(f"{where} always stays at target{reason}"))
    if coupled.take == "theirs":
        return Verdict(Side.THEIRS, Evidence(f"{where} is always taken from source{reason}"))
    by_ours = [path for path, member in members.items() if member.moved_by_ours]
    by_theirs = [path for path, member in members.items() if member.moved_by_theirs]
    if not by_ours:
        return Verdict(Side.THEIRS, Evidence(f"{where}: only source moved it ({_names(by_theirs)}){reason}"))
    if not by_theirs:
        return Verdict(Side.OURS, Evidence(f"{where}: only target moved it ({_names(by_ours)}){reason}"))
    return Verdict(
        None,
        Evidence(f"{where}: target moved {_names(by_ours)}, source moved {_names(by_theirs)}; one must be chosen"),
    )


def _names(paths: Sequence[bytes]) -> str:
    shown = ", ".join(json_path(path) for path in paths[:3])
    return shown + (f" and {len(paths) - 3} more" if len(paths) > 3 else "")
