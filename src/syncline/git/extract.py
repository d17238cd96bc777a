"""Chosen files of a tree as plain files in a directory: no git directory beside them, no link, no submodule."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from syncline.git.oid import CommitId, Oid, TreeId
from syncline.git.repository import Repository
from syncline.git.tree import Entry, Mode


def files_of(repository: Repository, tree: TreeId | CommitId) -> Iterator[tuple[bytes, Entry]]:
    """Yield every entry below a tree that is no directory, with its path, sorted by path.

    Raises:
        GitError: a tree object is missing.
    """
    for record in repository.sealed("ls-tree", "-r", "-z", tree).stdout.split(b"\0")[:-1]:
        head, path = record.split(b"\t", 1)
        mode, _, oid = head.decode("ascii").split()
        yield path, Entry(Mode.of(mode), Oid.printed(oid))


def extract(repository: Repository, files: Iterable[tuple[bytes, Entry]], place: Path) -> None:
    """Write regular files into an empty directory; whatever else is among them is left out.

    No filter, hook or attribute has a say: the content is what git stores.

    Raises:
        GitError: a blob is missing, or it cannot be written.
    """
    with repository.temporary_directory("index") as aside:
        environment = {"GIT_INDEX_FILE": str(aside / "index"), "GIT_WORK_TREE": str(place)}
        listed = b"".join(
            b"%s %s\t%s\0" % (entry.mode.encode(), entry.oid.encode(), path)
            for path, entry in files
            if entry.mode.is_file
        )
        repository.sealed("update-index", "-z", "--index-info", input=listed, extra=environment)
        repository.sealed("checkout-index", "--all", "--quiet", extra=environment)
