"""Small helpers to look at a built repository through the product."""

from collections.abc import Generator
from contextlib import contextmanager

from syncline.git import CommitId, Repository, TreeId
from testing import content
from testing.repository import BuiltRepository


@contextmanager
def opened(built: BuiltRepository) -> Generator[Repository]:
    with Repository.open(built.path) as repository:
        yield repository


def tip(built: BuiltRepository, branch: str) -> CommitId:
    return CommitId(built[branch])


def tree_of(built: BuiltRepository, revision: str) -> TreeId:
    return TreeId(built.text("rev-parse", f"{revision}^{{tree}}"))


def entries(built: BuiltRepository, tree: str) -> dict[bytes, content.Entry]:
    return built.entries(tree)
