"""The branches a repository knows, and where they live: here, or at a remote it has fetched from."""

from collections.abc import Sequence
from dataclasses import dataclass

from syncline.config.refname import branch_fault
from syncline.git import CommitId, Repository
from syncline.git.refs import find_commit, list_refs
from syncline.git.remote import remote_heads

_HEADS = "refs/heads/"
_TRACKED = "refs/remotes/"
# Names that go on one command line, far below any limit.
_MOST_ASKED = 500


@dataclass(frozen=True, slots=True)
class Place:
    """A branch, the remote where it lives (None: this repository) and where it stands."""

    branch: str
    remote: str | None
    tip: CommitId

    @property
    def shown(self) -> str:
        """The branch as people write it."""
        return f"{self.remote}/{self.branch}" if self.remote else self.branch


@dataclass(frozen=True, slots=True)
class Places:
    """All branches that can be written into a configuration."""

    found: tuple[Place, ...]
    remotes: tuple[str, ...]
    """Names of the configured remotes."""
    default: str | None
    """The branch that HEAD names: at the remote where that is known, else here."""
    left_out: int
    """Branches whose name no configuration can hold."""

    def at(self, remote: str | None) -> dict[str, Place]:
        """The branches of one place by name."""
        return {place.branch: place for place in self.found if place.remote == remote}

    def of(self, branch: str) -> tuple[Place, ...]:
        """Where a branch lives, the most obvious place first."""
        return tuple(place for place in self.found if place.branch == branch)


def read_places(repository: Repository) -> Places:
    """List local branches and those seen at remotes. No remote is asked.

    Raises:
        GitError: git cannot read the refs.
    """
    remotes = remote_names(repository)
    usable = [name for name in remotes if not _remote_fault(name)]
    found, left_out = [], 0
    for ref in list_refs(repository, _HEADS):
        name = ref.name.removeprefix(_HEADS)
        if _writable(name):
            found.append(Place(name, None, ref.oid))
        else:
            left_out += 1
    for ref in list_refs(repository, _TRACKED):
        remote, branch = _split(ref.name.removeprefix(_TRACKED), remotes)
        if remote not in usable or branch == "HEAD":
            continue
        if _writable(branch):
            found.append(Place(branch, remote, ref.oid))
        else:
            left_out += 1
    return Places(
        tuple(sorted(found, key=_obvious)), tuple(sorted(remotes)), _default(repository, usable), left_out
    )


def ask_remote(repository: Repository, remote: str, branches: Sequence[str]) -> list[Place]:
    """Return those of `branches` that live at `remote` and whose commits are here.

    For repositories that keep no copies of a remote's branches, such as bare clones.

    Raises:
        GitError: the remote cannot be reached.
    """
    heads = remote_heads(repository, remote, branches[:_MOST_ASKED])
    return [Place(name, remote, tip) for name, tip in heads.items() if find_commit(repository, tip) is not None]


def _obvious(place: Place) -> tuple[int, str, str]:
    """Local branches first, then those of origin, of upstream, of the others."""
    remote = place.remote or ""
    return {"": 0, "origin": 1, "upstream": 2}.get(remote, 3), remote, place.branch


def remote_names(repository: Repository) -> list[str]:
    """Return the names of the repository's remotes."""
    printed = repository.on_refs("remote").stdout
    return [line.decode("utf-8", "surrogateescape") for line in printed.split(b"\n") if line]


def _remote_fault(name: str) -> bool:
    """Whether a configuration cannot name this remote (see `syncline.config.fields`)."""
    return "@" in name or not _writable(name)


def _writable(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:  # not UTF-8 in git
        return False
    return not branch_fault(name)


def _split(name: str, remotes: Sequence[str]) -> tuple[str, str]:
    """Split the name of a remote-tracking ref; names of remotes may hold slashes."""
    fitting = [remote for remote in remotes if name.startswith(f"{remote}/")]
    remote = max(fitting, key=len, default="")
    return remote, name.removeprefix(f"{remote}/")


def _default(repository: Repository, remotes: Sequence[str]) -> str | None:
    for remote in sorted(remotes, key=lambda name: (name != "origin", name != "upstream", name)):
        head = _symbolic(repository, f"{_TRACKED}{remote}/HEAD")
        if head and head.startswith(f"{_TRACKED}{remote}/"):
            return head.removeprefix(f"{_TRACKED}{remote}/")
    head = _symbolic(repository, "HEAD")
    return head.removeprefix(_HEADS) if head and head.startswith(_HEADS) else None


def _symbolic(repository: Repository, ref: str) -> str | None:
    done = repository.on_refs("symbolic-ref", "--quiet", ref, accept=(0, 1, 128))
    return done.stdout.decode("utf-8", "surrogateescape").strip() or None if done.returncode == 0 else None
