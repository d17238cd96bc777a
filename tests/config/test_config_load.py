from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import ValidationError

from syncline.config.find import find
from syncline.config.load import load
from syncline.config.models import Config, Lane, PathRule
from syncline.config.own_file import protect_own_file
from syncline.errors import ConfigError

LANE = 'version = 1\n[lanes.x]\nsource = "main"\ntarget = "dev"\n'


def loaded(tmp_path: Path, text: str) -> Config:
    file = tmp_path / "syncline.toml"
    file.write_text(text, encoding="utf-8")
    return load(file)


def test_a_lane_has_defaults(tmp_path: Path) -> None:
    lane = loaded(tmp_path, LANE).lane()
    now = datetime(2026, 11, 29, 23, 30, tzinfo=UTC)
    assert lane.branch_name(now=now, slice_tip="0a1b2c3d4e") == "syncline/x/2026-11-29"
    assert lane.title_text(now=now, slice_tip="0a1b2c3d4e") == "Sync main into dev (2026-11-29)"
    assert (lane.forge, lane.slice, lane.unresolved, lane.precision) == ("local", 0, "ours", 0.95)
    assert (lane.source_at, lane.target_at, lane.identity, lane.signing) == (None, None, None, None)
    assert (lane.ci_trigger_text("a"), lane.next_start(now)) == (None, None)
    assert lane.gate.allow_no_checks is False


def test_dates_are_those_of_the_lane_s_zone(tmp_path: Path) -> None:
    lane = loaded(
        tmp_path,
        LANE + 'time_zone = "Europe/Berlin"\nbranch = "{date:%d_%m}-{slice}"\nschedule = "0 3 * * *"',
    ).lane()
    now = datetime(2026, 11, 29, 23, 30, tzinfo=UTC)
    assert lane.branch_name(now=now, slice_tip="0a1b2c3d4e") == "30_11-0a1b2c3"
    assert lane.next_start(now) == datetime(2026, 11, 30, 2, tzinfo=UTC)


@pytest.mark.parametrize(
    ("keys", "source_at", "target_at"),
    [
        ("", None, None),
        ('remote = "origin"', "origin", "origin"),
        ('remote = "origin"\nsource_remote = "upstream"', "upstream", "origin"),
        ('source_remote = "upstream"', "upstream", None),
        ('remote = "origin"\ntarget_remote = "."', "origin", None),
    ],
)
def test_ends(tmp_path: Path, keys: str, source_at: str | None, target_at: str | None) -> None:
    lane = loaded(tmp_path, LANE + keys).lane()
    assert (lane.source_at, lane.target_at) == (source_at, target_at)


def test_the_same_branch_on_two_remotes_is_a_lane(tmp_path: Path) -> None:
    text = LANE.replace("dev", "main") + 'source_remote = "upstream"\ntarget_remote = "origin"'
    assert loaded(tmp_path, text).lane().source_at == "upstream"


def test_rules_know_their_lines_and_protect_is_always(tmp_path: Path) -> None:
    lane = loaded(
        tmp_path,
        f"""{LANE}
[[lanes.x.paths]]
match = ["a"]
take = "protect"
# comment
[[lanes.x.coupled]]
name = "c"
paths = ["b"]
take = "together"
[[lanes.x.paths]]
match = ["b"]
take = "union"
""",
    ).lane()
    assert [(rule.take, rule.when, rule.line) for rule in lane.paths] == [
        ("protect", "always", 6),
        ("union", "conflict", 14),
    ]
    assert lane.coupled[0].line == 10


def test_lanes_by_name(tmp_path: Path) -> None:
    config = loaded(tmp_path, LANE + LANE[12:].replace("x", "main-to-dev"))
    assert list(config.lanes) == ["x", "main-to-dev"]
    assert config.lane("x").name == "x"
    with pytest.raises(ConfigError, match="has 2: x, main-to-dev"):
        config.lane()
    with pytest.raises(ConfigError, match='no lane "main-dev"') as raised:
        config.lane("main-dev")
    assert raised.value.hint == 'did you mean "main-to-dev"?'
    with pytest.raises(ConfigError) as raised:
        config.lane("zzz")
    assert raised.value.hint == "name one of them"


def test_values_are_frozen(tmp_path: Path) -> None:
    config = loaded(tmp_path, LANE)
    with pytest.raises(ValidationError):
        config.lane().slice = 5  # pyrefly: ignore
    with pytest.raises(TypeError):
        config.lanes["y"] = config.lane()  # pyrefly: ignore
    assert hash(config.lane()) == hash(loaded(tmp_path, LANE).lane())
    assert Config.model_validate({"lanes": {"x": {"source": "main", "target": "dev"}}}) == config


def test_models_keep_their_rules_without_a_file() -> None:
    with pytest.raises(ValidationError, match="two different branches"):
        Lane(name="x", source="main", target="main")
    with pytest.raises(ValidationError, match="always applies"):
        PathRule(match=("a",), take="protect", when="conflict")
    with pytest.raises(ValidationError, match="differs only by case"):
        Config(
            lanes={
                "x": Lane(name="x", source="a", target="b"),
                "X": Lane(name="X", source="a", target="b"),
            }
        )


def test_a_lane_keeps_its_record_apart_from_the_others(tmp_path: Path) -> None:
    assert loaded(tmp_path, LANE).lane().learned_path is None
    assert loaded(tmp_path, LANE + 'learned = ".syncline/x.json"').lane().learned_path == ".syncline/x.json"
    other = '[lanes.y]\nsource = "main"\ntarget = "next"\nlearned = "a.json"\n'
    with pytest.raises(ConfigError, match=r"lanes\.y\.learned: found .* is lane \"x\"'s"):
        loaded(tmp_path, f'{LANE}learned = "a.json"\n{other}')


def test_what_a_lane_learned_is_protected_as_its_policy_is(tmp_path: Path) -> None:
    config = loaded(tmp_path, LANE + 'learned = "learned[x].json"\n')
    lane = protect_own_file(config, tmp_path / "syncline.toml", None).lane()
    rule = lane.paths[0]
    assert (rule.match, rule.take) == (("/learned\\[x\\].json", "/syncline.toml"), "protect")
    assert lane.digest == config.lane().digest


DRIVER = '[[lanes.x.drivers]]\nname = "a"\ncommand = ["b", "%A"]\nmatch = ["c"]\n'
RULE = '[[lanes.x.paths]]\nmatch = ["a"]\ntake = "ours"\n'


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("", 'title = "t"\nslice = 5\nlabels = ["a"]\nschedule = "0 3 * * *"\n', True),
        (RULE, "\n\n# moved\n" + RULE, True),
        (RULE, RULE + 'reason = "because"\n', True),
        (RULE, RULE + 'when = "conflict"\n', True),
        (RULE, RULE + 'when = "always"\n', False),
        (RULE, RULE.replace("ours", "theirs"), False),
        (RULE, RULE.replace('"a"', '"b"'), False),
        ("", RULE, False),
        ("", DRIVER, False),
        (DRIVER, DRIVER.replace("%A", "-q %A"), False),
        (DRIVER, DRIVER + "timeout = 5\n", True),
        ("", 'unresolved = "markers"\n', False),
        ("", "precision = 0.9\n", False),
        ("", 'learned = ".syncline/x.json"\n', True),
        ("", 'remote = "origin"\n', False),
        ('remote = "o"\n', 'source_remote = "o"\ntarget_remote = "o"\n', True),
        (RULE + RULE.replace('"a"', '"b"'), RULE.replace('"a"', '"b"') + RULE, False),
    ],
)
def test_the_digest_is_of_what_decides_the_merge(tmp_path: Path, one: str, other: str, *, same: bool) -> None:
    digests = [loaded(tmp_path, LANE + keys).lane().digest for keys in (one, other)]
    assert all(len(digest) == 16 and int(digest, 16) >= 0 for digest in digests)
    assert (digests[0] == digests[1]) is same


def test_find(tmp_path: Path) -> None:
    work_tree, git_dir, explicit = tmp_path / "w", tmp_path / "g", tmp_path / "my.toml"
    work_tree.mkdir()
    git_dir.mkdir()

    def found(explicit: Path | None = None, work_tree: Path | None = work_tree) -> Path:
        return find(explicit=explicit, work_tree=work_tree, git_dir=git_dir)

    with pytest.raises(ConfigError) as raised:
        found()
    assert f"{work_tree / 'syncline.toml'} and {git_dir / 'syncline.toml'}" in raised.value.message
    assert "syncline init" in raised.value.hint
    (git_dir / "syncline.toml").touch()
    assert found() == git_dir / "syncline.toml"
    (work_tree / "syncline.toml").touch()
    assert found() == work_tree / "syncline.toml"
    assert found(work_tree=None) == git_dir / "syncline.toml"
    with pytest.raises(ConfigError, match=r"my\.toml"):
        found(explicit)
    explicit.touch()
    assert found(explicit) == explicit
    with pytest.raises(ConfigError, match="there is no configuration file"):
        found(Path("a" * 5000))
    with pytest.raises(ConfigError, match="there is no configuration file"):
        found(Path("a\0b"))


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"", "it has no lanes"),
        (b"# only words\n", "it has no lanes"),
        (b"\n\xff\n", "syncline.toml:2: byte 0xff is not UTF-8"),
        (b"#" * (1024 * 1024 + 1), "larger than 1 MiB"),
    ],
)
def test_files_that_say_nothing(tmp_path: Path, content: bytes, text: str) -> None:
    file = tmp_path / "syncline.toml"
    file.write_bytes(content)
    with pytest.raises(ConfigError) as raised:
        load(file)
    assert text in raised.value.message
    assert raised.value.hint


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is a directory"):
        load(tmp_path)
    with pytest.raises(ConfigError, match="there is no configuration file"):
        load(tmp_path / "absent.toml")
    (tmp_path / "file").touch()
    with pytest.raises(ConfigError, match="cannot be read: Not a directory"):
        load(tmp_path / "file" / "syncline.toml")
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(ConfigError, match="cannot be read: "):
        load(tmp_path / "loop")
    with pytest.raises(ConfigError, match="cannot be read: "):
        load(Path("a\0b"))


def test_a_byte_order_mark_and_carriage_returns_are_no_trouble(tmp_path: Path) -> None:
    file = tmp_path / "syncline.toml"
    file.write_bytes(b"\xef\xbb\xbf" + (LANE + RULE).replace("\n", "\r\n").encode())
    assert load(file).lane().paths[0].line == 5
