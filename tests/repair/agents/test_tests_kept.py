"""Which changes of tests are refused, in the languages that are read."""

import pytest

from syncline.repair.agents.tests_kept import lost_tests

_TABLE: list[tuple[str, str, str, str]] = [
    ("a_test.go", "func TestA(t *testing.T) {\n}\nfunc TestB(t *testing.T) {\n}\n", "func TestA(t *T) {\n}\n",
     "TestB"),
    ("a.test.ts", "it('adds', () => {});\ntest(\"subtracts\", f);\n", "it('adds', () => {});\n", "subtracts"),
    ("lib.rs", "#[test]\nfn one() {}\n#[tokio::test]\nasync fn two() {}\n", "#[test]\nfn one() {}\n", "two"),
    ("A.java", "@Test\nvoid a() {}\n@Test\npublic void b() {}\n", "@Test\nvoid a() {}\n", "b"),
    ("a.cs", "[Fact]\npublic void A() {}\n[Theory]\npublic Task B() {}\n", "[Fact]\npublic void A() {}\n", "B"),
    ("a.cc", "TEST(Sum, One) {}\nTEST_F(Sum, Two) {}\n", "TEST(Sum, One) {}\n", "Sum, Two"),
    ("a.php", "public function testA() {}\npublic function testB() {}\n", "public function testA() {}\n", "testB"),
    ("a_spec.rb", "it 'adds' do\nend\nit \"takes\" do\nend\n", "it 'adds' do\nend\n", "takes"),
    ("t.py", "def test_a():\n    f()\nclass T:\n    def test_b(self):\n        f()\n", "def test_a():\n    f()\n",
     "test_b"),
    ("t.py", "def test_a(:\n  f(\ndef test_b", "def test_a(:\n", "test_b"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "before", "after", "name"), _TABLE)
def test_a_test_that_goes_is_seen(path: str, before: str, after: str, name: str) -> None:
    told = lost_tests(path.encode(), [before.encode()], after.encode(), base=b"")
    assert told == f"the test {name} is gone"
    assert lost_tests(path.encode(), [before.encode()], before.encode() + b"\n\n", base=b"") == ""
    # One side had dropped it: then the merge may.
    assert lost_tests(path.encode(), [before.encode(), after.encode()], after.encode(), base=before.encode()) == ""


@pytest.mark.parametrize(
    ("path", "after"),
    [
        ("t.py", "@pytest.mark.xfail\ndef test_a():\n    f()\n"),
        ("t.py", "def test_a():\n    pytest.skip('later')\n    f()\n"),
        ("t.py", "collect_ignore = ['t.py']\ndef test_a():\n    f()\n"),
    ],
)
def test_a_skip_is_seen_unless_a_side_has_it(path: str, after: str) -> None:
    before = b"def test_a():\n    f()\n"
    assert "skipped" in lost_tests(path.encode(), [before], after.encode(), base=b"")
    assert lost_tests(path.encode(), [before, after.encode()], after.encode(), base=before) == ""
    assert lost_tests(path.encode(), [after.encode()], after.encode(), base=b"") == ""


def test_skips_of_both_sides_may_come_together() -> None:
    one = b"@pytest.mark.skip\ndef test_a():\n    f()\n\n\ndef test_b():\n    f()\n"
    other = b"def test_a():\n    f()\n\n\n@pytest.mark.skip\ndef test_b():\n    f()\n"
    both = b"@pytest.mark.skip\ndef test_a():\n    f()\n\n\n@pytest.mark.skip\ndef test_b():\n    f()\n"
    base = one.replace(b"@pytest.mark.skip\n", b"")
    assert lost_tests(b"t.py", [one, other], both, base=base) == ""
    assert "skipped" in lost_tests(b"t.py", [one, one], both, base=one)
