"""What of a check is run on a parent: the failing tests alone, where its configuration says how. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from syncline.config.crosscheck import TESTS
from syncline.config.models import LocalCheck

MOST_TESTS = 200
"""With more failing tests than this the whole check is run: command lines have an end."""
_LONGEST = 1_000
_LONGEST_INPUT = 50_000
"""Characters of all tests together. GitHub takes 65,535 of a workflow's inputs."""


@dataclass(frozen=True, slots=True)
class Selection:
    """A command, and the tests it is narrowed to; none: it is the whole check."""

    command: tuple[str, ...]
    tests: tuple[str, ...] = ()


def select(check: LocalCheck, tests: Sequence[str], has: Callable[[str], bool]) -> Selection | None:
    """Return what to run on a parent; None where it has nothing of what fails.

    Args:
        check: as it is configured.
        tests: those that fail in the merge, as their runner calls them.
        has: whether the parent has a test.
    """
    whole = Selection(check.command)
    if check.select is None or not tests:
        return whole
    there = tuple(test for test in tests if has(test))
    if not there:
        return None
    # They come from a log: one that looks like an option must not become one.
    if len(there) > MOST_TESTS or not all(map(_is_safe, there)):
        return whole
    place = check.select.index(TESTS)
    return Selection((*check.select[:place], *there, *check.select[place + 1 :]), there)


def safe_tests(tests: Sequence[str]) -> tuple[str, ...]:
    """Return the tests that a run elsewhere is narrowed to; none: too many, or one that is not safe to give."""
    few = len(tests) <= MOST_TESTS and sum(map(len, tests)) <= _LONGEST_INPUT
    return tuple(tests) if few and all(map(_is_safe, tests)) else ()


def _is_safe(test: str) -> bool:
    return not test.startswith(("-", "@", "+")) and test.isprintable() and len(test) <= _LONGEST
