"""The histories behind the conflict cases: branches `ours`, checked out, and `theirs`."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from testing.blobs import Files, Moves
from testing.builder import RepositoryBuilder
from testing.content import AnyPath, Append, Content, Replace, Submodule
from testing.history import Commit
from testing.repository import BuiltRepository

Build: TypeAlias = Callable[[Path], BuiltRepository]

LINES = "".join(f"line {number}\n" for number in range(1, 9))
"""Eight lines: enough for git to see a renamed file when one of them differs."""
OUR_LINE = Replace("line 4\n", "line 4, ours\n")
THEIR_LINE = Replace("line 4\n", "line 4, theirs\n")
UNBORN = "0123456789abcdef" * 4
"""Submodule commits that exist nowhere are cut from this, a different start for each."""


@dataclass(frozen=True, slots=True)
class Side:
    """What one side does in its one commit."""

    files: Files | None = None
    move: Moves | None = None
    delete: Iterable[AnyPath] = ()


def two_sides(start: Files, ours: Side, theirs: Side) -> Build:
    """One commit in common, then one on each side."""

    def build(path: Path) -> BuiltRepository:
        story = RepositoryBuilder(path)
        our_branch = story.branch("ours")
        our_branch.commit("start", {"untouched.txt": "kept\n"} | dict(start))
        their_branch = our_branch.branch("theirs")
        our_branch.commit("our change", ours.files, move=ours.move, delete=ours.delete)
        their_branch.commit("their change", theirs.files, move=theirs.move, delete=theirs.delete)
        return story.finish()

    return build


def directory(name: str, *letters: str) -> dict[str, Content]:
    """A directory of files that differ enough to be told apart when it is renamed."""
    return {f"{name}/{letter}.py": LINES + f"{name} {letter}\n" * 4 for letter in letters}


def criss_cross(path: Path) -> BuiltRepository:
    """Each side merged the other's first change: two merge bases, which agree where it matters."""
    story = RepositoryBuilder(path)
    ours = story.branch("ours")
    ours.commit("start", {"a.txt": LINES})
    theirs = ours.branch("theirs")
    our_first = ours.edit("a.txt", replace=("line 1\n", "line 1, ours\n"), message="our first")
    their_first = theirs.edit("a.txt", replace=("line 8\n", "line 8, theirs\n"), message="their first")
    both = LINES.replace("line 1\n", "line 1, ours\n").replace("line 8\n", "line 8, theirs\n")
    ours.merge(their_first, "Merge theirs", {"a.txt": both})
    theirs.merge(our_first, "Merge ours", {"a.txt": both})
    ours.commit("our second", {"a.txt": OUR_LINE})
    theirs.commit("their second", {"a.txt": THEIR_LINE})
    return story.finish()


def criss_cross_disagreeing(path: Path) -> BuiltRepository:
    """The merge bases conflict with each other: git's virtual base holds conflict markers itself."""
    story = RepositoryBuilder(path)
    ours = story.branch("ours")
    ours.commit("start", {"a.txt": LINES})
    theirs = ours.branch("theirs")
    our_first = ours.commit("our first", {"a.txt": OUR_LINE})
    their_first = theirs.commit("their first", {"a.txt": THEIR_LINE})
    ours.merge(their_first, "Merge theirs", {"a.txt": LINES.replace("line 4", "line 4, ours then theirs")})
    theirs.merge(our_first, "Merge ours", {"a.txt": LINES.replace("line 4", "line 4, theirs then ours")})
    return story.finish()


@dataclass(frozen=True, slots=True)
class SubmoduleHistory:
    """Commits of a submodule: `left` and `right` both follow `base`."""

    base: Commit
    left: Commit
    right: Commit


Gitlinks: TypeAlias = tuple[str | None, str, str]
"""The submodule commit in base, ours and theirs; None when base has no submodule."""


def submodule(gitlinks: Callable[[SubmoduleHistory], Gitlinks], *, merges: int = 0) -> Build:
    """Both sides move `sub`, a submodule that is checked out; `merges` of its commits join both lines."""

    def build(path: Path) -> BuiltRepository:
        inner = RepositoryBuilder(path / "sub")
        base = inner.branch("main").commit("base", {"a.txt": LINES})
        left, right = inner.branch("left", at=base), inner.branch("right", at=base)
        history = SubmoduleHistory(base, left.commit("left", {"l": "l\n"}), right.commit("right", {"r": "r\n"}))
        for branch, other in [(left, history.right), (right, history.left)][:merges]:
            branch.merge(other, "Merge")
        links = gitlinks(history)
        inner.finish()
        before, ours, theirs = (None if link is None else {"sub": Submodule(link)} for link in links)
        return two_sides(before or {}, Side(ours), Side(theirs))(path)

    return build


def unborn(start: int) -> str:
    """The id of a submodule commit that exists nowhere, a different one for each `start` below 16."""
    return UNBORN[start : start + 40]


def appended(text: str) -> Files:
    """A last line without a newline for `a.txt`."""
    return {"a.txt": Append(text)}
