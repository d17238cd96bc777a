"""A partial clone lacks what a merge needs: the error names a command, and that command helps."""

import shlex
import subprocess
from pathlib import Path

import pytest

from syncline.errors import GitError
from syncline.git import CommitId, Repository
from syncline.git.merge_tree import MergeTree, merge_tree
from testing.builder import RepositoryBuilder
from testing.cli import Result, run_syncline
from testing.missing import explode, lose
from testing.sealed import sealed_environment, sealed_home

CLONES = {
    "bare, no blobs": ("--bare", "--filter=blob:none"),
    "bare, no trees": ("--bare", "--filter=tree:0"),
    "no blobs": ("--no-checkout", "--filter=blob:none"),
    "no trees": ("--no-checkout", "--filter=tree:0"),
    "another name of the remote": ("--no-checkout", "--filter=blob:none", "--origin", "it's"),
}


def git(*arguments: str | Path) -> None:
    environment = sealed_environment(sealed_home())
    subprocess.run(["git", *arguments], env=environment, check=True, capture_output=True)  # noqa: S607 - the one on PATH


@pytest.mark.parametrize("switches", CLONES.values(), ids=CLONES)
def test_the_hint_is_a_command_that_helps(
    builder: RepositoryBuilder, tmp_path: Path, switches: tuple[str, ...]
) -> None:
    main = builder.branch("main")
    main.commit("start", {"a.txt": "1\n2\n3\n4\n"})
    main.branch("dev").commit("ours", {"a.txt": "1\n2\n3\nd\n", "b.txt": "b\n"})
    main.commit("theirs", {"a.txt": "m\n2\n3\n4\n", "c.txt": "c\n"})
    source = builder.finish(head="dev")
    source.git("config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "a clone"
    git("clone", "-q", *switches, source.path.as_uri(), clone)
    ends = [source["dev"], source["main"]]
    before = merge(clone, ends)
    assert before.code == 2
    assert "partial clone" in before.err
    command = before.err.split("`")[-2]
    git(*shlex.split(command)[1:])
    after = merge(clone, ends)
    assert after.code == 0, after.err
    assert after.out.splitlines()[0] == run_syncline("merge", *ends, repo=source).out.splitlines()[0]


def test_a_damaged_clone_is_not_called_a_partial_one(builder: RepositoryBuilder) -> None:
    main = builder.branch("main")
    main.commit("start", {"a.txt": "1\n2\n3\n4\n"})
    main.branch("dev").commit("ours", {"a.txt": "1\n2\n3\nd\n"})
    main.commit("theirs", {"a.txt": "m\n2\n3\n4\n"})
    built = builder.finish(head="dev")
    blob = built.text("rev-parse", "main:a.txt").strip()
    lose(built.git_dir, blob)
    done = merge(built.path, [built["dev"], built["main"]])
    assert done.code == 2
    assert "git fsck" in done.err
    assert "partial" not in done.err


def test_a_merge_that_lacks_an_object_is_no_other_merge(builder: RepositoryBuilder) -> None:
    main = builder.branch("main")
    main.commit("start", {"a.txt": "1\n2\n3\n4\n", "deep/b.txt": "1\n2\n3\n"})
    main.branch("dev").commit("ours", {"a.txt": "1\n2\n3\nd\n", "deep/b.txt": "d\n2\n3\n"})
    main.commit("theirs", {"a.txt": "m\n2\n3\n4\n", "deep/b.txt": "m\n2\n3\n"})
    built = builder.finish(head="dev")
    explode(built.git_dir)

    def merged() -> MergeTree:
        with Repository.open(built.path, keep_objects=False) as repository:
            return merge_tree(repository, CommitId(built["dev"]), CommitId(built["main"]))

    whole, refused = merged(), []
    objects = built.text("rev-list", "--objects", "--no-object-names", "--all").split()
    assert len(objects) == 3 * (1 + 2 + 2)  # three commits, each with two trees and two files
    for oid in objects:
        place = built.git_dir / "objects" / oid[:2] / oid[2:]
        content = place.read_bytes()
        place.unlink()
        try:
            assert merged() == whole, built.text("cat-file", "-t", oid)
        except GitError as error:
            refused.append(error)
        place.write_bytes(content)
    assert len(refused) == len(objects)
    # What names the objects that are missing also says what to do; the two ends are named by the caller.
    assert sum("git fsck" in error.hint for error in refused) == len(objects) - 2


def merge(clone: Path, ends: list[str]) -> Result:
    return run_syncline("merge", *ends, repo=clone)
