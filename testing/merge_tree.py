"""What git itself says about merging two branches: the oracle for conflicts."""

from dataclasses import dataclass

from testing.content import Entry
from testing.repository import BuiltRepository
from testing.sealed import GitFailedError, run_git


@dataclass(frozen=True, slots=True)
class Message:
    """One record of the last section: the paths (or branches) it is about, its type, its words."""

    paths: tuple[bytes, ...]
    type: str
    text: bytes

    @property
    def is_conflict(self) -> bool:
        """Whether it tells of a conflict, not of something git did on its own."""
        return self.type.startswith("CONFLICT")


@dataclass(frozen=True, slots=True)
class GitMerge:
    """The outcome of `git merge-tree --write-tree -z`."""

    tree: str
    clean: bool
    stages: dict[bytes, dict[int, Entry]]
    """For each conflicted path the base (1), ours (2) and theirs (3) git keeps of it."""
    messages: tuple[Message, ...]

    @property
    def paths(self) -> tuple[bytes, ...]:
        """The conflicted paths, sorted."""
        return tuple(sorted(self.stages))

    @property
    def conflict_types(self) -> frozenset[str]:
        """The types of all conflict messages."""
        return frozenset(message.type for message in self.messages if message.is_conflict)


def merge_tree(repo: BuiltRepository, ours: str = "ours", theirs: str = "theirs") -> GitMerge:
    """Merges in git's memory; nothing but objects is written.

    Raises:
        GitFailedError: git could not merge at all (exit code neither 0 nor 1).
    """
    done = run_git(repo.path, "merge-tree", "--write-tree", "-z", ours, theirs)
    if done.returncode not in {0, 1}:
        raise GitFailedError(f"git merge-tree in {repo.path}: {done.stderr.decode(errors='replace')}")
    fields = iter(done.stdout.split(b"\0"))
    tree = next(fields).decode()
    stages: dict[bytes, dict[int, Entry]] = {}
    # An empty field ends the section of conflicted files; a clean merge has none of it.
    for line in iter(lambda: next(fields, b""), b""):
        about, _, path = line.partition(b"\t")
        mode, oid, stage = about.split(b" ")
        stages.setdefault(path, {})[int(stage)] = Entry(mode, oid.decode())
    messages: list[Message] = []
    # Advice about submodules, without any framing, follows the last record: it does not begin with a count.
    while (count := next(fields, b"")).isdigit():
        paths = tuple(next(fields) for _ in range(int(count)))
        messages.append(Message(paths, next(fields).decode(), next(fields)))
    return GitMerge(tree, done.returncode == 0, stages, tuple(messages))
