"""Waivers are written without a change to anything else in the file."""

import os
import tomllib
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.config.load import load
from syncline.config.models import Waiver
from syncline.config.write_waiver import as_toml, write_waiver
from syncline.errors import ConfigError
from tests.config.test_config_properties import DOCUMENTS
from tests.config.toml_writer import TomlWriter

START = """\
# The policy.
version = 1

[lanes.x]   # the only one
source = "main"
target = "dev"

  [lanes.x.gate] # indented
  required = [
    "a",  # first
  ]
"""
LANE = 'version = 1\n[lanes.x]\nsource = "main"\ntarget = "dev"\n'
WAIVER = Waiver(
    finding="0123456789ab", because='it moved: "b.py"', path="src/a.py", code="0123456789abcdef", by="Ada",
    on=date(2026, 11, 30),
)  # fmt: skip
WRITTEN = """\
[[lanes.x.waivers]]
finding = "0123456789ab"
path = "src/a.py"
because = "it moved: \\"b.py\\""
by = "Ada"
on = 2026-11-30
code = "0123456789abcdef"
"""
AGAIN = WAIVER.model_copy(update={"because": "still", "code": "f" * 16, "by": None, "on": date(2026, 12, 1)})


def written(tmp_path: Path, text: str | bytes, *waivers: Waiver) -> tuple[str, int]:
    """Return the file and the line of the last waiver."""
    tmp_path.mkdir(exist_ok=True)
    file = tmp_path / "syncline.toml"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    line = 0
    for waiver in waivers:
        line = write_waiver(file, load(file).lane(), waiver)
    assert [one.name for one in tmp_path.iterdir()] == ["syncline.toml"]
    return file.read_bytes().decode(), line


def test_a_waiver_stands_behind_everything_else(tmp_path: Path) -> None:
    text, line = written(tmp_path, START, WAIVER)
    assert text == f"{START}\n{WRITTEN}"
    assert text.split("\n")[line - 1] == "[[lanes.x.waivers]]"
    assert load(tmp_path / "syncline.toml").lane().waivers == (WAIVER,)


def test_a_newer_waiver_takes_the_place_of_the_older(tmp_path: Path) -> None:
    other = WAIVER.model_copy(update={"finding": "b" * 12})
    first = WRITTEN.replace("on = 2026-11-30\n", "on = 2026-11-30 # a Monday\n") + "# below\n"
    second = WRITTEN.replace(WAIVER.finding + '"', other.finding + '"')
    text, line = written(tmp_path, f"{START}\n{first}\n{second}", AGAIN)
    lane = load(tmp_path / "syncline.toml").lane()
    assert lane.waivers == (AGAIN, other)
    assert text.startswith(START)
    assert "# below\n" in text
    assert "# a Monday" in text
    assert text.split("\n")[line - 1] == "[[lanes.x.waivers]]"


def test_taking_the_table_out_takes_the_waiver_back(tmp_path: Path) -> None:
    text, _ = written(tmp_path, START, WAIVER)
    (tmp_path / "syncline.toml").write_text(text.replace(WRITTEN, ""))
    assert load(tmp_path / "syncline.toml").lane().waivers == ()


LAYOUTS = {
    "no line break at the end": START.rstrip("\n"),
    "empty lines at the end": START + "\n\n",
    "line breaks of another kind": START.replace("\n", "\r\n"),
    "a byte order mark": "\ufeff" + START,
    "a quoted name": START.replace("lanes.x", 'lanes."x"'),
    "other tables behind": START + '[[lanes.x.paths]]\nmatch = ["a"]\ntake = "ours"\n',
    "umlauts": START.replace("first", "erster, größter"),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_layouts(name: str, tmp_path: Path) -> None:
    text, _ = written(tmp_path, LAYOUTS[name], WAIVER, AGAIN)
    assert text.startswith(LAYOUTS[name])
    assert load(tmp_path / "syncline.toml").lane().waivers == (AGAIN,)
    if "\r" in LAYOUTS[name]:
        assert "\n" not in text.replace("\r\n", "")


@pytest.mark.parametrize(
    "text",
    [
        'version = 1\nlanes = { x = { source = "main", target = "dev" } }\n',
        'version = 1\nlanes.x = { source = "main", target = "dev" }\n',
        LANE + 'waivers = [{ finding = "bbbbbbbbbbbb", because = "b", code = "cccccccccccccccc" }]\n',
    ],
    ids=["all inline", "a lane inline", "waivers inline"],
)
def test_what_cannot_take_a_table_is_left_alone_and_the_table_shown(text: str, tmp_path: Path) -> None:
    file = tmp_path / "syncline.toml"
    file.write_text(text)
    lane = load(file).lane()
    with pytest.raises(ConfigError, match="cannot be put in") as raised:
        write_waiver(file, lane, WAIVER)
    assert as_toml(lane, WAIVER) in raised.value.hint
    assert file.read_text() == text


def test_a_link_is_followed_and_the_mode_stays(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "real.toml").write_text(START)
    (inner / "real.toml").chmod(0o640)
    (tmp_path / "syncline.toml").symlink_to("inner/real.toml")
    write_waiver(tmp_path / "syncline.toml", load(tmp_path / "syncline.toml").lane(), WAIVER)
    assert (tmp_path / "syncline.toml").is_symlink()
    assert (inner / "real.toml").read_text() == f"{START}\n{WRITTEN}"
    assert (inner / "real.toml").stat().st_mode & 0o777 == 0o640


def test_a_waiver_is_no_change_of_the_policy(tmp_path: Path) -> None:
    # Else every open proposal would be superseded by it.
    (tmp_path / "before.toml").write_text(START)
    written(tmp_path / "x", START, WAIVER)
    assert load(tmp_path / "x" / "syncline.toml").lane().digest == load(tmp_path / "before.toml").lane().digest


def test_of_many_at_once_none_is_lost(tmp_path: Path) -> None:
    file = tmp_path / "syncline.toml"
    file.write_text(START)
    lane = load(file).lane()
    waivers = [WAIVER.model_copy(update={"finding": f"{number:012x}"}) for number in range(12)]
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda waiver: write_waiver(file, lane, waiver), waivers))
    assert {one.finding for one in load(file).lane().waivers} == {one.finding for one in waivers}


def test_what_cannot_be_written_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    file = tmp_path / "syncline.toml"
    file.write_text(START)
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ConfigError, match="cannot be written: No space left on device") as raised:
        write_waiver(file, load(file).lane(), WAIVER)
    assert WRITTEN in raised.value.hint
    assert file.read_text() == START
    assert [one.name for one in tmp_path.iterdir()] == ["syncline.toml"]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("waivers")


@given(DOCUMENTS, st.integers(), st.integers(0, 1))
def test_any_file_keeps_what_it_says(place: Path, document: dict[str, Any], seed: int, again: int) -> None:
    file = place / "syncline.toml"
    file.write_text(TomlWriter(Random(seed)).document(document).text)  # noqa: S311 - no secret
    before = tomllib.loads(file.read_text())
    lane = load(file).lane(next(iter(document["lanes"])))
    waiver = WAIVER
    if again and lane.waivers:
        waiver = WAIVER.model_copy(update={"finding": lane.waivers[-1].finding})
    content = file.read_bytes()
    try:
        write_waiver(file, lane, waiver)
    except ConfigError:
        assert file.read_bytes() == content
        return
    after = tomllib.loads(file.read_text())
    found = load(file).lane(lane.name).waivers
    assert waiver in found
    assert len(found) - len(lane.waivers) == (waiver.finding not in {one.finding for one in lane.waivers})
    for tables in (before, after):
        tables["lanes"][lane.name].pop("waivers", None)
    assert after == before
