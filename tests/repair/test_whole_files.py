"""Files that policy has taken whole where nothing smaller mends them: proven, and last of all."""

from pathlib import Path

from syncline.config.models import Lane, RepairSettings, WholeFile
from tests.repair.test_mends import CASES, FILLER, HELPER, Case, mended

RIGHT = '{\n  "a": 1,\n  "b": 2\n}\n'
BROKEN = '{\n  "a": 1,\n  "b": 2,,\n  "c": 3\n}\n'


def lane(match: str, take: str, reason: str | None = None) -> Lane:
    rules = (
        WholeFile.model_validate({"match": (match,), "take": take, "reason": reason}),
        WholeFile(match=("*",), take="ours"),
    )
    return Lane(name="l", source="main", target="dev", repair=RepairSettings(whole=rules))


def test_a_file_is_taken_from_the_side_that_its_lesson_names(tmp_path: Path) -> None:
    case = Case(
        base={"c.json": RIGHT, "x.py": FILLER},
        ours={"c.json": RIGHT.replace("1", "4")},
        theirs={"c.json": RIGHT.replace("2", "5")},
        merged={"c.json": BROKEN},
        wanted={"c.json": RIGHT.replace("2", "5")},
        says="c.json",
    )
    done, files = mended(tmp_path, case, lane("*.json", "theirs", "source owns the settings"))
    assert files == case.wanted
    assert done.left == 0
    words = done.done[0].words
    assert "take the whole file as source has it, by the lane's repair.whole for *.json" in words
    assert "source owns the settings" in words


def test_a_side_without_the_file_is_followed_too(tmp_path: Path) -> None:
    case = Case(
        base={"c.json": RIGHT, "x.py": FILLER},
        ours={"c.json": RIGHT.replace("1", "4")},
        theirs={"x.py": f"{FILLER}X = 1\n"},
        merged={"c.json": BROKEN},
        wanted={"c.json": None},
        says="c.json",
        delete=((), ("c.json",), ()),
    )
    done, files = mended(tmp_path, case, lane("*.json", "theirs"))
    assert files == case.wanted
    assert "leave it out, as source does" in done.done[0].words


def test_what_is_smaller_comes_first(tmp_path: Path) -> None:
    case = CASES["an import that was dropped"]
    done, files = mended(tmp_path, case, lane("a.py", "theirs"))
    assert files == case.wanted
    assert case.says in done.done[0].words


def test_a_side_that_would_break_something_else_is_refused(tmp_path: Path) -> None:
    case = Case(
        base={"lib.py": FILLER},
        ours={"lib.py": f"{FILLER}\n\n{HELPER}", "use.py": "from lib import helper\n\nX = helper(1)\n"},
        theirs={"lib.py": f"START = 0\n{FILLER}"},
        merged={"lib.py": f"START = 0\n{FILLER}\n\n{HELPER}    return (\n"},
        wanted={"lib.py": f"START = 0\n{FILLER}\n\n{HELPER}    return (\n"},
        says="",
    )
    done, files = mended(tmp_path, case, lane("lib.py", "theirs"))
    assert files == case.wanted
    assert (done.done, done.left) == ((), 1)
    assert ["brings what was not there before" in one.why for one in done.refused] == [True]
