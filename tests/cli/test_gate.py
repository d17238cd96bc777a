"""`syncline gate` judges results of what is configured now."""

from pathlib import Path

import pytest

from testing.lane import build_lane

CHANGES = {
    "command": ('command = ["true"]', 'command = ["false"]'),
    "time limit": ('command = ["true"]', 'command = ["true"]\ntimeout = 5'),
    "environment": ('command = ["true"]', 'command = ["true"]\nenv = { X = "1" }'),
    "needs": ('needs = ["files"]', ""),
}


@pytest.mark.parametrize(("old", "new"), CHANGES.values(), ids=CHANGES)
def test_a_check_configured_anew_is_waited_for(tmp_path: Path, old: str, new: str) -> None:
    story = build_lane(tmp_path)
    assert story.run("sync").code == 0
    assert story.run("gate", "1", "--json").json()["state"] == "green"
    text = story.config.read_text()
    assert old in text
    story.config.write_text(text.replace(old, new))
    done = story.run("gate", "1", "--json")
    assert done.code == 1
    assert done.json()["state"] == "waiting"
    assert [reason["check"] for reason in done.json()["reasons"]] == ["done"]
    story.config.write_text(text)
    assert story.run("gate", "1").code == 0
