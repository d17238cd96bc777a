"""A repository, and the git processes that work on it."""

import os
import subprocess
import tempfile
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Self

from syncline.errors import GitError
from syncline.git import command, seal
from syncline.git.cat_file import CatFile
from syncline.git.object_writer import BlobWriter, write_edited_tree
from syncline.git.oid import BlobId, Oid, TreeId
from syncline.git.scratch import Scratch, remove_tree
from syncline.git.tree import Entry, Mode, parse_tree

_TREE_CACHE_LIMIT = 4096


class Repository:
    """One repository. A context manager: leaving it ends its processes and removes its sealed directory.

    Made by `open`. Not safe to share between threads; open another one instead.
    """

    def __init__(
        self,
        git_dir: Path,
        common_dir: Path,
        work_tree: Path | None,
        object_format: str,
        *,
        shallow: bool,
        keep_objects: bool = True,
    ) -> None:
        self.git_dir = git_dir
        """Where HEAD and the index are (a linked work tree has its own)."""
        self.common_dir = common_dir
        """Where refs, objects and syncline's state are."""
        self.work_tree = work_tree
        """The user's work tree, or None when bare. Never written to."""
        self.object_format = object_format
        self.is_shallow = shallow
        self._keep_objects = keep_objects
        self.objects_dir = common_dir / "objects"
        self._scratch: Scratch | None = None
        self._cat_file: CatFile | None = None
        self._blob_writer: BlobWriter | None = None
        self._trees: dict[TreeId, dict[bytes, Entry]] = {}
        self._at_close: list[Callable[[], None]] = []

    @classmethod
    def open(cls, directory: Path, *, keep_objects: bool = True) -> Self:
        """Find the repository that `directory` belongs to.

        Args:
            directory: in its work tree, or its git directory.
            keep_objects: whether what is written is to stay; without it, it goes when this object is closed.

        Raises:
            GitError: when git is missing or too old, or there is no usable repository.
        """
        command.version()
        directory = directory.absolute()  # git is started in the root directory
        if not directory.is_dir():
            found = "there is a file" if directory.exists() else "there is no such directory"
            raise GitError(f"a repository was expected at {directory}, {found}", hint="name one with -C DIR")
        flags = ("--absolute-git-dir", "--git-common-dir", "--is-bare-repository", "--is-shallow-repository",
                 "--show-object-format", "--is-inside-work-tree")  # fmt: skip
        try:
            printed = command.run(
                ["-C", os.fsencode(directory), "rev-parse", *flags],
                environment=seal.discovery_environment(),
                where=directory,
            )
        except GitError as error:
            raise GitError(
                f"no usable git repository at {directory}: {error.message.rpartition('fatal: ')[2]}",
                hint="name one with -C DIR",
            ) from error
        lines = printed.stdout.split(b"\n")
        # A directory name may hold newlines; the four one-word answers stand at the end.
        shallow, object_format, inside = lines[-4] == b"true", lines[-3].decode(), lines[-2] == b"true"
        paths = lines[:-5]
        half = _split_paths(paths, directory)
        work_tree = _work_tree(directory) if inside else None
        return cls(half[0], half[1], work_tree, object_format, shallow=shallow, keep_objects=keep_objects)

    # --- starting git -------------------------------------------------------------------------------------

    def sealed(
        self,
        *arguments: str | bytes,
        input: bytes = b"",  # noqa: A002 - the name subprocess uses
        accept: Sequence[int] = (0,),
        extra: Mapping[str, str] | None = None,
    ) -> subprocess.CompletedProcess[bytes]:
        """Run git on the objects alone; it sees no ref, hook, filter or config of this repository.

        Args:
            arguments: what follows `git`.
            input: standard input.
            accept: exit statuses that are answers.
            extra: further environment (identity and dates of a commit).

        Raises:
            GitError: for any other exit status.
        """
        environment = self.sealed_environment | dict(extra or {})
        return command.run(arguments, environment=environment, where=self.common_dir, input=input, accept=accept)

    def on_refs(
        self,
        *arguments: str | bytes,
        input: bytes = b"",  # noqa: A002 - the name subprocess uses
        accept: Sequence[int] = (0,),
    ) -> subprocess.CompletedProcess[bytes]:
        """Run git on the repository's own git directory, hooks and user config switched off."""
        return command.run(
            [*seal.OWN_GIT_DIR_SWITCHES, *arguments],
            environment=seal.refs_environment(self.git_dir),
            where=self.common_dir,
            input=input,
            accept=accept,
        )

    def on_network(
        self,
        *arguments: str | bytes,
        accept: Sequence[int] = (0,),
    ) -> subprocess.CompletedProcess[bytes]:
        """Run git with the user's own configuration, for remotes and who the user is; hooks are switched off."""
        return command.run(
            [*seal.OWN_GIT_DIR_SWITCHES, *arguments],
            environment=seal.network_environment(self.git_dir),
            where=self.common_dir,
            accept=accept,
            # A remote may be a relative path; git counts it from here.
            cwd=self.work_tree or self.git_dir,
        )

    @cached_property
    def sealed_environment(self) -> dict[str, str]:
        """The environment of the sealed room; made on first use."""
        room = seal.make_git_dir(self.temporary / "sealed", self.object_format, bare=True)
        objects = self.objects_dir
        if not self.keeps_objects:
            # What is written lies in the sealed room, and goes with it.
            objects = room / "objects"
            seal.borrow_objects(objects, self.objects_dir)
        environment = seal.sealed_environment(room, objects, self.object_format)
        if self.is_shallow:
            environment["GIT_SHALLOW_FILE"] = str(self.common_dir / "shallow")
        return environment

    @cached_property
    def keeps_objects(self) -> bool:
        """Whether what is written here stays: not where it is not to, or the object directory is not writable.

        Merging works there all the same; its result is gone when this object is closed.
        """
        effective = os.access in os.supports_effective_ids
        return self._keep_objects and os.access(self.objects_dir, os.W_OK, effective_ids=effective)

    @property
    def temporary(self) -> Path:
        """A private directory that lives as long as this object."""
        if self._scratch is None:
            self._scratch = Scratch.make()
        return self._scratch.path

    @property
    def state_dir(self) -> Path:
        """Where syncline keeps its journal, forge and reports: inside the git directory, never in a work tree."""
        return self.common_dir / "syncline"

    # --- reading ------------------------------------------------------------------------------------------

    @property
    def objects(self) -> CatFile:
        """The long-lived object reader."""
        if self._cat_file is None:
            self._cat_file = CatFile(self.sealed_environment, self.common_dir)
        return self._cat_file

    def has(self, oid: Oid) -> bool:
        """Whether the object is here."""
        return self.sealed("cat-file", "-e", oid, accept=(0, 1, 128)).returncode == 0

    def missing(self, oids: Iterable[Oid]) -> frozenset[Oid]:
        """Return those of some objects that are not here (a partial clone leaves some out)."""
        asked = "".join(f"{oid}\n" for oid in oids)
        if not asked:
            return frozenset()
        answers = self.sealed("cat-file", "--batch-check=%(objecttype)", input=asked.encode()).stdout
        return frozenset(
            Oid.from_bytes(line.split()[0]) for line in answers.splitlines() if line.endswith(b" missing")
        )

    def blob(self, oid: Oid) -> bytes:
        """Return the content of a blob."""
        return self._typed(oid, "blob")

    def blobs(self, oids: Iterable[Oid]) -> Iterator[bytes]:
        """Yield the contents of blobs, one in memory at a time."""
        for kind, content in self.objects.read_all(oids):
            if kind != "blob":
                raise GitError(f"a blob was wanted in {self.common_dir}, found a {kind}")
            yield content

    def commit_object(self, oid: Oid) -> bytes:
        """Return the raw content of a commit."""
        return self._typed(oid, "commit")

    def tree(self, oid: TreeId) -> dict[bytes, Entry]:
        """Return the entries of one tree (not of its subtrees). Do not change what is returned."""
        known = self._trees.get(oid)
        if known is None:
            known = parse_tree(self._typed(oid, "tree"), len(oid) // 2)
            if len(self._trees) >= _TREE_CACHE_LIMIT:
                self._trees.clear()
            self._trees[oid] = known
        return known

    def entry(self, tree: TreeId, path: bytes) -> Entry | None:
        """Return what stands at `path` below `tree`, None when nothing does."""
        parts = path.split(b"/")
        here = tree
        for part in parts[:-1]:
            found = self.tree(here).get(part)
            if found is None or found.mode is not Mode.DIRECTORY:
                return None
            here = TreeId(found.oid)
        return self.tree(here).get(parts[-1])

    def _typed(self, oid: Oid, wanted: str) -> bytes:
        kind, content = self.objects.read(oid)
        if kind != wanted:
            raise GitError(f"{oid} in {self.common_dir} was expected to be a {wanted}, it is a {kind}")
        return content

    # --- writing ------------------------------------------------------------------------------------------

    def write_blob(self, content: bytes) -> BlobId:
        """Store a blob and return its id."""
        if self._blob_writer is None:
            self._blob_writer = BlobWriter(self.sealed_environment, self.common_dir, self.temporary)
        return self._blob_writer.write(content)

    def edit_tree(self, tree: TreeId, edits: Mapping[bytes, Entry | None]) -> TreeId:
        """Return `tree` with each path of `edits` set to its entry, or removed where that is None.

        Only the directories concerned are read and written. A directory that becomes empty goes. An entry
        replaces whatever stood there, a whole directory included.

        Raises:
            ValueError: when the edits contradict each other or a path is not one.
            GitError: when an object is missing.
        """
        if not edits:
            return tree
        return write_edited_tree(self, tree, edits)

    @property
    def empty_tree(self) -> TreeId:
        """The id of the tree with nothing in it."""
        return TreeId(seal.EMPTY_TREE[self.object_format])

    @property
    def null_oid(self) -> Oid:
        """The all-zero id, which stands for "no object"."""
        return Oid("0" * len(self.empty_tree))

    # --- life ---------------------------------------------------------------------------------------------

    @contextmanager
    def temporary_directory(self, purpose: str) -> Generator[Path]:
        """Yield a new directory; it is removed at the end, read-only content included."""
        place = Path(tempfile.mkdtemp(prefix=f"{purpose}-", dir=self.temporary))
        try:
            yield place
        finally:
            remove_tree(place)

    def require_whole_history(self) -> None:
        """Refuse a clone whose history is cut: its merge bases would be wrong.

        Raises:
            GitError: always for a shallow clone.
        """
        if self.is_shallow:
            raise GitError(
                f"{self.common_dir} is a shallow clone; a merge there could start from the wrong base",
                hint="fetch the whole history first: git fetch --unshallow",
            )

    def at_close(self, end: Callable[[], None]) -> None:
        """Call `end` when this object is closed: for what was started and may never be waited for."""
        self._at_close.append(end)

    def close(self) -> None:
        """End the processes and remove what is temporary."""
        while self._at_close:
            self._at_close.pop()()
        if self._cat_file is not None:
            self._cat_file.close()
            self._cat_file = None
        if self._blob_writer is not None:
            self._blob_writer.close()
            self._blob_writer = None
        if self._scratch is not None:
            self._scratch.remove()
            self._scratch = None
            self.__dict__.pop("sealed_environment", None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Repository({str(self.common_dir)!r})"


def _split_paths(lines: list[bytes], directory: Path) -> tuple[Path, Path]:
    """Split the lines into git dir and common dir; each may hold newlines, both usually are one line."""
    for count in range(1, len(lines)):
        git_dir = Path(os.fsdecode(b"\n".join(lines[:count])))
        common = directory / os.fsdecode(b"\n".join(lines[count:]))
        if git_dir.is_dir() and (common / "objects").is_dir():
            return git_dir.resolve(), common.resolve()
    raise GitError(f"git named no git directory for {directory}")


def _work_tree(directory: Path) -> Path:
    printed = command.run(
        ["-C", os.fsencode(directory), "rev-parse", "--show-toplevel"],
        environment=seal.discovery_environment(),
        where=directory,
    )
    return Path(os.fsdecode(printed.stdout.removesuffix(b"\n")))
