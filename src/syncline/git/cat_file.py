"""Reading objects through one long-lived `git cat-file --batch`."""

import subprocess
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from syncline.errors import GitError
from syncline.git.command import executable
from syncline.git.oid import Oid

# Requests in flight: 32 x 65 bytes fit any pipe buffer, so neither side can block the other for ever.
_WINDOW = 32


class CatFile:
    """One `git cat-file --batch` process; a context manager that ends it.

    Not safe to share between threads.
    """

    def __init__(self, environment: Mapping[str, str], where: Path) -> None:
        self._where = where
        self._process = subprocess.Popen(
            [executable(), "cat-file", "--batch"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=dict(environment),
            cwd="/",
        )

    def read(self, oid: Oid) -> tuple[str, bytes]:
        """Return (type, content) of one object.

        Raises:
            GitError: when the object is not there.
        """
        return next(self.read_all([oid]))

    def read_all(self, oids: Iterable[Oid]) -> Iterator[tuple[str, bytes]]:
        """Yield (type, content) of each object in the order asked.

        Consume it whole before the next request. One object is held in memory at a time.

        Raises:
            GitError: when an object is not there.
        """
        waiting = iter(oids)
        pending: list[Oid] = []
        for oid in waiting:
            pending.append(oid)
            if len(pending) == _WINDOW:
                yield from self._exchange(pending)
                pending = []
        yield from self._exchange(pending)

    def _exchange(self, oids: list[Oid]) -> Iterator[tuple[str, bytes]]:
        if not oids:
            return
        stdin, stdout = self._pipes()
        try:
            stdin.write("".join(f"{oid}\n" for oid in oids).encode())
            stdin.flush()
        except BrokenPipeError:
            raise GitError(f"`git cat-file --batch` ended early in {self._where}") from None
        failed: GitError | None = None
        for oid in oids:
            header = stdout.readline().split()
            if len(header) != 3:
                problem = b" ".join(header).decode("utf-8", "replace") or "the process ended"
                failed = failed or GitError(
                    f"object {oid} cannot be read in {self._where}: {problem}",
                    hint="in a shallow, partial or damaged clone fetch what is missing (git fsck tells)",
                )
                if not header:
                    raise failed
                continue
            content = stdout.read(int(header[2]))
            stdout.read(1)
            if failed is None:
                yield header[1].decode("ascii"), content
        if failed is not None:
            raise failed

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
