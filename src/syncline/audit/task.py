"""What every audit is given, and what it may answer beside findings."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from syncline.audit.finding import Finding
from syncline.audit.four_trees import FourTrees, Versions
from syncline.audit.open_conflicts import left_open, may_be_open
from syncline.config.models import AuditSettings, Lane
from syncline.merge.resolvers.patterns import matches


@dataclass(frozen=True)
class Task:
    """The four trees and the policy."""

    trees: FourTrees
    lane: Lane | None
    """None where no policy is known: what only a policy can promise is not audited."""
    waiting: frozenset[bytes] = frozenset()
    """Paths that people are still to settle: of these nothing is said yet."""

    @cached_property
    def settings(self) -> AuditSettings:
        """How the lane wants to be audited."""
        return self.lane.audit if self.lane is not None else AuditSettings()

    def ignores(self, path: bytes) -> bool:
        """Whether nothing is to be said of a path: it holds vendored or generated code, or waits for people."""
        return path in self.waiting or (bool(self.settings.ignore) and matches(self.settings.ignore, path))

    @cached_property
    def files(self) -> tuple[Versions, ...]:
        """The files that differ in the four trees, without those that are not to be audited."""
        return tuple(file for file in self.trees.files if not self.ignores(file.path))

    @cached_property
    def mixed(self) -> tuple[Versions, ...]:
        """The settled regular files whose content in the merge is neither side's."""
        return tuple(file for file in self._mixed if file.path not in self.unsettled)

    @cached_property
    def unsettled(self) -> Mapping[bytes, str]:
        """What is wrong with the regular files of the merge in which a conflict is still open, by path.

        `markers` tells them. Nothing else is to be said of such a file: what it lacks, or has twice, may be what
        people are about to settle, and its text means nothing yet.
        """
        trees = self.trees
        marked = [file for file in self._mixed if may_be_open(trees.text(file.merged))]
        trees.read_ahead(entry for file in marked for entry in (file.ours, file.theirs))
        found = (
            (file.path, left_open(trees.text(file.merged), [trees.text(file.ours), trees.text(file.theirs)]))
            for file in marked
        )
        return {path: words for path, words in found if words}

    @cached_property
    def open_paths(self) -> frozenset[bytes]:
        """The paths of which nobody knows yet what the merge will hold: marked, or held at one side for people."""
        return self.waiting | self.unsettled.keys()

    @cached_property
    def _mixed(self) -> tuple[Versions, ...]:
        files = tuple(file for file in self.trees.mixed if not self.ignores(file.path))
        self.trees.read_ahead(file.merged for file in files)
        return files


@dataclass(frozen=True, slots=True)
class NotRun:
    """A part of the audit that could not be done, and why: it never passes silently."""

    name: str
    why: str


Answer: TypeAlias = Finding | NotRun
Audit: TypeAlias = Callable[[Task], Iterator[Answer]]
