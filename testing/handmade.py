"""Weights made by hand: a side is as sure as the lane's record of the path makes it, nothing else counts."""

from syncline.merge.ladder.gate import LEVELS
from syncline.merge.ladder.weights import Linear, Weights

_SURE = 0.88
"""From this confidence on answers were right elsewhere, below they were not."""


def handmade_weights() -> Weights:
    """Return weights under which a few syncs that all went one way open the gate."""
    side = Linear(0.0, {"lane_path_p": 3.0})
    other = Linear(-3.0, {})
    kinds = {"ours": side, "theirs": side, "merged": other}
    levels = {str(level): 0.96 if level >= _SURE else 0.6 for level in LEVELS}
    return Weights(
        priors={},
        kinds=kinds | {f"{kind}+answers": model for kind, model in kinds.items()},
        levels=dict.fromkeys(("code", "data", "generated"), levels),
        repositories=("made by hand",),
    )
