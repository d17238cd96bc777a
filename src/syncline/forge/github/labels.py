"""Labels: made where the repository has none of that name, and put on a pull request."""

from collections.abc import Iterable, Sequence
from urllib.parse import quote

from syncline.forge.github.client import Client
from syncline.forge.github.trouble import RefusedError

_COLOUR = "5319e7"
_DESCRIPTION = "Put on by syncline"


def add(client: Client, number: int, labels: Sequence[str], there: Iterable[str]) -> None:
    """Put `labels` on a pull request that has those of `there`. Names are GitHub's: without regard to case."""
    has = {label.casefold() for label in there}
    wanted = [label for label in dict.fromkeys(labels) if label.casefold() not in has]
    if not wanted:
        return
    for label in wanted:
        _ensure(client, label)
    client.post(f"issues/{number}/labels", {"labels": wanted})


def _ensure(client: Client, label: str) -> None:
    if client.find(f"labels/{quote(label, safe='')}") is not None:
        return
    try:
        client.post("labels", {"name": label, "color": _COLOUR, "description": _DESCRIPTION})
    except RefusedError as error:
        if error.status != 422 or "already_exists" not in error.words:  # somebody else was quicker
            raise
