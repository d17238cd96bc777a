"""Looks over the checks asked for, before anything runs: names, commands, limits, and what needs what."""

import graphlib
from collections.abc import Sequence

from syncline.checks.model import is_commit_id
from syncline.errors import ForgeError
from syncline.forge.protocol import CheckSpec


def checked(specs: Sequence[CheckSpec]) -> tuple[CheckSpec, ...]:
    """The specs as they came, looked over. ForgeError if they make no sense together."""
    by_name = {spec.name: spec for spec in specs}
    if len(by_name) != len(specs):
        names = [spec.name for spec in specs]
        twice = sorted({name for name in names if names.count(name) > 1})
        raise ForgeError(f"checks need different names, found twice: {', '.join(twice)}")
    for spec in specs:
        if not spec.name or not spec.command or not spec.command[0]:
            raise ForgeError(f"check {spec.name!r} needs a name and a command")
        if spec.timeout <= 0:
            raise ForgeError(f"check {spec.name} needs a time limit above 0 s, found {spec.timeout:g} s")
        for need in spec.needs:
            if need not in by_name:
                raise ForgeError(
                    f"check {spec.name} needs {need}, and there is no such check",
                    hint=f"there are: {', '.join(by_name)}",
                )
    try:
        graphlib.TopologicalSorter({spec.name: spec.needs for spec in specs}).prepare()
    except graphlib.CycleError as error:
        raise ForgeError(f"checks need each other in a circle: {' → '.join(reversed(error.args[1]))}") from error
    return tuple(specs)


def require_commit(sha: str) -> None:
    """ForgeError unless `sha` is a full commit id; it also becomes a directory's name."""
    if not is_commit_id(sha):
        raise ForgeError(f"wanted a full commit id, found {sha!r}")
