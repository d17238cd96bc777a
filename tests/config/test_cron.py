from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from syncline.config.cron import Cron

BERLIN = ZoneInfo("Europe/Berlin")
SYDNEY = ZoneInfo("Australia/Lord_Howe")  # jumps by half an hour


@pytest.mark.parametrize(
    ("schedule", "after", "start"),
    [
        ("0 3 * * *", "2026-11-29T02:59:59", "2026-11-29T03:00"),
        ("0 3 * * *", "2026-11-29T03:00:00", "2026-11-30T03:00"),
        ("*/15 * * * *", "2026-11-29T03:14:59", "2026-11-29T03:15"),
        ("0 0 * * MON", "2026-11-29T12:00:00", "2026-11-30T00:00"),
        ("0 0 * * 7", "2026-11-27T12:00:00", "2026-11-29T00:00"),
        ("0 0 * * mon-fri", "2026-11-27T12:00:00", "2026-11-30T00:00"),
        ("0 0 1 JAN *", "2026-11-29T00:00:00", "2027-01-01T00:00"),
        ("30 4 1,15 * FRI", "2026-11-29T00:00:00", "2026-12-01T04:30"),
        ("30 4 1,15 * FRI", "2026-12-01T05:00:00", "2026-12-04T04:30"),
        ("0 0 */2 * MON", "2026-11-29T00:00:00", "2026-12-07T00:00"),
        ("0 0 29 2 *", "2096-03-01T00:00:00", "2104-02-29T00:00"),
        ("59 23 31 12 *", "2026-12-31T23:59:00", "2027-12-31T23:59"),
        ("5-10/2,50 0 * * *", "2026-01-01T00:09:00", "2026-01-01T00:50"),
    ],
)
def test_next_start(schedule: str, after: str, start: str) -> None:
    moment = datetime.fromisoformat(after).replace(tzinfo=UTC)
    assert Cron.parse(schedule).next_after(moment) == datetime.fromisoformat(start).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("after", "start"),
    [
        # 02:30 is left out on 29 March: it starts at 03:30, one hour of clock later, and not again at 02:30.
        ("2026-03-28T12:00+01:00", "2026-03-29T03:30+02:00"),
        ("2026-03-29T03:30+02:00", "2026-03-30T02:30+02:00"),
        # 02:30 occurs twice on 25 October: the first counts.
        ("2026-10-24T12:00+02:00", "2026-10-25T02:30+02:00"),
        ("2026-10-25T02:30+02:00", "2026-10-26T02:30+01:00"),
    ],
)
def test_a_clock_that_jumps_starts_it_once(after: str, start: str) -> None:
    found = Cron.parse("30 2 * * *").next_after(datetime.fromisoformat(after).astimezone(BERLIN))
    assert found.isoformat(timespec="minutes") == start


@pytest.mark.parametrize(
    ("schedule", "text"),
    [
        ("", "wanted five fields (minute, hour, day of month, month, day of week), found 0"),
        ("@daily", "found 1"),
        ("0 0 * * * *", "found 6"),
        ("60 0 * * *", "minute: found '60'; wanted 0..59"),
        ("0 24 * * *", "hour: found '24'; wanted 0..23"),
        ("0 0 0 * *", "day of month: found '0'; wanted 1..31"),
        ("0 0 * 13 *", "month: found '13'; wanted 1..12 or JAN..DEC"),
        ("0 0 * MON *", "month: found 'MON'"),
        ("0 0 * * 8", "day of week: found '8'; wanted 0..7 or SUN..SAT"),
        ("JAN 0 * * *", "minute: found 'JAN'; wanted 0..59"),
        ("-1 0 * * *", "minute: found '-1'"),
        ("1,,2 0 * * *", "minute: found ''"),
        ("*-3 0 * * *", "minute: found '*-3'"),
        ("*/0 0 * * *", "minute: the step of '*/0' is zero"),
        ("5/10 0 * * *", "minute: a step wants a range: write 5-59/10"),
        ("30-10 0 * * *", "minute: the range '30-10' runs backwards"),
        ("0 0 * * FRI-MON", "day of week: the range 'FRI-MON' runs backwards"),
        ("² 0 * * *", "minute: found '²'"),
        ("0 0 31 2,4 *", "no month it names has such a day"),
    ],
)
def test_what_is_no_schedule(schedule: str, text: str) -> None:
    with pytest.raises(ValueError, match=r".") as raised:
        Cron.parse(schedule)
    assert text in str(raised.value)


def test_a_moment_needs_a_zone() -> None:
    with pytest.raises(ValueError, match="time zone"):
        Cron.parse("* * * * *").next_after(datetime(2026, 1, 1))  # noqa: DTZ001 - that is the mistake


FieldText = tuple[str, frozenset[int]]


@st.composite
def fields(draw: st.DrawFn, low: int, high: int) -> FieldText:
    """A field as text and as the numbers it stands for."""
    texts: list[str] = []
    numbers: set[int] = set()
    for _ in range(draw(st.integers(1, 3))):
        step = draw(st.sampled_from([1, 1, 2, 7]))
        first = draw(st.integers(low, high))
        last = draw(st.integers(first, high))
        kind = draw(st.sampled_from(["all", "one", "range"]))
        if kind == "one":
            texts.append(str(first))
            numbers.add(first)
        else:
            text = "*" if kind == "all" else f"{first}-{last}"
            texts.append(text if step == 1 else f"{text}/{step}")
            numbers.update(range(low, high + 1, step) if kind == "all" else range(first, last + 1, step))
    return ",".join(texts), frozenset(numbers)


@st.composite
def schedules(draw: st.DrawFn) -> tuple[FieldText, ...]:
    bounds = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))
    return tuple(
        (found if draw(st.booleans()) else ("*", frozenset(range(low, high + 1))))
        for low, high in bounds
        for found in [draw(fields(low, high))]
    )


def matches(parts: tuple[FieldText, ...], wall: datetime) -> bool:
    (_, minutes), (_, hours), (days_text, days), (_, months), (weekdays_text, weekdays) = parts
    if wall.minute not in minutes or wall.hour not in hours or wall.month not in months:
        return False
    by_month = wall.day in days
    by_week = bool(weekdays & ({0, 7} if wall.isoweekday() == 7 else {wall.isoweekday()}))
    if days_text.startswith("*") or weekdays_text.startswith("*"):
        return by_month and by_week
    return by_month or by_week


def scan(parts: tuple[FieldText, ...], moment: datetime, days: int) -> datetime | None:
    """Try each minute of the wall clock, two days back (clocks jump) and some days ahead."""
    wall = moment.replace(tzinfo=None, fold=0, second=0, microsecond=0) - timedelta(days=2)
    starts: list[datetime] = []
    for _ in range((days + 2) * 24 * 60):
        if matches(parts, wall):
            instant = wall.replace(tzinfo=moment.tzinfo).astimezone(UTC)
            if instant > moment.astimezone(UTC):
                starts.append(instant)
        wall += timedelta(minutes=1)
    return min(starts, default=None)


@given(
    schedules(),
    st.datetimes(datetime(2025, 12, 1), datetime(2027, 1, 31)),  # noqa: DTZ001 - zones are drawn apart
    st.sampled_from([UTC, BERLIN, SYDNEY]),
)
def test_next_start_is_what_a_scan_finds(parts: tuple[FieldText, ...], naive: datetime, zone: ZoneInfo) -> None:
    moment = naive.replace(tzinfo=zone)
    try:
        cron = Cron.parse(" ".join(text for text, _ in parts))
    except ValueError:
        reject()  # such as 31 February
    found = cron.next_after(moment)
    expected = scan(parts, moment, 3)
    if expected is None:
        assert found.astimezone(UTC) > moment.astimezone(UTC) + timedelta(days=2)
        assert zone is not UTC or matches(parts, found)
    else:
        assert found.astimezone(UTC) == expected
    assert found.tzinfo is zone


@given(
    st.sampled_from(["30 2 * * *", "*/10 2 * * *", "0 1-3 * * *", "* * * * *"]),
    st.sampled_from([datetime(2026, 3, 28, 20, tzinfo=UTC), datetime(2026, 10, 24, 20, tzinfo=UTC)]),
    st.integers(0, 12 * 60),
    st.sampled_from([BERLIN, SYDNEY]),
)
def test_around_a_jump(schedule: str, day: datetime, minutes: int, zone: ZoneInfo) -> None:
    def numbers(word: str, low: int, high: int) -> frozenset[int]:
        if word.startswith("*"):
            return frozenset(range(low, high + 1, int(word[2:] or 1)))
        first, _, last = word.partition("-")
        return frozenset(range(int(first), int(last or first) + 1))

    bounds = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))
    parts = tuple((word, numbers(word, *limits)) for word, limits in zip(schedule.split(), bounds, strict=True))
    moment = (day + timedelta(minutes=minutes)).astimezone(zone)
    assert Cron.parse(schedule).next_after(moment).astimezone(UTC) == scan(parts, moment, 3)
