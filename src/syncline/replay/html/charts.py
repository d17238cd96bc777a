"""Where everything stands in the drawings. Pure: the template makes SVG of it, the style sheet gives colours."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from syncline.replay.html.figures import Bin, CurvePoint, MergeRow

MAX_POINTS = 400
"""A curve is drawn with about so many points; more cannot be seen."""
MAX_BARS = 160
"""More merges than this share a bar with their neighbours."""


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line through points."""

    path: str
    kind: str


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle, maybe with a page behind it."""

    x: float
    y: float
    width: float
    height: float
    kind: str
    title: str = ""
    href: str = ""


@dataclass(frozen=True, slots=True)
class Dot:
    """A circle."""

    x: float
    y: float
    radius: float
    kind: str
    title: str


@dataclass(frozen=True, slots=True)
class Label:
    """A text."""

    x: float
    y: float
    text: str
    anchor: str
    kind: str


@dataclass
class Chart:
    """One drawing; later things lie on earlier ones: boxes, strokes, dots, labels."""

    width: int
    height: int
    words: str
    """What it shows, for those who cannot see it."""
    boxes: list[Box] = field(default_factory=list)
    strokes: list[Stroke] = field(default_factory=list)
    dots: list[Dot] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)

    @property
    def linked(self) -> bool:
        """Whether a page stands behind any of its boxes."""
        return any(box.href for box in self.boxes)

    def stroke(self, points: Sequence[tuple[float, float]], kind: str) -> None:
        """Draw a line."""
        self.strokes.append(Stroke("M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in points), kind))


@dataclass(frozen=True, slots=True)
class _Frame:
    """Shares on both axes: x runs from 0 to 1, y from `low` to 1."""

    chart: Chart
    left: float
    right: float
    top: float
    bottom: float
    low: float = 0.0

    def at(self, x: float, y: float) -> tuple[float, float]:
        height = (y - self.low) / (1 - self.low)
        return self.left + x * (self.right - self.left), self.bottom - height * (self.bottom - self.top)

    def draw(self, x_title: str, y_title: str, *, step: float = 0.2) -> None:
        for number in range(6):
            x, _ = self.at(number / 5, 1)
            self.chart.stroke([(x, self.top), (x, self.bottom)], "grid")
            self.chart.labels.append(Label(x, self.bottom + 18, f"{number * 20}%", "middle", "tick"))
        for number in range(round((1 - self.low) / step) + 1):
            share = self.low + number * step
            _, y = self.at(0, share)
            self.chart.stroke([(self.left, y), (self.right, y)], "grid")
            self.chart.labels.append(Label(self.left - 8, y + 4, f"{share:.0%}", "end", "tick"))
        self.chart.labels.append(Label((self.left + self.right) / 2, self.bottom + 38, x_title, "middle", "title"))
        self.chart.labels.append(Label(self.left - 42, self.top - 14, y_title, "start", "title"))


def risk_coverage(
    points: Sequence[CurvePoint],
    targets: Sequence[tuple[str, float, float]],
    strategies: Sequence[tuple[str, float, float]],
) -> Chart:
    """Return precision against coverage.

    Args:
        points: of the curve.
        targets: what was reached at each target: its name, coverage, precision.
        strategies: the same of the plain strategies, for comparison.
    """
    chart = Chart(
        640, 400,
        "The surer syncline is, the more often people did the same. Precision over the share of hunks answered: "
        + "; ".join(f"{name}: {right:.1%} right of {answered:.1%}" for name, answered, right in targets),
    )  # fmt: skip
    # The first few hunks tell nothing: one wrong answer of three is no precision of 67 %.
    steady = [p for p in points if p.coverage >= 0.02] or list(points)
    lowest = min([p.precision for p in steady] + [right for _, _, right in targets], default=0.0)
    low = min(0.8, max(0.0, int(lowest * 10 - 0.01) / 10))
    frame = _Frame(chart, 56, 620, 34, 340, low)
    frame.draw("hunks answered, the surest first", "answered as people did", step=0.1 if low >= 0.5 else 0.2)
    drawn = [p for p in _thinned(points) if p.precision >= low]
    if len(drawn) > 1:
        chart.stroke([frame.at(p.coverage, p.precision) for p in drawn], "curve")
    taken: list[tuple[float, float, float, float]] = []
    dots = [(*one, "target") for one in targets] + [(*one, "plain") for one in strategies]
    shown = [(name, answered, right, kind) for name, answered, right, kind in dots if answered and right >= low]
    for name, answered, right, kind in shown:
        x, y = frame.at(answered, right)
        chart.dots.append(Dot(x, y, 5, kind, f"{name}: {answered:.1%} answered, {right:.1%} of these right"))
        taken.append((x - 6, y - 6, x + 6, y + 6))
    for name, answered, right, kind in shown:
        chart.labels.append(_placed(name, frame.at(answered, right), kind, taken))
    return chart


def _placed(
    text: str, point: tuple[float, float], kind: str, taken: list[tuple[float, float, float, float]]
) -> Label:
    """Return a label beside a point, where no other one stands."""
    x, y = point
    wide = 7.2 * len(text)
    places = [
        (x + across, y + 4 + down, anchor)
        for down in (0, 16, -16, 32, -32, 48, -48)
        for across, anchor in ((10, "start"), (-10, "end"))
    ]
    boxes = []
    for across, down, anchor in places:
        start = across if anchor == "start" else across - wide
        boxes.append((start, down - 12, start + wide, down + 3))
    free = [
        i for i, box in enumerate(boxes)
        if box[0] >= 50 and box[2] <= 636 and box[1] >= 22 and box[3] <= 338
        and not any(box[0] < b[2] and b[0] < box[2] and box[1] < b[3] and b[1] < box[3] for b in taken)
    ]  # fmt: skip
    best = free[0] if free else 0
    taken.append(boxes[best])
    across, down, anchor = places[best]
    return Label(across, down, text, anchor, kind)


def _thinned(points: Sequence[CurvePoint]) -> list[CurvePoint]:
    if len(points) <= MAX_POINTS:
        return list(points)
    chosen = {round(i * (len(points) - 1) / (MAX_POINTS - 1)) for i in range(MAX_POINTS)}
    return [points[i] for i in sorted(chosen)]


def calibration(bins: Sequence[Bin]) -> Chart:
    """Return how often answers of each confidence were right, with 95 % intervals, and how many there were."""
    chart = Chart(
        640, 450,
        "How often the best candidate was right, by its confidence: "
        + "; ".join(f"said {one.mean:.0%}, was {one.actual:.0%} of {one.count}" for one in bins),
    )  # fmt: skip
    frame = _Frame(chart, 56, 620, 34, 310)
    frame.draw("", "was right")
    chart.labels.append(
        Label(338, 440, "confidence of the best candidate; bars: how many hunks", "middle", "title")
    )
    chart.stroke([frame.at(0, 0), frame.at(1, 1)], "ideal")
    most = max((one.count / (one.high - one.low) for one in bins), default=1)
    for one in bins:
        x, y = frame.at(one.mean, one.actual)
        low, high = one.interval
        said = f"{one.count} hunks, said {one.mean:.1%}, were {one.actual:.1%}"
        title = f"confidence {one.low:.0%} to {one.high:.0%}: {said}"
        chart.stroke([frame.at(one.mean, low), frame.at(one.mean, high)], "whisker")
        chart.dots.append(Dot(x, y, 5.5, "bin", title))
        # Areas, since the bins differ in width.
        height = max(1.0, 60 * one.count / (one.high - one.low) / most)
        start, _ = frame.at(one.low, 0)
        end, _ = frame.at(one.high, 0)
        chart.boxes.append(Box(start + 1, 418 - height, end - start - 2, height, "count", title))
    return chart


def over_time(merges: Sequence[MergeRow]) -> Chart:
    """Return for each merge, oldest first, the shares agreed, disagreed and left open; above, how many hunks."""
    merges = [one for one in merges if one.hunks]
    chart = Chart(1080, 330, f"The share of hunks settled in each of {len(merges)} merges, oldest first.")
    frame = _Frame(chart, 56, 1070, 90, 290)
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        _, y = frame.at(0, share)
        chart.stroke([(frame.left, y), (frame.right, y)], "grid")
        chart.labels.append(Label(frame.left - 8, y + 4, f"{share:.0%}", "end", "tick"))
    chart.labels.append(Label(14, 18, "hunks", "start", "title"))
    together = -(-len(merges) // MAX_BARS) or 1
    bars = [merges[i : i + together] for i in range(0, len(merges), together)]
    most = max((sum(one.hunks for one in bar) for bar in bars), default=1)
    chart.labels.append(Label(frame.left - 8, 34, f"{most:,}", "end", "tick"))
    step = (frame.right - frame.left) / max(len(bars), 1)
    wide = max(0.5, min(step - min(2.0, step / 5), 46))
    for number, bar in enumerate(bars):
        _bar(frame, frame.left + step * number + (step - wide) / 2, wide, bar, most)
    every = max(1, -(-len(bars) // 12))
    for number in range(0, len(bars), every):
        x = frame.left + step * (number + 0.5)
        chart.labels.append(Label(x, frame.bottom + 18, bars[number][0].date[:10], "middle", "tick"))
    return chart


def _bar(frame: _Frame, x: float, wide: float, bar: Sequence[MergeRow], most: int) -> None:
    counts = {
        "agreed": sum(one.agreed for one in bar),
        "disagreed": sum(one.disagreed for one in bar),
        "left": sum(one.left for one in bar),
    }
    total = sum(counts.values())
    when = bar[0].date[:10] if len(bar) == 1 else f"{len(bar)} merges, {bar[0].date[:10]} to {bar[-1].date[:10]}"
    parts = f"{counts['agreed']} agreed, {counts['disagreed']} disagreed, {counts['left']} left open"
    title = f"{when}: {total} hunks, {parts}"
    href = bar[0].page if len(bar) == 1 else ""
    height = 50 * total / most
    frame.chart.boxes.append(Box(x, 74 - height, wide, height, "count", title, href))
    top = frame.bottom
    for kind, count in counts.items():
        height = (frame.bottom - frame.top) * count / total
        if count:
            frame.chart.boxes.append(Box(x, top - height, wide, height, kind, title, href))
        top -= height
