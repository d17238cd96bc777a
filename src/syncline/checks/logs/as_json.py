"""A failure as JSON, the same in every command that tells one. Pure."""

from typing import Any

from syncline.checks.logs.failure import LogFailure


def failure_as_json(failure: LogFailure) -> dict[str, Any]:
    """Return one failure as a log tells it."""
    return {
        "tool": failure.tool,
        "kind": failure.kind,
        "message": failure.message,
        "weight": failure.weight.value,
        "at": failure.at,
        "path": failure.path or None,
        "line": failure.line,
        "symbol": failure.symbol or None,
        "test": failure.test or None,
        "chain": list(failure.chain),
        "excerpt": list(failure.excerpt),
        "log": failure.log or None,
        "rank": failure.rank,
        "signature": failure.signature,
    }
