"""Queueing, running and retrying checks on the local forge."""

import json
import re
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from syncline.checks.model import Check, CheckState, Conclusion
from syncline.errors import ForgeError, GitError
from syncline.forge.local.forge import LocalForge
from syncline.forge.local.runner import log_path
from syncline.forge.protocol import Forge
from tests.forge.support import (
    MARK,
    OTHER_SHA,
    SHA,
    Spec,
    checkout,
    conclusions,
    log_of,
    newest,
    python,
    survivors,
    work,
)

SUCCESS, FAILURE, SKIPPED = Conclusion.SUCCESS, Conclusion.FAILURE, Conclusion.SKIPPED
QUEUED = CheckState.QUEUED


def test_the_local_forge_is_a_forge(forge: LocalForge) -> None:
    typed: Forge = forge  # the type checker's part of this test
    assert typed.rollup(SHA).checks == ()


def test_queueing_is_idempotent_by_commit_and_name(forge: LocalForge) -> None:
    forge.start_checks(SHA, [Spec("a"), Spec("b")])
    rollup = forge.start_checks(SHA, [Spec("a"), Spec("b"), Spec("c")])
    assert [(check.name, check.state) for check in rollup.checks] == [("a", QUEUED), ("b", QUEUED), ("c", QUEUED)]


def test_what_is_queued_for_nobody_is_not_waited_for(forge: LocalForge) -> None:
    forge.start_checks(SHA, [Spec("a"), Spec("b")])
    rollup = forge.start_checks(SHA, [Spec("b")])
    assert {check.name: check.conclusion for check in rollup.checks} == {"a": Conclusion.SKIPPED, "b": None}
    assert forge.rollup(OTHER_SHA).checks == ()
    assert [check.sha for check in forge.start_checks(OTHER_SHA, [Spec("a")]).checks] == [OTHER_SHA]


@pytest.mark.parametrize(
    ("spec", "wanted", "summary"),
    [
        (python("a", "print('fine')"), SUCCESS, "fine"),
        (python("a", "pass"), SUCCESS, ""),
        (python("a", "print('bad'); raise SystemExit(3)"), FAILURE, "exit code 3: bad"),
        (python("a", "import os; os.kill(os.getpid(), 9)"), FAILURE, "killed by SIGKILL"),
        (python("a", "import os; os.kill(os.getpid(), 15)"), FAILURE, "killed by SIGTERM"),
        (
            Spec("a", ("no-such-program", "x")),
            Conclusion.STARTUP_FAILURE,
            "could not be started: no-such-program: No such file or directory",
        ),
        (
            Spec("a", ("/etc/passwd",)),
            Conclusion.STARTUP_FAILURE,
            "could not be started: /etc/passwd: Permission denied",
        ),
        (Spec("a", ("a\0b",)), Conclusion.STARTUP_FAILURE, "could not be started: ab: embedded null byte"),
        (
            python("a", "import sys; sys.stdout.buffer.write(b'\\xff\\xfe caf\\xe9')"),
            SUCCESS,
            "\ufffd\ufffd caf\ufffd",
        ),
        (python("a", "import sys; print(sys.stdin.read() == '')"), SUCCESS, "True"),
        (Spec("a", ("echo", "$HOME; `x` *")), SUCCESS, "$HOME; `x` *"),
    ],
)
def test_how_a_command_ends(forge: LocalForge, spec: Spec, wanted: Conclusion, summary: str) -> None:
    check = newest(work(forge, [spec]))["a"]
    assert check.conclusion is wanted
    assert check.summary == summary
    assert check.seconds is not None


def test_output_of_both_kinds_lands_in_the_log_in_order(forge: LocalForge) -> None:
    code = "import os\nfor n in range(4): os.write(1 + n % 2, b'%d\\xff\\n' % n)"
    check = newest(work(forge, [python("a", code)]))["a"]
    assert log_of(check) == b"0\xff\n1\xff\n2\xff\n3\xff\n"
    assert check.summary == "1\ufffd | 2\ufffd | 3\ufffd"


def test_signals_that_python_ignores_are_not_ignored_in_a_check(forge: LocalForge) -> None:
    check = newest(work(forge, [Spec("a", ("sh", "-c", "kill -PIPE $$; echo survived"))]))["a"]
    assert check.summary == "killed by SIGPIPE"


def test_output_beyond_the_limit_keeps_head_and_tail(forge: LocalForge) -> None:
    code = "import sys\nprint('first')\nfor n in range(60): sys.stdout.write('x' * (1 << 20))\nprint('\\nlast')"
    check = newest(work(forge, [python("a", code)]))["a"]
    log = log_of(check)
    assert 25 << 20 < len(log) <= 50 << 20
    assert log.startswith(b"first\nxxx")
    assert log.endswith(b"xxx\nlast\n")
    assert b"bytes are left out here]" in log
    assert check.summary == "last"


def test_environment(forge: LocalForge, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GIT_DIR", "GIT_AUTHOR_NAME", "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "PYTHONPATH", "EDITOR"):
        monkeypatch.setenv(name, "secret")
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    monkeypatch.delenv("LC_ALL", raising=False)
    own = {"FLAVOUR": "caf\udce9 \N{SNOWMAN}", "CI": "1", "SYNCLINE_SHA": "lie"}
    code = "import json, os; print(json.dumps(dict(os.environ)))"
    # Python itself may add LC_CTYPE, in the C locale (PEP 538).
    spec = Spec("a", (sys.executable, "-c", code), env=own)
    check = newest(work(forge, [spec], lane="nightly"))["a"]
    found: dict[str, str] = json.loads(log_of(check))
    assert found.pop("SYNCLINE_ATTEMPT")
    found.pop("LC_CTYPE", None)
    passed = {"PATH", "HOME", "LANG", "TMPDIR", "TERM"}
    assert set(found) - passed == {"CI", "FLAVOUR", "SYNCLINE_SHA", "SYNCLINE_LANE", "SYNCLINE_ARTIFACTS"}
    assert found["LANG"] == "de_DE.UTF-8"
    assert found["CI"] == "1"
    assert found["FLAVOUR"].encode(errors="surrogateescape") == own["FLAVOUR"].encode(errors="surrogateescape")
    assert (found["SYNCLINE_SHA"], found["SYNCLINE_LANE"]) == (SHA, "nightly")


def test_what_a_check_leaves_is_kept_beside_its_log(forge: LocalForge, tmp_path: Path) -> None:
    script = 'mkdir "$SYNCLINE_ARTIFACTS/values"; echo 1 > "$SYNCLINE_ARTIFACTS/values/a.json"; '
    script += 'ln -s /etc "$SYNCLINE_ARTIFACTS/linked"; touch "$SYNCLINE_ARTIFACTS/other"'
    found = newest(work(forge, [Spec("a", ("sh", "-c", script)), Spec("b", ("true",))]))
    left = forge.beside(found["a"], tmp_path, lambda name: name != "other").files
    assert [(one.name, (one / "a.json").read_text()) for one in left] == [("values", "1\n")]
    assert forge.beside(found["b"], tmp_path, lambda _: True).files == ()
    assert not list(Path(found["b"].log).parent.glob("b*.artifacts"))


def test_env_may_be_pairs_and_a_time_limit_a_fraction(forge: LocalForge) -> None:
    @dataclass(frozen=True)
    class Pairs:
        name: str = "a"
        command: tuple[str, ...] = ("sh", "-c", "echo $X; exec sleep 60")
        timeout: float = 0.5
        needs: tuple[str, ...] = ()
        env: tuple[tuple[str, str], ...] = (("X", "1"), ("X", "2"))

    check = newest(work(forge, [Pairs()]))["a"]
    assert check.summary == "over its time limit of 0.5 s: 2"


def test_each_check_has_a_checkout_of_its_own_that_is_taken_away(forge: LocalForge) -> None:
    given: list[Path] = []

    @contextmanager
    def counted(sha: str) -> Generator[Path]:
        assert sha == SHA
        with checkout(sha) as directory:
            given.append(directory)
            yield directory

    code = "import os; assert os.listdir() == []; open('x', 'w').close(); print(os.getcwd())"
    rollup = work(forge, [python("a", code), python("b", code)], checkout=counted)
    assert set(conclusions(rollup).values()) == {SUCCESS}
    assert {check.summary for check in rollup.checks} == {str(path) for path in given}
    assert len(set(given)) == 2
    assert not any(path.exists() for path in given)


@pytest.mark.parametrize("error", [GitError("no such commit"), OSError(28, "No space left on device")])
def test_a_checkout_that_fails_is_a_startup_failure(forge: LocalForge, error: Exception) -> None:
    @contextmanager
    def failing(sha: str) -> Generator[Path]:
        raise error
        yield Path(sha)

    check = newest(work(forge, [Spec("a")], checkout=failing))["a"]
    assert check.conclusion is Conclusion.STARTUP_FAILURE
    assert str(error) in check.summary
    assert str(error).encode() in log_of(check)


def test_a_checkout_that_cannot_be_taken_away_does_not_change_the_result(forge: LocalForge) -> None:
    @contextmanager
    def sticky(sha: str) -> Generator[Path]:
        with checkout(sha) as directory:
            yield directory
        raise OSError(16, "Device or resource busy")

    check = newest(work(forge, [Spec("a")], checkout=sticky))["a"]
    assert check.conclusion is SUCCESS
    assert b"could not be taken away: [Errno 16] Device or resource busy" in log_of(check)


@pytest.mark.parametrize(
    ("specs", "wanted"),
    [
        (
            [Spec("a"), Spec("b", needs=("a",)), Spec("c", needs=("a", "b"))],
            {"a": SUCCESS, "b": SUCCESS, "c": SUCCESS},
        ),
        (
            [Spec("c", needs=("b",)), Spec("b", needs=("a",)), Spec("a", ("false",)), Spec("d")],
            {"a": FAILURE, "b": SKIPPED, "c": SKIPPED, "d": SUCCESS},
        ),
        (
            [Spec("a"), Spec("x", ("no-such-program",)), Spec("b", needs=("a", "x"))],
            {"a": SUCCESS, "x": Conclusion.STARTUP_FAILURE, "b": SKIPPED},
        ),
    ],
)
@pytest.mark.parametrize("parallel", [1, 3])
def test_needs(forge: LocalForge, specs: list[Spec], wanted: dict[str, Conclusion], parallel: int) -> None:
    assert conclusions(work(forge, specs, parallel=parallel)) == wanted


def test_a_skipped_check_names_what_failed(forge: LocalForge) -> None:
    rollup = work(forge, [Spec("build", ("false",)), Spec("tests", needs=("build",))])
    assert newest(rollup)["tests"].summary == "skipped: it needs build, which ended as failure"


def test_a_need_ends_before_what_needs_it_starts(forge: LocalForge) -> None:
    events: list[tuple[str, CheckState]] = []
    work(
        forge,
        [Spec("b", needs=("a",)), python("a", "import time; time.sleep(0.2)")],
        on_event=lambda check: events.append((check.name, check.state)),
    )
    assert events.index(("a", CheckState.COMPLETED)) < events.index(("b", CheckState.RUNNING))


@pytest.mark.parametrize(
    ("specs", "words"),
    [
        ([Spec("a", needs=("zz",))], "check a needs zz, and there is no such check"),
        ([Spec("a", needs=("b",)), Spec("b", needs=("a",))], "need each other in a circle: a → b → a|: b → a → b"),
        ([Spec("a", needs=("a",))], "need each other in a circle"),
        ([Spec("a"), Spec("b"), Spec("a")], "found twice: a"),
        ([Spec("a", ())], "needs a name and a command"),
        ([Spec("a", ("", "x"))], "needs a name and a command"),
        ([Spec("")], "needs a name and a command"),
        ([Spec("a", timeout=0)], "needs a time limit above 0 s, found 0 s"),
    ],
)
def test_checks_that_make_no_sense_are_refused(forge: LocalForge, specs: list[Spec], words: str) -> None:
    with pytest.raises(ForgeError, match=words):
        forge.start_checks(SHA, specs)
    with pytest.raises(ForgeError, match=words):
        work(forge, specs)
    assert forge.rollup(SHA).checks == ()


def test_bad_requests_are_refused(forge: LocalForge) -> None:
    with pytest.raises(ForgeError, match="at least one check must be allowed"):
        work(forge, [Spec("a")], parallel=0)
    with pytest.raises(ForgeError, match=r"wanted a full commit id, found '\.\./x'"):
        forge.start_checks("../x", [Spec("a")])


def test_completed_checks_are_never_run_again(forge: LocalForge, tmp_path: Path) -> None:
    counter = tmp_path / "count"
    specs = [
        Spec("good", ("sh", "-c", f"echo x >> {counter}")),
        Spec("bad", ("sh", "-c", f"echo x >> {counter}; false")),
    ]
    first = work(forge, specs)
    assert work(forge, specs) == first
    assert forge.start_checks(SHA, specs) == first
    assert counter.read_text() == "x\nx\n"


def test_retry_queues_a_newer_attempt_and_what_was_skipped_for_it(forge: LocalForge, tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    specs = [
        Spec("a", ("test", "-e", str(flag))),
        Spec("b", needs=("a",)),
        Spec("c", needs=("b",)),
        Spec("other", ("false",)),
    ]
    assert conclusions(work(forge, specs)) == {"a": FAILURE, "b": SKIPPED, "c": SKIPPED, "other": FAILURE}
    flag.touch()
    queued = forge.retry(SHA, ["a"])
    assert conclusions(queued) == {"a": QUEUED, "b": QUEUED, "c": QUEUED, "other": FAILURE}
    assert forge.retry(SHA, ["a", "b"]) == queued
    rollup = work(forge, specs)
    assert conclusions(rollup) == {"a": SUCCESS, "b": SUCCESS, "c": SUCCESS, "other": FAILURE}
    attempts = [check for check in rollup.checks if check.name == "a"]
    assert [check.conclusion for check in attempts] == [FAILURE, SUCCESS]
    assert attempts[0].order < attempts[1].order
    assert attempts[0].log != attempts[1].log


def test_retry_of_an_unknown_check_is_a_clear_error(forge: LocalForge) -> None:
    forge.start_checks(SHA, [Spec("a")])
    with pytest.raises(ForgeError, match=r"has no check zz\n  hint: it has: a"):
        forge.retry(SHA, ["zz"])


def test_every_change_is_told_once_in_order_in_the_calling_thread(forge: LocalForge) -> None:
    events: list[tuple[str, str]] = []
    threads: set[int] = set()

    def on_event(check: Check) -> None:
        threads.add(threading.get_ident())
        events.append((check.name, check.conclusion or check.state))

    specs = [Spec("a"), Spec("b", ("false",)), Spec("c", needs=("b",))]
    work(forge, specs, on_event=on_event)
    by_name = {name: [state for other, state in events if other == name] for name in "abc"}
    assert by_name == {
        "a": ["queued", "running", "success"],
        "b": ["queued", "running", "failure"],
        "c": ["queued", "skipped"],
    }
    assert threads == {threading.get_ident()}
    events.clear()
    work(forge, specs, on_event=on_event)
    assert events == []


def test_never_more_at_once_than_allowed(forge: LocalForge, tmp_path: Path) -> None:
    slots = tmp_path / "slots"
    slots.mkdir()
    code = (
        "import os, sys, time\n"
        f"mine = {str(slots)!r} + '/%d' % os.getpid()\n"
        "open(mine, 'w').close()\n"
        "time.sleep(0.1)\n"
        f"count = len(os.listdir({str(slots)!r}))\n"
        "os.remove(mine)\n"
        "sys.exit(count > 2)\n"
    )
    rollup = work(forge, [python(f"check {number}", code) for number in range(6)], parallel=2)
    assert set(conclusions(rollup).values()) == {SUCCESS}


def test_checks_do_run_at_the_same_time(forge: LocalForge, tmp_path: Path) -> None:
    def meet(mine: str, other: str) -> Spec:
        script = f"touch {tmp_path}/{mine}; until test -e {tmp_path}/{other}; do sleep 0.02; done"
        return Spec(mine, ("sh", "-c", script))

    assert conclusions(work(forge, [meet("a", "b"), meet("b", "a")])) == {"a": SUCCESS, "b": SUCCESS}


def test_an_error_in_on_event_stops_what_runs_and_is_raised(forge: LocalForge) -> None:
    def on_event(check: Check) -> None:
        if check.state is CheckState.RUNNING:
            raise KeyboardInterrupt

    specs = [python("a", "import time; time.sleep(600)", env={MARK: "interrupt"}), Spec("b", needs=("a",))]
    with pytest.raises(KeyboardInterrupt):
        work(forge, specs, on_event=on_event)
    assert survivors("interrupt") == []
    assert conclusions(forge.rollup(SHA)) == {"a": Conclusion.CANCELLED, "b": QUEUED}


def test_an_unforeseen_error_in_a_checks_thread_is_raised(forge: LocalForge) -> None:
    @contextmanager
    def broken(sha: str) -> Generator[Path]:
        raise ZeroDivisionError(sha)
        yield Path()

    with pytest.raises(ZeroDivisionError):
        work(forge, [Spec("a"), Spec("b")], checkout=broken)
    assert CheckState.RUNNING not in conclusions(forge.rollup(SHA)).values()


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("unit", r"unit-1\.log"),
        ("Unit tests / 3.11", r"unit-tests-3\.11-[0-9a-f]{8}-1\.log"),
        ("..", r"\.\.-1\.log"),
        ("a/../../b", r"a-\.\.-\.\.-b-[0-9a-f]{8}-1\.log"),
        ("é" * 200, r"--[0-9a-f]{8}-1\.log"),
        ("x" * 300, r"x{60}-[0-9a-f]{8}-1\.log"),
    ],
)
def test_log_paths_are_plain_file_names(name: str, wanted: str) -> None:
    assert re.fullmatch(f"logs/{SHA}/{wanted}", log_path(SHA, name, 1))


def test_log_paths_differ_when_names_do() -> None:
    names: list[Any] = ["a b", "a-b", "A b", "a/b", "a  b"]
    assert len({log_path(SHA, name, 1) for name in names}) == len(names)
