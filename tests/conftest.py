"""Seals the tests off from the machine they run on, and gives them a repository to begin with."""

import compileall
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import syncline
from testing.builder import RepositoryBuilder
from testing.sealed import sealed_environment, sealed_home

# Building repositories takes as long as it takes: no deadline, and no word about slow examples.
_UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", _UNHURRIED, derandomize=True, max_examples=60, database=None)
settings.register_profile("long", _UNHURRIED, max_examples=500, print_blob=True)
settings.load_profile("long" if os.environ.get("SYNCLINE_TESTS") == "long" else "ci")

# Who starts the tests in the background may have told them to ignore interrupts: what they start must not.
signal.signal(signal.SIGINT, signal.default_int_handler)

# What pytest, Hypothesis, coverage and Python itself go by in this very process.
_KEPT = ("PYTEST_", "HYPOTHESIS_", "COV_", "COVERAGE_", "PYTHON", "SYNCLINE_TESTS")


def pytest_configure(config: pytest.Config) -> None:
    """Compiles the modules once: the thousands of processes that tests start may not write what they compile."""
    if not hasattr(config, "workerinput"):  # not in each worker again
        compileall.compile_dir(Path(syncline.__file__).parent, quiet=2)


@pytest.fixture(scope="session", autouse=True)
def _sealed_environment() -> Iterator[None]:
    """Gives this process, and with it every process a test starts, the sealed environment."""
    sealed = sealed_environment(sealed_home())
    with pytest.MonkeyPatch.context() as patch:
        for key in list(os.environ):
            if not key.startswith(_KEPT):
                patch.delenv(key)
        for key, value in sealed.items():
            patch.setenv(key, value)
        yield


@pytest.fixture
def builder(tmp_path: Path) -> RepositoryBuilder:
    """A builder of a repository with a work tree."""
    return RepositoryBuilder(tmp_path / "repo")
