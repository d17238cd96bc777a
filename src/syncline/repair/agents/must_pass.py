"""A command that must succeed, run on a tree that an agent had a hand in."""

import time

from syncline.checks.model import Conclusion
from syncline.config.models import MustPass
from syncline.git import CommitId, Repository
from syncline.git.checkout import checkout
from syncline.git.scratch import Scratch
from syncline.programs.apart import apart
from syncline.programs.logfile import BoundedLog, one_line
from syncline.programs.sealed import run_sealed
from syncline.secrets.hide import hidden

_LOG = 4_000_000


def failing(repository: Repository, command: MustPass, commit: CommitId) -> str:
    """Run a command on a clean check-out of a commit; return in words that it does not succeed, empty if it does.

    What it runs was written by an agent: it gets a home of its own, and sees no process but its own where the
    kernel lets us see to that.
    """
    scratch = Scratch.make()
    try:
        home = scratch.path / "home"
        home.mkdir()
        variables = {"HOME": str(home), "TMPDIR": str(home), "CI": "true"}
        words = (*(apart(network=True) or ()), *command.command)
        begun = time.monotonic()
        with (
            checkout(repository, commit) as place,
            BoundedLog(scratch.path / "log", limit=_LOG, head=_LOG // 4) as log,
        ):
            ended = run_sealed(words, place, command.timeout, log, variables=variables)
        if ended.conclusion is Conclusion.SUCCESS:
            return ""
        seconds = time.monotonic() - begun
        return f"{command.name} does not pass with it ({seconds:.1f} s): {one_line(hidden(ended.summary))}"
    finally:
        scratch.remove()
