"""Nothing in a repository can run a program of its own or change what comes out."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from syncline.errors import GitError
from syncline.git import Entry, Mode, Repository
from syncline.git.checkout import checkout
from syncline.git.commit import Person, write_commit
from syncline.git.diff import changes, line_counts, patch
from syncline.git.history import last_touches, merge_bases
from syncline.git.merge_tree import merge_tree
from syncline.git.refs import RefChange, change_refs
from syncline.git.version import GitVersion
from syncline.search_path import clean_path
from testing.builder import RepositoryBuilder
from testing.repository import BuiltRepository
from tests.git.opened import opened, tip, tree_of
from tests.git.test_commits import ADA, WHEN

LINES = "".join(f"line {number}\n" for number in range(9))
HOOKS = ("reference-transaction", "post-checkout", "pre-push", "pre-commit", "post-index-change", "update",
         "pre-auto-gc", "prepare-commit-msg", "commit-msg", "post-merge", "pre-merge-commit")  # fmt: skip


def story(place: Path) -> BuiltRepository:
    """Both sides change a.txt apart and b.txt together; all attributes ask for drivers that do not exist."""
    build = RepositoryBuilder(place)
    ours = build.branch("ours")
    attributes = "* merge=evil diff=evil filter=evil text eol=crlf ident\n"
    ours.commit("start", {"a.txt": LINES, "b.txt": LINES, "$Id$": "$Id$\n", ".gitattributes": attributes})
    theirs = ours.branch("theirs")
    ours.commit("ours", {"a.txt": LINES.replace("line 0", "ours"), "b.txt": LINES.replace("line 4", "ours")})
    theirs.commit(
        "theirs",
        {
            "a.txt": LINES.replace("line 8", "theirs"),
            "b.txt": LINES.replace("line 4", "theirs"),
            ".gitconfig": "[merge]\n\tdefault = evil\n",
        },
    )
    return build.finish()


def corrupt(built: BuiltRepository, canary: Path) -> None:
    """Makes everything a repository can configure run a program that touches the canary."""
    built.git("replace", built["ours"], built["theirs"])  # before there are hooks
    program = canary.with_name("program")
    program.write_text(f"#!/bin/sh\ntouch '{canary}'\ncat\nexit 0\n")
    program.chmod(0o755)
    run = str(program)
    settings = {
        "merge.default": "evil", "merge.evil.driver": f"{run} %O %A %B", "merge.evil.name": "evil",
        "merge.conflictStyle": "diff3", "merge.renames": "false", "merge.directoryRenames": "true",
        "diff.external": run, "diff.evil.command": run, "diff.evil.textconv": run, "diff.renames": "false",
        "diff.algorithm": "patience", "diff.noprefix": "true", "diff.context": "9", "diff.orderFile": "/nowhere",
        "filter.evil.clean": run, "filter.evil.smudge": run, "filter.evil.process": run,
        "filter.evil.required": "true",
        "core.fsmonitor": run, "core.hooksPath": str(canary.with_name("hooks")), "core.pager": run,
        "core.editor": run, "core.sshCommand": run, "core.askPass": run, "core.gitProxy": run,
        "core.attributesFile": str(canary.with_name("attributes")), "core.autocrlf": "true",
        "core.alternateRefsCommand": run, "core.quotePath": "true", "core.abbrev": "4",
        "gpg.program": run, "commit.gpgSign": "true", "log.showSignature": "true", "log.follow": "true",
        "i18n.commitEncoding": "ISO-8859-1", "credential.helper": f"!{run}", "gc.recentObjectsHook": run,
        "alias.merge-tree": f"!{run}", "alias.diff-tree": f"!{run}", "include.path": "../.gitconfig",
        "trace2.eventTarget": str(canary), "submodule.recurse": "true", "user.name": "evil",
    }  # fmt: skip
    for key, value in settings.items():
        built.git("config", "--add", key, value)
    hooks = canary.with_name("hooks")
    for place in (hooks, built.git_dir / "hooks"):
        place.mkdir()
        for name in HOOKS:
            (place / name).write_text(f"#!/bin/sh\ntouch '{canary}'\nexit 1\n")
            (place / name).chmod(0o755)
    canary.with_name("attributes").write_text("* merge=union diff=evil\n")
    (built.git_dir / "info").mkdir(exist_ok=True)
    (built.git_dir / "info" / "attributes").write_text("* merge=evil diff=evil filter=evil -text\n")
    (built.git_dir / "info" / "grafts").write_text(f"{built['theirs']} {built['ours']}\n")


def evil_caller(patch_env: pytest.MonkeyPatch, other: BuiltRepository, canary: Path) -> None:
    program = str(canary.with_name("program"))
    for name, value in {
        "GIT_DIR": str(other.git_dir), "GIT_INDEX_FILE": str(canary), "GIT_WORK_TREE": str(other.path),
        "GIT_OBJECT_DIRECTORY": str(other.git_dir / "objects"), "GIT_EXTERNAL_DIFF": program,
        "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "merge.default", "GIT_CONFIG_VALUE_0": "union",
        "GIT_CONFIG_PARAMETERS": "'merge.default=union'", "GIT_DIFF_OPTS": "-u0", "GIT_TRACE": str(canary),
        "GIT_NAMESPACE": "evil", "GIT_PAGER": program, "GIT_EDITOR": program, "GIT_ATTR_SOURCE": "HEAD",
        "GIT_GRAFT_FILE": str(canary), "GIT_SHALLOW_FILE": str(canary), "GIT_AUTHOR_DATE": "1 +0000",
        "GIT_EXEC_PATH": str(canary.parent), "GIT_ICASE_PATHSPECS": "1", "GIT_REPLACE_REF_BASE": "refs/heads/",
        "GIT_DEFAULT_HASH": "sha256", "GIT_TRACE2_EVENT": str(canary), "GIT_MERGE_VERBOSITY": "5",
    }.items():  # fmt: skip
        patch_env.setenv(name, value)


Answers = dict[str, object]


def answers(repository: Repository, built: BuiltRepository) -> Answers:
    """All that the rest of the product asks of git."""
    ours, theirs = tip(built, "ours"), tip(built, "theirs")
    merged = merge_tree(repository, ours, theirs)
    blob = repository.write_blob(b"written $Id$\r\n")
    tree = repository.edit_tree(merged.tree, {b"d/new": Entry(Mode.FILE, blob)})
    commit = write_commit(
        repository,
        tree=tree,
        parents=[ours, theirs],
        message="é\n",
        author=ADA,
        committer=Person("B", "b@x"),
        when=WHEN,
    )
    with checkout(repository, commit) as place:
        files = {path.name: path.read_bytes() for path in place.iterdir() if path.is_file()}
    return {
        "merge": merged,
        "changes": list(changes(repository, ours, theirs)),
        "patch": patch(repository, ours, theirs),
        "counts": line_counts(repository, ours, theirs),
        "bases": merge_bases(repository, ours, theirs),
        "touches": last_touches(repository, merge_bases(repository, ours, theirs), theirs, [b"a.txt", b"b.txt"]),
        "commit": commit,
        "blob": repository.blob(blob),
        "files": files,
    }


@pytest.fixture
def canary(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "canary"
    place.mkdir()
    yield place / "canary"
    assert not (place / "canary").exists(), "a program of the repository ran"


def test_a_repository_cannot_steer_anything(canary: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pristine, evil = story(tmp_path / "pristine"), story(tmp_path / "evil")
    with opened(pristine) as repository:
        wanted = answers(repository, pristine)
    corrupt(evil, canary)
    built_tips = tip(evil, "ours"), tip(evil, "theirs")
    with monkeypatch.context() as patched:
        evil_caller(patched, pristine, canary)
        with opened(evil) as repository:
            found = answers(repository, evil)
            change_refs(repository, [RefChange("refs/heads/made", None, built_tips[0])], why="make")
    assert found == wanted
    assert (evil.git_dir / "refs" / "heads" / "made").read_text().strip() == evil["ours"]


PLAIN = {
    "a merge driver": ("merge-tree", "--write-tree", "ours", "theirs"),
    "an external diff": ("diff", "-O/dev/null", "ours", "theirs"),
    "a hook": ("update-ref", "refs/heads/other", "ours"),
    "a filter": ("add", "--renormalize", "a.txt"),
}


@pytest.mark.parametrize("name", PLAIN)
def test_the_canary_would_sing(name: str, tmp_path: Path) -> None:
    """Plain git does run what `corrupt` configures."""
    place = tmp_path / "canary"
    place.mkdir()
    evil = story(tmp_path / "evil")
    corrupt(evil, place / "canary")
    (evil.git_dir / "info" / "grafts").unlink()  # with it, there would be nothing to merge
    evil.git("--no-replace-objects", *PLAIN[name], check=False)
    assert (place / "canary").exists()


def test_a_git_of_the_work_tree_is_not_found(tmp_path: Path) -> None:
    """A relative entry of PATH, or an empty one, means the current directory."""
    absolute = os.pathsep.join(("/usr/bin", str(tmp_path)))
    assert clean_path(os.pathsep.join((".", "", "bin", "/usr/bin", str(tmp_path)))) == absolute
    assert clean_path("") == ""


# --- which git --------------------------------------------------------------------------------------------

PROGRAM = """
import sys
from pathlib import Path
from syncline.errors import SynclineError
from syncline.git import Repository
try:
    Repository.open(Path(sys.argv[1]))
except SynclineError as error:
    print(error)
else:
    print("opened")
"""


def opened_with(path: Path | str, repository: Path) -> str:
    environment = os.environ | {"PATH": str(path), "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, repository], env=environment, capture_output=True, text=True, check=True
    ).stdout


@pytest.fixture
def built(builder: RepositoryBuilder) -> BuiltRepository:
    builder.branch("main").commit("start", {"a": "1\n"})
    return builder.finish()


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("#!/bin/sh\necho git version 2.37.9\n", "git 2.38 or newer is needed"),
        ("#!/bin/sh\necho git version 1.8\n", "found git 1.8.0"),
        ("#!/bin/sh\necho hello\n", "expected to print a version"),
        ("#!/bin/sh\nexit 3\n", "expected to print a version"),
        ("#!/nowhere/interpreter\n", "cannot be started"),
    ],
)
def test_a_git_that_will_not_do(script: str, words: str, built: BuiltRepository, tmp_path: Path) -> None:
    fake = tmp_path / "bin" / "git"
    fake.parent.mkdir()
    fake.write_text(script)
    fake.chmod(0o755)
    said = opened_with(fake.parent, built.path)
    assert words in said
    assert "Traceback" not in said


def test_no_git_at_all(built: BuiltRepository, tmp_path: Path) -> None:
    assert "git was not found on PATH" in opened_with(tmp_path, built.path)
    assert opened_with(os.environ["PATH"], built.path) == "opened\n"


VERSIONS = {
    "git version 2.39.5": (2, 39, 5),
    "git version 2.38": (2, 38, 0),
    "git version 2.45.1.windows.1": (2, 45, 1),
    "git version 2.50.1 (Apple Git-155)": (2, 50, 1),
    "git version 2.41.0-rc0": (2, 41, 0),
    "git version 2.47.GIT": (2, 47, 0),
}


@pytest.mark.parametrize("text", VERSIONS)
def test_versions(text: str) -> None:
    version = GitVersion.parse(text)
    assert (version.major, version.minor, version.patch) == VERSIONS[text]
    version.require_minimum()
    assert version.merge_tree_takes_base == (VERSIONS[text] >= (2, 40))
    assert version.merge_tree_takes_strategy_option == (VERSIONS[text] >= (2, 45))


def test_old_versions_and_none() -> None:
    for old in (GitVersion(2, 37, 9), GitVersion(1, 99)):
        with pytest.raises(GitError, match=r"2\.38"):
            old.require_minimum()
    with pytest.raises(GitError, match="expected to print a version"):
        GitVersion.parse("hg 6.0")
    assert str(GitVersion(2, 38)) == "2.38.0"


def test_the_tree_is_the_same_in_both(tmp_path: Path) -> None:
    one, other = story(tmp_path / "one"), story(tmp_path / "other")
    assert tree_of(one, "ours") == tree_of(other, "ours")
