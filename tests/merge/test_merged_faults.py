"""What is asked of a merged file as a whole."""

from syncline.merge.merged_faults import MergedFaults
from testing.cases import file_case


def test_a_file_of_which_nothing_is_left() -> None:
    case = file_case(b"a: 1\nb: 2\n", b"a: 1\n", b"b: 2\n", path=b"a.yaml")
    assert MergedFaults(case).of_file(b"\n") == (
        "nothing of the file would be left, of which either side kept something",
    )
    emptied = file_case(b"a: 1\nb: 2\n", b"", b"b: 2\n", path=b"a.yaml")
    assert MergedFaults(emptied).of_file(b"\n") == ()


def test_every_check_of_a_hunk_is_made() -> None:
    for path, base, ours, theirs, text, told in (
        (b"a.py", b"x = 1.0\n", b"x = 1.05\n", b"x = 11.0\n", b"x = 11.05\n", "holds 11.05"),
        (b"a.txt", b"a>=1,<3\n", b"a>=2,<3\n", b"a>=1,<2\n", b"a>=2,<2\n", "no version is in the range"),
        (b"a.py", b"A = 1\n", b"A = 1\nB = 2\n", b"A = 1\nC = 2\n", b"A = 1\nB = 2\nC = 2\n", "gives 2 two names"),
        (b".gitignore", b"a\n", b"a\n!b\n", b"a\nc\n", b"a\n!b\nc\n", "its order decides"),
        (b"a.sql", b"SELECT a FROM t;\n", b"DROP a;\n", b"SELECT a;\n", b"DROP t;\n", "no version has it"),
        (b"a.py", b"f(1)\n", b"f(2)\n", b"g(1)\nf(3)\n", b"g(2)\nf(3)\n", "puts together"),
        (b"a.json", b'{"a": 1}\n', b'{"a": 2}\n', b'{"a": 3}\n', b'{"a": {"a": 3}}\n', "has a.a: 3"),
    ):
        case = file_case(base, ours, theirs, path=path)
        lines = tuple(text.splitlines(keepends=True))
        faults = list(MergedFaults(case).of_hunk(case.hunks[0], lines))
        assert any(fault.startswith(told) for fault in faults), (told, faults)
