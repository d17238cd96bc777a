"""The difference of two sequences (lines, tokens): which stretches stand in both, in order. Pure, bounded.

Unique elements anchor the comparison (patience), what is between them is compared by Myers' O(ND) algorithm with a
bound on D, beyond which a stretch counts as changed altogether: a worse answer, never a slow one.
Sources: Myers 1986, "An O(ND) Difference Algorithm and Its Variations"; Bram Cohen's patience diff.
"""

from bisect import bisect_left
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

MAX_EDITS = 600
"""How many edits a stretch between two anchors may need; memory grows with the square, 600 take 3 MB."""

MAX_ROUNDS = 64
"""How often anchors are sought between anchors; a round looks at every element once. Texts need some five."""


@dataclass(frozen=True, slots=True)
class Match:
    """`size` elements stand at `a` of the one and at `b` of the other sequence."""

    a: int
    b: int
    size: int


@dataclass(frozen=True, slots=True)
class Edit:
    """`old[a:a_end]` became `new[b:b_end]`; one of the two may be empty."""

    a: int
    a_end: int
    b: int
    b_end: int


def matches(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[Match]:
    """Return the stretches that stand in both sequences, in order, none touching the next in both."""
    numbers: dict[Hashable, int] = {}
    left = [numbers.setdefault(item, len(numbers)) for item in old]
    right = [numbers.setdefault(item, len(numbers)) for item in new]
    found: list[tuple[int, int, int]] = []
    _compare(left, right, found)
    joined: list[tuple[int, int, int]] = []
    for a, b, size in sorted(found):
        if joined and joined[-1][0] + joined[-1][2] == a and joined[-1][1] + joined[-1][2] == b:
            joined[-1] = (joined[-1][0], joined[-1][1], joined[-1][2] + size)
        else:
            joined.append((a, b, size))
    return [Match(*match) for match in joined]


def edits(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[Edit]:
    """Return what changed between two sequences, in order."""
    return edits_between(matches(old, new), len(old), len(new))


def edits_between(found: Sequence[Match], old_size: int, new_size: int) -> list[Edit]:
    """Return the gaps between the matches of two sequences of these sizes."""
    changed = []
    a = b = 0
    for match in [*found, Match(old_size, new_size, 0)]:
        if match.a > a or match.b > b:
            changed.append(Edit(a, match.a, b, match.b))
        a, b = match.a + match.size, match.b + match.size
    return changed


def similarity(old: Sequence[Hashable], new: Sequence[Hashable]) -> float:
    """Return how much two sequences share, 0 to 1: twice the common part by both lengths; 1 for two empty ones."""
    total = len(old) + len(new)
    return 2 * sum(match.size for match in matches(old, new)) / total if total else 1.0


def _compare(left: list[int], right: list[int], found: list[tuple[int, int, int]]) -> None:
    stretches = [(0, len(left), 0, len(right), 0)]
    while stretches:
        a, a_end, b, b_end, rounds = stretches.pop()
        size = 0
        while a + size < a_end and b + size < b_end and left[a + size] == right[b + size]:
            size += 1
        if size:
            found.append((a, b, size))
            a, b = a + size, b + size
        size = 0
        while a_end - size > a and b_end - size > b and left[a_end - size - 1] == right[b_end - size - 1]:
            size += 1
        if size:
            a_end, b_end = a_end - size, b_end - size
            found.append((a_end, b_end, size))
        if a == a_end or b == b_end:
            continue
        anchors = _anchors(left, a, a_end, right, b, b_end) if rounds < MAX_ROUNDS else []
        if not anchors:
            _myers(left, a, a_end, right, b, b_end, found)
            continue
        for anchor_a, anchor_b in anchors:
            stretches.append((a, anchor_a, b, anchor_b, rounds + 1))
            found.append((anchor_a, anchor_b, 1))
            a, b = anchor_a + 1, anchor_b + 1
        stretches.append((a, a_end, b, b_end, rounds + 1))


def _anchors(left: list[int], a: int, a_end: int, right: list[int], b: int, b_end: int) -> list[tuple[int, int]]:
    """Return the longest increasing run of elements that stand once in either stretch."""
    once_left, once_right = _once(left, a, a_end), _once(right, b, b_end)
    pairs = sorted((once_left[item], once_right[item]) for item in once_left.keys() & once_right.keys())
    tails: list[int] = []
    ends: list[int] = []
    before = [-1] * len(pairs)
    for index, (_, at) in enumerate(pairs):
        slot = bisect_left(tails, at)
        before[index] = ends[slot - 1] if slot else -1
        if slot == len(tails):
            tails.append(at)
            ends.append(index)
        else:
            tails[slot] = at
            ends[slot] = index
    run = []
    index = ends[-1] if ends else -1
    while index >= 0:
        run.append(pairs[index])
        index = before[index]
    run.reverse()
    return run


def _once(items: list[int], start: int, end: int) -> dict[int, int]:
    places: dict[int, int] = {}
    twice: set[int] = set()
    for place in range(start, end):
        item = items[place]
        if item in places:
            twice.add(item)
        else:
            places[item] = place
    for item in twice:
        del places[item]
    return places


def _myers(
    left: list[int], a: int, a_end: int, right: list[int], b: int, b_end: int, found: list[tuple[int, int, int]]
) -> None:
    # What stands in one stretch alone cannot match; without it the stretches are short, often empty.
    common = set(left[a:a_end]).intersection(right[b:b_end])
    if not common:
        return
    places = [place for place in range(a, a_end) if left[place] in common]
    others = [place for place in range(b, b_end) if right[place] in common]
    here, there = [left[place] for place in places], [right[place] for place in others]
    n, m = len(here), len(there)
    most = min(n + m, MAX_EDITS)
    furthest = [0] * (2 * most + 3)
    middle = most + 1
    trace: list[list[int]] = []
    for depth in range(most + 1):
        # The row before this depth: diagonals -depth-1 .. depth+1.
        trace.append(furthest[middle - depth - 1 : middle + depth + 2])
        for k in range(-depth, depth + 1, 2):
            at = middle + k
            if k == -depth or (k != depth and furthest[at - 1] < furthest[at + 1]):
                x = furthest[at + 1]
            else:
                x = furthest[at - 1] + 1
            y = x - k
            while x < n and y < m and here[x] == there[y]:
                x += 1
                y += 1
            furthest[at] = x
            if x >= n and y >= m:
                _walk_back(trace, n, m, places, others, found)
                return


def _walk_back(
    trace: list[list[int]],
    x: int,
    y: int,
    places: list[int],
    others: list[int],
    found: list[tuple[int, int, int]],
) -> None:
    for depth in range(len(trace) - 1, -1, -1):
        row, middle = trace[depth], depth + 1
        k = x - y
        down = k == -depth or (k != depth and row[middle + k - 1] < row[middle + k + 1])
        before = k + 1 if down else k - 1
        start = row[middle + before] if depth else 0
        low = start if down or not depth else start + 1
        while x > low:
            x -= 1
            y -= 1
            found.append((places[x], others[y], 1))
        x, y = start, start - before
