from pathlib import Path

import pytest

from testing.builder import RepositoryBuilder
from testing.content import (
    Append,
    Chmod,
    Content,
    Entry,
    File,
    ObjectFormat,
    Replace,
    StoryError,
    Submodule,
    Symlink,
)
from testing.repository import BuiltRepository
from testing.sealed import CLOCK, GitFailedError, git

STRANGE_NAMES = (
    b"caf\xe9.txt",
    b"new\nline",
    b'"quoted"',
    b"tab\there",
    b" blank ",
    b"back\\slash",
    b"\xff\xfe",
)
EVERYTHING: dict[str | bytes, Content] = {
    "text.txt": "hello\n",
    "no-newline.txt": "hello",
    "crlf.txt": "one\r\ntwo\r\n",
    "latin1.txt": b"caf\xe9\n",
    "data.bin": bytes(range(256)),
    "empty": "",
    "bin/run": File("#!/bin/sh\n", executable=True),
    "link": Symlink("text.txt"),
    "dangling": Symlink(b"\xe9"),
    "sub": Submodule("1" * 40),
    **dict.fromkeys(STRANGE_NAMES, "strange\n"),
}


def small_story(path: Path, object_format: ObjectFormat = "sha1") -> BuiltRepository:
    build = RepositoryBuilder(path, object_format=object_format)
    main = build.branch("main")
    main.commit("start", {"a.py": "a = 1\n", "README.md": "hello\n"})
    dev = main.branch("dev")
    renamed = main.commit("rename", {"lib/a.py": Append("b = 1\n")}, move={"a.py": "lib/a.py"}, author="Ada")
    dev.edit("README.md", replace=("hello", "bye"))
    dev.merge(main, f"Merge {renamed.oid}")
    build.tag("v1", dev, "First")
    build.tag("light", main)
    return build.finish()


def test_every_kind_of_file_arrives_in_commit_and_work_tree(builder: RepositoryBuilder) -> None:
    builder.branch("main").commit("start", EVERYTHING)
    repo = builder.finish()
    entries = repo.entries("main")
    assert set(entries) == {name.encode() if isinstance(name, str) else name for name in EVERYTHING}
    modes = {path: entries[path].mode for path in (b"text.txt", b"bin/run", b"link")}
    assert modes == {b"text.txt": b"100644", b"bin/run": b"100755", b"link": b"120000"}
    assert entries[b"sub"] == Entry(b"160000", "1" * 40)
    assert repo.read("main", "latin1.txt") == b"caf\xe9\n"
    assert repo.read("main", "data.bin") == bytes(range(256))
    assert repo.read("main", "dangling") == b"\xe9"
    assert (repo.path / "crlf.txt").read_bytes() == b"one\r\ntwo\r\n"
    assert repo.git("status", "--porcelain") == b""
    assert repo.git("fsck", "--strict") == b""


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_the_same_story_gives_the_same_ids(object_format: ObjectFormat, tmp_path: Path) -> None:
    one, other = (small_story(tmp_path / name, object_format) for name in ("one", "other"))
    assert dict(one.branches) == dict(other.branches)
    assert one.labels == other.labels
    assert one.text("rev-parse", "v1") == other.text("rev-parse", "v1")
    assert len(one["main"]) == {"sha1": 40, "sha256": 64}[object_format]
    assert one.git("fsck", "--strict") == b""


def test_history_authors_and_dates(tmp_path: Path) -> None:
    repo = small_story(tmp_path)
    assert repo.text("log", "--format=%s|%an|%ct", "--date-order", "dev").splitlines() == [
        f"Merge {repo.oid('rename')}|Sync Tester|{CLOCK + 240}",
        f"Edit README.md|Sync Tester|{CLOCK + 180}",
        f"rename|Ada|{CLOCK + 120}",
        f"start|Sync Tester|{CLOCK + 60}",
    ]
    assert repo.text("rev-parse", "dev^1", "dev^2").split() == [repo.oid("Edit README.md"), repo["main"]]
    assert sorted(repo.entries("dev")) == [b"README.md", b"lib/a.py"]
    assert repo.text("diff", "--name-status", "-M", "main~", "main").split()[1:] == ["a.py", "lib/a.py"]
    assert repo.text("cat-file", "-t", "v1") == "tag"
    assert repo.tip("light") == repo["main"]


def test_people_trailers_labels_and_waiting(builder: RepositoryBuilder) -> None:
    main = builder.branch("main")
    main.commit(
        "subject\n\nbody",
        trailers=[("Sync-Id", "7"), ("Signed-off-by", "A <a@b>")],
        author="Ada L <ada@x.org>",
        committer="Bot",
        label="first",
    )
    builder.wait(days=1)
    main.commit(b"caf\xe9")
    repo = builder.finish()
    first = repo.oid("first")
    assert repo.text("log", "-1", "--format=%ae|%ce|%b", first) == (
        "ada@x.org|bot@example.org|body\n\nSync-Id: 7\nSigned-off-by: A <a@b>"
    )
    assert repo.text("log", "-1", "--format=%(trailers:key=Sync-Id,valueonly)", first) == "7"
    assert repo.clock == CLOCK + 120 + 86_400
    assert repo.git("cat-file", "commit", "main").endswith(b"\n\ncaf\xe9\n")


def test_files_become_directories_and_swap_places(builder: RepositoryBuilder) -> None:
    main = builder.branch("main")
    main.commit("start", {"x": "file\n", "d/one": "1\n", "d/e/two": "2\n", "a": "a\n", "b": "b\n"})
    main.commit("swap kinds", {"x/y": "now a directory\n", "d": "now a file\n"})
    main.commit("swap names", move={"a": "b", "b": "a"})
    main.commit("move below itself", {"d": Chmod(executable=True)}, move={"x": "x/z"})
    repo = builder.finish()
    assert sorted(repo.entries("main")) == [b"a", b"b", b"d", b"x/z/y"]
    assert repo.read("main", "a") == b"b\n"
    assert repo.entries("main")[b"d"].mode == b"100755"


def test_merging_takes_what_one_side_changed_and_asks_about_the_rest(builder: RepositoryBuilder) -> None:
    main = builder.branch("main")
    main.commit("start", {"both": "base\n", "mine": "base\n", "yours": "base\n", "gone": "base\n"})
    dev = main.branch("dev")
    main.commit("main side", {"both": "main\n", "yours": "main\n"}, delete=["gone"])
    dev.commit("dev side", {"both": "dev\n", "mine": "dev\n"})
    with pytest.raises(StoryError, match=r"both sides changed \[b'both'\]"):
        dev.merge(main, "Merge")
    before = dev.tip
    dev.merge(main, "by hand", {"both": "merged\n"})
    for name, side in (("our side", "ours"), ("their side", "theirs")):
        builder.branch(name.replace(" ", "-"), at=before).merge(main, name, take=side)
    builder.branch("whole", at=before).merge(main, "whole", tree_of=main, swap_parents=True)
    builder.branch("gone", at=before).merge(main, "deleted", delete=["both"])
    builder.branch("squashed", at=before).squash(main, "squash", {"both": "merged\n"})
    repo = builder.finish()

    def state(branch: str) -> dict[str, str]:
        return {path.decode(): repo.read(branch, path).decode().strip() for path in repo.entries(branch)}

    assert state("dev") == {"both": "merged", "mine": "dev", "yours": "main"}
    assert state("our-side") == {"both": "dev", "mine": "dev", "yours": "main"}
    assert state("their-side") == {"both": "main", "mine": "dev", "yours": "main"}
    assert state("gone") == {"mine": "dev", "yours": "main"}
    assert state("whole") == state("main")
    assert repo.text("rev-parse", "whole^1", "whole^2").split() == [repo["main"], before.oid]
    assert state("squashed") == state("dev")
    assert repo.text("log", "-1", "--format=%P", "squashed") == before.oid


def test_octopus_and_orphan(builder: RepositoryBuilder) -> None:
    main = builder.branch("main")
    main.commit("start", {"a": "a\n"})
    topics = [main.branch(f"topic-{number}") for number in range(3)]
    for topic in topics:
        topic.commit(topic.name, {topic.name: "x\n"})
    main.merge(topics, "octopus")
    builder.branch("pages").commit("unrelated", {"index.html": "<p>\n"})
    repo = builder.finish()
    assert len(repo.text("log", "-1", "--format=%P", "main").split()) == 4
    assert sorted(repo.entries("main")) == [b"a", b"topic-0", b"topic-1", b"topic-2"]
    assert repo.git("merge-base", "main", "pages", check=False) == b""


def test_picks_and_reverts_name_their_commit(builder: RepositoryBuilder) -> None:
    main = builder.branch("main")
    main.commit("start", {"a": "1\n", "b": "1\n"})
    dev = main.branch("dev")
    change = main.commit("change", {"a": "2\n"}, delete=["b"])
    dev.cherry_pick(change, "change")
    main.revert(change)
    repo = builder.finish()
    assert repo.entries("dev") == repo.entries(change.oid)
    assert repo.entries("main") == repo.entries(repo.oid("start"))
    assert f"(cherry picked from commit {change.oid})" in repo.text("log", "-1", "--format=%B", "dev")
    assert f"This reverts commit {change.oid}." in repo.text("log", "-1", "--format=%B", "main")


def test_going_on_with_a_finished_repository(tmp_path: Path) -> None:
    first = small_story(tmp_path)
    build = RepositoryBuilder.resume(first)
    build.branch("dev").edit("lib/a.py", replace=("b = 1", "b = 2"), message="later")
    build.branch("main").merge(build.branch("dev"), "Merge dev")
    build.branch("hotfix", at=build.commit_of("start")).commit("hotfix", {"a.py": Replace("1", "2")})
    second = build.finish()
    assert second.text("merge-base", "hotfix", "dev") == first.oid("start") == second.oid("start")
    assert second.text("log", "-1", "--format=%P", "dev") == first["dev"]
    assert second.tip("v1") == first["dev"]
    assert second.read("main", "lib/a.py") == (second.path / "lib/a.py").read_bytes() == b"a = 1\nb = 2\n"
    assert second.clock == first.clock + 180
    assert second.text("symbolic-ref", "HEAD") == "refs/heads/main"


def test_without_checkout_the_work_tree_stays_as_it_was(tmp_path: Path) -> None:
    repo = small_story(tmp_path)
    (repo.path / "README.md").write_text("dirty\n")
    build = RepositoryBuilder.resume(repo)
    build.branch("main").commit("more", {"more.txt": "x\n"})
    build.finish(checkout=False)
    assert (repo.path / "README.md").read_text() == "dirty\n"
    assert not (repo.path / "more.txt").exists()


def test_bare_repository_forced_push_and_any_ref(tmp_path: Path) -> None:
    build = RepositoryBuilder(tmp_path, bare=True)
    main = build.branch("main")
    start = main.commit("start", {"a": "1\n"})
    lost = main.commit("lost", {"a": "2\n"})
    main.reset(start)
    main.commit("instead", {"a": "3\n"})
    build.point("refs/pull/1/head", lost)
    build.branch("dev", at=start)
    repo = build.finish(head="dev")
    assert repo.bare
    assert repo.text("rev-parse", "--is-bare-repository") == "true"
    assert repo.text("log", "--format=%s", "main").split() == ["instead", "start"]
    assert repo.tip("refs/pull/1/head") == repo.oid("lost")
    assert repo["dev"] == repo.tip("HEAD") == start.oid


def test_clones(tmp_path: Path) -> None:
    repo = small_story(tmp_path / "origin")
    full = repo.clone(tmp_path / "full")
    shallow = repo.shallow_clone(tmp_path / "shallow", 1, bare=True)
    assert full.tip("origin/dev") == full["dev"] == repo.tip("dev")
    assert full.text("remote", "get-url", "origin") == f"file://{repo.path}"
    assert shallow.text("rev-parse", "--is-shallow-repository", "--is-bare-repository").split() == ["true"] * 2
    assert shallow.text("rev-list", "--count", "dev") == "1"


def test_a_repository_without_commits(builder: RepositoryBuilder) -> None:
    assert builder.finish().text("for-each-ref") == ""


@pytest.mark.parametrize(
    ("files", "move", "delete", "said"),
    [
        ({"absent": Append("x")}, {}, [], "no file b'absent' to change"),
        ({"a": Replace("x", "y")}, {}, [], "0 times 'x' in b'a'"),
        ({"a": Replace("a", "y")}, {}, [], "2 times 'a' in b'a'"),
        ({}, {"absent": "b"}, [], "no b'absent' in the tree"),
        ({}, {}, ["absent"], "no b'absent' in the tree"),
    ],
)
def test_a_story_that_makes_no_sense_is_refused(
    builder: RepositoryBuilder,
    files: dict[str, Content],
    move: dict[str, str],
    delete: list[str],
    said: str,
) -> None:
    main = builder.branch("main")
    main.commit("start", {"a": "aa\n"})
    with pytest.raises(StoryError, match=said):
        main.commit("wrong", files, move=move, delete=delete)


def test_names_that_are_not_there_are_refused(builder: RepositoryBuilder) -> None:
    main = builder.branch("main")
    with pytest.raises(StoryError, match="no commit yet"):
        main.branch("dev")
    main.commit("twice")
    main.commit("twice")
    with pytest.raises(StoryError, match="there is a branch 'main' already"):
        builder.branch("main", at=main)
    repo = builder.finish()
    with pytest.raises(StoryError, match="2 commits are called 'twice'"):
        repo.oid("twice")
    with pytest.raises(StoryError, match="no branch 'dev'"):
        repo["dev"]


def test_what_git_refuses_is_told_in_its_words(builder: RepositoryBuilder) -> None:
    refused = builder.branch("main").commit("start", {"a//b": "x\n"})
    with pytest.raises(GitFailedError, match=r"fast-import in .*: fatal: Empty path component"):
        _ = refused.oid
    with pytest.raises(GitFailedError, match="exit code 128: fatal:"):
        git(builder.path, "rev-parse", "--verify", "absent")
