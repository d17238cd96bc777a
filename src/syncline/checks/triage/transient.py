"""Signatures of faults that come from outside the commit: networks, registries, runners, devices.

The list is data (`transient.toml`, each entry with its origin); a lane may add its own. A signature only says what
a message looks like; whether it is believed is for `verdict` to weigh.
"""

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from syncline.checks.logs.failure import LogFailure
from syncline.checks.triage.cause import Cause
from syncline.errors import ConfigError

CAUSES = (Cause.INFRASTRUCTURE, Cause.DEPENDENCY, Cause.FLAKY)
"""What a signature may stand for."""

_KEYS = {"match", "cause", "says", "origin"}
_READ = 2_000
"""Characters of a failure that the patterns are held against."""


@dataclass(frozen=True, slots=True)
class Signature:
    """What a passing fault looks like. `pattern` is searched for, without case."""

    pattern: re.Pattern[str]
    cause: Cause
    says: str
    """What it is, for people."""
    origin: str
    """Where the words come from: a tool's documentation or source, or `observed`."""


@cache
def known() -> tuple[Signature, ...]:
    """Return the signatures that come with syncline.

    Raises:
        ConfigError: the file is not what it must be; it says which entry, and what is wrong.
    """
    text = files("syncline.checks.triage").joinpath("transient.toml").read_text("utf-8")
    return parse(text, "transient.toml")


def parse(text: str, name: str) -> tuple[Signature, ...]:
    """Return the signatures that a TOML text holds, in its order; `name` is that of the file, for errors.

    Raises:
        ConfigError: it is no TOML, or an entry is not what it must be.
    """
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{name}: wanted TOML; {error}") from error
    entries = document.pop("signature", None)
    if document or not isinstance(entries, list):
        odd = f", found {', '.join(sorted(document))}" if document else ""
        raise ConfigError(f"{name}: wanted [[signature]] tables and nothing else{odd}")
    return tuple(_entry(entry, f"{name}: signature {number}") for number, entry in enumerate(entries, 1))


def signature(*, match: str, cause: str, says: str, origin: str, where: str) -> Signature:
    """Return one signature; `where` names its place in messages.

    Raises:
        ConfigError: the pattern is no regular expression or fits everything; the cause is none it may stand for.
    """
    try:
        pattern = re.compile(match, re.IGNORECASE)
    except (re.error, OverflowError, RecursionError) as error:
        raise ConfigError(f"{where}: match wants a regular expression; {error}") from error
    if pattern.search("") is not None:
        raise ConfigError(f"{where}: match fits everything, {match!r}", hint="write the words that tell the fault")
    if cause not in CAUSES:
        wanted = ", ".join(CAUSES)
        raise ConfigError(f"{where}: cause wants one of {wanted}; found {cause!r}")
    return Signature(pattern, Cause(cause), says, origin)


def find(failure: LogFailure, signatures: Sequence[Signature]) -> Signature | None:
    """Return the first signature that a failure bears; None for an ordinary one.

    The lines around it are read too where it is no test's own words: a test may print what it likes. What a
    test asserts is never passing, whatever it speaks of (a server's status, say).
    """
    if "assert" in failure.kind.casefold():
        return None
    words = f"{failure.kind}: {failure.message}"
    if not failure.test:
        words = "\n".join((words, *failure.excerpt))
    words = words[:_READ]
    return next((one for one in signatures if one.pattern.search(words)), None)


def merged(own: Iterable[Signature]) -> tuple[Signature, ...]:
    """Return a lane's own signatures, which come first, and the known ones."""
    return (*own, *known())


def _entry(entry: Any, where: str) -> Signature:
    if not isinstance(entry, dict) or set(entry) != _KEYS:
        found = ", ".join(sorted(entry)) if isinstance(entry, dict) else type(entry).__name__
        raise ConfigError(f"{where}: wanted the keys {', '.join(sorted(_KEYS))}; found {found}")
    wrong = sorted(key for key in _KEYS if not isinstance(entry[key], str) or not entry[key].strip())
    if wrong:
        raise ConfigError(f"{where}: wanted text for {', '.join(wrong)}")
    return signature(**entry, where=where)
