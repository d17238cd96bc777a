"""What may stand where a configuration file is wanted: nothing makes us wait, nothing is read without end."""

import os
import re
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from syncline.config.file import LARGEST
from syncline.config.find import find
from syncline.config.load import load
from syncline.config.peek import Glimpse, peek
from syncline.errors import ConfigError, SynclineError
from testing.cli import run_syncline
from testing.lane import LaneStory, build_lane

LANE = b'version = 1\n[lanes.x]\nsource = "main"\ntarget = "dev"\n'


def a_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        # The address of a socket has room for 108 bytes only.
        here = Path.cwd()
        os.chdir(path.parent)
        try:
            one.bind(path.name)
        finally:
            os.chdir(here)


def linked(target: str | Callable[[Path], None]) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        if callable(target):
            target(path.with_name("real"))
        path.symlink_to("real" if callable(target) else target)

    return make


NO_FILES: dict[str, tuple[Callable[[Path], None], str]] = {
    "/dev/zero": (linked("/dev/zero"), "is a device"),
    "/dev/null": (linked("/dev/null"), "is a device"),
    "a named pipe": (os.mkfifo, "is a named pipe"),
    "a link to a named pipe": (linked(os.mkfifo), "is a named pipe"),
    "a directory": (Path.mkdir, "is a directory"),
    "a socket": (a_socket, "is a socket"),
}


@pytest.mark.parametrize(("make", "words"), NO_FILES.values(), ids=NO_FILES)
def test_what_is_no_file_is_named(tmp_path: Path, make: Callable[[Path], None], words: str) -> None:
    place = tmp_path / "syncline.toml"
    make(place)
    named = re.escape(f"{place} {words}")
    for ask in (
        lambda: find(explicit=place, work_tree=None, git_dir=tmp_path / "none"),
        lambda: find(explicit=None, work_tree=tmp_path, git_dir=tmp_path / "none"),
        lambda: find(explicit=None, work_tree=None, git_dir=tmp_path),
    ):
        with pytest.raises(SynclineError, match=named) as raised:
            ask()
        assert not isinstance(raised.value, ConfigError)
        assert raised.value.hint
    if "socket" not in words:  # the system itself refuses to open one
        with pytest.raises(ConfigError, match=named):
            load(place)
    assert peek(place, None) is None


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> LaneStory:
    return build_lane(tmp_path_factory.mktemp("lane"))


@pytest.mark.parametrize(("make", "words"), NO_FILES.values(), ids=NO_FILES)
@pytest.mark.parametrize("command", ["plan", "merge dev main", "status", "tick"])
def test_commands_refuse_it(story: LaneStory, make: Callable[[Path], None], words: str, command: str) -> None:
    place = story.repo.path / "syncline.toml"
    make(place)
    try:
        by_place = run_syncline(*command.split(), repo=story.repo)
        by_name = run_syncline(*command.split(), "--config", place, repo=story.repo)
    finally:
        for left in (place, place.with_name("real")):
            if left.is_dir():
                left.rmdir()
            else:
                left.unlink(missing_ok=True)
    for done in (by_place, by_name):
        assert done.code == 2
        assert words in done.err


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    place = tmp_path / "syncline.toml"
    place.write_bytes(LANE)
    os.truncate(place, 1 << 40)  # a hole: it takes no room on the disk, and would take a terabyte of memory
    assert find(explicit=place, work_tree=None, git_dir=tmp_path) == place
    assert peek(place, None) is None
    with pytest.raises(ConfigError, match="larger than 1 MiB"):
        load(place)


@pytest.mark.parametrize(("size", "fits"), [(LARGEST, True), (LARGEST + 1, False)])
def test_peek_and_load_have_one_limit(tmp_path: Path, size: int, fits: bool) -> None:  # noqa: FBT001 - a row
    place = tmp_path / "syncline.toml"
    place.write_bytes(LANE + b"#" * (size - len(LANE)))
    assert peek(place, None) == (Glimpse("main", "dev", 0) if fits else None)
    if fits:
        assert load(place).lane().source == "main"


def test_a_link_to_a_file_is_fine(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"\xef\xbb\xbf" + LANE)
    place = tmp_path / "syncline.toml"
    place.symlink_to("real")
    assert find(explicit=None, work_tree=tmp_path, git_dir=tmp_path) == place
    assert peek(place, None) == Glimpse("main", "dev", 0)
