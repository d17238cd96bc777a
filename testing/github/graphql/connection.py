"""A page of a list, as GraphQL has it."""

import base64
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

JSON = Any
T = TypeVar("T")


def connection(
    items: Sequence[T], show: Callable[[T], JSON], *, first: int | None = None, last: int | None = None,
    after: str | None = None, before: str | None = None,
) -> dict[str, JSON]:  # fmt: skip
    """Return the page of `items` that the arguments ask for; cursors are places in the list."""
    start = _place(after) if after else 0
    end = _place(before) - 1 if before else len(items)
    if first is not None:
        end = min(end, start + first)
    elif last is not None:
        start = max(start, end - last)
    nodes = [show(item) for item in items[start:end]]
    cursors = [_cursor(place) for place in range(start + 1, start + 1 + len(nodes))]
    return {
        "nodes": nodes, "totalCount": len(items),
        "edges": [{"cursor": cursor, "node": node} for cursor, node in zip(cursors, nodes, strict=True)],
        "pageInfo": {
            "hasNextPage": end < len(items), "hasPreviousPage": start > 0,
            "startCursor": cursors[0] if cursors else None, "endCursor": cursors[-1] if cursors else None,
        },
    }  # fmt: skip


def _cursor(place: int) -> str:
    return base64.b64encode(f"cursor:{place}".encode()).decode()


def _place(cursor: str) -> int:
    return int(base64.b64decode(cursor).decode().removeprefix("cursor:"))
