"""Which file of an artifact is which one of the tree, and archives that are not to be believed."""

import io
import stat
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from syncline.config.models import GoldenFiles, Lane, PathRule
from syncline.repair import golden_files
from syncline.repair.golden_files import RefusedError, refreshed
from testing.audited import task_of

OLD = b'{"loss": 1}\n'
NEW = b'{"loss": 2}\n'
TREE = {"golden/a/run.json": OLD.decode(), "golden/b/run.json": OLD.decode(), "golden/once.json": OLD.decode()}
RULE = GoldenFiles(match=("golden/",), check="unit", artifact="values")


def zipped(files: Mapping[str, bytes], *, link: str = "") -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            one = zipfile.ZipInfo(name)
            one.external_attr = ((stat.S_IFLNK if name == link else stat.S_IFREG) | 0o644) << 16
            one.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(one, content)
    return made.getvalue()


def taken(place: Path, content: bytes, *rules: PathRule) -> dict[str, bytes]:
    archive = place / "values.zip"
    archive.write_bytes(content)
    with task_of(place, TREE, {"x": "1"}, {"y": "1"}, {}) as task:
        trees = task.trees
        lane = Lane(name="l", source="main", target="dev", paths=rules)
        got = refreshed(trees.repository, lane, trees.merged_tree, RULE, [archive])
        return {path.decode(): trees.repository.blob(entry.oid) for path, entry in got.entries.items()}


BELONGS = {
    "its path": ("golden/a/run.json", "golden/a/run.json"),
    "the end of its path": ("a/run.json", "golden/a/run.json"),
    "more than its path": ("work/repo/golden/b/run.json", "golden/b/run.json"),
    "its name, of which there is one": ("elsewhere/once.json", "golden/once.json"),
    "a name of which there are two": ("run.json", ""),
    "a name of which there is none": ("golden/new.json", ""),
}


@pytest.mark.parametrize(("name", "path"), BELONGS.values(), ids=BELONGS)
def test_which_file_it_is(tmp_path: Path, name: str, path: str) -> None:
    assert taken(tmp_path, zipped({name: NEW, "log.txt": b"x"})) == ({path: NEW} if path else {})


def test_what_a_rule_settles_in_any_case_is_left_alone(tmp_path: Path) -> None:
    assert taken(tmp_path, zipped({"golden/once.json": NEW}), PathRule(match=("golden/",), take="protect")) == {}


REFUSED = {
    "out of it": (zipped({"../golden/once.json": NEW}), "no path inside"),
    "from the root": (zipped({"/golden/once.json": NEW}), "no path inside"),
    "as other systems write it": (zipped({"..\\once.json": NEW}), "no path inside"),
    "two of them": (
        zipped({"x/golden/once.json": NEW, "y/golden/once.json": OLD}),
        "two files are golden/once.json",
    ),
    "NaN": (zipped({"golden/once.json": b'{"loss": NaN}', "a/run.json": NEW}), "golden/once.json: .* no number"),
    "a bomb": (zipped({"golden/once.json": b" " * (1 << 21)}), "larger than values are"),
    "many": (zipped({f"{number}.json": NEW for number in range(30)}), "more than 20 files"),
    "broken": (b"PK\x03\x04 broken", "it is broken"),
}


@pytest.mark.parametrize(("content", "words"), REFUSED.values(), ids=REFUSED)
def test_archives_that_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, words: str
) -> None:
    monkeypatch.setattr(golden_files, "LARGEST", 1 << 20)
    monkeypatch.setattr(golden_files, "MOST_FILES", 20)
    with pytest.raises(RefusedError, match=words):
        taken(tmp_path, content)


def test_links_are_not_followed(tmp_path: Path) -> None:
    assert taken(tmp_path, zipped({"golden/once.json": b"/etc/passwd"}, link="golden/once.json")) == {}
