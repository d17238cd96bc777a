"""Whether what fails is there on each parent."""

import re
from collections.abc import Callable, Iterable

from syncline.checks.triage.cause import Cluster
from syncline.checks.triage.stand import Presence
from syncline.git import CommitId, Repository
from syncline.git.commit import read_commit

_LARGEST = 2_000_000
"""Bytes of a file of tests that are looked through."""


class Trees:
    """Answers whether commits have files and tests; what was asked once is remembered."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._files: dict[tuple[CommitId, str], bytes | None] = {}

    def has_file(self, commit: CommitId, path: str) -> bool:
        """Whether a commit has a file."""
        return self._content(commit, path) is not None

    def has_test(self, commit: CommitId, test: str) -> bool:
        """Whether a commit has a test; one whose name does not tell its file is taken to be there."""
        file, _, name = test.partition("::")
        if not name:
            return True
        content = self._content(commit, file)
        if content is None:
            return False
        function = re.split(r"[\[(]", name.rpartition("::")[2])[0].encode("utf-8", "surrogateescape")
        return not function or function in content

    def presence(self, cluster: Cluster, head: CommitId, target: CommitId, source: CommitId) -> Presence:
        """Return whether each parent has what a fault is in: its tests, or else the file at fault."""
        tests = [test for test in cluster.tests if "::" in test and self.has_test(head, test)]
        if tests:
            return self._any(self.has_test, tests, target, source)
        path = cluster.first.path.removeprefix("./")
        if path and self.has_file(head, path):
            return self._any(self.has_file, [path], target, source)
        return Presence()

    @staticmethod
    def _any(
        has: Callable[[CommitId, str], bool], things: Iterable[str], target: CommitId, source: CommitId
    ) -> Presence:
        wanted = list(things)
        return Presence(
            target=any(has(target, one) for one in wanted), source=any(has(source, one) for one in wanted)
        )

    def _content(self, commit: CommitId, path: str) -> bytes | None:
        key = (commit, path)
        if key not in self._files:
            self._files[key] = self._read(commit, path)
        return self._files[key]

    def _read(self, commit: CommitId, path: str) -> bytes | None:
        raw = path.encode("utf-8", "surrogateescape")
        parts = raw.split(b"/")
        if not raw or b"\0" in raw or {b"", b".", b".."} & set(parts):
            return None
        entry = self._repository.entry(read_commit(self._repository, commit).tree, raw)
        if entry is None or not entry.mode.is_file:
            return None
        return self._repository.blob(entry.oid)[:_LARGEST]
