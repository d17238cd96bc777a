"""Remotes: where branches stand there, fetching them, pushing with a lease."""

from collections.abc import Mapping, Sequence

from syncline.errors import FenceError, GitError
from syncline.git.oid import CommitId
from syncline.git.refs import branch_ref
from syncline.git.repository import Repository


def remote_heads(repository: Repository, remote: str, branches: Sequence[str]) -> dict[str, CommitId]:
    """Return where `branches` stand at `remote`; those that do not exist there are left out.

    Raises:
        GitError: when the remote cannot be reached.
    """
    done = repository.on_network("ls-remote", "--heads", "--", remote, *map(branch_ref, branches))
    heads = {}
    # Not splitlines: a branch's name may hold what Unicode takes for the end of a line.
    for line in done.stdout.decode("utf-8", "surrogateescape").split("\n")[:-1]:
        oid, _, name = line.partition("\t")
        heads[name.removeprefix("refs/heads/")] = CommitId(oid)
    return {branch: heads[branch] for branch in branches if branch in heads}


def fetch_branches(repository: Repository, remote: str, into: Mapping[str, str]) -> None:
    """Fetch branches into refs of our own; the user's remote-tracking refs and FETCH_HEAD stay as they are.

    Args:
        repository: where to.
        remote: its name or URL.
        into: branch at the remote -> full name of the ref here.

    Raises:
        GitError: when a branch is missing or the remote cannot be reached.
    """
    if not into:
        return  # without a refspec git would fetch what the remote's configuration says
    refspecs = [f"+{branch_ref(branch)}:{ref}" for branch, ref in into.items()]
    repository.on_network(
        "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance", "--refmap=",
        "--no-prune", "--no-recurse-submodules",
        "--", remote, *refspecs,
    )  # fmt: skip


def push_branch(
    repository: Repository, remote: str, branch: str, *, new: CommitId | None, old: CommitId | None
) -> None:
    """Move a branch at a remote from `old` to `new`, or not at all.

    Args:
        repository: where the commit is.
        remote: the remote's name or URL.
        branch: the branch there.
        new: where it goes; None deletes it.
        old: where it must stand now; None: it must not exist.

    Raises:
        FenceError: when it stands elsewhere.
        GitError: when the remote refuses.
    """
    ref = branch_ref(branch)
    try:
        repository.on_network(
            "push", "--porcelain", "--no-verify", "--quiet", "--no-follow-tags",
            f"--force-with-lease={ref}:{old or ''}", "--", remote, f"{new or ''}:{ref}",
        )  # fmt: skip
    except GitError as error:
        if "stale info" in error.message:
            raise FenceError(f"branch {branch} at {remote} moved before the push; nothing was changed") from error
        raise
