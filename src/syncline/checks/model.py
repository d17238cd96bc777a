"""One check, and all of them for one commit (the rollup). Frozen values, no I/O.

Names follow GitHub's check runs, since every forge's results are normalised to them:
https://docs.github.com/en/rest/checks/runs
"""

import re
from dataclasses import dataclass
from enum import StrEnum

_COMMIT_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


def is_commit_id(text: str) -> bool:
    """Whether `text` is a full commit id as git prints it: 40 (SHA-1) or 64 (SHA-256) lower-case hex digits.

    The null id, git's way to say "no commit", is none.
    """
    return _COMMIT_ID.fullmatch(text) is not None and text.strip("0") != ""


class CheckState(StrEnum):
    """Where a check is. `COMPLETED` is the only terminal state."""

    QUEUED = "queued"
    RUNNING = "running"
    COMPLETED = "completed"


class Conclusion(StrEnum):
    """How a completed check ended."""

    SUCCESS = "success"
    FAILURE = "failure"
    NEUTRAL = "neutral"
    CANCELLED = "cancelled"
    SKIPPED = "skipped"
    TIMED_OUT = "timed_out"
    ACTION_REQUIRED = "action_required"
    STALE = "stale"
    STARTUP_FAILURE = "startup_failure"


@dataclass(frozen=True, slots=True)
class Check:
    """One result of one check for one commit.

    `order` tells which of several results with the same name is the newest (a row id or a start time in
    milliseconds: larger is newer). `conclusion` is set exactly when `state` is `COMPLETED`.
    """

    name: str
    sha: str
    state: CheckState
    conclusion: Conclusion | None = None
    order: int = 0
    summary: str = ""
    log: str = ""
    """Where the log lies: a file path or a URL; empty when there is none."""
    seconds: float | None = None
    spec: str = ""
    """What was run under this name (see `forge.spec_digest`); empty where the forge does not know."""
    required: bool = False
    """Whether the target branch's own rules at the forge require it."""
    reported: bool = True
    """False for a required check of which there is no result at all; it stands as queued."""

    def __post_init__(self) -> None:
        if (self.state is CheckState.COMPLETED) != (self.conclusion is not None):
            raise ValueError(f"check {self.name!r}: state {self.state} with conclusion {self.conclusion}")


@dataclass(frozen=True, slots=True)
class Rollup:
    """Every result that the forge knows for one commit, old attempts included."""

    sha: str
    checks: tuple[Check, ...] = ()
