from pathlib import Path

import pytest

from syncline.audit.dropped.dropped import dropped
from syncline.audit.finding import Finding
from testing.audited import findings_of, task_of

README = "# Loader\n\nWhat it is.\n\n## Use\n\nHow to use it.\n"
ADDED = README + "\n## Packing Scheduler\n\nIt packs sequences across ranks.\n\n### Order\n\nOldest first.\n"
OTHER = README + "\n## Offline cache\n\nIt can be made ahead of time.\n"


def found(place: Path, path: str, base: str, ours: str, theirs: str, merged: str) -> list[Finding]:
    with task_of(place, {path: base}, {path: ours}, {path: theirs}, {path: merged}) as task:
        return findings_of(dropped, task)


@pytest.mark.parametrize("merged", [OTHER, OTHER.replace("What it is", "What this is")])
def test_a_lost_heading_with_its_section(tmp_path: Path, merged: str) -> None:
    (one,) = found(tmp_path, "readme.md", README, ADDED, OTHER, merged)
    assert (one.kind, one.severity, one.symbol, one.side) == (
        "dropped-heading",
        "look",
        "Packing Scheduler",
        "ours",
    )
    assert (
        one.message == "target's heading `Packing Scheduler` (and 1 below it) is lost, with what stands under it"
    )
    assert [ask.text for ask in one.asks] == [b"## Packing Scheduler"]


def test_a_heading_with_another_title_is_not_lost(tmp_path: Path) -> None:
    merged = ADDED.replace("## Packing Scheduler", "## Scheduler") + "\n## Offline cache\n"
    assert found(tmp_path, "readme.md", README, ADDED, OTHER, merged) == []


CONFIG = "[tool]\nname = 1\nsize = 2\nlast = 3\n"


@pytest.mark.parametrize(
    ("path", "base", "ours", "theirs"),
    [
        ("a.toml", CONFIG, CONFIG.replace("size", "managed = true\nsize"), CONFIG.replace("last = 3", "last = 4")),
        (
            "a.yaml",
            "tool:\n  name: 1\n  size: 2\nlast: 3\n",
            "tool:\n  name: 1\n  managed: true\n  size: 2\nlast: 3\n",
            "tool:\n  name: 1\n  size: 2\nlast: 4\n",
        ),
        (
            "a.json",
            '{\n  "tool": {\n    "name": 1,\n    "size": 2\n  },\n  "last": 3\n}\n',
            '{\n  "tool": {\n    "name": 1,\n    "managed": true,\n    "size": 2\n  },\n  "last": 3\n}\n',
            '{\n  "tool": {\n    "name": 1,\n    "size": 2\n  },\n  "last": 4\n}\n',
        ),
    ],
)
def test_a_lost_key_that_git_had_merged_is_to_be_put_back(
    tmp_path: Path, path: str, base: str, ours: str, theirs: str
) -> None:
    merged = theirs.replace("4", "5")
    (one,) = found(tmp_path, path, base, ours, theirs, merged)
    assert (one.kind, one.severity, one.symbol) == ("dropped-key", "fix", "managed")
    assert one.message == "target's key `tool.managed` is lost, though nothing stood against it"
    (edit,) = one.edits
    lines = merged.encode().splitlines(keepends=True)
    lines[edit.start : edit.end] = edit.lines
    assert b"".join(lines).decode() == ours.replace("3", "5")


def test_a_key_that_stands_in_another_place_of_the_same_name_is_kept(tmp_path: Path) -> None:
    ours = CONFIG.replace("size", "managed = true\nsize")
    theirs = CONFIG.replace("last = 3", "last = 4")
    merged = theirs.replace("last = 4", "last = 5\nmanaged = true")
    assert found(tmp_path, "a.toml", CONFIG, ours, theirs, merged) == []


def test_a_lost_line_of_a_plain_file(tmp_path: Path) -> None:
    base = "one two three\nfour five six\nseven eight nine\n"
    ours = base.replace("four", "added by target\nfour")
    theirs = base.replace("nine", "ten")
    (one,) = found(tmp_path, "OWNERS", base, ours, theirs, theirs.replace("one", "once"))
    assert (one.kind, one.text) == ("dropped-lines", ("added by target",))
