"""Weights made by hand: what each resolver's word is worth, and nothing else counts."""

from collections.abc import Mapping

from syncline.merge.ladder.gate import LEVELS
from syncline.merge.ladder.memory import KINDS
from syncline.merge.ladder.weights import Linear, Weights


def weights_by_voice(
    says: Mapping[str, float] | None = None,
    *,
    start: float = -1.0,
    elsewhere: float = 0.97,
    answered: Mapping[str, float] | None = None,
) -> Weights:
    """Return linear models in which a candidate's log-odds are those of the resolvers that propose it.

    Args:
        says: by resolver how much its word weighs; without any, `token-merge` weighs 3.
        start: what a candidate begins with.
        elsewhere: how often answers of every level were right in other repositories.
        answered: further features that weigh once people answered something in the same merge.
    """
    worth = {f"says_{name}": value for name, value in (says or {"token-merge": 3.0}).items()}
    alone, helped = Linear(start, worth), Linear(start, worth | dict(answered or {}))
    return Weights(
        priors={name.removeprefix("says_"): 0.9 for name in worth},
        kinds=dict.fromkeys(KINDS, alone) | {f"{kind}+answers": helped for kind in KINDS},
        levels={group: dict.fromkeys(map(str, LEVELS), elsewhere) for group in ("code", "data", "generated")},
        repositories=("by hand",),
    )
