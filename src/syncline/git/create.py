"""New repositories, and filling the work tree of one that syncline itself made.

This is the only place where syncline writes into a work tree that is not a temporary one.
"""

from pathlib import Path

from syncline.errors import GitError
from syncline.git import command, seal
from syncline.git.refs import branch_ref, resolve_commit
from syncline.git.repository import Repository


def create_repository(place: Path, *, default_branch: str) -> None:
    """Make an empty repository with a work tree at `place`, parents included.

    Neither the user's templates nor their git configuration have a say in it.

    Args:
        place: a directory that does not exist yet or has nothing in it.
        default_branch: the branch that HEAD names.

    Raises:
        GitError: the place is taken or cannot be written, or git does not accept the branch's name.
    """
    _require_empty(place)
    environment = seal.discovery_environment() | {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_TEMPLATE_DIR": "",
    }
    arguments = ["init", "--quiet", "--template=", "--initial-branch", default_branch, "--", str(place.absolute())]
    command.run(arguments, environment=environment, where=place)


def _require_empty(place: Path) -> None:
    wanted = f"a new repository was to be made at {place}"
    hint = "name a directory that does not exist yet or is empty"
    try:
        taken = next(place.iterdir(), None)
    except FileNotFoundError:
        return
    except NotADirectoryError:
        raise GitError(f"{wanted}, there is a file", hint=hint) from None
    except OSError as error:
        raise GitError(f"{wanted}, which cannot be read: {error.strerror}", hint=hint) from None
    if taken is not None:
        raise GitError(f"{wanted}, the directory is not empty (it holds {taken.name})", hint=hint)


def check_out(repository: Repository, branch: str) -> None:
    """Let HEAD name `branch` and fill index and work tree with its files.

    Only for a repository that `create_repository` made and nobody worked in: what stands in the work tree is
    replaced.

    Raises:
        GitError: the repository is bare, or there is no such branch.
    """
    if repository.work_tree is None:
        raise GitError(f"{repository.common_dir} has no work tree to check {branch} out in")
    commit = resolve_commit(repository, branch_ref(branch))
    repository.on_refs("symbolic-ref", "HEAD", branch_ref(branch))
    repository.on_refs(f"--work-tree={repository.work_tree}", "read-tree", "--reset", "-u", commit)
