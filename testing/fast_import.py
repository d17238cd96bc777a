"""One `git fast-import` process, and the few of its commands that building histories takes."""

import contextlib
import subprocess
import tempfile
from pathlib import Path
from typing import IO

from testing.content import Entry, Tree
from testing.sealed import GitFailedError, sealed_environment, sealed_home

_SAFE = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+@=,/ ")


def quoted(path: bytes) -> bytes:
    """A path as fast-import reads it: in double quotes, everything unusual as an octal escape."""
    return b'"%s"' % b"".join(bytes((byte,)) if byte in _SAFE else b"\\%03o" % byte for byte in path)


def data(content: bytes) -> bytes:
    """The `data` command with an exact byte count."""
    return b"data %d\n%s\n" % (len(content), content)


def tree_changes(before: Tree, after: Tree, blobs: dict[str, bytes]) -> bytes:
    """The file commands from one tree to the other.

    A blob found in `blobs` is sent and taken out of it; every other object is in the repository, or on its
    way to it, and named by its id.
    """
    # Deletions come first: a file may become a directory, or a directory a file.
    lines = [b"D %s\n" % quoted(path) for path in sorted(before.keys() - after.keys())]
    for path, entry in sorted(after.items()):
        if before.get(path) != entry:
            lines.append(_modified(path, entry, blobs.pop(entry.oid, None)))
    return b"".join(lines)


def _modified(path: bytes, entry: Entry, content: bytes | None) -> bytes:
    if content is None:
        return b"M %s %s %s\n" % (entry.mode, entry.oid.encode(), quoted(path))
    return b"M %s inline %s\n%s" % (entry.mode, quoted(path), data(content))


class FastImport:
    """A stream of commands to one process, which is started when the first answer is wanted of it."""

    def __init__(self, git_dir: Path) -> None:
        self._git_dir = git_dir
        self._pending: list[bytes] = []
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None

    def send(self, command: bytes) -> None:
        """Adds a command to the stream."""
        self._pending.append(command)

    def oid_of(self, mark: int) -> str:
        """The object id behind a mark; the object itself becomes readable for others at `finish`."""
        self.send(b"get-mark :%d\n" % mark)
        self._flush()
        process = self._process
        assert process is not None
        assert process.stdout is not None
        answer = process.stdout.readline()
        if not answer:
            self._fail()
        return answer.decode().strip()

    def finish(self) -> None:
        """Ends the stream: objects and refs are written.

        Raises:
            GitFailedError: fast-import did not like a command; the message holds its words.
        """
        self.send(b"done\n")
        self._flush()
        process, errors = self._process, self._errors
        assert process is not None
        assert errors is not None
        process.communicate()
        if process.returncode != 0:
            self._fail()
        errors.close()
        self._process = self._errors = None

    def _flush(self) -> None:
        if self._process is None:
            # A file, not a pipe: nobody reads it while the process runs.
            self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
            self._process = self._start(self._errors)
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(b"".join(self._pending))
            self._process.stdin.flush()
        except BrokenPipeError:
            self._fail()
        self._pending.clear()

    def _start(self, errors: IO[bytes]) -> subprocess.Popen[bytes]:
        # One pack instead of many loose files (unpackLimit), and no waiting for the disk: both for speed.
        settings = ("-c", "fastimport.unpackLimit=1", "-c", "core.fsync=none")
        options = ("--quiet", "--force", "--done", "--date-format=raw")
        command = ["git", "--git-dir", self._git_dir, *settings, "fast-import", *options]
        return subprocess.Popen(
            command,
            env=sealed_environment(sealed_home()),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
        )

    def _fail(self) -> None:
        process, errors = self._process, self._errors
        assert process is not None
        assert errors is not None
        self._process = self._errors = None
        # Leaving the process closes its pipes; what could not be written to it is of no use any more.
        with contextlib.suppress(BrokenPipeError), process:
            process.kill()
        with errors:
            errors.seek(0)
            said = errors.read().decode(errors="replace").strip()
        raise GitFailedError(f"git fast-import in {self._git_dir}: {said}")
