"""Values that stand where no version of a JSON, TOML or YAML file has them."""

import pytest

from syncline.merge import leaf_faults
from syncline.merge.leaf_faults import LeafJudge
from syncline.merge.text.leaves import leaves
from testing.cases import file_case


def told(path: bytes, base: bytes, ours: bytes, theirs: bytes, text: bytes) -> list[str]:
    return list(LeafJudge(file_case(base, ours, theirs, path=path)).faults(text))


@pytest.mark.parametrize(
    ("path", "content"),
    [
        (b"a.json", b'{"a": {"b": [1, "x y"]}, "c": null}'),
        (b"a.toml", b"c = 'None'\n[a]\nb = [1, 'x y']\n"),
        (b"a.yaml", b"a:\n  b:\n    - 1\n    - 'x\n      y'\nc: None\n"),
        (b"a.yml", b"{a: {'b': [1, \"x y\"]}, c: None}\n"),
    ],
)
def test_values_by_their_keys(path: bytes, content: bytes) -> None:
    assert leaves(path, content) == {(("a", "b", "[]"), "1"), (("a", "b", "[]"), "x y"), (("c",), "None")}


@pytest.mark.parametrize("path", [b"a.json", b"a.toml", b"a.yaml", b"a.py"])
def test_what_cannot_be_read_has_no_values(path: bytes) -> None:
    assert leaves(path, b"{a: ]") is None


MADE_UP = [
    (
        b"a.yaml",
        b"image: web\nports:\n  hosts:\n    - 80\nend: 1\n",
        b"image: api\nend: 1\n",
        b"image: web\nports:\n  hosts:\n    - 80\n    - 8080\nend: 1\n",
        b"image: api\n    - 8080\nend: 1\n",
        "image: api - 8080",
    ),
    (
        b"a.toml",
        b"name = 'x'\n[tls]\ncert = 1\n",
        b"name = 'y'\n",
        b"name = 'x'\n[tls]\ncert = 1\nlevel = 691\n",
        b"name = 'y'\nlevel = 691\n",
        "level: 691",
    ),
    (b"a.json", b'{"a": 1, "b": 2}', b'{"a": 3, "b": 2}', b'{"a": 1, "b": 4}', b'{"a": 3, "b": 3}', "b: 3"),
    (b"a.yaml", b"r: 8\n", b"r: 821\n", b"r: 818\n", b"r: 821 818\n", "r: 821 818"),
    (b"a.yaml", b"a:\n  b: 1\n  c: 2\n", b"a:\n  b: 1\n", b"a:\n  c: 2\n", b"a:\n", "a: "),
]


@pytest.mark.parametrize(("path", "base", "ours", "theirs", "text", "leaf"), MADE_UP)
def test_a_value_that_no_version_has_there(
    path: bytes, base: bytes, ours: bytes, theirs: bytes, text: bytes, leaf: str
) -> None:
    assert told(path, base, ours, theirs, text) == [f"has {leaf}, as no version has it there"]


FINE = [
    pytest.param(
        b"a.yaml", b"db:\n  a: 1\n", b"prod:\n  db:\n    a: 1\n", b"db:\n  a: 1\n  b: 2\n",
        b"prod:\n  db:\n    a: 1\n    b: 2\n", id="moved",
    ),
    pytest.param(
        b"a.json", b'{"a": {"x": 1}}', b'{"b": {"x": 1}}', b'{"a": {"x": 2}}', b'{"b": {"x": 2}}', id="renamed"
    ),
    pytest.param(
        b"a.yaml", b"i: up/app:v1\n", b"i: fork/app:v1\n", b"i: up/app:v2\n", b"i: fork/app:v2\n", id="a path"
    ),
    pytest.param(b"a.yaml", b"a: 'x'\n", b"a: x\n", b"a: 'y'\n", b"a: y\n", id="quoted otherwise"),
    pytest.param(b"a.json", b"[1, 2]", b"[1, 2, 3]", b"[0, 1, 2]", b"[0, 1, 2, 3]", id="a list"),
    pytest.param(b"a.json", b"{// x\n}", b"{// y\n}", b"{// z\n}", b'{"a": 1}', id="sides that cannot be read"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "base", "ours", "theirs", "text"), FINE)
def test_a_value_that_a_side_has_there(path: bytes, base: bytes, ours: bytes, theirs: bytes, text: bytes) -> None:
    assert told(path, base, ours, theirs, text) == []


def test_a_hunk_is_judged_in_the_file_of_either_side() -> None:
    base = b"a: 1\n" + b"k: 0\n" * 4 + b"b: 1\n"
    ours, theirs = (base.replace(b"1", digit) for digit in (b"2", b"3"))
    case = file_case(base, ours, theirs, path=b"a.yaml")
    judge, hunk = LeafJudge(case), case.hunks[0]
    assert judge.hunk_faults(hunk, (b"a: 4\n",)) == ("has a: 4, as no version has it there",)
    assert judge.hunk_faults(hunk, (b"a: 3\n",)) == ()


def test_of_a_large_file_with_many_hunks_only_the_whole_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    case = file_case(b"a: 1\n", b"a: 2\n", b"a: 3\n", path=b"a.yaml")
    made_up = (b"a: 4\n",)
    assert LeafJudge(case).hunk_faults(case.hunks[0], made_up)
    monkeypatch.setattr(leaf_faults, "_MOST", 1)
    assert LeafJudge(case).hunk_faults(case.hunks[0], made_up) == ()
    assert list(LeafJudge(case).faults(made_up[0]))
