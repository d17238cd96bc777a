"""What an agent, asked about the conflicts that were left open, answered; counted like every other strategy."""

from dataclasses import dataclass, field
from typing import Any

AGENT = "agent"
"""The strategy's name."""


@dataclass(frozen=True, slots=True)
class Said:
    """What came of asking about one file."""

    outcomes: tuple[tuple[bool, bool], ...]
    """For each hunk: whether it was answered, and whether rightly. What was settled anyway was not asked."""
    refused: str = ""
    """Why there is no answer."""
    seconds: float = 0.0
    turns: int = 0
    tokens: int = 0
    money: float = 0.0


@dataclass
class Bill:
    """What all of it took."""

    asked: int = 0
    refused: int = 0
    seconds: float = 0.0
    turns: int = 0
    tokens: int = 0
    money: float = 0.0
    why: list[str] = field(default_factory=list)
    """The first reasons for which there was no answer, each once."""

    def add(self, said: Said) -> None:
        """Count one question."""
        self.asked += 1
        self.refused += bool(said.refused)
        self.seconds += said.seconds
        self.turns += said.turns
        self.tokens += said.tokens
        self.money += said.money
        if said.refused and said.refused not in self.why and len(self.why) < 20:
            self.why.append(said.refused)

    def as_json(self) -> dict[str, Any]:
        """Return the numbers."""
        return {
            "asked": self.asked,
            "refused": self.refused,
            "seconds": round(self.seconds, 3),
            "turns": self.turns,
            "tokens": self.tokens,
            "money": round(self.money, 6),
            "why": self.why,
        }
