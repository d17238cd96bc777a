"""What a lane asks people: which open path first, and what their answers so far would settle beside."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from syncline.lane.from_answers import MESSAGE, PATCH
from syncline.lane.state import State
from syncline.propose.ask_first import Asked, ask_first
from syncline.propose.settle import trailer_pattern
from syncline.trailer_names import SETTLED


@dataclass(frozen=True, slots=True)
class Asking:
    """The open paths of a sync, in the order in which they are asked for, and what answers settle beside."""

    paths: tuple[Asked, ...]
    """Those that tell most of the others first; those in `settled` last."""
    settled: tuple[bytes, ...]
    """Open paths that people's answers would settle."""
    patch: Path | None
    """What settles them; None where nothing does, or nothing changes by it."""
    message: Path | None
    """The message of the commit that does."""


def asking(state: State, reports: Path) -> Asking:
    """Return what is asked.

    Args:
        state: where the sync stands.
        reports: the directory of the run's report, beside which lies what answers settle.
    """
    message, patch = reports / MESSAGE, reports / PATCH
    named = _named(message)
    settled = tuple(one.path for one in state.unresolved if trailer_pattern(one.path) in named)
    # What other answers settle need not be asked, nor spoken for.
    first: Sequence[Asked] = ask_first([one for one in state.unresolved if one.path not in settled])
    return Asking(
        (*first, *(Asked(path, 0, 0) for path in settled)),
        settled,
        patch if settled and patch.is_file() else None,
        message if settled else None,
    )


def _named(message: Path) -> set[str]:
    """Return the patterns of the paths that a commit's message says it settles."""
    try:
        lines = message.read_text(encoding="utf-8").splitlines()
    except (FileNotFoundError, NotADirectoryError):
        return set()
    return {line.removeprefix(f"{SETTLED}: ") for line in lines if line.startswith(f"{SETTLED}: ")}
