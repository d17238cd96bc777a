"""Formatters as real programs: what they leave running, what they leave in place of the files, how they end."""

import signal
import subprocess
import sys
import textwrap
from collections.abc import Generator
from pathlib import Path

import pytest

from syncline.config.models import Formatter
from syncline.errors import SynclineError
from syncline.git import CommitId, Repository
from syncline.git.tree import Entry
from syncline.repair.formatters import Formatted, format_changed
from testing.builder import RepositoryBuilder
from testing.unprivileged import without_override
from tests.forge.support import environment, is_living, wait_until

FORMATS = 'for f in "$@"; do printf "formatted\\n" > "$f"; done\n'


@pytest.fixture
def repository(builder: RepositoryBuilder) -> Generator[tuple[Repository, CommitId]]:
    """A merge in which `sub/a.txt` and `b.txt` differ from both parents, and `own.txt` does not."""
    main = builder.branch("main")
    main.commit("start", {"sub/a.txt": "1\n2\n3\n4\n", "b.txt": "1\n2\n3\n4\n"})
    dev = main.branch("dev")
    dev.commit("ours", {"sub/a.txt": "1\n2\n3\nd\n", "b.txt": "1\n2\n3\nd\n", "own.txt": "d\n"})
    main.commit("theirs", {"sub/a.txt": "m\n2\n3\n4\n", "b.txt": "m\n2\n3\n4\n"})
    built = builder.finish(head="dev")
    built.git("merge", "-q", "-m", "merge", "main")
    with Repository.open(built.path) as opened:
        yield opened, CommitId(built.text("rev-parse", "HEAD").strip())


def formatter(tmp_path: Path, script: str, *, timeout: float = 60) -> Formatter:
    program = tmp_path / "fmt"
    program.write_text("#!/bin/sh\n" + script)
    program.chmod(0o755)
    return Formatter(name="fmt", command=(str(program),), match=("*.txt",), timeout=timeout)


def entry(repository: Repository, done: Formatted, path: bytes) -> bytes:
    found = repository.entry(done.tree, path)
    assert isinstance(found, Entry)
    return repository.blob(found.oid)


def pids(place: Path) -> list[int]:
    return [int(word) for word in place.read_text().split()]


def test_only_what_the_merge_made_is_formatted(repository: tuple[Repository, CommitId], tmp_path: Path) -> None:
    opened, merge = repository
    done = format_changed(opened, merge, [formatter(tmp_path, FORMATS + "echo x > own.txt\n")])
    assert entry(opened, done, b"sub/a.txt") == entry(opened, done, b"b.txt") == b"formatted\n"
    assert entry(opened, done, b"own.txt") == b"d\n"
    assert done.repairs == ("fmt on 2 merged files",)


# Each starts something that would run on, and writes its process id down.
LEAVES = {
    "a background job": "sleep 600 & echo $! >> {pids}\n",
    "a background job that holds the output": "sleep 600 >&1 2>&2 & echo $! >> {pids}\n",
    "a job that does not heed SIGTERM": "(trap '' TERM; while :; do sleep 1; done) & echo $! >> {pids}\n",
    "a daemon in a session of its own": (
        "{python} -c 'import os, time\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    if os.fork() == 0:\n"
        '        open("{pids}", "a").write(str(os.getpid()) + chr(10))\n'
        "        time.sleep(600)\n"
        "' & wait\nwhile [ ! -s {pids} ]; do sleep 0.05; done\n"
    ),
}
ENDS = {
    "it ends well": (FORMATS, 60.0, None),
    "it fails": ("echo wrong >&2; exit 3\n", 60.0, "exit code 3: .*wrong"),
    "it kills itself": ("kill -9 $$\n", 60.0, "killed by SIGKILL"),
    "it takes too long": ("sleep 600 & echo $! >> {pids}; wait\n", 1.5, "over its time limit of 1.5 s"),
}


@pytest.mark.parametrize("leaves", LEAVES.values(), ids=LEAVES)
@pytest.mark.parametrize(("end", "timeout", "words"), ENDS.values(), ids=ENDS)
def test_nothing_it_started_survives(
    repository: tuple[Repository, CommitId],
    tmp_path: Path,
    leaves: str,
    end: str,
    timeout: float,
    words: str | None,
) -> None:
    opened, merge = repository
    place = tmp_path / "pids"
    script = (leaves + end).replace("{pids}", str(place)).replace("{python}", sys.executable)
    one = formatter(tmp_path, script, timeout=timeout)
    if words is None:
        assert entry(opened, format_changed(opened, merge, [one]), b"b.txt") == b"formatted\n"
    else:
        with pytest.raises(SynclineError, match=words) as raised:
            format_changed(opened, merge, [one])
        assert "'fmt'" in raised.value.message
    assert pids(place)
    assert [pid for pid in pids(place) if is_living(pid)] == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_survives_a_syncline_that_is_stopped(
    repository: tuple[Repository, CommitId], tmp_path: Path, number: signal.Signals
) -> None:
    opened, merge = repository
    place = tmp_path / "pids"
    one = formatter(tmp_path, f"sleep 600 & echo $! >> {place}; echo $$ >> {place}; wait\n")
    program = f"""
    import signal
    from pathlib import Path
    from syncline.config.models import Formatter
    from syncline.git import CommitId, Repository
    from syncline.repair.formatters import format_changed
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    one = Formatter(name="fmt", command=({one.command[0]!r},), match=("*.txt",))
    with Repository.open(Path({str(opened.git_dir)!r})) as opened:
        format_changed(opened, CommitId({str(merge)!r}), [one])
    """
    child = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)],
        env=environment(tmp_path), stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    with child:
        wait_until(lambda: place.exists() and len(place.read_text().split()) == 2)
        child.send_signal(number)
        assert child.wait(60) != 0
    wait_until(lambda: not any(is_living(pid) for pid in pids(place)))


def test_output_without_end_is_not_kept_in_memory_and_is_ended(
    repository: tuple[Repository, CommitId], tmp_path: Path
) -> None:
    opened, merge = repository
    with pytest.raises(SynclineError, match="time limit"):
        format_changed(opened, merge, [formatter(tmp_path, "exec yes\n", timeout=1)])


OUTSIDE = "what no tree may hold\n"
REPLACES = {
    "deleted": ("rm b.txt", "b.txt, which is gone"),
    "a link to a file outside": ("ln -sf {secret} b.txt", "b.txt, which is a symbolic link"),
    "a link to a file inside": ("ln -sf own.txt b.txt", "b.txt, which is a symbolic link"),
    "a dangling link": ("ln -sf nowhere b.txt", "b.txt, which is a symbolic link"),
    "a directory": ("rm b.txt; mkdir b.txt", "b.txt, which is a directory"),
    "a named pipe": ("rm b.txt; mkfifo b.txt", "b.txt, which is no regular file"),
    "the directory above is a link": (
        "mv sub other; ln -s other sub", "sub/a.txt, which is no longer in a directory"),
    "the directory above is a link out": (
        "rm -r sub; mkdir -p {outside}; cp {secret} {outside}/a.txt; ln -s {outside} sub",
        "sub/a.txt, which is no longer in a directory"),
    "the directory above is a file": ("rm -r sub; echo x > sub", "sub/a.txt, which is no longer in a directory"),
    "the directory above is gone": ("rm -r sub", "sub/a.txt, which is gone"),
    "unreadable": ("chmod 000 b.txt", "b.txt, which cannot be read"),
}  # fmt: skip


@pytest.mark.parametrize(("script", "words"), REPLACES.values(), ids=REPLACES)
def test_something_else_than_the_file_is_refused(
    repository: tuple[Repository, CommitId], tmp_path: Path, script: str, words: str
) -> None:
    opened, merge = repository
    secret = tmp_path / "secret"
    secret.write_text(OUTSIDE)
    script = script.replace("{secret}", str(secret)).replace("{outside}", str(tmp_path / "outside"))
    one = formatter(tmp_path, f"set -e\n{script}\n")
    with without_override(), pytest.raises(SynclineError, match=words) as raised:
        format_changed(opened, merge, [one])
    assert "'fmt'" in raised.value.message
    assert raised.value.hint


def test_the_whole_checkout_replaced_by_a_link_shows_nothing(
    repository: tuple[Repository, CommitId], tmp_path: Path
) -> None:
    opened, merge = repository
    outside = tmp_path / "outside"
    (outside / "sub").mkdir(parents=True)
    for name in ("b.txt", "sub/a.txt"):
        (outside / name).write_text(OUTSIDE)
    script = f'here=$PWD\ncd ..\nmv "$here" aside\nln -s {outside} "$here"\n'
    done = format_changed(opened, merge, [formatter(tmp_path, script)])
    assert entry(opened, done, b"b.txt") != OUTSIDE.encode()
    assert done.repairs == ()


def test_a_missing_program_says_what_to_do(repository: tuple[Repository, CommitId]) -> None:
    opened, merge = repository
    missing = Formatter(name="fmt", command=("no-such-formatter",), match=("*.txt",))
    with pytest.raises(SynclineError, match="could not be started: no-such-formatter") as raised:
        format_changed(opened, merge, [missing])
    assert "install it" in raised.value.hint


def test_names_that_are_no_text_reach_the_formatter(builder: RepositoryBuilder, tmp_path: Path) -> None:
    name = b"caf\xe9 -x\n.txt"
    main = builder.branch("main")
    main.commit("start", {name: "1\n2\n3\n4\n"})
    dev = main.branch("dev")
    dev.commit("ours", {name: "1\n2\n3\nd\n"})
    main.commit("theirs", {name: "m\n2\n3\n4\n"})
    built = builder.finish(head="dev")
    built.git("merge", "-q", "-m", "merge", "main")
    with Repository.open(built.path) as opened:
        merge = CommitId(built.text("rev-parse", "HEAD").strip())
        assert entry(opened, format_changed(opened, merge, [formatter(tmp_path, FORMATS)]), name) == b"formatted\n"
