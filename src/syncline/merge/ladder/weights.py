"""The shipped weights: what the public repositories taught. JSON, made by bench/train_ladder.py."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Self

from syncline.errors import SynclineError
from syncline.given_json import entry, parsed, shown
from syncline.merge.ladder.memory import KINDS

FORMAT = 1
_HINT = "make them with bench/train_ladder.py"

_MARKS = ("alone", "contested", "by-2", "by-3+", "exact-context", "same-hunk", "same-sides-only")
UNTRAINED = {
    **dict.fromkeys(("attempted", *(f"attempted:{mark}" for mark in _MARKS)), 0.79),
    "attempted-before": 0.21,
}
"""What voices are worth that the public repositories hardly have, until the lane's own record tells.
Attempts: as much as conflicts that were settled before by whomever (79 % of 421, 32 repositories), and what a
newer attempt gave up as little as that leaves."""

SAYS = {
    "says_attempted": 1.0,
    "says_attempted:by-2": 0.5,
    "says_attempted:by-3+": 1.0,
    "seconded": 1.0,
    "seconded_merged": 1.0,
}
"""Such voices' weights in log-odds, until the lane's own correction tells: from the 56 % that the likeliest answer
to a hunk is right to those 79 % it is 1.1; each further attempt that agrees adds half of that, for one bot made
them all.
A resolver that proposes the same by itself is a second witness. Who is wrong takes the same side by chance in some
10 to 20 of 100 cases, so that the attempt's 79 % weigh 1.4 to 2.1 there; a text that is neither side's hardly
anybody hits upon by chance: 2.8 and more."""


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
            found = entry(document, "format")
            if found != FORMAT:
                raise SynclineError(f"weights of format {FORMAT} were expected, found {shown(found)}", hint=_HINT)
            kinds, levels = entry(document, "kinds"), entry(document, "levels")
            return cls(
                priors={**UNTRAINED, **_numbers(entry(document, "priors"), '"priors"')},
                kinds={
                    name: _linear(entry(kinds, name, '"kinds"'), f'"{name}"')
                    for name in (f"{kind}{told}" for kind in KINDS for told in ("", "+answers"))
                },
                levels={
                    group: _numbers(table, f'"{group}"') for group, table in _object(levels, '"levels"').items()
                },
                repositories=_names(entry(document, "repositories")),
            )
        except ValueError as error:
            raise SynclineError(f"weights of format {FORMAT} were expected: {error}", hint=_HINT) from error

    @classmethod
    def read(cls, file: Path) -> Self:
        """Read weights from a file.

        Raises:
            SynclineError: when it cannot be read or holds something else.
        """
        try:
            return cls.from_json(parsed(file.read_bytes()))
        except OSError as error:
            words = f"it cannot be read: {error.strerror}"
            raise SynclineError(f"{file} holds no weights: {words}", hint="name a file of weights") from error
        except ValueError as error:
            raise SynclineError(f"{file} holds no weights: {error}", hint="name a file of weights") from error
        except SynclineError as error:
            raise SynclineError(f"{file} holds no weights: {error.message}", hint=error.hint) from error


def _linear(document: Any, where: str) -> Linear:
    intercept = _numbers({"intercept": entry(document, "intercept", where)}, where)["intercept"]
    return Linear(intercept, {**SAYS, **_numbers(entry(document, "weights", where), where)})


def _numbers(document: Any, where: str) -> dict[str, float]:
    for name, value in _object(document, where).items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not _is_finite(value):
            raise ValueError(f'"{name}" of {where} is {shown(value)}, no number')
    return {name: float(value) for name, value in document.items()}


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer beyond what a float can be
        return False


def _object(document: Any, where: str) -> dict[str, Any]:
    if not isinstance(document, dict):
        raise ValueError(f"{where} is {shown(document)}, and an object was expected")  # noqa: TRY004 - bad input
    return document


def _names(found: Any) -> tuple[str, ...]:
    if not isinstance(found, list):
        raise ValueError(f'its "repositories" is {shown(found)}, no list')  # noqa: TRY004 - bad input
    return tuple(map(str, found))


@cache
def shipped() -> Weights:
    """Return the weights in the package, trained on all public repositories."""
    file = resources.files("syncline.merge.ladder").joinpath("weights.json")
    return Weights.from_json(json.loads(file.read_bytes()))
