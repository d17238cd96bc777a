"""What a branch's name says of its part in a repository. Pure."""

import re
from dataclasses import dataclass
from enum import IntEnum

_TRUNKS = ("main", "master", "trunk")
_DEVELOPS = ("dev", "develop", "development", "devel", "next", "unstable")
_RELEASE = re.compile(
    r"(?P<line>(?:releases?|rel|stable|support|maint|maintenance)[-_/]v?|[vr]?)(?P<version>\d{1,9}(?:[._]\d{1,9})*)"
    r"(?P<open>\.x)?",
    re.IGNORECASE,
)


class Part(IntEnum):
    """What a branch is for, by its name; the lower, the surer."""

    TRUNK = 0
    DEVELOP = 1
    RELEASE = 2
    OTHER = 3


@dataclass(frozen=True, slots=True)
class Release:
    """A release line: its family (what stands before the number) and its version."""

    family: str
    version: tuple[int, ...]


def release_of(branch: str) -> Release | None:
    """Read `release-1.2`, `release/v1.2`, `stable_3`, `v1.x`, `2.4.x`, `6.4`; None for any other name."""
    found = _RELEASE.fullmatch(branch)
    if found is None:
        return None
    bare = not found["line"]
    if bare and "." not in branch:  # a number alone is rather an issue's
        return None
    version = tuple(int(number) for number in re.split(r"[._]", found["version"]))
    return Release(found["line"].casefold(), version)


def part_of(branch: str, default: str | None) -> Part:
    """Return a branch's part; `default` is the repository's default branch, where that is known."""
    name = branch.casefold()
    if name in _TRUNKS:
        return Part.TRUNK
    if name in _DEVELOPS:
        return Part.DEVELOP
    if release_of(branch) is not None:
        return Part.RELEASE
    return Part.TRUNK if branch == default else Part.OTHER
