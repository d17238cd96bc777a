"""The server's time, which tests set. Nothing else on the server looks at the machine's clock."""

from datetime import UTC, datetime, timedelta


class Clock:
    """A moment in UTC. It begins at the machine's (clients compare dates with theirs), then stands still."""

    def __init__(self) -> None:
        self.now = datetime.now(UTC).replace(microsecond=0)

    def advance(self, *, seconds: float = 0, minutes: float = 0, hours: float = 0, days: float = 0) -> datetime:
        """Let time pass and return the new moment."""
        self.now += timedelta(seconds=seconds, minutes=minutes, hours=hours, days=days)
        return self.now


def iso(moment: datetime | None) -> str | None:
    """A moment as GitHub writes it, to the second; None where there is none."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ") if moment else None
