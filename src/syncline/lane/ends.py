"""Where a lane's branches live: in this repository, or at remotes. Reading tips, moving proposals' branches."""

import hashlib
from dataclasses import dataclass

from syncline.config.models import Lane
from syncline.errors import FenceError, GitError
from syncline.git import CommitId, Repository
from syncline.git.refs import (
    RefChange,
    branch_ref,
    change_refs,
    delete_branch,
    find_commit,
    list_refs,
    no_commit,
    resolve_commit,
)
from syncline.git.remote import fetch_branches, fetch_ref, push_branch, remote_heads


@dataclass(frozen=True, slots=True)
class Ends:
    """The tips of a lane's two branches."""

    source: CommitId
    target: CommitId


def read_ends(repository: Repository, lane: Lane) -> Ends:
    """Return both tips, fetched where they live at a remote.

    Raises:
        GitError: when a branch is missing or a remote cannot be reached.
    """
    wanted: dict[str, dict[str, str]] = {}
    for end, remote, branch in _ends(lane):
        if remote is not None:  # one question to a remote where both live
            wanted.setdefault(remote, {})[branch] = _mirror(lane, end)
    for remote, into in wanted.items():
        _fetch(repository, lane, remote, into)
    source, target = (_tip(repository, lane, *where) for where in _ends(lane))
    return Ends(source, target)


def _fetch(repository: Repository, lane: Lane, remote: str, into: dict[str, str]) -> None:
    try:
        fetch_branches(repository, remote, into)
    except GitError as error:
        if "find remote ref" not in error.message:
            raise
        there = remote_heads(repository, remote, list(into))
        gone = [(end, branch) for end, at, branch in _ends(lane) if at == remote and branch not in there]
        if not gone:
            raise
        names = " and ".join(f"no branch {branch!r}, the {end} of lane {lane.name!r}" for end, branch in gone)
        keys = " and ".join(f"`{end}`" for end, _ in gone)
        raise GitError(
            f"there is {names}, at {remote}",
            hint=f"if it was renamed, give its new name as {keys} of the lane; `git ls-remote --heads {remote}`"
            " lists the branches",
        ) from error


def _ends(lane: Lane) -> tuple[tuple[str, str | None, str], ...]:
    return ("source", lane.source_at, lane.source), ("target", lane.target_at, lane.target)


def _mirror(lane: Lane, end: str) -> str:
    return f"refs/syncline/lanes/{lane.name}/{end}"


def _tip(repository: Repository, lane: Lane, end: str, remote: str | None, branch: str) -> CommitId:
    if remote is not None:
        return resolve_commit(repository, _mirror(lane, end))
    found = find_commit(repository, branch_ref(branch))
    if found is None:
        raise no_commit(repository, branch, f"there is no branch {branch!r}, the {end} of lane {lane.name!r},")
    return found


class Branches:
    """The branches of a lane's proposals, where target lives. Every change is fenced by a commit id."""

    def __init__(self, repository: Repository, lane: Lane) -> None:
        self._repository = repository
        self._lane = lane

    def tip(self, branch: str) -> CommitId | None:
        """Return where a branch stands, fetched; None when there is none."""
        remote = self._lane.target_at
        if remote is None:
            return find_commit(self._repository, branch_ref(branch))
        there = remote_heads(self._repository, remote, [branch]).get(branch)
        if there is None:
            return None
        # By its hash: branches that were there one after the other (`a`, then `a/b`) must not meet here.
        name = hashlib.sha256(branch.encode("utf-8", "surrogateescape")).hexdigest()[:16]
        mirror = f"refs/syncline/lanes/{self._lane.name}/branches/{name}"
        if find_commit(self._repository, mirror) == there:
            return there
        fetch_branches(self._repository, remote, {branch: mirror})
        return resolve_commit(self._repository, mirror)

    def has_head(self, number: int, head: CommitId) -> bool:
        """Whether the head that a proposal had is here, or can be fetched though its branch is gone."""
        if self._repository.has(head):
            return True
        remote = self._lane.target_at
        if remote is None:
            return False
        kept = f"refs/syncline/lanes/{self._lane.name}/ended"
        try:
            # GitHub keeps the heads of all pull requests so.
            fetch_ref(self._repository, remote, f"refs/pull/{number}/head", kept)
        except GitError:
            return False
        return self._repository.has(head)

    def in_the_way(self, branch: str) -> str | None:
        """Return a branch of this repository beside which git cannot have `branch` (`a` beside `a/b`)."""
        if self._lane.target_at is not None:
            return None  # the remote refuses by itself
        parts = branch.split("/")
        for end in range(1, len(parts)):
            above = "/".join(parts[:end])
            if find_commit(self._repository, branch_ref(above)) is not None:
                return above
        below = next(iter(list_refs(self._repository, branch_ref(branch) + "/")), None)
        return below.name.removeprefix("refs/heads/") if below is not None else None

    def create(self, branch: str, commit: CommitId, *, target: CommitId) -> None:
        """Create a branch, if target still stands where the merge was made for.

        Raises:
            FenceError: when target moved or the branch exists.
        """
        remote = self._lane.target_at
        why = f"syncline: start {branch}"
        if remote is None:
            fence = RefChange(branch_ref(self._lane.target), target, None)
            change_refs(self._repository, [fence, RefChange(branch_ref(branch), None, commit)], why=why)
            return
        now = remote_heads(self._repository, remote, [self._lane.target]).get(self._lane.target)
        if now != target:
            raise FenceError(f"{self._lane.target} at {remote} moved from {target.short} while merging")
        self._push(remote, branch, new=commit, old=None)

    def advance(self, branch: str, commit: CommitId, *, old: CommitId) -> None:
        """Move a branch on, from where it must stand now.

        Raises:
            FenceError: when it moved; nothing was changed.
            GitError: when the remote refuses, or a work tree has the branch checked out.
        """
        remote = self._lane.target_at
        if remote is not None:
            self._push(remote, branch, new=commit, old=old)
            return
        self._require_free(branch)
        change_refs(
            self._repository, [RefChange(branch_ref(branch), old, commit)], why=f"syncline: {branch} goes on"
        )

    def move(self, branch: str, *, old: CommitId, new: CommitId, kept: RefChange) -> None:
        """Move a branch that still stands at `old`, and with it the ref that keeps what was written here.

        Raises:
            FenceError: when it moved.
            GitError: when the remote refuses, or a work tree has the branch checked out.
        """
        remote = self._lane.target_at
        why = f"syncline: repair {branch}"
        if remote is not None:
            self._push(remote, branch, new=new, old=old)
            change_refs(self._repository, [kept], why=why)
            return
        self._require_free(branch)
        change_refs(self._repository, [RefChange(branch_ref(branch), old, new), kept], why=why)

    def _require_free(self, branch: str) -> None:
        place = self.checked_out(branch)
        if place:
            raise GitError(f"branch {branch} is checked out at {place}", hint="its files would lag behind it")

    def checked_out(self, branch: str) -> str:
        """Return the work tree in which a branch of this repository is checked out; empty for none."""
        if self._lane.target_at is not None:
            return ""
        named = branch_ref(branch)
        return next((ref.checked_out for ref in list_refs(self._repository, named) if ref.name == named), "")

    def delete(self, branch: str, old: CommitId) -> None:
        """Delete a branch that still stands at `old` and is checked out nowhere.

        Raises:
            FenceError: when it moved.
            GitError: when a work tree has it checked out, or is rebasing or bisecting it.
        """
        remote = self._lane.target_at
        if remote is not None:
            self._push(remote, branch, new=None, old=old)
            return
        delete_branch(self._repository, branch, old)

    def _push(self, remote: str, branch: str, *, new: CommitId | None, old: CommitId | None) -> None:
        push_branch(self._repository, remote, branch, new=new, old=old)


def require_tip(branches: Branches, branch: str, head: CommitId) -> None:
    """Refuse when the branch is not, or no longer, at the head that something was decided for.

    Raises:
        FenceError: it moved.
    """
    tip = branches.tip(branch)
    if tip != head:
        raise FenceError(f"branch {branch} moved from {head.short} to {tip.short if tip else 'nowhere'}")
