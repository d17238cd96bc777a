"""No pattern that a log, a message or a name meets takes more than linear work, whatever somebody writes there.

Lines are cut (`LONGEST`), but with the square of four thousand a log of a few megabytes would take hours. The work
is counted by walking the patterns, so the test says the same everywhere; every text with SYNCLINE_TESTS=long.
"""

import inspect
import os
import pkgutil
import re
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest

import syncline.checks.logs
import syncline.checks.triage
import syncline.secrets
from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.triage.cause import Cause
from syncline.checks.triage.transient import Signature, find, known
from testing.regex_work import TooMuchWorkError, Work, hard_texts

ROOMS = (syncline.checks.logs, syncline.checks.triage, syncline.secrets)
STRIDE = 1 if os.environ.get("SYNCLINE_TESTS") == "long" else 9
SHORT, LONG = 16, 64
MOST = 7
"""Four times the text is four times the work where that is linear, and sixteen times where it is square."""
FEW = 40
ENDLESS = 1 << 40


def modules() -> Iterator[ModuleType]:
    for room in ROOMS:
        for found in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            yield import_module(found.name)


def within(value: Any) -> Iterator[re.Pattern[str]]:
    """Yield the patterns in a value: itself, those in tuples, those of rules and the like."""
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield value
    elif isinstance(value, tuple | list):
        for one in value:
            yield from within(one)
    elif isinstance(getattr(value, "pattern", None), re.Pattern):
        yield value.pattern


def patterns() -> dict[tuple[str, int, str], re.Pattern[str]]:
    """Return all patterns by text, flags and how they are used: from the beginning only, or searched for."""
    found: dict[tuple[str, int, str], re.Pattern[str]] = {}
    for module in modules():
        source = inspect.getsource(module)
        named = list(vars(module).items())
        for one in vars(module).values():
            if isinstance(one, type) and one.__module__ == module.__name__:
                named += vars(one).items()
        for name, value in named:
            used = rf"\b{re.escape(name)}\.(?:search|sub|subn|finditer|findall|split)\b"
            alone = isinstance(value, re.Pattern) and not re.search(used, source)
            for pattern in within(value):
                found[pattern.pattern, pattern.flags, "match" if alone else "search"] = pattern
    for signature in known():
        found[signature.pattern.pattern, signature.pattern.flags, "search"] = signature.pattern
    return found


PATTERNS = patterns()


def work(counter: Work, how: str, text: str) -> int:
    try:
        return counter.match(text) if how == "match" else counter.search(text)
    except TooMuchWorkError:
        return ENDLESS


def too_dear(pattern: re.Pattern[str], how: str, stride: int) -> list[tuple[str, int, int]]:
    counter, found = Work(pattern), []
    for kind in list(hard_texts(pattern))[::stride]:
        short, long = (work(counter, how, kind.of(length)) for length in (SHORT, LONG))
        if long == ENDLESS or long > MOST * short + FEW:
            found.append((kind.of(LONG), short, long))
    return found


def test_all_patterns_are_linear() -> None:
    assert len(PATTERNS) > 400
    bad = {key[0]: found for key, one in PATTERNS.items() if (found := too_dear(one, key[2], STRIDE))}
    assert not bad


@pytest.mark.parametrize(
    ("pattern", "how"),
    [
        (r"(a+)+$", "match"), (r".*error", "search"), (r"\s*x", "search"), (r"^a: *(.+?) *END", "search"),
        (r"^(.+): (.+): (.+): (.+)!", "match"), (r"(?:/\w+)*/tmp", "search"), (r"(?i:[a-z0-9]*key)=", "search"),
    ],
)  # fmt: skip
def test_what_is_not_linear_is_found(pattern: str, how: str) -> None:
    assert too_dear(re.compile(pattern), how, 1)


@pytest.mark.parametrize(
    "pattern", [r"a+:?", r"^\s*x", r"(?<!\s)\s+x", r"^(?:ab)*+c", r"^x(?>\S*?/)y", r"a{3,80}b|\b12"]
)
def test_what_is_linear_is_not_accused(pattern: str) -> None:
    assert not too_dear(re.compile(pattern), "search", 1)


@pytest.mark.parametrize(
    ("how", "text", "steps"), [("match", "aaab", 6), ("search", "xxab", 10), ("match", "b", 3)]
)
def test_steps_are_the_same_everywhere(how: str, text: str, steps: int) -> None:
    assert work(Work(re.compile("a*b")), how, text) == steps


def test_a_failure_is_held_against_signatures_up_to_a_bound() -> None:
    lengths = []

    class Watched:
        def search(self, text: str) -> None:
            lengths.append(len(text))

    signature = Signature(Watched(), Cause.FLAKY, "x", "x")  # type: ignore[arg-type]
    excerpt = ("y" * 300,) * 20
    failure = LogFailure("x", "x", "z" * 10_000, Weight.CAUSE, 1, excerpt=excerpt)
    assert find(failure, (signature,)) is None
    assert lengths == [2_000]
