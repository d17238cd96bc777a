"""A shadow of a repository: the same objects, refs and configuration, and whatever is done to it goes with it."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from syncline.git import seal
from syncline.git.repository import Repository


@contextmanager
def shadow(repository: Repository) -> Generator[Repository]:
    """Yield a repository that begins as `repository` is now; nothing done there reaches `repository`.

    Its remotes are the same ones: what is pushed there is pushed.
    """
    with repository.temporary_directory("shadow") as holder:
        git_dir = seal.make_git_dir(holder / "git", repository.object_format, bare=True)
        seal.borrow_objects(git_dir / "objects", repository.objects_dir)
        with (git_dir / "config").open("ab") as config:
            config.write(_include(repository.common_dir / "config"))
        cut = repository.common_dir / "shallow"
        if cut.is_file():
            (git_dir / "shallow").write_bytes(cut.read_bytes())
        listed = repository.on_refs("for-each-ref", "--format=%(objectname) %(refname)").stdout
        (git_dir / "packed-refs").write_bytes(b"# pack-refs with: sorted \n" + listed)
        # A remote may be a relative path, which counts from where the original counts it.
        place = repository.work_tree or repository.git_dir
        with Repository(git_dir, git_dir, place, repository.object_format, shallow=repository.is_shallow) as made:
            yield made


def refs_of(repository: Repository, prefix: str) -> dict[str, str]:
    """Return the refs below `prefix` with what they point to, whatever that is."""
    listed = repository.on_refs("for-each-ref", "--format=%(objectname) %(refname)", prefix).stdout
    lines = listed.decode("utf-8", "surrogateescape").split("\n")[:-1]
    return {name: oid for oid, _, name in (line.partition(" ") for line in lines)}


def _include(config: Path) -> bytes:
    """Return lines that read another file of configuration (git-config(1), "Includes" and "Syntax")."""
    path = os.fsencode(config).replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
    return b'[include]\n\tpath = "' + path + b'"\n'
