"""Values as JSON documents and text, for more than one command."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from syncline.checks.gate import Verdict
from syncline.cli.text import say
from syncline.forge.protocol import Proposal

if TYPE_CHECKING:
    from syncline.forge.dry_run import Write
    from syncline.plan.model import Plan


def plan_as_json(plan: "Plan") -> dict[str, Any]:
    """Return a plan's figures."""
    part = plan.slice
    return {
        "source": plan.source,
        "target": plan.target,
        "ahead": plan.ahead,
        "behind": plan.behind,
        "bases": list(plan.bases),
        "nothing_to_do": plan.nothing_to_do,
        "slice": None
        if part is None
        else {
            "tip": part.tip,
            "commits": list(part.commits),
            "imported": part.imported,
            "boundary": part.boundary,
            "left": part.left,
        },
    }


def proposal_as_json(proposal: Proposal) -> dict[str, Any]:
    """Return a proposal without its body."""
    return {
        "number": proposal.number,
        "lane": proposal.lane,
        "run": proposal.run,
        "branch": proposal.branch,
        "target": proposal.target,
        "title": proposal.title,
        "draft": proposal.draft,
        "state": proposal.state.value,
        "head": proposal.head_sha,
        "labels": list(proposal.labels),
        "created": proposal.created.isoformat(),
        "superseded_by": proposal.superseded_by,
        "url": proposal.url,
    }


def verdict_as_json(verdict: Verdict) -> dict[str, Any]:
    """Return the gate's verdict and what it waits for."""
    return {
        "state": verdict.state.value,
        "sha": verdict.sha,
        "reasons": [
            {"check": reason.check, "why": reason.why.value, "detail": reason.detail, "waits": reason.waits}
            for reason in verdict.reasons
        ],
        "counted": [
            {"name": c.name, "state": c.state.value, "conclusion": c.conclusion.value if c.conclusion else None,
             "log": c.log, "summary": c.summary}
            for c in verdict.counted
        ],
        "ignored": [{"name": item.check.name, "why": item.why.value} for item in verdict.ignored],
    }  # fmt: skip


def writes_as_json(writes: "Sequence[Write]") -> dict[str, Any]:
    """Return what a dry run told."""
    return {"dry_run": True, "writes": [{"what": write.what, "text": write.text} for write in writes]}


def print_writes(writes: "Sequence[Write]") -> None:
    """Print what a dry run told."""
    for write in writes:
        say(str(write))
    if not writes:
        say("would change nothing")
