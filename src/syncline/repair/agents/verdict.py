"""What becomes of an answer: it is accepted as a tree, or refused in words and nothing has changed."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from syncline.git import TreeId
from syncline.repair.agents.answer import Cost
from syncline.trailer_names import AGENT


@dataclass(frozen=True, slots=True)
class Accepted:
    """An answer that stood up to everything. Nothing points to the tree yet."""

    tree: TreeId
    edits: Mapping[bytes, bytes | None]
    """The whole content of each file it edits; None for one that it deletes."""
    reason: str
    """The agent's own words, without secrets."""
    cost: Cost
    """Of all agents that were asked."""
    agents: tuple[str, ...] = ()
    """Whose answer it is; two, where two had to agree."""
    refused: tuple[str, ...] = ()
    """Why others, asked before, were refused."""


@dataclass(frozen=True, slots=True)
class Held:
    """An answer that is right by itself, and that only the tree around it speaks against.

    Another answer may change that tree: a test waits for the module that it tests.
    """

    edits: Mapping[bytes, bytes | None]
    """As of `Accepted`."""
    reason: str
    agents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Refused:
    """No answer was good enough."""

    why: tuple[str, ...]
    """A sentence for each agent asked, with its name."""
    cost: Cost = field(default_factory=Cost)
    held: Held | None = None
    """The answer to be judged again once the tree is another one."""


def trailers(accepted: Accepted) -> tuple[tuple[str, str], ...]:
    """Return the trailers of the commit that takes an answer over, by which it is known for an agent's."""
    return tuple((AGENT, name) for name in accepted.agents)
