"""Remotes: where branches stand there, fetching them, pushing with a lease."""

import re
from collections.abc import Mapping, Sequence

from syncline.errors import FenceError, GitError
from syncline.git.command import failure, mask
from syncline.git.oid import CommitId
from syncline.git.push_trouble import push_hint
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


def fetch_ref(repository: Repository, remote: str, ref: str, into: str) -> None:
    """Fetch any ref, by its full name, into a ref of our own.

    Raises:
        GitError: when there is none of that name, or the remote cannot be reached.
    """
    repository.on_network(
        "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance", "--refmap=",
        "--no-prune", "--no-recurse-submodules", "--", remote, f"+{ref}:{into}",
    )  # fmt: skip


# The first by our git, which asked before; the others by theirs, where it moved while we pushed.
_MOVED = re.compile(rb"\(stale info\)|but expected|reference already exists|incorrect old value provided")


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
    arguments = (
        "push", "--porcelain", "--no-verify", "--quiet", "--no-follow-tags",
        f"--force-with-lease={ref}:{old or ''}", "--", remote, f"{new or ''}:{ref}",
    )  # fmt: skip
    done = repository.on_network(*arguments, accept=(0, 1))
    if done.returncode == 0:
        return
    # What became of the ref stands on standard output (git-push(1), OUTPUT); the rest does not say why.
    refused = b"\n".join(line for line in done.stdout.split(b"\n") if line.startswith(b"!"))
    if _MOVED.search(refused + done.stderr):
        raise FenceError(f"branch {branch} at {mask(remote)} moved before the push; nothing was changed")
    error = failure(arguments, done.returncode, done.stderr + refused, repository.common_dir)
    raise GitError(error.message, hint=push_hint(done.stderr + b"\n" + refused) or error.hint)
