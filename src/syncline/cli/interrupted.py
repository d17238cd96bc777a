"""What an interrupt leaves of each command, in words. Imports nothing: it is needed when time is short."""

_ANYTHING = "run the same command again"
_NOTHING = "nothing was changed; run the same command again"
_LEFT = {
    "sync": "the next `syncline tick` goes on from here",
    "tick": "the next `syncline tick` goes on from here",
    "abort": "the next `syncline abort` goes on from here",
    "learn": "nothing was learned, the record is as it was; run the same command again",
    "replay": "a replay cannot go on from here; the same command begins anew",
    "plan": _NOTHING,
    "merge": _NOTHING,
    "status": _NOTHING,
    "proposals": _NOTHING,
    "verify": _NOTHING,
    "audit": _NOTHING,
}
"""By the name of the command; whatever is not here may have written some of its files."""
_WITH_VALUE = ("-C", "--config")


def left_by(arguments: list[str]) -> str:
    """Return what the command that `arguments` call left when it was interrupted, and what to do."""
    words = iter(arguments)
    for word in words:
        if word in _WITH_VALUE:
            next(words, None)
        elif not word.startswith("-"):
            dry = "--dry-run" in arguments
            return _NOTHING if dry else _LEFT.get(word, _ANYTHING)
    return _ANYTHING
