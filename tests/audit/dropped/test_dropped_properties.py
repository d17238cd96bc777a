import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from syncline.audit.dropped.dropped import dropped
from testing.audited import findings_of, task_of

LINE = st.sampled_from(
    [
        b"import first_module", b"from second_module import third_name", b"class Holder:",
        b"    def step_once(self):",
        b"        self.flush_all(third_name)", b"        return first_module.value", b"    field_of_it = 4",
        b"# a comment", b"'''", b"", b"x = (", b")", b"\xff\xfe\x00", b"    call_it(one_more=2)", b"\tdeep\r",
    ]
)  # fmt: skip
VERSION = st.lists(LINE, max_size=9).map(b"\n".join)

SWAPPED = {"ours": "theirs", "theirs": "ours", "": ""}


def told(base: bytes, ours: bytes, theirs: bytes, merged: bytes, path: str) -> list[tuple[str, ...]]:
    with (
        tempfile.TemporaryDirectory() as place,
        task_of(Path(place), {path: base, "z": b""}, {path: ours}, {path: theirs}, {path: merged}) as task,
    ):
        found = findings_of(dropped, task)
    return sorted((one.kind, one.severity.value, one.symbol, one.side, *one.text) for one in found)


@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(VERSION, VERSION, VERSION, VERSION, st.sampled_from(["a.py", "a.md", "a.yaml", "a.js", "plain"]))
def test_any_merge_is_judged_alike_whichever_side_is_which(
    base: bytes, ours: bytes, theirs: bytes, merged: bytes, path: str
) -> None:
    one_way = told(base, ours, theirs, merged, path)
    other_way = told(base, theirs, ours, merged, path)
    assert one_way == sorted(
        (kind, severity, symbol, SWAPPED[side], *text) for kind, severity, symbol, side, *text in other_way
    )


@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
@given(VERSION, VERSION, VERSION)
def test_what_changed_in_different_places_is_merged_without_loss(
    above: bytes, between: bytes, below: bytes
) -> None:
    fixed = b"alpha_line = 1\nbeta_line = 2\ngamma_line = 3\n" + between + b"\ndelta_line = 4\nepsilon_line = 5\n"
    ours, theirs = above + b"\n" + fixed, fixed + below + b"\n"
    assert told(fixed, ours, theirs, above + b"\n" + fixed + below + b"\n", "a.py") == []
