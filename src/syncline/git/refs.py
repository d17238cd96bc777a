"""Refs: resolving names, and changing several refs at once or not at all."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from syncline.errors import FenceError, GitError
from syncline.git.oid import CommitId, Oid
from syncline.git.repository import Repository


def find_commit(repository: Repository, revision: str) -> CommitId | None:
    """Return the commit that `revision` names (anything git-rev-parse(1) takes), None when nothing does."""
    if not revision or "\0" in revision:
        return None
    done = repository.on_refs(
        "rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}", accept=(0, 1, 128)
    )
    return CommitId.from_bytes(done.stdout) if done.returncode == 0 and done.stdout.strip() else None


def find_object(repository: Repository, ref: str) -> Oid | None:
    """Return what a ref points to, be it no commit; None when there is no such ref."""
    words = ("rev-parse", "--verify", "--quiet", "--end-of-options", ref)
    done = repository.on_refs(*words, accept=(0, 1, 128))
    return Oid.from_bytes(done.stdout) if done.returncode == 0 and done.stdout.strip() else None


def resolve_commit(repository: Repository, revision: str) -> CommitId:
    """Return the commit that `revision` names.

    Raises:
        GitError: when nothing is named so; the hint lists remote branches of that name.
    """
    found = find_commit(repository, revision)
    if found is not None:
        return found
    raise no_commit(repository, revision, f"no commit is named {revision!r}")


def is_empty(repository: Repository) -> bool:
    """Whether no ref of the repository points to anything."""
    return not repository.on_refs("for-each-ref", "--count=1", "--format=%(refname)").stdout.strip()


def no_commit(repository: Repository, revision: str, problem: str) -> GitError:
    """Return the error for a name that names nothing; the hint lists remote branches of that name."""
    alike = [ref.name for ref in list_refs(repository, "refs/remotes") if ref.name.endswith("/" + revision)]
    hint = "`git branch --all` lists the branches; a `git fetch` may be missing"
    if is_empty(repository):
        hint = "the repository holds no commit yet: make the first one, or git fetch"
    elif alike:
        names = ", ".join(name.removeprefix("refs/remotes/") for name in alike[:5])
        hint = f"there is {names}: name that, or set `remote` for the lane"
    elif repository.is_shallow:
        hint = "this is a shallow clone: git fetch --unshallow"
    return GitError(f"{problem} in {repository.common_dir}", hint=hint)


@dataclass(frozen=True, slots=True)
class Ref:
    """A ref and the commit it points to; `checked_out` is the work tree that has it, if any."""

    name: str
    oid: CommitId
    checked_out: str = ""


def list_refs(repository: Repository, *prefixes: str, newest_first: bool = False) -> Iterator[Ref]:
    """Yield the refs below `prefixes` that point to commits, by name or by the dates of the commits."""
    done = repository.on_refs(
        "for-each-ref",
        "--format=%(refname)%00%(objecttype)%00%(objectname)%00%(worktreepath)",
        f"--sort={'-committerdate' if newest_first else 'refname'}",
        *prefixes,
    )
    for line in done.stdout.split(b"\n"):
        if not line:
            continue
        fields = line.split(b"\0")
        if len(fields) == 4 and fields[1] == b"commit":
            name, place = fields[0].decode("utf-8", "surrogateescape"), fields[3].decode("utf-8", "replace")
            yield Ref(name, CommitId.from_bytes(fields[2]), place)


def branch_ref(branch: str) -> str:
    """Return the full name of a branch."""
    return f"refs/heads/{branch}"


def is_ref_name(repository: Repository, name: str) -> bool:
    """Whether git accepts `name` as a full ref name (git-check-ref-format(1))."""
    return repository.sealed("check-ref-format", name, accept=(0, 1)).returncode == 0


# A name in the way ("'refs/heads/a' exists; cannot create 'refs/heads/a/b'") or a lock that is held is no move:
# deciding again would come to the same.
_MOVED = re.compile(r"but expected|reference already exists|unable to resolve reference|reference is missing")


@dataclass(frozen=True, slots=True)
class RefChange:
    """One ref of a transaction.

    `old` None means: must not exist now. `new` None means: only look that it is still at `old`.
    """

    name: str
    old: Oid | None
    new: Oid | None


def change_refs(repository: Repository, changes: Sequence[RefChange], *, why: str) -> None:
    """Apply all changes or none; each is fenced by the value it was decided for.

    Raises:
        FenceError: when a ref is not at its old value any more.
        GitError: when git refuses otherwise.
    """
    null = repository.null_oid
    lines: list[str] = []
    for change in changes:
        if change.new is None:
            lines.append(f"verify {change.name}\0{change.old or null}\0")
        else:
            lines.append(f"update {change.name}\0{change.new}\0{change.old or null}\0")
    try:
        repository.on_refs(
            "update-ref",
            "--create-reflog",
            "-m",
            why,
            "--stdin",
            "-z",
            input="".join(lines).encode("utf-8", "surrogateescape"),
        )
    except GitError as error:
        if _MOVED.search(error.message):
            text = error.message.rpartition("fatal: ")[2]
            raise FenceError(f"a ref moved before the change ({why}): {text}") from error
        raise


def delete_ref(repository: Repository, name: str, old: Oid) -> None:
    """Delete a ref that is still at `old`.

    Raises:
        FenceError: when it moved.
        GitError: when git refuses otherwise.
    """
    try:
        repository.on_refs("update-ref", "-d", name, old)
    except GitError as error:
        if _MOVED.search(error.message):
            raise FenceError(f"{name} moved before it could be deleted: {error.message}") from error
        raise


def delete_branch(repository: Repository, branch: str, old: CommitId) -> None:
    """Delete a branch that is still at `old` and that no work tree uses.

    Raises:
        FenceError: when it moved.
        GitError: when a work tree has it checked out, or is rebasing or bisecting it.
    """
    if find_commit(repository, branch_ref(branch)) != old:
        raise FenceError(f"branch {branch} moved before it could be deleted")
    # Not `update-ref`: only `git branch` looks whether some work tree is in the middle of something with it.
    repository.on_refs("branch", "--quiet", "-D", "--", branch)
