import re
import string
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.config.load import load
from syncline.config.models import (
    AuditSettings,
    Checker,
    Config,
    CoupledSet,
    Formatter,
    GateRule,
    Identity,
    Lane,
    LocalCheck,
    PathRule,
    Signing,
    Waiver,
)
from syncline.errors import ConfigError
from tests.config.test_positions import VALUES
from tests.config.toml_writer import TomlWriter

EXAMPLE = (Path(__file__).parents[2] / "docs" / "examples" / "megatron-lm.toml").read_text()

WORDS = st.text(string.ascii_letters + string.digits + "_", min_size=1, max_size=8)
LINES = st.text(st.characters(categories=["L", "N", "P", "S"], exclude_characters="<>"), min_size=2).map(
    lambda text: f"a{text}"
)
PATTERNS = st.lists(
    st.sampled_from(["*.py", "/uv.lock", "docs/", "a/**/b*.json", "[a-c]?", "\\!x", "with space", "é"]),
    min_size=1,
    max_size=3,
)
COMMANDS = st.lists(st.text(max_size=9).filter(lambda text: "\0" not in text), max_size=3).map(
    lambda words: ["make", *words]
)
REGEXES = st.lists(st.sampled_from(["tests", "codecov/", ".*review", "(a|b)+$", "[[a]"]), max_size=3)
TIMEOUTS = st.integers(1, 10**5) | st.floats(0.1, 10**5)


def tables(required: dict[str, Any], optional: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(required, optional=optional)


def named(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give each table a name of its own."""
    return [{"name": f"{chr(97 + place)} name", **item} for place, item in enumerate(items)]


RULES = tables(
    {"match": PATTERNS, "take": st.sampled_from(["ours", "theirs", "union", "delete"])},
    {"when": st.sampled_from(["conflict", "always"]), "reason": LINES},
) | tables({"match": PATTERNS, "take": st.just("protect")}, {"reason": LINES})
COUPLED = tables({"paths": PATTERNS, "take": st.sampled_from(["together", "ours", "theirs"])}, {"reason": LINES})
DRIVERS = tables({"command": COMMANDS.map(lambda words: [*words, "%A"]), "match": PATTERNS}, {"timeout": TIMEOUTS})
CHECKERS = tables(
    {"command": COMMANDS, "match": PATTERNS, "format": st.sampled_from(["sarif", "json", "lines"])},
    {"rules": REGEXES, "timeout": TIMEOUTS},
)
WAIVERS = tables(
    {
        "finding": st.text("0123456789abcdef", min_size=12, max_size=12),
        "because": LINES,
        "code": st.text("0123456789abcdef", min_size=16, max_size=16),
    },
    {"path": WORDS, "by": LINES, "on": st.dates()},
)
FORMATTERS = tables({"command": COMMANDS, "match": PATTERNS}, {"timeout": TIMEOUTS})
WHOLE = tables({"match": PATTERNS, "take": st.sampled_from(["ours", "theirs"])}, {"reason": LINES})
REGENERATE = tables(
    {"match": PATTERNS, "inputs": PATTERNS, "command": COMMANDS}, {"timeout": TIMEOUTS, "network": st.booleans()}
)
GOLDEN = tables({"match": PATTERNS, "check": st.just("unit( .*)?"), "artifact": WORDS}, {})
ENVIRONMENTS = st.dictionaries(WORDS, st.text(max_size=9).filter(lambda text: "\0" not in text), max_size=3)


@st.composite
def checks(draw: st.DrawFn) -> list[dict[str, Any]]:
    found = named(
        draw(st.lists(tables({"command": COMMANDS}, {"timeout": TIMEOUTS, "env": ENVIRONMENTS}), max_size=3))
    )
    for place, check in enumerate(found):
        earlier = [other["name"] for other in found[:place]]
        if earlier and draw(st.booleans()):
            check["needs"] = draw(st.lists(st.sampled_from(earlier), max_size=3))
    return found


LANES = tables(
    {"source": st.sampled_from(["main", "release/1.x"]), "target": st.sampled_from(["dev", "next", "é"])},
    {
        "remote": WORDS,
        "source_remote": WORDS,
        "target_remote": WORDS,
        "forge": st.just("local"),
        "branch": st.sampled_from(["s/{lane}/{date:%d_%m_%Y}", "sync-{lane}-{slice:.4}"]),
        "title": st.sampled_from(["{source} -> {target}", "{{{date}}}", "é 100 %"]),
        "slice": st.integers(0, 10**6),
        "schedule": st.sampled_from(["0 3 * * *", "*/5 1-3 1,15 JAN MON-FRI"]),
        "time_zone": st.sampled_from(["UTC", "Europe/Berlin"]),
        "unresolved": st.sampled_from(["ours", "theirs", "markers"]),
        "precision": st.floats(0.5, 1, exclude_min=True) | st.just(1),
        "learned": st.sampled_from(["git-directory", ".syncline/é x.json", "a"]),
        "labels": st.sets(WORDS.map(str.lower), max_size=3).map(sorted),
        "ci_trigger": st.sampled_from(["/ok to test {sha}", "two\nlines {lane}"]),
        "identity": tables({"name": LINES, "email": LINES}, {"signoff": st.booleans()}),
        "signing": tables({"format": st.sampled_from(["ssh", "openpgp"]), "key": LINES}, {}),
        "paths": st.lists(RULES, max_size=3),
        "coupled": st.lists(COUPLED, max_size=3).map(named),
        "drivers": st.lists(DRIVERS, max_size=3).map(named),
        "formatters": st.lists(FORMATTERS, max_size=3).map(named),
        "checks": checks(),
        "checks_parallel": st.integers(1, 64),
        "gate": tables(
            {},
            {
                "sentinel": st.lists(WORDS, max_size=2),
                "required": REGEXES,
                "exempt": REGEXES,
                "may_skip": REGEXES,
                "allow_no_checks": st.booleans(),
            },
        ),
        "audit": tables(
            {},
            {
                "skip": st.lists(WORDS, max_size=2),
                "ignore": PATTERNS,
                "largest_file": st.integers(1, 10**9),
                "checkers": st.lists(CHECKERS, max_size=2).map(named),
            },
        ),
        "waivers": st.lists(WAIVERS, max_size=2),
        "repair": tables(
            {},
            {
                "mechanical": st.booleans(),
                "rounds": st.integers(0, 20),
                "seconds": TIMEOUTS,
                "whole": st.lists(WHOLE, max_size=2),
                "golden": st.lists(GOLDEN, max_size=2),
                "regenerate": st.lists(REGENERATE, max_size=2).map(named),
            },
        ),
    },
)
DEFAULT = "git-directory"
LANE_NAMES = st.sampled_from(["main-to-dev", "x", "1.x_next"])


def each_its_own_record(lanes: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """No two lanes may keep what they learned in one file."""
    return {
        name: lane | ({"learned": f"{name}/{lane['learned']}"} if lane.get("learned", DEFAULT) != DEFAULT else {})
        for name, lane in lanes.items()
    }


DOCUMENTS: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {
        "version": st.just(1),
        "lanes": st.dictionaries(LANE_NAMES, LANES, min_size=1, max_size=3).map(each_its_own_record),
    }
)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("config") / "syncline.toml"


@given(DOCUMENTS, st.integers())
def test_what_is_written_is_what_is_read(file: Path, document: dict[str, Any], seed: int) -> None:
    writer = TomlWriter(Random(seed)).document(document)  # noqa: S311 - no secret
    file.write_bytes(writer.text.encode())
    found = load(file)

    expected = Config.model_validate(document)
    for name, lane in expected.lanes.items():
        read = found.lanes[name]
        for kind in ("paths", "coupled", "drivers"):
            lines = [rule.line for rule in getattr(read, kind)]
            assert lines == [
                writer.written["lanes", name, kind, place] for place in range(len(getattr(lane, kind)))
            ]
        assert without_lines(read) == without_lines(lane)
        assert read.digest == lane.digest
    assert Config.model_validate(found.model_dump()) == found


def without_lines(lane: Lane) -> dict[str, Any]:
    return lane.model_dump(exclude={kind: {"__all__": {"line"}} for kind in ("paths", "coupled", "drivers")})


def answer(file: Path, content: bytes) -> Config | list[str]:
    """The configuration, or the lines of the error; any other exception fails the test."""
    file.write_bytes(content)
    try:
        return load(file)
    except ConfigError as error:
        return error.message.split("\n")


TOML_CHARACTERS = st.sampled_from("[]{}=\".'#\n ,alnesvio1x\\u0")


@given(st.binary() | st.text(TOML_CHARACTERS).map(str.encode) | st.text().map(str.encode))
def test_any_bytes_are_a_configuration_or_a_config_error(file: Path, content: bytes) -> None:
    assert answer(file, content)


@given(st.lists(st.tuples(st.integers(0, len(EXAMPLE)), st.integers(0, 9), st.text(TOML_CHARACTERS, max_size=3))))
def test_a_damaged_configuration_is_a_config_error(file: Path, cuts: list[tuple[int, int, str]]) -> None:
    text = EXAMPLE
    for start, length, put in cuts:
        text = text[:start] + put + text[start + length :]
    assert answer(file, text.encode())


MODELS = (
    Lane, Identity, Signing, PathRule, CoupledSet, Formatter, LocalCheck, GateRule, AuditSettings, Checker, Waiver,
)  # fmt: skip
KNOWN_KEYS = st.sampled_from(sorted({key for model in MODELS for key in model.model_fields}))
WILD_TABLES = st.dictionaries(KNOWN_KEYS | WORDS, VALUES, max_size=4)


@st.composite
def wild_documents(draw: st.DrawFn) -> dict[str, Any]:
    """A valid document in which some values are replaced by anything."""
    document = draw(DOCUMENTS)
    lane = draw(st.sampled_from(list(document["lanes"].values())))
    places = [lane, *(item for value in lane.values() for item in inner_tables(value))]
    for _ in range(draw(st.integers(1, 3))):
        table = draw(st.sampled_from(places))
        table[draw(KNOWN_KEYS | WORDS)] = draw(VALUES | WILD_TABLES | st.lists(WILD_TABLES, max_size=2))
    return document


def inner_tables(value: Any) -> list[dict[str, Any]]:
    items = value if isinstance(value, list) else [value]
    found = [item for item in items if isinstance(item, dict)]
    return [*found, *(inner for item in found for value in item.values() for inner in inner_tables(value))]


@given(wild_documents(), st.integers())
def test_any_value_anywhere_is_told_with_its_line(file: Path, document: dict[str, Any], seed: int) -> None:
    writer = TomlWriter(Random(seed)).document(document)  # noqa: S311 - no secret
    found = answer(file, writer.text.encode())
    if isinstance(found, list):
        for line in found:
            told = re.match(r"syncline\.toml:(\d+): lanes\.[^\n]+: ", line)
            assert told, line
            assert 1 <= int(told[1]) <= len(writer.lines)
