"""Merge drivers as real programs: what becomes of their answers, and how they fail."""

import sys
import textwrap
from collections.abc import Generator
from pathlib import Path

import pytest

from syncline.config.load import load
from syncline.config.models import Driver
from syncline.errors import ConfigError
from syncline.git import CommitId, Repository
from syncline.lane import drivers as drivers_module
from syncline.lane.drivers import Drivers
from syncline.lane.learned import drivers_of, settler_for
from syncline.merge.case import FileCase
from syncline.merge.ladder.lane_record import LaneRecord
from syncline.merge.merge import merge
from syncline.merge.proposal import Proposal
from syncline.merge.proposals import propose_all
from syncline.replay.gather import gather_all
from syncline.replay.lane_syncs import past_syncs
from testing.builder import RepositoryBuilder
from testing.cases import file_case
from testing.learning import build_past
from testing.repository import BuiltRepository
from tests.forge.support import is_living, wait_until

BASE = b"a\nb\nc\n"
OURS = b"a\nours\nc\n"
THEIRS = b"a\ntheirs\nc\n"
BOTH = "import sys\no, a, b = sys.argv[1:4]\nopen(a, 'wb').write(b'a\\nboth\\nc\\n')\n"


@pytest.fixture
def built(builder: RepositoryBuilder) -> BuiltRepository:
    dev = builder.branch("dev")
    dev.commit("start", {"a.txt": BASE.decode()})
    main = dev.branch("main")
    dev.commit("ours", {"a.txt": OURS.decode()})
    main.commit("theirs", {"a.txt": THEIRS.decode()})
    return builder.finish(head="dev")


@pytest.fixture
def repository(built: BuiltRepository) -> Generator[Repository]:
    with Repository.open(built.path) as opened:
        yield opened


def driver(tmp_path: Path, script: str, *arguments: str, timeout: float = 60, match: str = "*.txt") -> Driver:
    program = tmp_path / "driver.py"
    program.write_text(textwrap.dedent(script))
    words = arguments or ("%O", "%A", "%B")
    command = (sys.executable, str(program), *words)
    return Driver(name="own", command=command, match=(match,), timeout=timeout, line=9)


def case(path: bytes = b"a.txt") -> FileCase:
    return file_case(BASE, OURS, THEIRS, path)


def offers(repository: Repository, *drivers: Driver) -> list[Proposal]:
    return list(Drivers(repository, drivers)(case()))


def test_what_it_leaves_in_ours_is_offered_hunk_by_hunk(repository: Repository, tmp_path: Path) -> None:
    (offer,) = offers(repository, driver(tmp_path, BOTH))
    assert (offer.hunk, offer.lines, offer.resolver, offer.marks) == (0, (b"both\n",), "driver:own", ())
    assert offer.evidence[0].text == f"merge driver own (`{sys.executable}`) merged the file cleanly"


def test_it_is_told_what_git_tells_drivers(repository: Repository, tmp_path: Path) -> None:
    script = """
        import os, sys
        names = sys.argv[1:4]
        contents = [open(name).read() for name in names]
        suffixes = (os.path.splitext(name)[1] for name in names)
        open(names[1], "w").write(repr([*sys.argv[4:], *suffixes, *contents, os.environ.get("SECRET", "-")]))
    """
    words = ("%O", "%A", "%B", "%L", "%P", "%S", "%X", "%Y", "100%%", "--path=%P")
    one = driver(tmp_path, script, *words, match="sub/")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SECRET", "told")
        (offer,) = Drivers(repository, [one])(case(b"sub/a b.txt"))
    told = ["7", "sub/a b.txt", "base", "ours", "theirs", "100%", "--path=sub/a b.txt"]
    texts = [text.decode() for text in (BASE, OURS, THEIRS)]
    assert b"".join(offer.lines).decode() == repr([*told, ".txt", ".txt", ".txt", *texts, "-"])


def test_it_never_works_where_people_do(repository: Repository, built: BuiltRepository, tmp_path: Path) -> None:
    script = "import os, sys\nopen('a.txt', 'w').write('left')\nopen(sys.argv[1], 'w').write(os.getcwd())\n"
    (offer,) = offers(repository, driver(tmp_path, script, "%A"))
    place = Path(b"".join(offer.lines).decode())
    assert not place.exists()
    assert not place.is_relative_to(built.path)


DECLINES = {
    "it has conflicts": "import sys\nopen(sys.argv[2], 'w').write('x')\nsys.exit(1)\n",
    "it breaks": "raise SystemExit(129)\n",
    "it is killed": "import os\nos.kill(os.getpid(), 9)\n",
    "it takes its result away": "import os, sys\nos.unlink(sys.argv[2])\n",
    "it leaves a link": "import os, sys\nos.unlink(sys.argv[2])\nos.symlink('/etc/passwd', sys.argv[2])\n",
    "it leaves a directory": "import os, sys\nos.unlink(sys.argv[2])\nos.mkdir(sys.argv[2])\n",
}


@pytest.mark.parametrize("script", DECLINES.values(), ids=DECLINES)
def test_whatever_goes_wrong_it_has_no_answer(repository: Repository, tmp_path: Path, script: str) -> None:
    assert offers(repository, driver(tmp_path, script)) == []


def test_one_that_hangs_is_stopped_with_its_children_and_not_asked_again(
    repository: Repository, tmp_path: Path
) -> None:
    pids = tmp_path / "pids"
    script = f"""
        import subprocess, time
        child = subprocess.Popen(["sleep", "600"])
        with open({str(pids)!r}, "a") as file:
            file.write(f"{{child.pid}}\\n")
        time.sleep(600)
    """
    asked = Drivers(repository, [driver(tmp_path, script, timeout=2)])
    assert list(asked(case())) == list(asked(case())) == []
    (pid,) = map(int, pids.read_text().split())
    wait_until(lambda: not is_living(pid))


FLOODS = {
    "its result": "import sys\nwith open(sys.argv[2], 'w') as f:\n while True: f.write('x' * 65536)\n",
    "another file": "with open('more', 'w') as f:\n while True: f.write('x' * 65536)\n",
    "a result too large": "import sys\nopen(sys.argv[2], 'w').write('x' * 300_000)\n",
}


@pytest.mark.parametrize("script", FLOODS.values(), ids=FLOODS)
def test_one_that_floods_the_disk_is_stopped(
    repository: Repository, tmp_path: Path, script: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drivers_module, "LARGEST", 200_000)
    assert offers(repository, driver(tmp_path, script)) == []


def test_output_without_end_is_not_kept(repository: Repository, tmp_path: Path) -> None:
    script = "import sys\nfor _ in range(200): sys.stdout.write('x' * 65536)\n" + BOTH
    assert len(offers(repository, driver(tmp_path, script))) == 1


def test_one_that_cannot_be_started_is_told_with_its_line(built: BuiltRepository, tmp_path: Path) -> None:
    config = tmp_path / "policy.toml"
    config.write_text(
        'version = 1\n[lanes.x]\nsource = "main"\ntarget = "dev"\n'
        '[[lanes.x.drivers]]\nname = "gone"\ncommand = ["no-such-driver", "%A"]\nmatch = ["*"]\n'
    )
    lane = load(config).lane()
    ours, theirs = CommitId(built["dev"]), CommitId(built["main"])
    with Repository.open(built.path) as repository:
        settler = settler_for(repository, lane, ours, theirs, LaneRecord())
        with pytest.raises(
            ConfigError, match=r"^policy.toml:5: merge driver 'gone' .* could not be started"
        ) as raised:
            merge(repository, ours, theirs, lane, settler=settler)
    assert "take it out of the lane" in raised.value.hint


def test_in_a_merge_its_answer_is_one_of_the_candidates(built: BuiltRepository, tmp_path: Path) -> None:
    config = tmp_path / "policy.toml"
    one = driver(tmp_path, BOTH)
    config.write_text(
        'version = 1\n[lanes.x]\nsource = "main"\ntarget = "dev"\n[[lanes.x.drivers]]\nname = "own"\n'
        f"command = {list(one.command)!r}\nmatch = ['*.txt']\n"
    )
    lane = load(config).lane()
    ours, theirs = CommitId(built["dev"]), CommitId(built["main"])
    with Repository.open(built.path) as repository:
        settler = settler_for(repository, lane, ours, theirs, LaneRecord())
        result = merge(repository, ours, theirs, lane, settler=settler)
    (hunk,) = result.decisions[0].hunks
    assert {offer.resolvers: offer.lines for offer in hunk.offers}["driver:own",] == (b"both\n",)


def test_lock_files_are_not_shown_to_drivers(repository: Repository, tmp_path: Path) -> None:
    further = Drivers(repository, [driver(tmp_path, BOTH, match="*")])
    assert list(propose_all(case(b"yarn.lock"), None, further)) == []
    assert "driver:own" in {offer.resolver for offer in propose_all(case(), None, further)}


@pytest.mark.parametrize("jobs", [1, 2])
def test_past_syncs_are_replayed_with_the_drivers(tmp_path: Path, jobs: int) -> None:
    command = list(driver(tmp_path, BOTH).command)
    table = f'[[lanes.nightly.drivers]]\nname = "own"\ncommand = {command!r}\nmatch = ["*.txt"]\n'
    story = build_past(tmp_path, syncs=2)
    story.config.write_text(story.config.read_text() + table)
    ask = drivers_of(load(story.config).lane())
    repo = story.repo
    with Repository.open(repo.path) as repository:
        syncs = past_syncs(repository, CommitId(repo["main"]), CommitId(repo["dev"]), 10, {})
    gathered = list(gather_all(repo.path, syncs, jobs=jobs, ask=ask))
    voices = {
        voice for one in gathered for conflict in one.conflicts for facts in conflict.facts
        for candidate in facts.candidates for voice in candidate.voices
    }  # fmt: skip
    assert "driver:own" in voices
