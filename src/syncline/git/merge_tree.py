"""`git merge-tree --write-tree`: git's own merge (ort), in memory, and its answer as values.

Format: https://git-scm.com/docs/git-merge-tree ("OUTPUT", with -z). Paths stay bytes.
"""

import re
from dataclasses import dataclass

from syncline.errors import GitError
from syncline.git.background import Background
from syncline.git.oid import CommitId, Oid, TreeId
from syncline.git.repository import Repository
from syncline.git.tree import Entry, Mode

_UNREAD = re.compile(rb"^error: could not read [0-9a-f]{40}", re.IGNORECASE | re.MULTILINE)
"""git 2.39 takes a tree that is missing for an empty one and calls the merge clean; where a commit is missing it
says that the histories are unrelated."""


@dataclass(frozen=True, slots=True)
class Stages:
    """The sides of one conflicted path: stage 1, 2 and 3 of git's index."""

    base: Entry | None = None
    ours: Entry | None = None
    theirs: Entry | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """What ort says of one or more paths; `type` is its stable short description."""

    type: str
    paths: tuple[bytes, ...]
    text: str


@dataclass(frozen=True, slots=True)
class MergeTree:
    """The answer: a tree (conflicted files hold markers), the stages of conflicted paths, the messages."""

    tree: TreeId
    clean: bool
    stages: dict[bytes, Stages]
    messages: tuple[Message, ...]


class RunningMerge:
    """A merge that git is working on; `finish` waits for it.

    It takes most of a command's time, so whoever has something else to do (reading the policy, say) starts it
    first.
    """

    def __init__(self, repository: Repository, ours: CommitId, theirs: CommitId) -> None:
        self._where = repository.common_dir
        self.ours, self.theirs = ours, theirs
        self._git = Background(repository, ("merge-tree", "--write-tree", "-z", "--messages", ours, theirs))

    def finish(self) -> MergeTree:
        """Return git's answer.

        Raises:
            GitError: unrelated histories, missing objects, a full disk.
        """
        status, answer, complaint = self._git.finish()
        if _UNREAD.search(complaint):
            raise self._git.failure(status, complaint)
        if status in {0, 1} and answer:
            return parse_merge_tree(answer, clean=status == 0)
        if b"unrelated histories" in complaint:
            raise GitError(
                f"{self.ours.short} and {self.theirs.short} have no common ancestor in {self._where}",
                hint="name two branches of one history; a squashed import has to be joined once by hand "
                "(git merge --allow-unrelated-histories)",
            )
        raise self._git.failure(status, complaint)


def start_merge_tree(repository: Repository, ours: CommitId, theirs: CommitId) -> RunningMerge:
    """Start merging two commits in memory with git's defaults, whatever the user or the repository configured."""
    return RunningMerge(repository, ours, theirs)


def merge_tree(repository: Repository, ours: CommitId, theirs: CommitId) -> MergeTree:
    """Merge two commits in memory; see `RunningMerge`."""
    return start_merge_tree(repository, ours, theirs).finish()


def parse_merge_tree(printed: bytes, *, clean: bool) -> MergeTree:
    """Read what `merge-tree --write-tree -z --messages` printed.

    Raises:
        GitError: when it is not of that format.
    """
    fields = printed.split(b"\0")
    try:
        tree = TreeId.from_bytes(fields[0])
        position, stages = _parse_stages(fields, 1)
        messages = tuple(_parse_messages(fields, position))
    except (ValueError, IndexError, KeyError) as error:
        raise GitError(f"git merge-tree printed what was not expected: {error}") from error
    return MergeTree(tree, clean, stages, messages)


def _parse_stages(fields: list[bytes], position: int) -> tuple[int, dict[bytes, Stages]]:
    found: dict[bytes, dict[str, Entry]] = {}
    names = {b"1": "base", b"2": "ours", b"3": "theirs"}
    while fields[position]:
        head, tab, path = fields[position].partition(b"\t")
        mode, oid, stage = head.split(b" ")
        if not tab:
            raise ValueError("a conflicted file without a path")
        found.setdefault(path, {})[names[stage]] = Entry(Mode.of(mode.decode()), Oid.from_bytes(oid))
        position += 1
        if position == len(fields):  # a clean merge has neither stages nor an empty line
            break
    return position + 1, {path: Stages(**sides) for path, sides in found.items()}


def _parse_messages(fields: list[bytes], position: int) -> list[Message]:
    messages = []
    # The last field is what follows the final NUL: nothing, or advice about submodules without any framing.
    while position < len(fields) - 1:
        if not fields[position].isdigit():
            raise ValueError(f"a count of paths was expected, not {fields[position][:80]!r}")
        count = int(fields[position])
        paths = tuple(fields[position + 1 : position + 1 + count])
        kind, text = fields[position + 1 + count], fields[position + 2 + count]
        messages.append(Message(kind.decode(), paths, text.decode("utf-8", "replace").strip()))
        position += count + 3
    return messages
