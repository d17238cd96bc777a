"""Opening a proposal in few words."""

from typing import Any

from syncline.forge.github.forge import GitHubForge
from syncline.forge.protocol import Proposal
from testing.github import GitHubServer


def tip(server: GitHubServer, branch: str = "sync/1") -> str:
    found = server.world.bare.tip(branch)
    assert found is not None
    return found


def open_one(forge: GitHubForge, server: GitHubServer, number: int = 1, **more: Any) -> Proposal:
    """The proposal of run `r1` on `sync/1`, or of another number."""
    branch = f"sync/{number}"
    given: dict[str, Any] = {
        "lane": "x", "run": f"r{number}", "branch": branch, "target": "dev", "title": f"Sync {number}",
        "body": f"All of {number}.\n\n- [ ] look", "head_sha": tip(server, branch), **more,
    }  # fmt: skip
    return forge.open_proposal(**given)
