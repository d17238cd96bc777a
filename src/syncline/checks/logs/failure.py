"""One failure as a log tells it. Frozen values, no I/O."""

import hashlib
from dataclasses import dataclass
from enum import StrEnum

from syncline.checks.logs.wording import normalised


class Weight(StrEnum):
    """How directly a failure tells what went wrong. The first causal one of a log is told, not its last line."""

    CAUSE = "cause"
    """An error itself: an exception, a compiler's error, a rule of a linter that is broken."""
    SYMPTOM = "symptom"
    """What follows from an error elsewhere: a rank that dies since another one did, `make: *** Error 2`."""
    END = "end"
    """Only that something ended: an exit code, a time-out, a kill from outside."""


@dataclass(frozen=True, slots=True)
class LogFailure:
    """One failure. Texts are free of ANSI codes, timestamps and secrets (see `clean`).

    Paths are as the log has them, but with `/`, and without the directory of the check-out where that is known.
    """

    tool: str
    """Who says so: `pytest`, `python`, `ruff`, `gcc`, `go test` ..."""
    kind: str
    """The exception's class, the rule, or a word for what happened: `ImportError`, `F821`, `timeout`, `killed`."""
    message: str
    """What it says, on one line."""
    weight: Weight
    at: int
    """The line of the log that says it, 1-based."""
    path: str = ""
    """The file it is in; empty where that is not told."""
    line: int | None = None
    """The line in that file, 1-based."""
    symbol: str = ""
    """The function, class or rule's subject that it concerns."""
    test: str = ""
    """The test that failed, as its runner calls it."""
    chain: tuple[str, ...] = ()
    """For a failed import, or an error deep in calls: the files that led there, the outermost first."""
    excerpt: tuple[str, ...] = ()
    """The lines of the log that show it best, at most some twenty."""
    log: str = ""
    """The file within an archive of logs; empty for a single one."""
    rank: int | None = None
    """The process of a distributed job that says it."""

    @property
    def signature(self) -> str:
        """Sixteen hex digits that are the same for the same fault in another run, rank, log, line or process.

        The test is no part of it: one fault fails many tests.
        """
        words = (self.tool, self.kind, normalised(self.message), self.path, self.symbol)
        return hashlib.sha256("\0".join(words).encode("utf-8", "surrogatepass")).hexdigest()[:16]
