"""The primary rate limit: so many requests an hour."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

JSON = Any


@dataclass(slots=True)
class Rate:
    """What is left in the present hour, which begins with its first request."""

    limit: int = 5000
    used: int = 0
    reset: datetime | None = None

    def take(self, now: datetime) -> bool:
        """Count a request; False when none was left."""
        if self.reset is None or now >= self.reset:
            self.reset, self.used = now + timedelta(hours=1), 0
        if self.used >= self.limit:
            return False
        self.used += 1
        return True

    def give_back(self) -> None:
        """Do not count the last request: it was answered with "not modified"."""
        self.used -= 1

    def shown(self, now: datetime) -> JSON:
        """Return `rate-limit`."""
        reset = self.reset or now + timedelta(hours=1)
        return {
            "limit": self.limit, "used": self.used, "remaining": self.limit - self.used,
            "reset": int(reset.timestamp()),
        }  # fmt: skip

    def headers(self, now: datetime, resource: str) -> dict[str, str]:
        """Return the headers that every answer carries."""
        shown = {f"x-ratelimit-{key}": str(value) for key, value in self.shown(now).items()}
        return {**shown, "x-ratelimit-resource": resource}
