"""A commit as files, in a temporary directory of its own.

It holds a small git directory that borrows the repository's objects, so tools that ask git work; nothing done
there (commits, config, refs) reaches the repository.
"""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from syncline.git import command, seal
from syncline.git.oid import CommitId
from syncline.git.repository import Repository


@contextmanager
def checkout(repository: Repository, commit: CommitId) -> Generator[Path]:
    """Yield a directory with the files of `commit`; it is removed at the end.

    No filter or hook runs: files stored through a filter (Git LFS) are the pointers that git stores.
    """
    with repository.temporary_directory("checkout") as holder:
        place = holder / "tree"
        place.mkdir()
        git_dir = seal.make_git_dir(place / ".git", repository.object_format, bare=False)
        seal.borrow_objects(git_dir / "objects", repository.objects_dir)
        (git_dir / "HEAD").write_text(f"{commit}\n")
        shallow = repository.common_dir / "shallow"
        if shallow.is_file():
            (git_dir / "shallow").write_bytes(shallow.read_bytes())
        environment = seal.sealed_environment(git_dir, git_dir / "objects", repository.object_format)
        # Attributes of the content do count here (line endings); drivers and filters are not configured.
        del environment["GIT_ATTR_SOURCE"]
        environment["GIT_WORK_TREE"] = str(place)
        command.run(["read-tree", "--reset", "-u", commit], environment=environment, where=repository.common_dir)
        yield place
