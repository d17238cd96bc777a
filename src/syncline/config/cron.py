"""Schedules in the five fields of crontab(5): minute, hour, day of month, month, day of week.

A field is `*`, a number, a range `a-b` or a list of these; `*/n` and `a-b/n` take every n-th. Months and days
of the week may be names (JAN, MON). Sunday is 0 and 7. As in crontab(5), when both day fields are restricted
(do not start with `*`) a day that satisfies either of them counts; otherwise it must satisfy both.
"""

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_DAYS = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")
_ITEM = re.compile(r"(\*|[0-9A-Za-z]+)(?:-([0-9A-Za-z]+))?(?:/([0-9]{1,4}))?")
_DAYS_OF_MONTH = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
# The largest jump a clock on Earth made is one day (Samoa left out 2011-12-30).
_LARGEST_JUMP = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class _Field:
    name: str
    low: int
    high: int
    names: tuple[str, ...] = ()

    def parse(self, text: str) -> frozenset[int]:
        values: set[int] = set()
        for item in text.split(","):
            values.update(self._item(item))
        return frozenset(values)

    def _item(self, item: str) -> range:
        found = _ITEM.fullmatch(item)
        if not found or (found[1] == "*" and found[2]):
            raise ValueError(f"{self.name}: found {item[:40]!r}; wanted *, a number, a-b, */n or a-b/n")
        first, last, step = found.groups()
        if first == "*":
            low, high = self.low, self.high
        else:
            low = self._number(first)
            high = self._number(last) if last else low
            if step and not last:
                raise ValueError(f"{self.name}: a step wants a range: write {first}-{self.high}/{step}")
        if low > high:
            raise ValueError(f"{self.name}: the range {item!r} runs backwards")
        if step and int(step) == 0:
            raise ValueError(f"{self.name}: the step of {item!r} is zero")
        return range(low, high + 1, int(step or 1))

    def _number(self, text: str) -> int:
        if text.upper() in self.names:
            return self.names.index(text.upper()) + self.low
        if not text.isdigit() or len(text) > 2 or not self.low <= int(text) <= self.high:
            names = f" or {self.names[0]}..{self.names[-1]}" if self.names else ""
            raise ValueError(f"{self.name}: found {text[:40]!r}; wanted {self.low}..{self.high}{names}")
        return int(text)


_FIELDS = (
    _Field("minute", 0, 59),
    _Field("hour", 0, 23),
    _Field("day of month", 1, 31),
    _Field("month", 1, 12, _MONTHS),
    _Field("day of week", 0, 7, _DAYS),
)


@dataclass(frozen=True, slots=True)
class Cron:
    """A parsed schedule; days of the week run from 0 (Sunday) to 6."""

    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    either_day: bool
    """Both day fields are restricted: a day that satisfies one of them counts."""

    @classmethod
    def parse(cls, text: str) -> "Cron":
        """Read five fields.

        Raises:
            ValueError: naming the field, what was found and what is wanted; also for a day that never comes.
        """
        words = text.split()
        if len(words) != len(_FIELDS):
            raise ValueError(
                f"wanted five fields (minute, hour, day of month, month, day of week), found {len(words)}"
            )
        minutes, hours, days, months, weekdays = (
            field.parse(word) for field, word in zip(_FIELDS, words, strict=True)
        )
        either_day = not words[2].startswith("*") and not words[4].startswith("*")
        if not either_day and all(min(days) > _DAYS_OF_MONTH[month - 1] for month in months):
            raise ValueError("no month it names has such a day: it would never start")
        return cls(
            minutes=tuple(sorted(minutes)),
            hours=tuple(sorted(hours)),
            days=days,
            months=months,
            weekdays=frozenset(day % 7 for day in weekdays),
            either_day=either_day,
        )

    def matches_day(self, day: date) -> bool:
        """Whether it starts at some time of `day`."""
        if day.month not in self.months:
            return False
        by_month, by_week = day.day in self.days, day.isoweekday() % 7 in self.weekdays
        return (by_month or by_week) if self.either_day else (by_month and by_week)

    def next_after(self, moment: datetime) -> datetime:
        """The first start strictly after `moment`, in `moment`'s own time zone.

        Every matching minute of the wall clock starts once: a minute that occurs twice (the clock goes back)
        the first time, a minute that is left out (the clock goes forward) as much later as the clock jumps.

        Raises:
            ValueError: `moment` has no time zone.
        """
        if moment.tzinfo is None:
            raise ValueError("a moment needs a time zone")
        best: datetime | None = None
        # Around a jump the order of instants differs from that of the wall clock, by the jump at most.
        for wall in self._walls(moment.replace(tzinfo=None, fold=0) - _LARGEST_JUMP):
            if best and wall > best.replace(tzinfo=None) + _LARGEST_JUMP:
                break
            instant = wall.replace(tzinfo=moment.tzinfo).astimezone(UTC)
            # To UTC and back: a wall-clock time that was left out turns into the one it is shown as.
            if instant > moment.astimezone(UTC) and (best is None or instant < best.astimezone(UTC)):
                best = instant.astimezone(moment.tzinfo)
        if best is None:  # pragma: no cover - parse() refuses what never starts
            raise ValueError("it never starts again")
        return best

    def _walls(self, start: datetime) -> Iterator[datetime]:
        """Matching wall-clock times from `start` on, in order, without a time zone."""
        day = start.date()
        while True:
            if day.month not in self.months:
                day = day.replace(day=monthrange(day.year, day.month)[1])
            elif self.matches_day(day):
                for hour in self.hours:
                    for minute in self.minutes:
                        wall = datetime.combine(day, time(hour, minute))
                        if wall >= start:
                            yield wall
            day += timedelta(days=1)
