"""Asking git ahead of time, in a thread, while the caller is busy with something that needs no repository."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, TypeVar

from syncline.git.repository import Repository

T = TypeVar("T")


class Ahead(Generic[T]):
    """An answer that is being worked on.

    Until `result` has returned, the caller must not read objects of the repository: its reader is no one's but
    the thread's. Closing the repository waits for the thread.
    """

    def __init__(self, repository: Repository, ask: Callable[[], T]) -> None:
        # What the thread uses is made here: two threads must not both make it.
        repository.sealed_environment  # noqa: B018 - a cached property
        self._pool = ThreadPoolExecutor(1)
        self._answer = self._pool.submit(ask)
        repository.at_close(self._pool.shutdown)

    def result(self) -> T:
        """Wait for the answer; what went wrong in the thread is raised here."""
        return self._answer.result()
