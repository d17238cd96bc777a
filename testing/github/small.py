"""A test GitHub with a small repository, for tests that need any."""

import contextlib
from collections.abc import Generator
from pathlib import Path

from testing.builder import RepositoryBuilder
from testing.github.server import GitHubServer, github


@contextlib.contextmanager
def small_github(place: Path, *, enterprise: bool = False) -> Generator[GitHubServer]:
    """Serve `main`, and beside it `topic` (two commits, merges) and `clash` (one commit, conflicts)."""
    build = RepositoryBuilder(place / "story")
    main = build.branch("main")
    main.commit("start", {"a.txt": "one\n", ".github/CODEOWNERS": "* @ada\n", "lib/b.txt": "b\n"})
    topic, clash = main.branch("topic"), main.branch("clash")
    topic.commit("first", {"c.txt": "c\n"})
    topic.commit("second", {"c.txt": "c\nd\n", "lib/b.txt": "B\n"})
    clash.commit("clash", {"a.txt": "uno\n"})
    main.commit("onward", {"a.txt": "two\n"})
    with github(place, build.finish(), enterprise=enterprise) as server:
        yield server
