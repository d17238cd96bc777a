"""A merge as JSON: the `merge --json` of the public contract."""

from typing import Any

from syncline.git import Repository
from syncline.git.paths import json_path
from syncline.merge.conflicted_files import hunk_counts
from syncline.merge.model import Decision, Evidence, HunkDecision, MergeResult, Status


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
        "hunks": [_hunk_as_json(hunk) for hunk in decision.hunks]
        or [
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


def _hunk_as_json(hunk: HunkDecision) -> dict[str, Any]:
    return {
        "index": hunk.index,
        "status": hunk.status.value,
        "resolver": hunk.resolver or None,
        "confidence": hunk.confidence,
        "evidence": [_evidence_as_json(evidence) for evidence in hunk.evidence],
        "candidates": [
            {
                "side": offer.side.value,
                "resolvers": list(offer.resolvers),
                "confidence": offer.confidence,
                "evidence": [_evidence_as_json(evidence) for evidence in offer.evidence],
                "text": None if offer.lines is None else b"".join(offer.lines).decode("utf-8", "replace"),
                "reasons": [{"feature": name, "log_odds": round(weight, 3)} for name, weight in offer.reasons],
            }
            for offer in hunk.offers
        ],
    }


def _evidence_as_json(evidence: Evidence) -> dict[str, str | None]:
    return {"why": evidence.text, "sha": evidence.commit}
