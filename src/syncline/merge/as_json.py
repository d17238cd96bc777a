"""A merge as JSON: the `merge --json` of the public contract."""

from collections.abc import Iterator
from typing import Any

from syncline.git import Entry, Repository
from syncline.merge.hunks import ConflictedFile, count_hunks, parse_conflicted
from syncline.merge.model import Conflict, ConflictKind, Decision, Evidence, MergeResult, Status


def json_path(path: bytes) -> str:
    """Return a path for JSON and for people; bytes that are no UTF-8 become a backslash, x and two digits."""
    return path.decode("utf-8", "backslashreplace")


def merge_as_json(repository: Repository, result: MergeResult, seconds: float) -> dict[str, Any]:
    """Return the document; `seconds` is how long the merge took."""
    counts = dict(hunk_counts(repository, result))
    return {
        "tree": result.tree,
        "clean": result.clean,
        "paths": [_path_as_json(decision, counts.get(decision.path, 0)) for decision in result.decisions],
        "seconds": round(seconds, 3),
        "ours": result.ours,
        "theirs": result.theirs,
        "git_tree": result.git_tree,
        "conflicts": len(result.conflicts),
        "notes": list(result.notes),
    }


def _path_as_json(decision: Decision, hunks: int) -> dict[str, Any]:
    # A conflict without markers counts as one hunk of its path (DESIGN: "How replay scores").
    count = hunks or (1 if decision.conflict else 0)
    status = "resolved" if decision.status is not Status.UNRESOLVED else "unresolved"
    return {
        "path": json_path(decision.path),
        "kind": decision.kind,
        "also": [kind.value for kind in decision.conflict.also] if decision.conflict else [],
        "tied_to": [json_path(path) for path in decision.conflict.group if path != decision.path]
        if decision.conflict
        else [],
        "status": decision.status.value,
        "side": decision.side.value,
        "resolver": decision.resolver or None,
        "confidence": decision.confidence,
        "evidence": [_evidence_as_json(evidence) for evidence in decision.evidence],
        "messages": list(decision.conflict.messages) if decision.conflict else [],
        "hunks": [
            {
                "index": index,
                "status": status,
                "resolver": decision.resolver or None,
                "confidence": decision.confidence,
                "candidates": [],
            }
            for index in range(count)
        ],
    }


def _evidence_as_json(evidence: Evidence) -> dict[str, str | None]:
    return {"why": evidence.text, "sha": evidence.commit}


def hunk_counts(repository: Repository, result: MergeResult) -> Iterator[tuple[bytes, int]]:
    """Yield (path, number of marked regions) for every conflict that has text."""
    textual = _textual(repository, result)
    contents = repository.blobs(merged.oid for _, merged in textual)
    for (conflict, _), content in zip(textual, contents, strict=True):
        yield conflict.path, count_hunks(content, ours_label=result.ours)


def conflicted_files(repository: Repository, result: MergeResult) -> Iterator[tuple[Conflict, ConflictedFile]]:
    """Yield every text conflict with its file cut into hunks; one file in memory at a time."""
    for conflict, merged in _textual(repository, result):
        ours, theirs = conflict.stages.ours, conflict.stages.theirs
        assert ours is not None  # noqa: S101 - a text conflict has both
        assert theirs is not None  # noqa: S101
        content, our_text, their_text = repository.blobs([merged.oid, ours.oid, theirs.oid])
        yield (
            conflict,
            parse_conflicted(
                content, ours=our_text, theirs=their_text, ours_label=result.ours, theirs_label=result.theirs
            ),
        )


def _textual(repository: Repository, result: MergeResult) -> list[tuple[Conflict, Entry]]:
    """Return the conflicts between two texts, with what git left at their path."""
    found = []
    for conflict in result.conflicts:
        merged = repository.entry(result.git_tree, conflict.path)
        sides = (conflict.stages.ours, conflict.stages.theirs)
        if merged is None or not merged.mode.is_file or conflict.kind is ConflictKind.BINARY:
            continue
        if all(side is not None and side.mode.is_file for side in sides):
            found.append((conflict, merged))
    return found
