from collections.abc import Mapping
from pathlib import Path

import pytest

from syncline.audit.dropped.dropped import dropped
from syncline.audit.finding import Did, Finding, Severity
from syncline.config.models import Lane, PathRule
from testing.audited import findings_of, task_of

STEP = """import os


class Loader:
    def step(self, batch):
        first = batch[0]
        second = batch[1]
        return first + second

    def close(self):
        self.handle.close()
"""
HELPER = "    def _record_overload(self, batch):\n        self.overload.append(len(batch))\n\n"
CALL = "        self._record_overload(batch)\n"
BY_TARGET = STEP.replace("    def close", HELPER + "    def close").replace(
    "        second", CALL + "        second"
)
BY_SOURCE = STEP.replace("second = batch[1]", "second = batch[-1]")
BOTH = BY_TARGET.replace("second = batch[1]", "second = batch[-1]")


def found(
    place: Path,
    merged: str,
    *,
    base: str = STEP,
    ours: str = BY_TARGET,
    theirs: str = BY_SOURCE,
    path: str = "loader.py",
    lane: Lane | None = None,
    more: Mapping[str, str] | None = None,
) -> list[Finding]:
    """What is found in one file; `more` are files that target added."""
    sides = {path: ours, **(more or {})}
    with task_of(place, {path: base}, sides, {path: theirs}, {path: merged}, lane=lane) as task:
        return findings_of(dropped, task)


def told(findings: list[Finding]) -> list[tuple[str, str, str]]:
    return [(one.kind, one.severity.value, one.symbol) for one in findings]


def mended(merged: str, finding: Finding) -> str:
    lines = merged.encode().splitlines(keepends=True)
    for edit in finding.edits:
        lines[edit.start : edit.end] = edit.lines
    return b"".join(lines).decode()


def test_nothing_is_said_of_a_merge_that_has_it_all(tmp_path: Path) -> None:
    assert found(tmp_path, BOTH) == []


def test_a_lost_call_whose_definition_is_still_there(tmp_path: Path) -> None:
    merged = BOTH.replace(CALL, "")
    (one,) = found(tmp_path, merged)
    assert told([one]) == [("dropped-call", "fix", "_record_overload")]
    assert one.message == (
        "target's call `_record_overload` in `step` is lost; what it names is still defined, and nothing uses it "
        "any more"
    )
    assert (one.path, one.side, one.line, one.text) == (b"loader.py", "ours", 6, (CALL.rstrip(),))
    assert [(ask.side, ask.text, ask.did) for ask in one.asks][:1] == [("ours", b"_record_overload", Did.ADDED)]


def test_the_sides_are_treated_alike(tmp_path: Path) -> None:
    merged = BOTH.replace(CALL, "")
    (one,) = found(tmp_path, merged, ours=BY_SOURCE, theirs=BY_TARGET)
    assert told([one]) == [("dropped-call", "fix", "_record_overload")]
    assert one.side == "theirs"
    assert one.message.startswith("source's call")


def test_a_lost_call_is_put_back_between_its_neighbours(tmp_path: Path) -> None:
    base = STEP.replace("second = batch[1]", "second = batch[-1]")
    ours = BY_TARGET.replace("second = batch[1]", "second = batch[-1]")
    theirs = base.replace("import os", "import sys")
    merged = ours.replace("import os", "import sys").replace(CALL, "")
    (one,) = found(tmp_path, merged, base=base, ours=ours, theirs=theirs)
    assert mended(merged, one) == ours.replace("import os", "import sys")


def test_a_lost_definition_that_is_still_called_stops(tmp_path: Path) -> None:
    (one,) = found(tmp_path, BOTH.replace(HELPER, ""))
    assert told([one]) == [("dropped-still-used", "stop", "_record_overload")]
    assert one.message.endswith("it is still called, and nothing defines it")


def test_a_definition_that_moved_is_not_lost(tmp_path: Path) -> None:
    with task_of(
        tmp_path,
        {"loader.py": STEP},
        {"loader.py": BY_TARGET},
        {"loader.py": BY_SOURCE},
        {
            "loader.py": BOTH.replace(HELPER, "").replace("class Loader:", "class Loader(Recording):"),
            "recording.py": "class Recording:\n" + HELPER,
        },
    ) as task:
        assert findings_of(dropped, task) == []


IMPORT = "from recording import record\n"
USE = "        record(batch)\n"
WITH_IMPORT = STEP.replace("import os\n", "import os\n" + IMPORT).replace("        second", USE + "        second")


def test_a_lost_import_that_is_still_used_stops_and_is_put_back(tmp_path: Path) -> None:
    whole = WITH_IMPORT.replace("second = batch[1]", "second = batch[-1]")
    merged = whole.replace(IMPORT, "")
    (one,) = found(tmp_path, merged, ours=WITH_IMPORT)
    assert told([one]) == [("dropped-still-used", "stop", "record")]
    assert mended(merged, one) == whole


def test_an_import_over_several_lines_is_put_back(tmp_path: Path) -> None:
    ours = WITH_IMPORT.replace(IMPORT, "from recording import (\n    record,\n    replay,\n)\n")
    merged = BY_SOURCE.replace("        second", USE + "        second")
    (one,) = found(tmp_path, merged, ours=ours)
    assert one.severity is Severity.STOP
    assert mended(merged, one) == ours.replace("second = batch[1]", "second = batch[-1]")


def test_an_import_of_which_a_part_is_left_is_put_back_beside_it(tmp_path: Path) -> None:
    ours = WITH_IMPORT.replace(IMPORT, "from recording import record, replay\n")
    merged = BY_SOURCE.replace("        second", USE + "        second").replace(
        "import os\n", "import os\nfrom recording import replay\n"
    )
    (one,) = found(tmp_path, merged, ours=ours)
    assert one.severity is Severity.STOP
    assert mended(merged, one) == merged.replace("import os\n", "import os\n" + IMPORT)


@pytest.mark.parametrize(
    "instead",
    [
        "from elsewhere import record\n",
        "def record(batch): ...\n",
        "record = print\n",
        "from recording import *\n",
        "try:\n    import fast as record\nexcept ImportError:\n    pass\n",
    ],
)
def test_a_name_that_is_bound_another_way_is_not_undefined(tmp_path: Path, instead: str) -> None:
    merged = WITH_IMPORT.replace("second = batch[1]", "second = batch[-1]").replace(IMPORT, instead)
    assert not [one for one in found(tmp_path, merged, ours=WITH_IMPORT) if one.severity is Severity.STOP]


def test_an_import_of_both_sides_that_the_merge_lost(tmp_path: Path) -> None:
    base = STEP.replace("        second", "        json.dumps(batch)\n        second").replace("os", "json")
    ours = base.replace("batch[0]", "batch[0:1]")
    theirs = base.replace("batch[1]", "batch[-1]")
    merged = theirs.replace("batch[0]", "batch[0:1]").replace("import json\n", "import sys\n")
    (one,) = found(tmp_path, merged, base=base, ours=ours, theirs=theirs)
    assert told([one]) == [("dropped-still-used", "stop", "json")]
    assert one.message.startswith("both sides' import `json` is lost")


def test_a_lost_parameter_that_the_body_still_uses(tmp_path: Path) -> None:
    ours = STEP.replace("def step(self, batch):", "def step(self, batch, input_ids=None):").replace(
        "return first + second", "return first + second + input_ids"
    )
    merged = ours.replace(", input_ids=None", "").replace("batch[1]", "batch[-1]")
    (one,) = found(tmp_path, merged, ours=ours)
    assert told([one]) == [("dropped-parameter", "fix", "input_ids")]


def test_a_lost_keyword_argument_that_stands_in_other_files(tmp_path: Path) -> None:
    base = STEP.replace("batch[1]", "load(\n            batch,\n        )")
    ours = base.replace("            batch,\n", "            batch,\n            num_workers_api=4,\n")
    theirs = base.replace("            batch,\n", "            batch[-1],\n")
    more = {"load.py": "def load(batch, num_workers_api=1):\n    return batch, num_workers_api\n"}
    (one,) = found(tmp_path, theirs.replace("os", "os, re"), base=base, ours=ours, theirs=theirs, more=more)
    assert told([one]) == [("dropped-argument", "look", "num_workers_api")]
    assert one.message.endswith("it still stands in another file")


def test_what_was_lost_together_is_one_finding(tmp_path: Path) -> None:
    ours = STEP.replace(
        "    def close",
        "    def flush_pending(self):\n        pending_count = 0\n        for entry_name in self.entries:\n"
        "            pending_count += entry_name.size\n        return pending_count\n\n    def close",
    )
    (one,) = found(tmp_path, BY_SOURCE.replace("import os", "import os, re"), ours=ours)
    assert told([one]) == [("dropped-definition", "look", "flush_pending")]
    assert len(one.text) == 5


def test_a_name_that_got_into_a_text_is_not_lost(tmp_path: Path) -> None:
    ours = STEP.replace("        second", "        os.sync(self.overload_mode)\n        second").replace(
        "self.handle.close()", "self.handle.close(self.overload_mode)"
    )
    merged = ours.replace("os.sync(self.overload_mode)", 'os.sync(getattr(self, "overload_mode", None))')
    assert found(tmp_path, merged.replace("batch[1]", "batch[-1]"), ours=ours) == []


def test_formatting_loses_nothing(tmp_path: Path) -> None:
    ours = STEP.replace("        second", "        self.record_overload(batch, first, 'all')\n        second")
    wrapped = (
        '        self.record_overload(\n            batch,\n            first,\n            "all",\n        )\n'
    )
    merged = ours.replace("        self.record_overload(batch, first, 'all')\n", wrapped)
    assert found(tmp_path, merged.replace("batch[1]", "batch[-1]"), ours=ours) == []


def test_the_other_side_took_the_place_away(tmp_path: Path) -> None:
    theirs = STEP.replace(
        "    def step(self, batch):\n        first = batch[0]\n        second = batch[1]\n"
        "        return first + second\n\n",
        "",
    )
    ours = STEP.replace("        second", "        self.record_overload(batch)\n        second")
    assert found(tmp_path, theirs.replace("import os", "import re"), ours=ours, theirs=theirs) == []


def test_a_rule_of_the_lane_that_takes_a_side(tmp_path: Path) -> None:
    rule = PathRule(match=("loader.py",), take="theirs", when="always")
    lane = Lane(name="nightly", source="main", target="dev", paths=(rule,))
    assert found(tmp_path / "ruled", BY_SOURCE, lane=lane) == []
    assert found(tmp_path / "free", BY_SOURCE) != []


def test_a_file_in_conflict_that_was_taken_whole(tmp_path: Path) -> None:
    theirs = STEP.replace("        second", "        self.other(batch)\n        second")
    (one,) = found(tmp_path, theirs, theirs=theirs)
    assert told([one]) == [("dropped-file-change", "look", "_record_overload")]
    assert one.message == (
        "source's whole file was taken; what target brought into it is lost: `_record_overload`"
    )


def test_lines_without_a_new_name_that_git_had_merged(tmp_path: Path) -> None:
    ours = STEP.replace("        self.handle.close()", "        self.step(None)\n        self.handle.close()")
    (one,) = found(tmp_path, BY_SOURCE.replace("import os", "import os, re"), ours=ours)
    assert told([one]) == [("dropped-lines", "look", "")]
    assert one.text == ("self.step(None)",)


def test_a_file_that_a_side_renamed(tmp_path: Path) -> None:
    with task_of(
        tmp_path,
        {"loader.py": STEP},
        {"loader.py": BY_TARGET},
        {"reader.py": BY_SOURCE},
        {"reader.py": BOTH},
        delete=((), ("loader.py",), ("loader.py",)),
    ) as task:
        assert findings_of(dropped, task) == []


@pytest.mark.parametrize(
    ("path", "code", "line", "call"),
    [
        ("a.go", "func run() {\n\tfirst()\n\tsecond()\n}\n", "\tsecond()\n", "\tflushOverload()\n"),
        ("a.ts", "function run() {\n  first()\n  second()\n}\n", "  second()\n", "  flushOverload()\n"),
        (
            "A.java",
            "class A {\n  void run() {\n    first();\n    second();\n  }\n}\n",
            "    second();\n",
            "    flushOverload();\n",
        ),
        ("a.swift", "func run() {\n  first()\n  second()\n}\n", "  second()\n", "  flushOverload()\n"),
    ],
)
def test_other_languages(tmp_path: Path, path: str, code: str, line: str, call: str) -> None:
    ours = code.replace(line, call + line) + "// flushOverload is told of here\n"
    theirs = code.replace("run()", "walk()")
    merged = ours.replace("run()", "walk()").replace(call, "")
    (one,) = found(tmp_path, merged, base=code, ours=ours, theirs=theirs, path=path)
    assert call.rstrip() in one.text or call.strip() in one.text


@pytest.mark.parametrize(
    "content", ["\0binary", "", "def broken(:\n", "x = '''never closed\n", "a\r\nb\r\n", "\xff\xfe" * 40]
)
def test_odd_contents(tmp_path: Path, content: str) -> None:
    assert isinstance(found(tmp_path, content, ours=content + STEP), list)
