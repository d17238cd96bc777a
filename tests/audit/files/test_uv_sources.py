from syncline.audit.files.uv_sources import lost_sources
from syncline.audit.finding import Severity
from syncline.audit.four_trees import Contents

HEAD = '[project]\nname = "app"\ndependencies = ["one", "two", "three"]\n[tool.uv.sources]\n'


def git(name: str, rev: str) -> str:
    return f'{name} = {{ git = "https://example.org/{name}", rev = "{rev}" }}\n'


def found(base: str, ours: str, theirs: str, merged: str) -> list[tuple[str, Severity, str, str]]:
    contents = Contents(*((HEAD + text).encode() for text in (base, ours, theirs, merged)))
    return [(one.kind, one.severity, one.symbol, one.side) for one in lost_sources(b"pyproject.toml", contents)]


def test_sources_that_one_side_added_and_the_merge_lost() -> None:
    assert found("", git("one", "1"), git("two", "2"), git("one", "1")) == [
        ("source-lost", Severity.FIX, "two", "theirs")
    ]
    assert found("", git("other", "1"), "", "") == [("source-lost", Severity.LOOK, "other", "ours")]
    # The other side removed it: a deliberate removal.
    assert found(git("two", "1"), "", git("two", "1"), "") == []


def test_revisions_in_which_the_sides_differ_are_listed() -> None:
    assert found(git("one", "0"), git("one", "1"), git("one", "2"), git("one", "1")) == [
        ("source-revisions", Severity.LOOK, "one", "")
    ]
    # Only one side moved it: an ordinary merge.
    assert found(git("one", "0"), git("one", "1"), git("one", "0"), git("one", "1")) == []


def test_what_is_no_toml_is_told_elsewhere() -> None:
    assert list(lost_sources(b"pyproject.toml", Contents(b"", b"", b"[[[", b"\xff"))) == []
    odd = b'[tool.uv]\nsources = ["a"]\n[project]\ndependencies = 3\n'
    assert list(lost_sources(b"pyproject.toml", Contents(odd, odd, odd, odd))) == []
