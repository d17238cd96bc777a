"""Writes a waiver into `syncline.toml`; what else is in the file, its layout and its comments stay as they are."""

import fcntl
import os
import re
import tomllib
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from syncline.config.file import read_file
from syncline.config.load import load
from syncline.config.models import Lane, Waiver
from syncline.config.positions import positions
from syncline.errors import ConfigError
from syncline.whole_file import written_beside

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

_BOM = b"\xef\xbb\xbf"


def write_waiver(path: Path, lane: Lane, waiver: Waiver) -> int:
    """Write a waiver into a lane's table; an older waiver of the same finding gives way to it.

    Args:
        path: the configuration, which must be valid. A link is followed.
        lane: the lane, as it was read from that file.
        waiver: what to write.

    Returns:
        The line of the waiver's table.

    Raises:
        ConfigError: the file cannot be read or written, or is laid out so that the waiver must be put in by hand.
    """
    file = path.resolve()
    try:
        with _held(file.parent):
            before = read_file(file)
            after = _with_waiver(before, lane.name, waiver)
            _prove(path, before, after, lane.name, waiver)
            mode = file.stat().st_mode & 0o7777
            with written_beside(file, after) as beside:
                beside.chmod(mode)
                load(beside)  # nothing that a later command would refuse takes the file's place
                beside.replace(file)
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be written: {error.strerror or error}",
            hint=f"put it in yourself:\n{as_toml(lane, waiver)}",
        ) from None
    return positions(after).line(("lanes", lane.name, "waivers", _place(_tables(after, lane.name), waiver)))


def as_toml(lane: Lane, waiver: Waiver) -> str:
    """Return a waiver's table, for people to put in."""
    return _block(lane.name, waiver)


@contextmanager
def _held(directory: Path) -> Generator[None]:
    """Hold the directory, so that of two commands none loses the other's waiver."""
    handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _words(waiver: Waiver) -> dict[str, Any]:
    """Return what stands in the waiver's table, in its order."""
    words = waiver.model_dump()
    ordered = ("finding", "path", "because", "by", "on", "code")
    return {key: words[key] for key in ordered if words[key] not in {None, ""}}


def _block(lane: str, waiver: Waiver) -> str:
    import tomlkit  # noqa: PLC0415 - only `waive` writes

    table = tomlkit.table()
    for key, value in _words(waiver).items():
        table.add(key, value)
    head = tomlkit.key(["lanes", lane, "waivers"]).as_string()
    return f"[[{head}]]\n{table.as_string()}"


def _with_waiver(before: bytes, lane: str, waiver: Waiver) -> bytes:
    import tomlkit  # noqa: PLC0415 - only `waive` writes

    text = before.removeprefix(_BOM).decode("utf-8")
    known = _tables(before, lane)
    if any(one.get("finding") == waiver.finding for one in known):
        text = _replaced(tomlkit.parse(text), lane, waiver)
    else:
        # Behind everything else no table can be cut in two, whatever the layout.
        gap = "" if not text or text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"
        text += gap + _block(lane, waiver)
    if b"\r\n" in before and b"\n" not in before.replace(b"\r\n", b""):
        text = re.sub(r"(?<!\r)\n", "\r\n", text)
    return (_BOM if before.startswith(_BOM) else b"") + text.encode()


def _replaced(document: "TOMLDocument", lane: str, waiver: Waiver) -> str:
    """Return the text with new values in the tables of the finding's older waiver."""
    lanes: Any = document["lanes"]
    table = next(one for one in lanes[lane]["waivers"] if one["finding"] == waiver.finding)
    words = _words(waiver)
    for key in [key for key in table if key not in words]:
        del table[key]
    for key, value in words.items():
        table[key] = value
    return document.as_string()


def _tables(content: bytes, lane: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = tomllib.loads(content.decode("utf-8-sig"))["lanes"][lane].get("waivers", [])
    return found


def _place(tables: list[dict[str, Any]], waiver: Waiver) -> int:
    return next(place for place, one in enumerate(tables) if one.get("finding") == waiver.finding)


def _prove(path: Path, before: bytes, after: bytes, lane: str, waiver: Waiver) -> None:
    """Make sure that the waiver is in, and nothing else is other than it was."""
    wanted = tomllib.loads(before.decode("utf-8-sig"))
    tables = wanted["lanes"][lane].setdefault("waivers", [])
    old = [place for place, one in enumerate(tables) if one.get("finding") == waiver.finding]
    if old:
        tables[old[0]] = _words(waiver)
    else:
        tables.append(_words(waiver))
    try:
        found = tomllib.loads(after.decode("utf-8-sig"))
    except ValueError:
        found = None
    if found != wanted:
        raise ConfigError(
            f"{path}: lane {lane!r} is laid out so that a waiver cannot be put in without changing more",
            hint=f"put it in yourself:\n{_block(lane, waiver)}",
        )
