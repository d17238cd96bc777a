"""The difference of two sequences (lines, tokens): which stretches stand in both, in order. Pure, bounded.

Unique elements anchor the comparison (patience), what is between them is compared by Myers' O(ND) algorithm with a
bound on D, beyond which a stretch counts as changed altogether: a worse answer, never a slow one.
Sources: Myers 1986, "An O(ND) Difference Algorithm and Its Variations"; Bram Cohen's patience diff.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from itertools import chain, count, repeat
from typing import NamedTuple

MAX_EDITS = 600
"""How many edits a stretch between two anchors may need; memory grows with the square, 600 take 3 MB."""

MAX_ROUNDS = 64
"""How often anchors are sought between anchors; a round looks at every element once. Texts need some five."""


class Match(NamedTuple):
    """`size` elements stand at `a` of the one and at `b` of the other sequence."""

    a: int
    b: int
    size: int


class Edit(NamedTuple):
    """`old[a:a_end]` became `new[b:b_end]`; one of the two may be empty."""

    a: int
    a_end: int
    b: int
    b_end: int


def matches(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[Match]:
    """Return the stretches that stand in both sequences, in order, none touching the next in both."""
    left, right = list(old), list(new)
    # Most of two versions is the same at both ends, and what is not needs no number then.
    start = _alike(left, 0, right, 0, min(len(left), len(right)))
    end = _alike_back(left, len(left), right, len(right), min(len(left), len(right)) - start)
    found: list[tuple[int, int, int]] = [(0, 0, start)] if start else []
    if end:
        found.append((len(left) - end, len(right) - end, end))
    left, right = left[start : len(left) - end], right[start : len(right) - end]
    if left and right:
        numbers = dict(zip(chain(left, right), count()))
        inner: list[tuple[int, int, int]] = []
        _compare(list(map(numbers.__getitem__, left)), list(map(numbers.__getitem__, right)), inner)
        found += [(a + start, b + start, size) for a, b, size in inner]
    found.sort()
    joined: list[Match] = []
    last_a = last_b = last_size = 0
    for a, b, size in found:
        if last_a + last_size == a and last_b + last_size == b:
            last_size += size
            continue
        if last_size:
            joined.append(Match(last_a, last_b, last_size))
        last_a, last_b, last_size = a, b, size
    if last_size:
        joined.append(Match(last_a, last_b, last_size))
    return joined


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


def _alike(left: list[Hashable], a: int, right: list[Hashable], b: int, most: int) -> int:
    """Return how many elements from `a` and `b` on are the same, up to `most`."""
    size = 0
    while size < most:
        step = min(_STEP, most - size)
        if left[a + size : a + size + step] == right[b + size : b + size + step]:
            size += step
            continue
        while left[a + size] == right[b + size]:
            size += 1
        break
    return size


def _alike_back(left: list[Hashable], a: int, right: list[Hashable], b: int, most: int) -> int:
    """Return how many elements before `a` and `b` are the same, up to `most`."""
    size = 0
    while size < most:
        step = min(_STEP, most - size)
        if left[a - size - step : a - size] == right[b - size - step : b - size]:
            size += step
            continue
        while left[a - size - 1] == right[b - size - 1]:
            size += 1
        break
    return size


_STEP = 64
"""How many elements are compared at once."""


def _compare(left: list[int], right: list[int], found: list[tuple[int, int, int]]) -> None:
    stretches = [(0, len(left), 0, len(right), 0)]
    while stretches:
        a, a_end, b, b_end, rounds = stretches.pop()
        head, tail = _same_ends(left, a, a_end, right, b, b_end)
        if head:
            found.append((a, b, head))
            a, b = a + head, b + head
        if tail:
            a_end, b_end = a_end - tail, b_end - tail
            found.append((a_end, b_end, tail))
        if a == a_end or b == b_end or set(left[a:a_end]).isdisjoint(right[b:b_end]):
            continue
        anchors = _anchors(_once(left, a, a_end), _once(right, b, b_end)) if rounds < MAX_ROUNDS else []
        if not anchors:
            _myers(left, a, a_end, right, b, b_end, found)
            continue
        for run_a, run_b, size in _runs(anchors):
            if run_a > a and run_b > b:
                stretches.append((a, run_a, b, run_b, rounds + 1))
            found.append((run_a, run_b, size))
            a, b = run_a + size, run_b + size
        if a < a_end and b < b_end:
            stretches.append((a, a_end, b, b_end, rounds + 1))


def _runs(anchors: list[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
    """Yield anchors that follow each other in both sequences as one."""
    start_a, start_b = a, b = anchors[0]
    for anchor_a, anchor_b in anchors:
        if anchor_a != a or anchor_b != b:
            yield start_a, start_b, a - start_a
            start_a, start_b = anchor_a, anchor_b
        a, b = anchor_a + 1, anchor_b + 1
    yield start_a, start_b, a - start_a


def _same_ends(left: list[int], a: int, a_end: int, right: list[int], b: int, b_end: int) -> tuple[int, int]:
    """Return how many elements two stretches have in common at their beginning, and of the rest at their end."""
    most = min(a_end - a, b_end - b)
    head = tail = 0
    while head < most and left[a + head] == right[b + head]:
        head += 1
    most -= head
    while tail < most and left[a_end - tail - 1] == right[b_end - tail - 1]:
        tail += 1
    return head, tail


def _anchors(places: dict[int, int], others: dict[int, int]) -> list[tuple[int, int]]:
    """Return the longest increasing run of pairs of places of what stands once in either stretch."""
    pairs = [(place, others[item]) for item, place in places.items() if item in others]
    order = [at for _, at in pairs]
    if order == sorted(order):
        return pairs  # mostly nothing was moved
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
    """Return where each element stands that stands once in a stretch, in order."""
    stretch = items[start:end]
    last = dict(zip(stretch, range(start, end), strict=True))
    if len(last) == len(stretch):
        return last
    first = dict(zip(reversed(stretch), range(end - 1, start - 1, -1), strict=True))
    return {item: place for item, place in last.items() if first[item] == place}


def _myers(
    left: list[int], a: int, a_end: int, right: list[int], b: int, b_end: int, found: list[tuple[int, int, int]]
) -> None:
    # What stands in one stretch alone cannot match; without it the stretches are short, often empty.
    common = set(left[a:a_end]).intersection(right[b:b_end])
    places = [place for place in range(a, a_end) if left[place] in common]
    others = [place for place in range(b, b_end) if right[place] in common]
    here, there = [left[place] for place in places], [right[place] for place in others]
    for x, y, size in shortest_edits(here, there, MAX_EDITS) or ():
        found += zip(places[x : x + size], others[y : y + size], repeat(1), strict=False)


def shortest_edits(
    old: Sequence[Hashable], new: Sequence[Hashable], most: int
) -> list[tuple[int, int, int]] | None:
    """Return what stands in both by Myers' O(ND) algorithm, deletions first, as (old, new, size), in order.

    None when that takes more than `most` edits.
    """
    n, m = len(old), len(new)
    # Each element that the other sequence has not takes an edit.
    if n + m > most and n + m - 2 * (Counter(old) & Counter(new)).total() > most:
        return None
    most = min(n + m, most)
    furthest = [0] * (2 * most + 3)
    middle = most + 1
    trace: list[list[int]] = []
    low = high = 0
    for depth in range(most + 1):
        # The row before this depth: diagonals -depth-1 .. depth+1.
        trace.append(furthest[middle - depth - 1 : middle + depth + 2])
        for k in range(low - depth, depth + 1 - high, 2):
            at = middle + k
            if k == -depth or (k != depth and furthest[at - 1] < furthest[at + 1]):
                x = furthest[at + 1]
            else:
                x = furthest[at - 1] + 1
            y = x - k
            while x < n and y < m and old[x] == new[y]:
                x += 1
                y += 1
            furthest[at] = x
            if x >= n and y >= m:
                return _walk_back(trace, n, m)
            # Nothing comes back from beyond the end of a sequence, nor from the diagonals outside of that one.
            if x > n:
                high += 2
            elif y > m:
                low += 2
    return None


def _walk_back(trace: list[list[int]], x: int, y: int) -> list[tuple[int, int, int]]:
    found: list[tuple[int, int, int]] = []
    for depth in range(len(trace) - 1, -1, -1):
        row, middle = trace[depth], depth + 1
        k = x - y
        down = k == -depth or (k != depth and row[middle + k - 1] < row[middle + k + 1])
        before = k + 1 if down else k - 1
        start = row[middle + before] if depth else 0
        low = start if down or not depth else start + 1
        if x > low:
            found.append((low, low - k, x - low))
        x, y = start, start - before
    found.reverse()
    return found
