"""Which merges are replayed."""

import json
from pathlib import Path
from typing import Any

import pytest

from syncline.errors import ConfigError
from syncline.replay.past import PastMerge, read_dataset
from testing.builder import RepositoryBuilder
from tests.replay.histories import begin, past_merges, text

SHA = {letter: letter * 40 for letter in "abcdef0123456789"}


def row(merge: str, date: Any = "2026-06-01", **changes: Any) -> dict[str, Any]:
    return {"merge": SHA[merge], "ours": SHA["0"], "theirs": SHA["1"], "date": date} | changes


def dataset(tmp_path: Path, document: Any) -> Path:
    file = tmp_path / "one.json"
    file.write_text(json.dumps(document))
    return file


def test_a_dataset_is_read_oldest_first(tmp_path: Path) -> None:
    rows = [
        row("c", "2026-06-03", hunks=5),
        row("b", "2026-06-02"),
        row("a", "2026-06-02"),
        row("d", "2026-05-01"),
    ]
    read = read_dataset(dataset(tmp_path, {"repo": "some/where", "kind": "x", "merges": rows}))
    assert read.repository == "some/where"
    # Of one day the one further down is the older one: files list the newest first.
    assert [merge.merge[0] for merge in read.merges] == ["d", "a", "b", "c"]
    assert isinstance(read.merges[0], PastMerge)
    assert read_dataset(dataset(tmp_path, {"merges": []})).repository == "one"


def test_dates_of_several_time_zones_are_compared_as_moments(tmp_path: Path) -> None:
    rows = [row("a", "2026-06-09T23:00:00-05:00"), row("b", "2026-06-10T01:00:00+00:00"), row("c", "2026-06-10")]
    read = read_dataset(dataset(tmp_path, {"merges": rows}))
    assert [merge.merge[0] for merge in read.merges] == ["c", "b", "a"]


def test_dates_of_another_form_sort_as_texts(tmp_path: Path) -> None:
    rows = [row("a", "week 9"), row("b", "week 8"), row("c", "week 8")]
    assert [merge.merge[0] for merge in read_dataset(dataset(tmp_path, {"merges": rows})).merges] == [
        "c",
        "b",
        "a",
    ]


@pytest.mark.parametrize(
    "content",
    [
        b"", b"{", b"\xff\xfe", b"[" * 100_000, b"[]", b"5", b"null", b'"x"', b"{}", b'{"merges": null}',
        b'{"merges": 5}', b'{"merges": {"a": 1}}', b'{"merges": [5]}', b'{"merges": ["x"]}', b'{"merges": [{}]}',
        json.dumps({"merges": [row("a", ours=None)]}).encode(),
        json.dumps({"merges": [row("a", ours=5)]}).encode(),
        json.dumps({"merges": [row("a", ours="HEAD")]}).encode(),
        json.dumps({"merges": [row("a", theirs="--output=x")]}).encode(),
        json.dumps({"merges": [{"merge": SHA["a"], "ours": SHA["b"], "theirs": SHA["c"]}]}).encode(),
        json.dumps({"merges": [row("a", date=None)]}).encode(),
        json.dumps({"merges": [row("a", date=20260601)]}).encode(),
    ],
)  # fmt: skip
def test_what_is_no_dataset_is_refused_with_what_one_is(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "one.json"
    file.write_bytes(content)
    with pytest.raises(ConfigError, match=r"one\.json is no dataset") as caught:
        read_dataset(file)
    assert '"merges": [{"merge": SHA' in caught.value.hint


@pytest.mark.parametrize("name", ["nowhere.json", ""])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        read_dataset(tmp_path / name)


def test_the_newest_merges_of_a_branch(builder: RepositoryBuilder) -> None:
    main, dev = begin(builder)
    for turn in range(3):
        main.commit(f"Main {turn}", {"a.py": text(l3=f"main {turn}")})
        dev.commit(f"Dev {turn}", {f"d{turn}": ""})
        topic = main.branch(f"topic{turn}")
        topic.commit(f"Topic {turn}", {f"t{turn}": ""})
        main.merge(topic, f"Topic of main {turn}")  # is not on dev's line
        dev.merge(main, f"Sync {turn}")
    one, other = builder.branch("one", dev), builder.branch("two", dev)
    one.commit("One", {"one": ""})
    other.commit("Two", {"two": ""})
    dev.merge([one, other], "Octopus")
    built = builder.finish(head="dev")
    found = past_merges(built)
    assert [past.merge for past in found] == [built.oid(f"Sync {turn}") for turn in range(3)]
    assert found[0].ours == built.oid("Dev 0")
    assert found[0].theirs == built.oid("Topic of main 0")
    assert found[0].date < found[1].date
    assert past_merges(built, 2) == found[1:]
    assert past_merges(built, branch="topic0") == ()
