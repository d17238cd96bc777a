from pathlib import Path

from syncline.audit.files.golden import is_golden, new_nan
from testing.audited import findings_of, task_of

BASE = '{\n"lm loss": 1.5,\n"norm": 2.5\n}\n'


def test_golden_values_must_be_numbers(tmp_path: Path) -> None:
    names = (
        "golden/a.json",
        "golden/had.json",
        "golden_values.yaml",
        "expected/c.csv",
        "golden/text.json",
        "src/d.json",
    )
    texts = dict.fromkeys(names, BASE)
    ours = {name: BASE.replace("1.5", "1.6") for name in names} | {"golden/had.json": BASE.replace("1.5", "NaN")}
    theirs = {name: BASE.replace("1.5", "1.7") for name in names}
    merged = {
        "golden/a.json": BASE.replace("1.5", "NaN").replace("2.5", "-Infinity"),
        "golden/had.json": BASE.replace("1.5", "NaN").replace("2.5", "3"),
        "golden_values.yaml": "loss: .nan\n",
        "expected/c.csv": "1,nan,2\n",
        "golden/text.json": BASE.replace("1.5", '"nano NaN-like information"'),
        "src/d.json": BASE.replace("1.5", "NaN"),
    }
    with task_of(tmp_path, texts, ours, theirs, merged) as task:
        found = findings_of(new_nan, task)
    assert [(one.path, one.text) for one in found] == [
        (b"expected/c.csv", ("1,nan,2",)),
        (b"golden/a.json", ('"lm loss": NaN,', '"norm": -Infinity')),
        (b"golden_values.yaml", ("loss: .nan",)),
    ]


def test_golden_files_are_told_by_their_names() -> None:
    assert is_golden(b"tests/golden_values_dev.json")
    assert not is_golden(b"tests/golden.py")
    assert not is_golden(b"data/values.json")
