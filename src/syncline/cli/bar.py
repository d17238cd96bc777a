"""A progress bar for commands that replay merges."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from syncline.replay.run import Played


class Advance:
    """Called with each merge as it is done."""

    def __call__(self, played: "Played") -> None:
        """Note that a merge is done."""


@contextmanager
def replay_bar(total: int, what: str) -> Generator[Advance]:
    """Yield what shows progress: a bar in a terminal, nothing elsewhere.

    Args:
        total: how many merges there are.
        what: what is done with them, in a word.
    """
    if not sys.stderr.isatty():
        yield Advance()
        return
    from rich.console import Console  # noqa: PLC0415 - only in a terminal
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)

        class Bar(Advance):
            def __call__(self, played: "Played") -> None:
                bar.update(task, advance=1, description=played.gathered.past.date[:10])

        yield Bar()
