"""Cutting conflicted files, held against git's own union of the same merge."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from syncline.git import CommitId, Repository
from syncline.git.merge_tree import merge_tree
from syncline.merge.conflicted_files import conflicted_files, hunk_counts
from syncline.merge.hunks import ConflictedFile, Hunk, count_hunks, parse_conflicted, split_lines
from syncline.merge.merge import merge
from testing.builder import RepositoryBuilder
from testing.repository import BuiltRepository
from testing.sealed import git
from tests.merge.merging import lane, merged, rule

OURS, THEIRS = "a" * 40, "b" * 40

# Lines that fool a parser: separators, markers without a name or with another one, CR, nothing at all.
LINES = st.sampled_from(
    (b"one", b"two", b"three", b"four", b"=======", b"<<<<<<< else", b">>>>>>> else", b"|||||||", b"", b"\xe9")
)
endings = st.sampled_from((b"\n", b"\n", b"\r\n"))


@st.composite
def texts(draw: st.DrawFn, *, mixed: bool = True) -> bytes:
    ending = draw(endings)
    lines = draw(st.lists(LINES, max_size=8))
    text = b"".join(line + (draw(endings) if mixed else ending) for line in lines)
    return text.removesuffix(b"\n") if draw(st.booleans()) else text


Three = tuple[bytes, bytes, bytes]
threes = st.tuples(texts(), texts(), texts()) | st.tuples(*[texts(mixed=False)] * 3)


def two_texts(place: Path, base: bytes, ours: bytes, theirs: bytes) -> BuiltRepository:
    build = RepositoryBuilder(place, bare=True)
    our_branch = build.branch("ours")
    our_branch.commit("start", {"a.txt": base, "kept": ""})
    their_branch = our_branch.branch("theirs")
    our_branch.commit("ours", {"a.txt": ours})
    their_branch.commit("theirs", {"a.txt": theirs})
    return build.finish()


def union_by_git(built: BuiltRepository) -> bytes:
    """What git makes of the same merge where an attribute asks for its union."""
    (built.git_dir / "info").mkdir(exist_ok=True)
    (built.git_dir / "info" / "attributes").write_text("* merge=union\n")
    tree = built.git("merge-tree", "--write-tree", "ours", "theirs").split()[0].decode()
    return built.read(tree, "a.txt")


TITLES = b"Title\n=======\ntext\n"


@given(threes)
@example((TITLES, TITLES.replace(b"text", b"ours"), TITLES.replace(b"text", b"theirs")))
@example((b"one\n", b"=======\n", b"two\n"))
@example((b"", b"Ours\n=======\n", b"Theirs\n=======\n"))
@example((b"one\r\n", b"two\r\n", b"three"))
@example((b"one", b"two", b"three"))
@example((b"one", b"two", b""))
@settings(max_examples=40)
def test_union_is_gits_union(three: Three) -> None:
    with tempfile.TemporaryDirectory() as directory:
        built = two_texts(Path(directory) / "repo", *three)
        result = merged(built, lane(rule("union", "*")))
        assert result.clean
        assert built.read(result.tree, "a.txt") == union_by_git(built)


@given(threes)
@settings(max_examples=40)
def test_the_parts_joined_are_the_file(three: Three) -> None:
    with tempfile.TemporaryDirectory() as directory:
        built = two_texts(Path(directory) / "repo", *three)
        ours, theirs = CommitId(built["ours"]), CommitId(built["theirs"])
        with Repository.open(built.path) as repository:
            result = merge(repository, ours, theirs)
            counted = dict(hunk_counts(repository, result))
            for conflict, cut in conflicted_files(repository, result):
                content = built.read(result.git_tree, conflict.path)
                assert joined(cut, ours, theirs) == content
                assert counted == {conflict.path: len(cut.hunks)}
                assert len(cut.hunks) == count_hunks(content, ours_label=ours) > 0
                for hunk in cut.hunks:
                    assert hunk.ours != hunk.theirs
                    assert content.split(b"\n")[hunk.line - 1].startswith(b"<<<<<<< " + ours.encode())


def joined(cut: ConflictedFile, ours: str, theirs: str) -> bytes:
    """The file as git left it: a side's last line gets the newline it needs before a marker."""
    lines: list[bytes] = []
    for part in cut.parts:
        if isinstance(part, Hunk):
            for marker, side in ((f"<<<<<<< {ours}", part.ours), ("=======", part.theirs)):
                lines += [marker.encode(), part.ending, *side]
                if side and not side[-1].endswith(b"\n"):
                    lines.append(part.ending)
            lines += [f">>>>>>> {theirs}".encode(), part.ending]
        else:
            lines += part
    return b"".join(lines)


def cut(content: bytes, ours: bytes, theirs: bytes) -> ConflictedFile:
    return parse_conflicted(content, ours=ours, theirs=theirs, ours_label=OURS, theirs_label=THEIRS)


OPEN, CLOSE = b"<<<<<<< " + OURS.encode(), b">>>>>>> " + THEIRS.encode()

PARSED: dict[str, tuple[bytes, bytes, bytes, list[tuple[bytes, bytes]]]] = {
    "no hunk": (b"a\nb", b"a\nb", b"a\nb", []),
    "plain": (OPEN + b"\nx\n=======\ny\n" + CLOSE + b"\n", b"x\n", b"y\n", [(b"x\n", b"y\n")]),
    "labels with paths": (
        OPEN + b":old.txt\nx\n=======\ny\n" + CLOSE + b":new.txt\n", b"x\n", b"y\n", [(b"x\n", b"y\n")],
    ),
    "one side empty": (OPEN + b"\n=======\ny\n" + CLOSE + b"\n", b"", b"y\n", [(b"", b"y\n")]),
    "markers of another merge": (b"<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> topic\n", b"", b"", []),
    "no end": (OPEN + b"\nx\n=======\ny\n", b"x\n", b"y\n", []),
    "longer markers": (b"<" + OPEN + b"\nx\n=======\ny\n>" + CLOSE + b"\n", b"x\n", b"y\n", []),
    "underlined title in ours": (
        OPEN + b"\nOurs\n=======\n=======\nTheirs\n" + CLOSE + b"\n",
        b"Ours\n=======\n", b"Theirs\n",
        [(b"Ours\n=======\n", b"Theirs\n")],
    ),
    "underlined titles in both": (
        OPEN + b"\nOurs\n=======\nx\n=======\nTheirs\n=======\ny\n" + CLOSE + b"\n",
        b"Ours\n=======\nx\n", b"Theirs\n=======\ny\n",
        [(b"Ours\n=======\nx\n", b"Theirs\n=======\ny\n")],
    ),
    "two": (
        OPEN + b"\na\n=======\nb\n" + CLOSE + b"\nsame\n" + OPEN + b"\nc\n=======\nd\n" + CLOSE + b"\n",
        b"a\nsame\nc\n", b"b\nsame\nd\n",
        [(b"a\n", b"b\n"), (b"c\n", b"d\n")],
    ),
    "neither side known": (OPEN + b"\nx\n=======\ny\n" + CLOSE + b"\n", b"", b"", [(b"x\n", b"y\n")]),
    "no newline": (OPEN + b"\nx\n=======\ny\n" + CLOSE + b"\n", b"x", b"y", [(b"x", b"y")]),
    "CRLF": (
        OPEN + b"\r\nx\r\n=======\r\ny\r\n" + CLOSE + b"\r\n", b"x\r\n", b"y", [(b"x\r\n", b"y")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PARSED)
def test_cutting(name: str) -> None:
    content, ours, theirs, expected = PARSED[name]
    hunks = cut(content, ours, theirs).hunks
    assert [(b"".join(hunk.ours), b"".join(hunk.theirs)) for hunk in hunks] == expected


@given(st.binary(max_size=60) | st.lists(st.sampled_from((OPEN, CLOSE, b"=======", b"x", b""))).map(b"\n".join))
def test_any_bytes_can_be_cut(content: bytes) -> None:
    found = cut(content, b"x\n", b"")
    assert isinstance(found.with_union(), bytes)
    if not found.hunks:
        assert found.with_union() == content
    assert b"".join(split_lines(content)) == content


UNIONS: dict[str, Three] = {
    "both add at one place": (b"a\nz\n", b"a\nours\nz\n", b"a\ntheirs\nz\n"),
    "no newline at the end": (b"a\n", b"a\nours", b"a\ntheirs"),
    "only theirs has none": (b"a\n", b"a\nours\n", b"a\ntheirs"),
    "CRLF": (b"a\r\n", b"a\r\nours\r\n", b"a\r\ntheirs"),
    "CRLF, ours without": (b"a\r\n", b"a\r\nours", b"a\r\ntheirs\r\n"),
    "underlined titles": (TITLES, TITLES.replace(b"Title", b"Ours"), TITLES.replace(b"Title", b"Theirs")),
}


@pytest.mark.parametrize("name", UNIONS)
def test_union_is_that_of_git_merge_file(name: str, tmp_path: Path) -> None:
    base, ours, theirs = UNIONS[name]
    built = two_texts(tmp_path / "repo", base, ours, theirs)
    for file, content in (("base", base), ("ours", ours), ("theirs", theirs)):
        (tmp_path / file).write_bytes(content)
    expected = git(tmp_path, "merge-file", "-p", "--union", "ours", "base", "theirs")
    result = merged(built, lane(rule("union", "a.txt")))
    assert built.read(result.tree, "a.txt") == expected
    with Repository.open(built.path) as repository:
        stages = merge_tree(repository, result.ours, result.theirs).stages
    assert list(stages) == [b"a.txt"]
