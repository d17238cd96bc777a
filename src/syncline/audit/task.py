"""What every audit is given, and what it may answer beside findings."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from syncline.audit.finding import Finding
from syncline.audit.four_trees import FourTrees, Versions
from syncline.config.models import AuditSettings, Lane
from syncline.merge.resolvers.patterns import matches


@dataclass(frozen=True)
class Task:
    """The four trees and the policy."""

    trees: FourTrees
    lane: Lane | None
    """None where no policy is known: what only a policy can promise is not audited."""

    @cached_property
    def settings(self) -> AuditSettings:
        """How the lane wants to be audited."""
        return self.lane.audit if self.lane is not None else AuditSettings()

    def ignores(self, path: bytes) -> bool:
        """Whether a path holds what is not written here: vendored or generated code."""
        return bool(self.settings.ignore) and matches(self.settings.ignore, path)

    @cached_property
    def files(self) -> tuple[Versions, ...]:
        """The files that differ in the four trees, without those that are not to be audited."""
        return tuple(file for file in self.trees.files if not self.ignores(file.path))

    @cached_property
    def mixed(self) -> tuple[Versions, ...]:
        """The regular files whose content in the merge is neither side's."""
        return tuple(file for file in self.trees.mixed if not self.ignores(file.path))


@dataclass(frozen=True, slots=True)
class NotRun:
    """A part of the audit that could not be done, and why: it never passes silently."""

    name: str
    why: str


Answer: TypeAlias = Finding | NotRun
Audit: TypeAlias = Callable[[Task], Iterator[Answer]]
