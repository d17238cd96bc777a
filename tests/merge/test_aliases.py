"""YAML aliases and the anchors before them."""

import pytest

from syncline.merge.text.aliases import alias_fault


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"a: &x 1\nb: *x\n", None),
        (b"a: &x\n  k: [1, *x]\nb:\n  <<: *x\n", None),
        (b"b: *x\na: &x 1\n", "the alias *x has no anchor (line 1)"),
        (b"a: &y 1\nb: *y\nc: *x\n", "the alias *x has no anchor (line 3)"),
        (b"a: &x 1\n---\nb: *x\n", "the alias *x has no anchor (line 3)"),
        (b"a: 2 * 3\nb: '*x'\n# *x\n", None),
        (b"a: ]\nb: *x\n", None),
    ],
)
def test_an_alias_needs_an_anchor_before_it(content: bytes, fault: str | None) -> None:
    assert alias_fault(content) == fault
