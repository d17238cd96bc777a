import string
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.errors import GitError
from syncline.git import CommitId, Entry, Mode, Oid, Repository
from syncline.git.merge_tree import MergeTree, Message, Stages, merge_tree, parse_merge_tree
from syncline.git.oid import TreeId
from testing.conflicts import CONFLICT_CASES, ConflictCase
from testing.merge_tree import merge_tree as by_git
from tests.merge.merging import as_built

oids = st.sampled_from((40, 64)).flatmap(lambda size: st.text("0123456789abcdef", min_size=size, max_size=size))
paths = st.binary(min_size=1, max_size=12).filter(lambda path: b"\0" not in path)
entries = st.builds(
    Entry,
    st.sampled_from((Mode.FILE, Mode.EXECUTABLE, Mode.SYMLINK, Mode.SUBMODULE)),
    oids.map(Oid),
)
stages = st.builds(Stages, *[st.none() | entries] * 3).filter(lambda found: found != Stages())
messages = st.builds(
    Message,
    st.text(string.ascii_letters + " ()/", min_size=1),
    st.lists(paths, min_size=1, max_size=3).map(tuple),
    st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])).map(str.strip),
)
answers = st.builds(
    MergeTree,
    oids.map(TreeId),
    st.booleans(),
    st.dictionaries(paths, stages, max_size=4),
    st.lists(messages, max_size=4).map(tuple),
)


def printed(answer: MergeTree) -> bytes:
    """What git-merge-tree(1), OUTPUT, says it prints with -z."""
    lines = [answer.tree.encode()]
    for path, found in answer.stages.items():
        for number, entry in enumerate((found.base, found.ours, found.theirs), 1):
            if entry is not None:
                lines.append(f"{entry.mode} {entry.oid} {number}\t".encode() + path)
    lines.append(b"")
    for message in answer.messages:
        lines += [
            str(len(message.paths)).encode(),
            *message.paths,
            message.type.encode(),
            message.text.encode() + b"\n",
        ]
    return b"\0".join([*lines, b""])


@given(answers)
def test_what_git_prints_is_read_back(answer: MergeTree) -> None:
    assert parse_merge_tree(printed(answer), clean=answer.clean) == answer


@given(answers, st.data())
def test_what_is_cut_off_or_changed_is_an_answer_or_a_git_error(answer: MergeTree, data: st.DataObject) -> None:
    text = printed(answer)
    at = data.draw(st.integers(0, len(text)))
    for spoilt in (text[:at], text[:at] + data.draw(st.binary(max_size=4)) + text[at + 1 :]):
        try:
            parse_merge_tree(spoilt, clean=False)
        except GitError as error:
            assert "git merge-tree printed" in error.message  # noqa: PT017 - an answer is right, too


TREE = b"0" * 40
GARBAGE = {
    "nothing": b"",
    "no id": b"hello\0\0",
    "no path": TREE + b"\x00100644 " + TREE + b" 1\0\0",
    "stage 4": TREE + b"\x00100644 " + TREE + b" 4\ta\0\0",
    "odd mode": TREE + b"\x00123456 " + TREE + b" 1\ta\0\0",
    "mode that is none": TREE + b"\0\xff " + TREE + b" 1\ta\0\0",
    "no count": TREE + b"\0\0many\0a\0b\0c\0",
    "negative count": TREE + b"\0\x00-3\0a\0b\0c\0",
    "count beyond the end": TREE + b"\0\x0099\0a\0b\0c\0",
}


@pytest.mark.parametrize("name", GARBAGE)
def test_garbage(name: str) -> None:
    with pytest.raises(GitError, match="git merge-tree printed"):
        parse_merge_tree(GARBAGE[name], clean=False)


@given(st.binary(max_size=80))
def test_any_bytes(text: bytes) -> None:
    with pytest.raises(GitError):
        parse_merge_tree(b"x" + text, clean=True)


def test_advice_after_the_last_record_is_not_read() -> None:
    text = TREE + b"\0\x001\0a\0Auto-merging\0Auto-merging a\n\0Recursive merging with submodules is hard"
    assert parse_merge_tree(text, clean=True).messages == (Message("Auto-merging", (b"a",), "Auto-merging a"),)


def test_a_clean_merge_has_no_sections() -> None:
    assert parse_merge_tree(TREE + b"\0", clean=True) == MergeTree(
        TreeId(TREE.decode()), clean=True, stages={}, messages=()
    )


@pytest.mark.parametrize("case", CONFLICT_CASES[::3], ids=lambda case: case.name)
def test_the_tests_own_reader_agrees(case: ConflictCase, tmp_path: Path) -> None:
    built = case.build(tmp_path / "repo")
    with Repository.open(built.path) as repository:
        answer = merge_tree(repository, CommitId(built["ours"]), CommitId(built["theirs"]))
    wanted = by_git(built, built["ours"], built["theirs"])
    assert (answer.tree, answer.clean) == (wanted.tree, wanted.clean)
    assert {path: numbered(found) for path, found in answer.stages.items()} == wanted.stages
    # A submodule that is checked out says more to git in the work tree than to the sealed merge.
    if case.kind != "submodule":
        assert [(m.type, m.paths) for m in answer.messages] == [(m.type, m.paths) for m in wanted.messages]


def numbered(found: Stages) -> Mapping[int, object]:
    sides = {1: found.base, 2: found.ours, 3: found.theirs}
    return {number: as_built(entry) for number, entry in sides.items() if entry is not None}
