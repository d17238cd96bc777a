"""What two texts share at their beginning and at their end: most of it, where one comes from the other. Pure."""

from collections.abc import Callable


def same_ends(one: bytes, other: bytes) -> tuple[int, int]:
    """Return how many bytes two texts share at the beginning and, behind that, at the end: whole lines."""
    shorter = min(len(one), len(other))
    start = _same(shorter, lambda size: one[:size] == other[:size])
    start = one.rfind(b"\n", 0, start) + 1
    end = _same(shorter - start, lambda size: one[len(one) - size :] == other[len(other) - size :])
    # The line that the common end begins in belongs to what differs, unless it is whole.
    line = one.find(b"\n", len(one) - end)
    return start, 0 if line < 0 else len(one) - line


def _same(most: int, same: Callable[[int], bool]) -> int:
    """Return the largest size, up to `most`, for which two texts are the same; it is halved again and again."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if same(middle) else (low, middle - 1)
    return low
