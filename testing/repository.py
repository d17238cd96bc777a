"""A finished test repository: where it lies, how its commits are called, and git to ask about it."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from testing.content import AnyPath, Entry, ObjectFormat, StoryError, to_bytes
from testing.sealed import git


@dataclass(frozen=True, slots=True)
class BuiltRepository:
    """A repository as a builder left it.

    `branches` are the tips at that moment; `tip` asks git for the present one. `labels` has the object ids of
    the commits that go by a label, oldest first. `clock` is the date of the newest commit (Unix seconds).
    """

    path: Path
    git_dir: Path
    object_format: ObjectFormat
    branches: Mapping[str, str] = field(repr=False)
    labels: Mapping[str, tuple[str, ...]] = field(repr=False)
    clock: int

    @property
    def bare(self) -> bool:
        """Whether the repository has no work tree."""
        return self.path == self.git_dir

    def __getitem__(self, branch: str) -> str:
        """The object id of the branch's tip when the repository was built."""
        if branch not in self.branches:
            raise StoryError(f"no branch {branch!r} was built, only {sorted(self.branches)}")
        return self.branches[branch]

    def oid(self, label: str) -> str:
        """The object id of the one commit built with this label, or else with this subject."""
        found = self.labels.get(label, ())
        if len(found) != 1:
            raise StoryError(f"{len(found)} commits are called {label!r}; there are {sorted(self.labels)}")
        return found[0]

    def git(
        self,
        *args: AnyPath | Path,
        input: bytes | None = None,  # noqa: A002 - the name subprocess.run has for it
        check: bool = True,
    ) -> bytes:
        """What `git args...` prints in this repository; see `testing.sealed.git`."""
        return git(self.path, *args, input=input, check=check)

    def text(self, *args: AnyPath | Path) -> str:
        """The same as text, without white space around it."""
        return self.git(*args).decode().strip()

    def tip(self, revision: str) -> str:
        """The object id of the commit a revision names now."""
        return self.text("rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}")

    def entries(self, revision: str) -> dict[bytes, Entry]:
        """All files of a commit or tree by path."""
        lines = self.git("ls-tree", "-r", "-z", "--full-tree", revision).split(b"\0")[:-1]
        found: dict[bytes, Entry] = {}
        for line in lines:
            about, _, path = line.partition(b"\t")
            mode, _, oid = about.split(b" ")
            found[path] = Entry(mode, oid.decode())
        return found

    def read(self, revision: str, path: AnyPath) -> bytes:
        """The content of one file in a commit or tree."""
        return self.git("cat-file", "blob", os.fsencode(revision) + b":" + to_bytes(path))

    def clone(self, path: Path, *, bare: bool = False) -> "BuiltRepository":
        """A full clone of this repository, its remote `origin`."""
        return self._cloned(path, *(["--bare"] if bare else []))

    def shallow_clone(self, path: Path, depth: int, *, bare: bool = False) -> "BuiltRepository":
        """A clone that knows the newest `depth` commits of every branch only."""
        return self._cloned(path, f"--depth={depth}", "--no-single-branch", *(["--bare"] if bare else []))

    def _cloned(self, path: Path, *options: str) -> "BuiltRepository":
        # The URL, not the path: git ignores --depth for a local path.
        self.git("clone", "--quiet", "--template=", *options, f"file://{self.path}", path)
        return replace(self, path=path, git_dir=path if "--bare" in options else path / ".git")
