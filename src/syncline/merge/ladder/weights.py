"""The shipped weights: what the public repositories taught. JSON, made by bench/train_ladder.py."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Self

from syncline.errors import SynclineError

FORMAT = 1


@dataclass(frozen=True)
class Linear:
    """A logistic model of one kind of candidate."""

    intercept: float
    weights: Mapping[str, float]

    def score(self, features: Mapping[str, float]) -> float:
        """Return the log-odds of a candidate with these features."""
        known = self.weights
        return self.intercept + sum(known[name] * value for name, value in features.items() if name in known)


@dataclass(frozen=True)
class Weights:
    """Everything that was learned from other repositories."""

    priors: Mapping[str, float]
    """For each voice (a resolver, or one with a mark), how often it was right."""
    kinds: Mapping[str, Linear]
    """For each kind of candidate, without and with answers from the same merge (`ours`, `ours+answers`)."""
    levels: Mapping[str, Mapping[str, float]]
    """For each group of files and each level of confidence, how often an answer at least so sure was right."""
    repositories: tuple[str, ...]
    """Which repositories taught them."""

    @classmethod
    def from_json(cls, document: Any) -> Self:
        """Read what the training wrote.

        Raises:
            SynclineError: when it is nothing of the kind.
        """
        try:
            _require(document["format"])
            return cls(
                priors={str(k): float(v) for k, v in document["priors"].items()},
                kinds={
                    str(kind): Linear(
                        float(model["intercept"]), {str(k): float(v) for k, v in model["weights"].items()}
                    )
                    for kind, model in document["kinds"].items()
                },
                levels={
                    str(group): {str(k): float(v) for k, v in table.items()}
                    for group, table in document["levels"].items()
                },
                repositories=tuple(map(str, document["repositories"])),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise SynclineError(
                f"weights of format {FORMAT} were expected: {error!r}", hint="make them with bench/train_ladder.py"
            ) from error

    @classmethod
    def read(cls, file: Path) -> Self:
        """Read weights from a file.

        Raises:
            SynclineError: when it cannot be read or holds something else.
        """
        try:
            return cls.from_json(json.loads(file.read_bytes()))
        except (OSError, ValueError) as error:
            raise SynclineError(f"{file} holds no weights: {error}", hint="name a file of weights") from error


def _require(found: Any) -> None:
    if found != FORMAT:
        raise ValueError(f"format {found!r}")


@cache
def shipped() -> Weights:
    """Return the weights in the package, trained on all public repositories."""
    file = resources.files("syncline.merge.ladder").joinpath("weights.json")
    return Weights.from_json(json.loads(file.read_bytes()))
