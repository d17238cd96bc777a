"""Lines that are put together of two unlike lines."""

import pytest

from syncline.merge.hunks import split_lines
from syncline.merge.mixed_lines import MixedLines
from testing.cases import file_case


def told(base: bytes, ours: bytes, theirs: bytes, text: bytes) -> list[str]:
    (hunk,) = file_case(*(b"above\n" + version + b"below\n" for version in (base, ours, theirs))).hunks
    return list(MixedLines(hunk.file).faults(hunk, tuple(split_lines(text))))


MIXED = [
    (
        b"wait(4)\nretry(8)\n",
        b"limit(0)\nwait(4)\n",
        b"start(0)\nwait(4)\npool(4)\nretry(8)\n",
        b"start(0)\nlimit(4)\npool(0)\nwait(4)\n",
        ["limit(4)", "pool(0)"],
    ),
    (
        b"set_workers(4)\n",
        b"set_workers(38)\n",
        b"set_depth(4)\nset_workers(64)\n",
        b"set_depth(38)\nset_workers(64)\n",
        ["set_depth(38)"],
    ),
    (
        b"sleep(0)\n",
        b"if retries > 0:\n    sleep(47)\n",
        b"sleep(30)\n",
        b"if retries > 30:\n    sleep(47)\n",
        ["if retries > 30:"],
    ),
    (
        b"if c > 3:\n    start(0)\nstop(0)\n",
        b"if c > 3:\n    start(0)\n",
        b"if c > 3:\n    start(0)\nstop(84)\n",
        b"if c > 3:\n    start(84)\n",
        ["start(84)"],
    ),
]


@pytest.mark.parametrize(("base", "ours", "theirs", "text", "lines"), MIXED)
def test_a_line_of_words_that_no_version_has_in_one_place(
    base: bytes, ours: bytes, theirs: bytes, text: bytes, lines: list[str]
) -> None:
    for sides in ((ours, theirs), (theirs, ours)):
        assert told(base, *sides, text) == [f"puts together what no version has in one place: {x}" for x in lines]


FINE = [
    pytest.param(b"f(a, 1)\n", b"f(b, 1)\n", b"f(a, 2)\n", b"f(b, 2)\n", id="one line changed by both"),
    pytest.param(
        b"old(1)\n", b"new(1)\n", b"old(1)\nx = old(7)\n", b"new(1)\nx = new(7)\n", id="a rename made again"
    ),
    pytest.param(
        b"f(alpha,\n  beta)\n", b"f(alpha, beta)\n", b"f(alpha,\n  gamma)\n", b"f(alpha, gamma)\n", id="joined"
    ),
    pytest.param(
        b"f(alpha, beta)\n",
        b"f(\n  alpha,\n  beta)\n",
        b"f(alpha, gamma)\n",
        b"f(\n  alpha,\n  gamma)\n",
        id="wrapped",
    ),
    pytest.param(
        b"one()\n",
        b"one()\nx = load(path)\n",
        b"one()\nx = load(path, mode=3)\n",
        b"one()\nx = load(path, mode=3)  # why\n".replace(b"  # why", b""),
        id="a line of a side",
    ),
    pytest.param(
        b"", b"x = load(path, deep)\n", b"y = x = load(path)\n", b"y = x = load(path, deep)\n", id="both added it"
    ),
]


@pytest.mark.parametrize(("base", "ours", "theirs", "text"), FINE)
def test_a_line_whose_words_come_together(base: bytes, ours: bytes, theirs: bytes, text: bytes) -> None:
    assert told(base, ours, theirs, text) == []
    assert told(base, theirs, ours, text) == []
