"""What audits and checkers are called, and the mistakes people make in it."""

import difflib
from collections.abc import Iterable

from syncline.audit.audit import audits
from syncline.config.models import AuditSettings, Lane
from syncline.errors import ConfigError

BUILT_IN_CHECKERS = ("ruff", "pyrefly", "ty")


def skippable(settings: AuditSettings) -> tuple[str, ...]:
    """Return the names that `skip` may hold: audits, checkers that come with syncline, and those configured."""
    return (*audits(), *BUILT_IN_CHECKERS, *(checker.name for checker in settings.checkers))


def check_skip(lane: Lane) -> None:
    """Refuse names of nothing in a lane's `skip`: who wrote them thinks that something is skipped.

    Raises:
        ConfigError: there is one; the hint has the known names.
    """
    _check(lane.audit.skip, skippable(lane.audit), f"lanes.{lane.name}.audit.skip: no audit or checker")


def check_only(names: Iterable[str]) -> None:
    """Refuse names of no audit.

    Raises:
        ConfigError: there is one, or no name at all; the hint has the known names.
    """
    _check(tuple(names) or ("",), tuple(audits()), "--only: no audit")


def _check(names: Iterable[str], known: tuple[str, ...], what: str) -> None:
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            meant = f"did you mean {near[0]!r}? " if near else ""
            raise ConfigError(
                f"{what} is named {name!r}", hint=f"{meant}known are {', '.join(dict.fromkeys(known)) or 'none'}"
            )
