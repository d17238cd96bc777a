"""Finds the commits behind findings: one walk a side for all of them, however many ask."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property

from syncline.audit.finding import Asked, Did, EvidenceCommit, Finding
from syncline.audit.four_trees import SIDES, FourTrees
from syncline.audit.occurrences import PLAIN, occurrences
from syncline.errors import GitError
from syncline.git import Entry
from syncline.git.versions import RangeWalk, RunningVersions, Version
from syncline.merge.model import Side

_WORD = re.compile(rb"\w+")
_MOST_BYTES = 128 * 1024 * 1024
"""How much is read for all findings of a merge; what would need more stays without its commit."""


def with_evidence(trees: FourTrees, findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings with the commits they ask for; where none is found, without.

    Only the sides' own commits since they parted are looked at: what is older is in both sides' past.
    """
    listed = list(findings)
    wanted: dict[Side, set[bytes]] = defaultdict(set)
    for finding in listed:
        for ask in finding.asks:
            wanted[ask.side].add(ask.path)
    walks: dict[Side, RunningVersions] = {}
    for side in SIDES:
        if wanted[side]:
            tip, other = (trees.ours, trees.theirs) if side is Side.OURS else (trees.theirs, trees.ours)
            walks[side] = RangeWalk(trees.repository, tip, other).start(wanted[side])
    found = _Evidence(trees, {side: walk.finish() for side, walk in walks.items()})
    return [_answered(finding, found) for finding in listed]


def _answered(finding: Finding, found: "_Evidence") -> Finding:
    if not finding.asks:
        return finding
    commits = [commit for ask in finding.asks if (commit := found.of(ask)) is not None]
    known = {(item.sha, item.why): item for item in (*finding.evidence, *commits)}
    return replace(finding, evidence=tuple(known.values()), asks=())


class _Evidence:
    def __init__(self, trees: FourTrees, versions: dict[Side, dict[bytes, tuple[Version, ...]]]) -> None:
        self._trees = trees
        self._versions = versions
        self._texts: dict[Version, bytes | None] = {}
        self._left = _MOST_BYTES

    def of(self, ask: Asked) -> EvidenceCommit | None:
        """Return the newest commit of the side that added (removed) the text, by counting it in each version."""
        versions = self._versions.get(ask.side, {}).get(ask.path, ())
        if not versions or not ask.text:
            return None
        after = self._count(versions[0], ask.text)
        for version, older in zip(versions, (*versions[1:], None), strict=True):
            before = self._in_base(ask) if older is None else self._count(older, ask.text)
            if after is None or before is None:
                return None
            if (after > before) if ask.did is Did.ADDED else (after < before):
                return EvidenceCommit(version.commit, f"{ask.why}: {version.subject}")
            after = before
        return None

    def _count(self, version: Version, text: bytes) -> int | None:
        if version not in self._texts:
            self._texts[version] = self._read(version)
        content = self._texts[version]
        return None if content is None else _occurrences(content, text)

    def _read(self, version: Version) -> bytes | None:
        if self._left < 0:
            return None
        try:
            content = self._trees.repository.blob(version.blob)
        except GitError:  # a partial clone
            return None
        self._left -= len(content)
        return content

    def _in_base(self, ask: Asked) -> int:
        return _occurrences(self._trees.text(self._bases.get((ask.side, ask.path))), ask.text)

    @cached_property
    def _bases(self) -> dict[tuple[Side, bytes], Entry | None]:
        """What base has of the differing files, by where a side has them."""
        # The first one counts where a side has none of two files.
        return {(side, file.path_of(side)): file.base for file in reversed(self._trees.files) for side in SIDES}


def _occurrences(content: bytes, text: bytes) -> int:
    return occurrences(content, text, PLAIN) if _WORD.fullmatch(text) else content.count(text)


def asks_for(
    side: Side, path: bytes, texts: Sequence[bytes], did: Did, why: str, *, most: int = 3
) -> tuple[Asked, ...]:
    """Return what asks for the commits behind some texts, the first `most` of them."""
    return tuple(Asked(side, path, text, did, why) for text in texts[:most])
