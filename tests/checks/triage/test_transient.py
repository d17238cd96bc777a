"""Signatures of transient faults: data that is checked, and fits what it says and nothing else."""

import pytest

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.triage import transient
from syncline.checks.triage.cause import Cause
from syncline.errors import ConfigError


def failure(message: str, *, kind: str = "error", test: str = "", excerpt: tuple[str, ...] = ()) -> LogFailure:
    return LogFailure("tool", kind, message, Weight.CAUSE, 1, test=test, excerpt=excerpt)


SEEN = [
    ("The self-hosted runner lost communication with the server.", "infrastructure"),
    (
        "The runner has received a shutdown signal. This can happen when the runner service is stopped",
        "infrastructure",
    ),
    ("Failed to CreateArtifact: Unable to make request: ECONNRESET", "infrastructure"),
    (
        "fatal: unable to access 'https://example.org/a.git/': Could not resolve host: example.org",
        "infrastructure",
    ),
    ("curl: (56) Recv failure", "infrastructure"),
    ("Temporary failure in name resolution", "infrastructure"),
    ("HTTP Error 503: Service Unavailable", "infrastructure"),
    ("API rate limit exceeded for installation ID 12.", "infrastructure"),
    ("toomanyrequests: You have reached your pull rate limit.", "infrastructure"),
    ("OSError: [Errno 28] No space left on device", "infrastructure"),
    ("NCCL WARN NET/IB : Got completion from peer 10.0.0.1 with error 12", "infrastructure"),
    ("CUDA error: all CUDA-capable devices are busy or unavailable", "infrastructure"),
    ("torch.distributed.DistStoreError: TCPStore: timed out after 300000ms", "infrastructure"),
    ("ERROR: No matching distribution found for example==9.9", "dependency"),
    ("npm ERR! code E404", "dependency"),
    ("Unable to resolve action `acme/setup@v9`, unable to find version `v9`", "dependency"),
    ("NU1101: Unable to find package A.B. No packages exist with this id in source(s): nuget.org", "dependency"),
    ("client error (Connect): dns error: failed to lookup address information", "infrastructure"),
    ("Could not resolve all files for configuration ':app:compile'.", "dependency"),
    ("E: Failed to fetch http://deb.example.org/x.deb  404  Not Found", "dependency"),
    ("manifest for example/base:1.2 not found: manifest unknown", "dependency"),
    ("OSError: [Errno 98] Address already in use", "flaky"),
    ("session not created: chrome failed to start", "flaky"),
]
ORDINARY = [
    "name 'x' is not defined",
    "cannot import name 'retry' from 'net.http'",
    "expected 429 items, found 3",
    "assertion failed: rank 3 has another loss",
    "CUDA error: an illegal memory access was encountered",
    "CUDA out of memory. Tried to allocate 2.00 GiB",
    "invalid syntax",
    "expected version 502, found version 503",
    "undefined reference to `connect_timeout'",
    "exit code 1",
    "The tests timed out",
    "ERROR: ResolutionImpossible: for help visit the page of the resolver",
    "No solution found when resolving dependencies: because a==1 depends on b>=2 and you require b==1",
]


@pytest.mark.parametrize(("message", "cause"), SEEN)
def test_what_comes_from_outside_is_known(message: str, cause: str) -> None:
    found = transient.find(failure(message), transient.known())
    assert found is not None
    assert found.cause == cause


@pytest.mark.parametrize("message", ORDINARY)
def test_an_ordinary_fault_is_not_taken_for_one(message: str) -> None:
    assert transient.find(failure(message), transient.known()) is None


def test_each_signature_tells_what_it_is_and_where_it_comes_from() -> None:
    known = transient.known()
    assert len(known) > 40
    assert {one.cause for one in known} == set(transient.CAUSES)
    assert all(one.says and one.origin for one in known)
    assert len({one.pattern.pattern for one in known}) == len(known)


def test_what_a_test_asserts_or_prints_is_its_own() -> None:
    words = "status 503 Service Unavailable"
    assert transient.find(failure(words, kind="AssertionError", test="t"), transient.known()) is None
    printed = ("Connection reset by peer",)
    assert transient.find(failure("boom", test="t", excerpt=printed), transient.known()) is None
    assert transient.find(failure("boom", excerpt=printed), transient.known()) is not None


def test_a_lanes_own_signatures_come_first() -> None:
    own = transient.signature(match="no space left", cause="flaky", says="our scratch disk", origin="", where="w")
    found = transient.find(failure("no space left on device"), transient.merged([own]))
    assert found is not None
    assert found.cause is Cause.FLAKY


GOOD = '[[signature]]\nmatch = "a"\ncause = "flaky"\nsays = "b"\norigin = "c"\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nonsense", "wanted TOML"),
        ("other = 1", "wanted [[signature]] tables and nothing else, found other"),
        (GOOD.replace('origin = "c"\n', ""), "signature 1: wanted the keys cause, match, origin, says; found"),
        (GOOD + GOOD.replace('"a"', '"("'), "signature 2: match wants a regular expression"),
        (GOOD.replace('"a"', '"a*"'), "match fits everything"),
        (GOOD.replace('"flaky"', '"sync"'), "cause wants one of infrastructure, dependency, flaky; found 'sync'"),
        (GOOD.replace('"b"', '" "'), "wanted text for says"),
    ],
)
def test_a_list_that_is_wrong_is_refused_with_the_place(text: str, words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        transient.parse(text, "own.toml")
    assert words in str(caught.value)
    assert "own.toml" in str(caught.value)
    assert len(transient.parse(GOOD, "own.toml")) == 1
