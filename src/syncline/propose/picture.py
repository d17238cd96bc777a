"""The picture of a sync: both branches, where they parted, the slice, its boundary and the merge. Pure geometry.

There are two of them, lying for wide screens and standing for phones; the page shows one.
"""

from dataclasses import dataclass

from syncline.markup.plain_text import one_line
from syncline.propose.model import Report
from syncline.propose.words import count


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line: an SVG path and its kind."""

    path: str
    kind: str


@dataclass(frozen=True, slots=True)
class Dot:
    """A commit."""

    x: float
    y: float
    kind: str
    title: str
    radius: float = 6


@dataclass(frozen=True, slots=True)
class Label:
    """Words beside something."""

    x: float
    y: float
    text: str
    kind: str = ""
    anchor: str = "start"


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything to draw, in a box of `width` x `height`."""

    width: int
    height: int
    strokes: tuple[Stroke, ...]
    dots: tuple[Dot, ...]
    labels: tuple[Label, ...]


def describe(report: Report) -> str:
    """Return in words what the picture shows."""
    figures = report.figures
    bases = count(len(figures.bases), "merge base")
    rest = f" {figures.boundary_text}; {figures.left:,} are left." if figures.boundary else ""
    target, source = report.target, report.source
    return (
        f"{target} and {source} parted at {bases}. Since then {target} got "
        f"{count(figures.ahead, 'commit')} of its own and {source} {figures.behind:,}. The oldest "
        f"{figures.line:,} of {source}'s line are merged into {target} by {report.merge.short}.{rest}"
    )


def _share(report: Report) -> float:
    """Return which part of source's line the slice is, held within what can be drawn."""
    figures = report.figures
    if not figures.left:
        return 1.0
    return min(max(figures.line / (figures.line + figures.left), 0.22), 0.62)


def _above(report: Report) -> list[tuple[str, str, str]]:
    """Return (kind, title, label) of what stands above the merge."""
    found = []
    if report.repair is not None:
        found.append(("repair", f"repair {report.repair.short}", "repair"))
    if report.people:
        label = count(len(report.people), "commit")
        found.append(("person", f"{label} by people", "by people"))
    return found


def _base_words(report: Report) -> str:
    bases = report.figures.bases
    if len(bases) == 1:
        return f"merge base {bases[0].short}"
    return count(len(bases), "merge base") if bases else "no merge base"


def lying(report: Report) -> Picture:
    """Return the picture for wide screens: time goes to the right, target above source."""
    figures = report.figures
    top, low, middle, start, end = 78, 214, 146, 268, 850
    tip = start + (end - start) * _share(report) if figures.left else 590
    merge = max(tip + 120, 560) if figures.left else 720
    target_tip = merge - 96
    strokes = [
        Stroke(f"M24 {middle}H192", "past"),
        Stroke(f"M192 {middle}C224 {middle} 224 {top} {start} {top}H{target_tip:.0f}", "target"),
        Stroke(f"M{target_tip:.0f} {top}H{merge:.0f}", "target new"),
        Stroke(f"M192 {middle}C224 {middle} 224 {low} {start} {low}H{tip:.0f}", "slice"),
        Stroke(f"M{tip:.0f} {low}C{tip + 26:.0f} {low} {merge - 66:.0f} {top} {merge:.0f} {top}", "slice new"),
    ]
    dots = [Dot(192, middle, "base", _base_words(report))]
    dots += [
        Dot(192 - 12 * i, middle, "base", "another merge base", 4) for i in range(1, min(len(figures.bases), 4))
    ]
    dots += [
        Dot(target_tip, top, "target", f"tip of {report.target}: {figures.target_tip.short}"),
        Dot(tip, low, "slice", "the slice ends here"),
        Dot(merge, top, "merge", f"merge {report.merge.short}", 9),
    ]
    labels = [
        Label(24, middle - 18, _base_words(report), "small"),
        Label(start, top - 20, one_line(report.target, 34), "target strong"),
        Label(start, top + 24, f"{count(figures.ahead, 'commit')} only here", "small"),
        Label(start, low + 34, one_line(report.source, 34), "slice strong"),
        Label(start, low - 16, f"slice: {count(figures.line, 'commit')}", "slice"),
        Label(merge, top - 22, f"merge {report.merge.short}", "strong", "middle"),
    ]
    if figures.left:
        bound = tip + 40
        strokes += [
            Stroke(f"M{tip:.0f} {low}H{end}", "rest"),
            Stroke(f"M{bound:.0f} {low - 12}V{low + 30}", "boundary"),
        ]
        dots.append(Dot(end, low, "rest", f"tip of {report.source}: {figures.source_tip.short}"))
        labels += [
            Label(bound + 8, low + 34, f"commit {figures.line + 1:,} is excluded, {figures.left:,} left", "small"),
        ]
    x = merge
    for kind, title, label in _above(report):
        strokes.append(Stroke(f"M{x:.0f} {top}h84", "target new"))
        x += 84
        dots.append(Dot(x, top, kind, title, 8))
        labels.append(Label(x, top + 28, label, "small", "middle"))
    return Picture(max(920, round(x) + 60), 272, tuple(strokes), tuple(dots), tuple(labels))


def standing(report: Report) -> Picture:
    """Return the picture for phones: time goes down, target left of source."""
    figures = report.figures
    left, right, middle, start, end = 36, 196, 116, 118, 470
    tip = start + (end - start) * _share(report) if figures.left else 300
    merge = max(tip + 100, 330) if figures.left else 400
    target_tip = merge - 76
    strokes = [
        Stroke(f"M{middle} 16V50", "past"),
        Stroke(f"M{middle} 50C{middle} 84 {left} 84 {left} {start}V{target_tip:.0f}", "target"),
        Stroke(f"M{left} {target_tip:.0f}V{merge:.0f}", "target new"),
        Stroke(f"M{middle} 50C{middle} 84 {right} 84 {right} {start}V{tip:.0f}", "slice"),
        Stroke(
            f"M{right} {tip:.0f}C{right} {tip + 22:.0f} {left} {merge - 56:.0f} {left} {merge:.0f}", "slice new"
        ),
    ]
    dots = [
        Dot(middle, 50, "base", _base_words(report)),
        Dot(left, target_tip, "target", f"tip of {report.target}"),
        Dot(right, tip, "slice", "the slice ends here"),
        Dot(left, merge, "merge", f"merge {report.merge.short}", 9),
    ]
    labels = [
        Label(middle + 16, 44, _base_words(report), "small"),
        Label(left + 14, start + 10, one_line(report.target, 16), "target strong"),
        Label(left + 14, start + 30, count(figures.ahead, "commit"), "small"),
        Label(right + 14, start + 10, one_line(report.source, 16), "slice strong"),
        Label(right + 14, start + 30, f"slice: {figures.line:,}", "slice"),
        Label(left + 16, merge + 22, f"merge {report.merge.short}", "strong"),
    ]
    y = merge
    if figures.left:
        bound = tip + 26
        strokes += [
            Stroke(f"M{right} {tip:.0f}V{end}", "rest"),
            Stroke(f"M{right - 8} {bound:.0f}H{right + 26}", "boundary"),
        ]
        dots.append(Dot(right, end, "rest", f"tip of {report.source}"))
        labels += [
            Label(right + 14, bound + 22, f"commit {figures.line + 1:,}", "small"),
            Label(right + 14, bound + 40, "is excluded,", "small"),
            Label(right + 14, bound + 58, f"{figures.left:,} left", "small"),
        ]
    for kind, title, label in _above(report):
        strokes.append(Stroke(f"M{left} {y:.0f}v54", "target new"))
        y += 54
        dots.append(Dot(left, y, kind, title, 8))
        labels.append(Label(left + 16, y + 5, label, "small"))
    return Picture(
        340, round(max(y + 44, end + 24 if figures.left else 0)), tuple(strokes), tuple(dots), tuple(labels)
    )
