"""Reading objects through one long-lived `git cat-file --batch`."""

import subprocess
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from syncline.errors import GitError
from syncline.git import command
from syncline.git.missing import missing_hint
from syncline.git.oid import Oid

# Requests in flight: 32 x 65 bytes fit any pipe buffer, so neither side can block the other for ever.
_WINDOW = 32


@dataclass(slots=True)
class _Request:
    """Objects asked for whose answers are still in the pipe, and answers read before anyone wanted them."""

    unread: deque[Oid]
    answers: deque[tuple[str, bytes] | GitError]


class CatFile:
    """One `git cat-file --batch` process; a context manager that ends it.

    Requests may be made while the answers to an earlier one are still being read. Not safe to share between
    threads.
    """

    def __init__(self, environment: Mapping[str, str], where: Path) -> None:
        self._where = where
        self._process = command.start(["cat-file", "--batch"], environment=environment, stdin=subprocess.PIPE)
        self._open: _Request | None = None

    def read(self, oid: Oid) -> tuple[str, bytes]:
        """Return (type, content) of one object.

        Raises:
            GitError: when the object is not there.
        """
        return next(self._exchange([oid]))

    def read_all(self, oids: Iterable[Oid]) -> Iterator[tuple[str, bytes]]:
        """Yield (type, content) of each object in the order asked, one held in memory at a time.

        Raises:
            GitError: when an object is not there.
        """
        waiting = iter(oids)
        while window := list(islice(waiting, _WINDOW)):
            yield from self._exchange(window)

    def _exchange(self, oids: list[Oid]) -> Iterator[tuple[str, bytes]]:
        self._read_ahead()
        stdin, _ = self._pipes()
        try:
            stdin.write("".join(f"{oid}\n" for oid in oids).encode())
            stdin.flush()
        except BrokenPipeError:
            raise GitError(f"`git cat-file --batch` ended early in {self._where}") from None
        request = self._open = _Request(deque(oids), deque())
        while request.unread or request.answers:
            answer = request.answers.popleft() if request.answers else self._answer(request.unread.popleft())
            if isinstance(answer, GitError):
                raise answer
            yield answer

    def _read_ahead(self) -> None:
        """Read what git still has to say to the request before: its reader was interrupted, or gave up."""
        while self._open is not None and self._open.unread:
            self._open.answers.append(self._answer(self._open.unread.popleft()))

    def _answer(self, oid: Oid) -> tuple[str, bytes] | GitError:
        _, stdout = self._pipes()
        header = stdout.readline().split()
        if len(header) == 3:
            size = int(header[2])
            content = stdout.read(size)
            if len(content) == size and stdout.read(1) == b"\n":
                return header[1].decode("ascii"), content
            header = []
        problem = b" ".join(header).decode("utf-8", "replace") or "the process ended"
        return GitError(
            f"object {oid} cannot be read in {self._where}: {problem}",
            hint=missing_hint(command.executable(), self._where),
        )

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        assert self._process.stdin is not None  # noqa: S101 - tells the type checker: both are pipes
        assert self._process.stdout is not None  # noqa: S101
        return self._process.stdin, self._process.stdout

    def close(self) -> None:
        """End the process."""
        stdin, stdout = self._pipes()
        try:
            stdin.close()
        except BrokenPipeError:
            self._process.kill()
        stdout.close()
        self._process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
