"""A git that works in the background while its caller does something else."""

import tempfile

from syncline.errors import GitError
from syncline.git import command
from syncline.git.repository import Repository


class Background:
    """A sealed git command, started at once; `finish` waits for it. It ends with its repository at the latest."""

    def __init__(self, repository: Repository, words: tuple[str, ...]) -> None:
        self._where = repository.common_dir
        self._words = words
        # Files, not pipes: nobody reads while git writes.
        self._printed = tempfile.TemporaryFile(dir=repository.temporary)  # noqa: SIM115 - closed at the end
        self._errors = tempfile.TemporaryFile(dir=repository.temporary)  # noqa: SIM115
        self._process = command.start(
            words, environment=repository.sealed_environment, stdout=self._printed, stderr=self._errors
        )
        repository.at_close(self.cancel)

    def cancel(self) -> None:
        """End it, answered or not; nobody asks for the answer any more."""
        self._process.kill()
        self._process.wait()
        self._printed.close()
        self._errors.close()

    def finish(self) -> tuple[int, bytes, bytes]:
        """Wait, and return exit status, output and error output."""
        status = self._process.wait()
        with self._printed as printed, self._errors as errors:
            printed.seek(0)
            errors.seek(0)
            return status, printed.read(), errors.read()

    def failure(self, status: int, complaint: bytes) -> GitError:
        """Return the error for an end that is no answer."""
        return command.failure(self._words, status, complaint, self._where)
