"""What a whole file gives under a name: git merged one, an answer brings the other."""

import pytest

from syncline.merge.acceptance import Acceptance
from syncline.merge.hunks import split_lines
from syncline.merge.ladder.settle import assemble
from syncline.merge.names_in_file import names_in_file
from testing.cases import file_case
from tests.merge.entries import FORMATS, entry


@pytest.mark.parametrize(("path", "above", "form", "below"), FORMATS)
def test_what_git_merged_and_what_an_answer_brings(path: bytes, above: bytes, form: bytes, below: bytes) -> None:
    rest = b"".join(entry(form, b"k%d" % number, 0) for number in range(9))

    def told(ours: tuple[bytes, bytes], theirs: tuple[bytes, bytes], *, answer: str) -> list[str]:
        versions = (above + first + rest + last + below for first, last in ((b"", b""), ours, theirs))
        case = file_case(*versions, path=path)
        (hunk,) = case.hunks
        lines = hunk.theirs if answer == "theirs" else (*hunk.ours, *hunk.theirs)
        return [fault for fault in Acceptance(case).file_faults(assemble(case, [lines])) if " twice" in fault]

    b, again, c, d = (entry(form, *of) for of in ((b"b", 1), (b"b", 2), (b"c", 1), (b"d", 1)))
    for answer in ("theirs", "both"):
        assert told((b, c), (b"", again + d), answer=answer)
    assert not told((b, c), (b"", d), answer="theirs")
    # What one side has twice itself is not the merge's doing.
    assert not told((b + again, c), (b"", d), answer="theirs")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (b"a.ini", b"[a]\nx = 1\n[b]\nx = 1\n"),
        (b"a.conf", b"[[a]]\nx = 1\n[[a]]\nx = 1\n"),
        (b"a.properties", b"a = x,\\\n  b=1,\\\n  b=1\n"),
        (b"Makefile", b"ifdef X\nA = 1\nelse\nA = 2\nendif\n"),
        (b"a.kt", b"fun f() {\n    val b = 1\n}\nfun g() {\n    val b = 1\n}\n"),
        (b"a.kt", b"class A {\n    val b = 1\n}\nclass B {\n    val b = 1\n}\n"),
        (b"a.kt", b"val String.a get() = 1\nval String.b get() = 1\n"),
        (b"a.proto", b"message A {\n  int32 a = 1;\n}\nmessage B {\n  int32 a = 1;\n}\n"),
        (b"go.mod", b"exclude (\n\ta v1.0.0\n\ta v1.1.0\n)\n"),
        (b"a.py", b"@overload\ndef f(a): ...\n@overload\ndef f(b): ...\n"),
        (b"a.py", b"def f():\n    x = 1\n\ndef g():\n    x = 1\n"),
        (b"a.py", b"try:\n    import a as x\nexcept E:\n    import b as x\n"),
        (b"a.ts", b"function f(a: string): void;\nfunction f(a: number): void;\nfunction f(a) {}\n"),
        (b"a.ts", b"function f(\n  a: string,\n): void;\nfunction f(a) {\n}\n"),
        (b"a.toml", b'[a]\nx = [\n  "k",\n]\ny = [\n  "k",\n]\n'),
        (b".gitignore", b"# a\n# a\n"),
        (b"notes.txt", b"a = 1\na = 1\n"),
    ],
)
def test_what_may_stand_beside_each_other(path: bytes, text: bytes) -> None:
    assert max(names_in_file(path, split_lines(text)).values(), default=1) == 1


@pytest.mark.parametrize("path", [b"a.py", b"a.kt", b"go.mod", b"a.toml", b"a.ini"])
def test_any_depth_is_read_in_one_pass(path: bytes) -> None:
    lines = [b" " * depth + b"k%d {\n" % depth for depth in range(900)]
    assert sum(names_in_file(path, lines * 50).values()) <= 50
