"""What a room takes in, and what is not taken back out of it."""

import os
from pathlib import Path

import pytest

from syncline.repair.agents import room
from syncline.repair.agents.agent import AgentError, Limits
from syncline.repair.agents.task import AgentTask, TaskFile, TaskKind


def task(*paths: bytes) -> AgentTask:
    return AgentTask(
        "0" * 16, TaskKind.CONFLICT, tuple(TaskFile(path, b"b", b"o", b"t", b"m\n") for path in paths)
    )


@pytest.mark.parametrize("path", [b"../out", b"a/../../out", b"/out", b".git/config", b"a/.GIT/x", b"n" * 300])
def test_a_path_that_is_not_safe_is_refused(path: bytes) -> None:
    with pytest.raises(AgentError, match="its room cannot hold"), room.opened(task(path)):
        pass


def test_what_was_left_is_read_and_the_room_is_gone() -> None:
    asked = task(b"dir/a.py", b"b\xff")
    with room.opened(asked) as place:
        assert sorted(one.name for one in place.iterdir()) == ["b\udcff", "dir"]
        (place / "dir" / "a.py").write_bytes(b"new")
        (place / os.fsdecode(b"b\xff")).unlink()
        assert room.read_back(place, asked, Limits()) == {b"dir/a.py": b"new", b"b\xff": None}
    assert not place.exists()


def test_what_leads_out_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("secret")
    asked = task(b"dir/a.py")
    with room.opened(asked) as place:
        (place / "dir" / "a.py").unlink()
        (place / "dir").rmdir()
        (place / "dir").symlink_to(tmp_path)
        with pytest.raises(AgentError, match="symbolic link in place of the directory dir"):
            room.read_back(place, asked, Limits())
    with room.opened(asked) as place:
        (place / "dir" / "a.py").write_bytes(b"x" * 5000)
        with pytest.raises(AgentError, match="more than 1002 bytes"):
            room.read_back(place, asked, Limits(bytes=1000))
    with room.opened(asked) as place:
        (place / "dir" / "a.py").unlink()
        (place / "dir").rmdir()
        place.rmdir()
        place.symlink_to(tmp_path)
        with pytest.raises(AgentError, match="in place of its room"):
            room.read_back(place, asked, Limits())
    assert (tmp_path / "a.py").read_text() == "secret"
