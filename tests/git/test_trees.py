import shutil
from collections.abc import Generator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from syncline.errors import GitError
from syncline.git import Entry, Mode, Oid, Repository, TreeId
from syncline.git.tree import edit_nodes, format_tree, parse_tree
from testing.builder import RepositoryBuilder
from testing.content import put
from testing.repository import BuiltRepository
from tests.git.opened import opened, tip, tree_of

NAMES = (b"a", b"b", b"a.b", b"a-", b"A", b"caf\xe9", b"new\nline", b'"q"', b" ", b"-x", b"git~1")
ABSENT = "1" * 40

names = st.sampled_from(NAMES)
paths = st.lists(names, min_size=1, max_size=3).map(b"/".join)
modes = st.sampled_from((Mode.FILE, Mode.EXECUTABLE, Mode.SYMLINK, Mode.SUBMODULE))
edits = st.dictionaries(paths, st.none() | st.tuples(modes, st.integers(0, 3)), max_size=8)

Shared = tuple[BuiltRepository, Repository, list[Oid]]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Generator[Shared]:
    build = RepositoryBuilder(tmp_path_factory.mktemp("trees") / "repo", bare=True)
    build.branch("main").commit(
        "start", {"a/b/a": "1\n", "a/a": "2\n", "b": "3\n", "a.b/A": "4\n", " /b/b": "5\n"}
    )
    built = build.finish()
    with opened(built) as repository:
        yield built, repository, [Oid(repository.write_blob(b"%d" % number)) for number in range(4)]


def contradict(wanted: dict[bytes, Entry | None]) -> bool:
    present = [path for path, entry in wanted.items() if entry is not None]
    return any(other.startswith(path + b"/") for path in present for other in present)


@given(edits)
@settings(max_examples=80)
def test_edits_against_a_plain_mapping(shared: Shared, chosen: dict[bytes, tuple[Mode, int] | None]) -> None:
    built, repository, blobs = shared
    wanted: dict[bytes, Entry | None] = {
        path: None
        if what is None
        else Entry(what[0], Oid(ABSENT) if what[0] is Mode.SUBMODULE else blobs[what[1]])
        for path, what in chosen.items()
    }
    before = tree_of(built, "main")
    if contradict(wanted):
        with pytest.raises(ValueError, match="at once"):
            repository.edit_tree(before, wanted)
        return
    model: dict[bytes, tuple[bytes, str]] = {
        path: (entry.mode, entry.oid) for path, entry in built.entries("main").items()
    }
    for path, entry in wanted.items():
        if entry is None:
            for below in [one for one in model if one == path or one.startswith(path + b"/")]:
                del model[below]
    for path, entry in wanted.items():
        if entry is not None:
            put(model, path, (entry.mode.encode(), str(entry.oid)))
    after = repository.edit_tree(before, wanted)
    assert {path: (entry.mode, entry.oid) for path, entry in built.entries(after).items()} == model
    for path, entry in wanted.items():
        assert repository.entry(after, path) == entry or (entry is None and below_stands(model, path))


def below_stands(model: dict[bytes, tuple[bytes, str]], path: bytes) -> bool:
    return any(one.startswith(path + b"/") for one in model)


def test_nothing_to_edit_writes_nothing(shared: Shared) -> None:
    built, repository, _ = shared
    before = tree_of(built, "main")
    assert repository.edit_tree(before, {}) == before
    assert repository.edit_tree(before, {b"nowhere/at/all": None, b"b/below a file": None}) == before


def test_removing_everything_gives_the_empty_tree(shared: Shared) -> None:
    built, repository, _ = shared
    emptied = repository.edit_tree(tree_of(built, "main"), dict.fromkeys(built.entries("main")))
    assert emptied == repository.empty_tree
    built.git("update-ref", "refs/heads/empty", built.text("commit-tree", "-m", "empty", emptied))
    assert b"missing" not in built.git("fsck", "--no-dangling", check=False)
    assert repository.edit_tree(emptied, {b"x/y": None}) == repository.empty_tree


def test_the_trees_written_are_sound(shared: Shared, tmp_path_factory: pytest.TempPathFactory) -> None:
    built, repository, blobs = shared
    copy = tmp_path_factory.mktemp("copy") / "repo"
    repository.edit_tree(
        tree_of(built, "main"), {b"a/b": Entry(Mode.FILE, blobs[0]), b"a.b/z": Entry(Mode.SYMLINK, blobs[1])}
    )
    shutil.copytree(built.path, copy)
    done = built.git("--git-dir", copy, "fsck", "--strict", "--no-dangling", check=False)
    assert b"error" not in done


@pytest.mark.parametrize("path", [b"", b"/a", b"a/", b"a//b", b".", b"../a", b"a/./b", b".git/config", b"a/.git"])
def test_what_is_no_path(path: bytes, shared: Shared) -> None:
    built, repository, blobs = shared
    with pytest.raises(ValueError, match="not a path inside a tree"):
        repository.edit_tree(tree_of(built, "main"), {path: Entry(Mode.FILE, blobs[0])})
    with pytest.raises(ValueError, match="not a path"):
        edit_nodes({path: None})


def test_a_missing_object_is_refused(shared: Shared) -> None:
    _, repository, _ = shared
    with pytest.raises(GitError, match="cannot be read"):
        repository.edit_tree(TreeId(ABSENT), {b"x": None})


def raw(entries: dict[bytes, Entry]) -> bytes:
    """A tree object's content, gitformat: mode without leading zero, name, NUL, digest."""
    return b"".join(
        entry.mode.lstrip("0").encode() + b" " + name + b"\0" + bytes.fromhex(entry.oid)
        for name, entry in entries.items()
    )


digests = st.sampled_from((20, 32))
oids = digests.flatmap(lambda size: st.binary(min_size=size, max_size=size).map(bytes.hex))


@given(st.data(), digests)
def test_parsing_what_a_tree_holds(data: st.DataObject, size: int) -> None:
    ids = st.binary(min_size=size, max_size=size).map(lambda digest: Oid(digest.hex()))
    entries = data.draw(st.dictionaries(names, st.builds(Entry, st.sampled_from(Mode), ids)))
    assert parse_tree(raw(entries), size) == entries
    content = raw(entries)
    cut = data.draw(st.integers(0, len(content)))
    try:
        parsed = parse_tree(content[:cut], size)
    except GitError as error:
        assert "damaged" in error.message  # noqa: PT017 - where it is cut between entries it is a tree
    else:
        assert content[:cut] == raw(parsed)


@pytest.mark.parametrize(
    "content", [b"x", b"100644", b"100644 a\0", b"999999 a\0" + b"1" * 20, b"\xff a\0" + b"1" * 20]
)
def test_damaged_trees(content: bytes) -> None:
    with pytest.raises(GitError, match="damaged"):
        parse_tree(content, 20)


def test_format_is_what_mktree_takes(shared: Shared) -> None:
    built, repository, _ = shared
    tree = tree_of(built, "main")
    assert built.git("mktree", "-z", input=format_tree(repository.tree(tree))).decode().strip() == tree


def test_modes() -> None:
    assert [Mode.of(text) for text in ("40000", "100664", "100775")] == [
        Mode.DIRECTORY,
        Mode.FILE,
        Mode.EXECUTABLE,
    ]
    assert [mode.is_file for mode in Mode] == [True, True, False, False, False]
    with pytest.raises(ValueError, match="no blob"):
        _ = Entry(Mode.SUBMODULE, Oid(ABSENT)).blob


def test_looking_up_paths(builder: RepositoryBuilder) -> None:
    builder.branch("main").commit("start", {"d/e/f": "x\n", "g": "y\n"})
    built = builder.finish()
    with opened(built) as repository:
        tree = tree_of(built, "main")
        for path, entry in built.entries("main").items():
            found = repository.entry(tree, path)
            assert found is not None
            assert (found.mode.encode(), found.blob) == (entry.mode, entry.oid)
        for absent in (b"h", b"g/h", b"d/e/f/g", b"d/x/f"):
            assert repository.entry(tree, absent) is None
        directory = repository.entry(tree, b"d/e")
        assert directory is not None
        assert directory.mode is Mode.DIRECTORY
        assert tip(built, "main")
