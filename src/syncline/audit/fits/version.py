"""Which version of a program is installed: it decides whether an answer that was kept still holds."""

from syncline.audit.fits.said import CheckerError
from syncline.checks.model import Conclusion
from syncline.git import Repository
from syncline.programs.logfile import BoundedLog
from syncline.programs.sealed import run_sealed

_SECONDS = 60.0


def version_of(repository: Repository, program: str) -> str:
    """Return what a program prints when asked for its version.

    Raises:
        CheckerError: it cannot even do that.
    """
    with (
        repository.temporary_directory("version") as aside,
        BoundedLog(aside / "log", limit=1 << 16, head=0) as log,
    ):
        ended = run_sealed((program, "--version"), aside, _SECONDS, log, variables={"HOME": str(aside)})
        if ended.conclusion is not Conclusion.SUCCESS:
            raise CheckerError(f"does not tell its version: {ended.summary}")
        return (aside / "log").read_text("utf-8", "replace").strip()
