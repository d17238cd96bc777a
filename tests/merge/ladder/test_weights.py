"""Weights are read as a whole, or refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from syncline.errors import SynclineError
from syncline.merge.ladder.weights import FORMAT, SAYS, UNTRAINED, Linear, Weights

MODEL = {"intercept": -1, "weights": {"gap": 0.5, "silent": -2}}
KINDS = {f"{kind}{told}": MODEL for kind in ("ours", "theirs", "merged") for told in ("", "+answers")}
DOCUMENT: dict[str, Any] = {
    "format": FORMAT,
    "priors": {"token-merge": 0.9},
    "kinds": KINDS,
    "levels": {"code": {"0.5": 0.8}},
    "repositories": ["one", "two"],
}


def test_a_document_is_read() -> None:
    read = Weights.from_json(DOCUMENT)
    assert read.priors == {**UNTRAINED, "token-merge": 0.9}
    assert read.kinds["ours+answers"] == Linear(-1.0, {**SAYS, "gap": 0.5, "silent": -2.0})
    assert read.levels == {"code": {"0.5": 0.8}}
    assert read.repositories == ("one", "two")


def test_a_score_counts_what_it_knows() -> None:
    assert Linear(-1, {"a": 2, "b": 5}).score({"a": 1.5, "unheard": 100}) == 2


NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    "document",
    [
        None, [], "", 5, {}, DOCUMENT | {"format": FORMAT + 1}, DOCUMENT | {"format": None},
        DOCUMENT | {"priors": []},
        DOCUMENT | {"priors": {"a": "often"}}, DOCUMENT | {"kinds": []}, DOCUMENT | {"kinds": {"ours": []}},
        DOCUMENT | {"kinds": {"ours": {"intercept": 0}}}, DOCUMENT | {"levels": {"code": 5}},
        DOCUMENT | {"repositories": 5}, {key: value for key, value in DOCUMENT.items() if key != "levels"},
        # What would only fail, or say nothing, when a hunk is judged.
        DOCUMENT | {"kinds": {"ours": MODEL}},
        DOCUMENT | {"kinds": {}},
        DOCUMENT | {"kinds": KINDS | {"ours": {"intercept": NAN, "weights": {}}}},
        DOCUMENT | {"kinds": KINDS | {"ours": {"intercept": 0, "weights": {"gap": INF}}}},
        DOCUMENT | {"priors": {"token-merge": NAN}},
        DOCUMENT | {"levels": {"code": {"0.5": NAN}}},
    ],
)  # fmt: skip
def test_another_document_is_refused(document: Any) -> None:
    with pytest.raises(SynclineError, match=f"weights of format {FORMAT} were expected"):
        Weights.from_json(document)


@pytest.mark.parametrize(("document", "why"), [
    ([], ": it is a list, and an object was expected"),
    ({}, ': it has no "format"'),
    (DOCUMENT | {"format": 9}, ", found 9"),
    (DOCUMENT | {"priors": {"a": "often"}}, ': "a" of "priors" is "often", no number'),
    (DOCUMENT | {"kinds": {}}, ': "kinds" has no "ours"'),
    (DOCUMENT | {"kinds": KINDS | {"ours": {"weights": {}}}}, ': "ours" has no "intercept"'),
    (DOCUMENT | {"levels": {"code": 5}}, ': "code" is 5, and an object was expected'),
    (DOCUMENT | {"priors": {"a": 10**400}}, "no number"),
])  # fmt: skip
def test_what_is_wrong_is_said(document: Any, why: str) -> None:
    with pytest.raises(SynclineError) as caught:
        Weights.from_json(document)
    assert why in caught.value.message


def test_a_file_of_weights(tmp_path: Path) -> None:
    file = tmp_path / "weights.json"
    file.write_text(json.dumps(DOCUMENT))
    assert Weights.read(file) == Weights.from_json(DOCUMENT)


@pytest.mark.parametrize("content", [None, b"", b"{", b"\xff", b"[" * 100_000, b"5"])
def test_a_file_of_something_else_is_named(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "weights.json"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(SynclineError, match=r"weights\.json holds no weights: "):
        Weights.read(file)
