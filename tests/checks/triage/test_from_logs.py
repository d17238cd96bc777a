"""From logs to faults, with the parsers as they are: what many jobs print becomes few faults."""

import io

from syncline.checks.logs.failure import Weight
from syncline.checks.logs.read_log import read_log
from syncline.checks.triage import transient
from syncline.checks.triage.cause import Cause
from syncline.checks.triage.cluster import Found, cluster
from syncline.checks.triage.verdict import Facts, judge

CONFTEST = """\
2026-11-30T03:{minute:02}:01.1234567Z ##[group]Run python -m pytest -q tests/{part}
2026-11-30T03:{minute:02}:04.0000000Z ImportError while loading conftest '/home/runner/work/eng/eng/tests/conftest.py'.
2026-11-30T03:{minute:02}:04.0000000Z tests/conftest.py:{line}: in <module>
2026-11-30T03:{minute:02}:04.0000000Z     from pkg import model
2026-11-30T03:{minute:02}:04.0000000Z pkg/model.py:12: in <module>
2026-11-30T03:{minute:02}:04.0000000Z     from pkg.attention import attend
2026-11-30T03:{minute:02}:04.0000000Z pkg/attention.py:3: in <module>
2026-11-30T03:{minute:02}:04.0000000Z     from pkg.layers import rope
2026-11-30T03:{minute:02}:04.0000000Z E   ImportError: cannot import name 'rope' from 'pkg.layers' (/home/runner/work/eng/eng/pkg/layers.py)
2026-11-30T03:{minute:02}:05.0000000Z ##[error]Process completed with exit code 4.
"""  # noqa: E501 - a log's lines are as long as they are
LOST = """\
2026-11-30T03:00:01.0000000Z building
2026-11-30T03:09:01.0000000Z ##[error]The self-hosted runner lost communication with the server.
"""
RANKS = """\
[rank3]: Traceback (most recent call last):
[rank3]:   File "/opt/eng/pkg/train.py", line 88, in step
[rank3]:     raise ValueError("loss is not finite")
[rank3]: ValueError: loss is not finite
[rank0]:[E1130 03:00:09.1 ProcessGroupNCCL.cpp:616] [Rank 0] Watchdog caught collective operation timeout
##[error]Process completed with exit code 1.
"""


def told(check: str, log: str) -> list[Found]:
    return [(check, failure) for failure in read_log(io.BytesIO(log.encode())).failures]


def test_one_broken_import_fails_forty_jobs() -> None:
    found = [
        one
        for number in range(40)
        for one in told(f"unit ({number})", CONFTEST.format(minute=number, part=number, line=4))
    ]
    (one,) = cluster(found)
    assert len(one.checks) == 40
    assert one.first.kind == "ImportError"
    assert "pkg/attention.py" in {one.first.path, *one.first.chain}
    assert "tests/conftest.py" in {one.first.path, *one.first.chain}


def test_a_lost_runner_is_one_fault_over_all_jobs() -> None:
    (one,) = cluster([found for number in range(5) for found in told(f"job {number}", LOST)])
    verdict = judge(one, Facts(signatures=transient.known()))
    assert verdict.cause is Cause.INFRASTRUCTURE


def test_what_other_ranks_say_goes_to_the_one_that_died() -> None:
    (one,) = cluster(told("gpu", RANKS))
    assert (one.first.kind, one.first.weight) == ("ValueError", Weight.CAUSE)
    assert judge(one, Facts(signatures=transient.known())).cause is Cause.UNKNOWN


def test_the_same_fault_in_another_run_has_the_same_signatures() -> None:
    (first,) = cluster(told("unit", CONFTEST.format(minute=1, part=1, line=4)))
    (second,) = cluster(told("unit", CONFTEST.format(minute=59, part=7, line=40)))
    assert first.in_check("unit").signatures == second.in_check("unit").signatures


RUFF = "pkg/optim.py:31:12: F821 Undefined name `scale`\nFound 1 error.\n"
MYPY = 'pkg/optim.py:31: error: Name "scale" is not defined  [name-defined]\n'
PYTHON = """\
Traceback (most recent call last):
  File "tools/train.py", line 4, in <module>
    step()
  File "pkg/optim.py", line 31, in step
    return scale * 2
NameError: name 'scale' is not defined
"""
PYTEST = """\
=================================== FAILURES ===================================
__________________________________ test_step ___________________________________

    def test_step():
>       step()

tests/test_optim.py:5:
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _

    def step():
>       return scale * 2
E       {error}

pkg/optim.py:31: {kind}
=========================== short test summary info ============================
FAILED tests/test_optim.py::test_step - {error}
"""


def test_one_fault_in_the_words_of_four_tools() -> None:
    pytest = PYTEST.format(error="NameError: name 'scale' is not defined", kind="NameError")
    found = told("ruff", RUFF) + told("mypy", MYPY) + told("smoke", PYTHON) + told("unit", pytest)
    (one,) = cluster(found)
    assert one.checks == ("mypy", "ruff", "smoke", "unit")
    # Another line, another name or another file is another fault.
    for other in (MYPY.replace("31", "32"), MYPY.replace("scale", "shift"), MYPY.replace("optim", "optima")):
        assert len(cluster([*told("ruff", RUFF), *told("unit", pytest), *told("types", other)])) == 2


def test_an_exception_is_one_fault_by_its_words_and_place_whoever_tells_it() -> None:
    plain = PYTHON.replace("NameError: name 'scale' is not defined", "{}")
    pytest = PYTEST.format(error="ValueError: no rate given", kind="ValueError")
    found = told("unit", pytest)
    assert len(cluster([*found, *told("smoke", plain.format("ValueError: no rate given"))])) == 1
    for other in ("ValueError: no beta given", "TypeError: no rate given"):
        assert len(cluster([*found, *told("smoke", plain.format(other))])) == 2
