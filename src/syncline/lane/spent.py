"""What the agents of one sync have taken together, and whether more may be asked."""

from dataclasses import dataclass

from syncline.config.models import AgentSettings
from syncline.repair.agents.answer import Cost


@dataclass
class Spent:
    """The cost of all answers of this process, as far as it is known."""

    seconds: float = 0.0
    money: float = 0.0

    def add(self, cost: Cost) -> None:
        """Count an answer."""
        self.seconds += cost.seconds
        self.money += cost.money or 0.0

    def over(self, settings: AgentSettings) -> str:
        """Return in words that the budget is used up; empty where it is not."""
        if self.seconds >= settings.sync_seconds:
            return f"agents took {self.seconds:,.0f} s, and {settings.sync_seconds:,.0f} s are allowed to one sync"
        if settings.sync_money is not None and self.money >= settings.sync_money:
            return f"agents cost {self.money:,.2f}, and {settings.sync_money:,.2f} is allowed to one sync"
        return ""
