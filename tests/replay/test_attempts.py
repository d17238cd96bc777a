"""Attempts at a sync that did not land: which there are, and what they answered."""

import subprocess
from collections.abc import Callable, Mapping

import pytest

from syncline.git import CommitId, Repository
from syncline.git.merge_tree import merge_tree
from syncline.merge.attempted import Attempted
from syncline.merge.conflicts import conflicts_of
from syncline.merge.read_cases import read_cases
from syncline.merge.resolvers import attempted as attempted_answers
from syncline.replay.attempts import find_attempts
from testing.builder import Branch, BuiltRepository, RepositoryBuilder

BASE, DEV, MAIN = ("".join(f"{word}{number}\n" for number in range(9)) for word in ("line ", "dev ", "main "))
RUN = {"Syncline-Run": "0123456789ab", "Syncline-Lane": "x"}


def diverged(build: RepositoryBuilder) -> tuple[Branch, Branch]:
    main = build.branch("main")
    main.commit("start", {"a.txt": f"above\n{BASE}below\n", "other.txt": "1\n"})
    dev = main.branch("dev")
    dev.commit("dev 1", {"a.txt": f"above\n{DEV}below\n"})
    main.commit("main 1", {"a.txt": f"above\n{MAIN}below\n"})
    return main, dev


def attempt(
    dev: Branch, main: Branch, name: str, answer: str, trailers: Mapping[str, str] | None = None
) -> Branch:
    branch = dev.branch(name)
    branch.merge(main, f"attempt {name}", {"a.txt": f"above\n{answer}below\n"}, trailers=trailers or {})
    return branch


def looked_for(
    repo: BuiltRepository, patterns: tuple[str, ...] = ("try/*",), *, before: int | None = None
) -> Attempted:
    with Repository.open(repo.path) as repository:
        dev, main = CommitId(repo["dev"]), CommitId(repo["main"])
        return find_attempts(repository, patterns, dev, main, before=before)


def said(repo: BuiltRepository, attempted: Attempted) -> list[tuple[str, tuple[str, ...], str]]:
    """What attempts say to the one hunk of merging main into dev."""
    with Repository.open(repo.path) as repository:
        ours, theirs = CommitId(repo["dev"]), CommitId(repo["main"])
        merged = merge_tree(repository, ours, theirs)
        conflicts = conflicts_of(merged, ours=ours, theirs=theirs)
        ((_, case),) = read_cases(repository, merged.tree, conflicts, ours, theirs)
        assert case is not None
        return [
            (proposal.resolver, proposal.marks, b"".join(proposal.lines).decode())
            for proposal in attempted_answers.propose(case, attempted)
        ]


def test_the_branch_s_last_word_counts(builder: RepositoryBuilder) -> None:
    main, dev = diverged(builder)
    branch = attempt(dev, main, "try/1", MAIN)
    branch.commit("mended after CI", {"a.txt": f"above\n{DEV}{MAIN}below\n"})
    repo = builder.finish()
    found = looked_for(repo)
    assert [one.commit for one in found.attempts] == [repo["try/1"]]
    assert said(repo, found) == [("attempted", ("alone", "exact-context"), DEV + MAIN)]


def test_newer_attempts_come_first_and_agreement_is_told(builder: RepositoryBuilder) -> None:
    main, dev = diverged(builder)
    for number, answer in enumerate((MAIN, DEV, MAIN, MAIN, "none of them\n")):
        attempt(dev, main, f"try/{number}", answer)
    repo = builder.finish()
    assert said(repo, looked_for(repo)) == [
        ("attempted", ("contested", "exact-context"), "none of them\n"),
        ("attempted-before", (), MAIN),
        ("attempted-before", (), DEV),
    ]
    assert said(repo, looked_for(repo, ("try/[0-3]",)))[0] == ("attempted", ("by-3+", "exact-context"), MAIN)
    assert said(repo, looked_for(repo, ("try/0", "try/2")))[0] == ("attempted", ("by-2", "exact-context"), MAIN)


def _landed(main: Branch, dev: Branch) -> None:
    branch = attempt(dev, main, "try/1", MAIN)
    dev.merge(branch, "landed")
    main.commit("main 2", {"other.txt": "2\n"})


def _own_run(main: Branch, dev: Branch) -> None:
    attempt(dev, main, "try/1", MAIN, trailers=RUN)


def _left_with_markers(main: Branch, dev: Branch) -> None:
    attempt(dev, main, "try/1", f"<<<<<<< ours\n{DEV}=======\n{MAIN}>>>>>>> theirs\n")


def _another_base(main: Branch, dev: Branch) -> None:
    attempt(dev, main, "try/1", MAIN)
    dev.merge(main, "the sync that landed", {"a.txt": f"above\n{DEV}below\n"})
    main.commit("main 2", {"a.txt": f"above\n{MAIN}{MAIN}below\n"})


def _work_of_target(main: Branch, dev: Branch) -> None:
    feature = dev.branch("feature")
    feature.commit("feature", {"f.txt": "f\n"})
    dev.commit("dev 2", {"g.txt": "g\n"})
    dev.branch("try/1").merge(feature, "no source in it")
    main.commit("main 2", {"other.txt": "2\n"})


def _work_of_source(main: Branch, dev: Branch) -> None:
    feature = main.branch("feature")
    feature.commit("feature", {"f.txt": "f\n"})
    main.commit("main 2", {"other.txt": "2\n"})
    main.branch("try/1").merge(feature, "no target in it")
    dev.commit("dev 2", {"g.txt": "g\n"})


def _with_work_of_a_run_on_top(main: Branch, dev: Branch) -> None:
    branch = attempt(dev, main, "try/1", MAIN)
    branch.commit("repaired", {"a.txt": f"above\n{DEV}below\n"}, trailers=RUN)


def _no_branch(main: Branch, dev: Branch) -> None:
    attempt(dev, main, "elsewhere", MAIN)


@pytest.mark.parametrize(
    "make",
    [
        _landed,
        _own_run,
        _left_with_markers,
        _another_base,
        _work_of_target,
        _work_of_source,
        _with_work_of_a_run_on_top,
        _no_branch,
    ],
)
def test_what_is_no_attempt(builder: RepositoryBuilder, make: Callable[[Branch, Branch], None]) -> None:
    make(*diverged(builder))
    assert not looked_for(builder.finish()).attempts


def test_only_what_was_there_before_a_moment_counts(builder: RepositoryBuilder) -> None:
    main, dev = diverged(builder)
    branch = attempt(dev, main, "try/1", MAIN)
    branch.commit("mended", {"a.txt": f"above\n{DEV}{MAIN}below\n"})
    main.commit("main 2", {"other.txt": "2\n"})
    repo = builder.finish()
    with Repository.open(repo.path) as repository:
        merge, mended = (
            int(repository.sealed("log", "-1", "--format=%ct", repo.oid(label)).stdout)
            for label in ("attempt try/1", "mended")
        )
    assert merge < mended
    assert said(repo, looked_for(repo, before=mended + 1)) == [
        ("attempted", ("alone", "exact-context"), DEV + MAIN)
    ]
    assert said(repo, looked_for(repo, before=mended)) == [("attempted", ("alone", "exact-context"), MAIN)]
    assert not looked_for(repo, before=merge).attempts


def test_what_holds_the_merged_commit_was_not_there_before_it(builder: RepositoryBuilder) -> None:
    main, dev = diverged(builder)
    attempt(dev, main, "try/1", MAIN)
    repo = builder.finish()
    assert len(looked_for(repo).attempts) == 1
    assert not looked_for(repo, before=1 << 40).attempts  # its date notwithstanding


def test_one_merge_is_one_attempt_on_however_many_branches(builder: RepositoryBuilder) -> None:
    main, dev = diverged(builder)
    first = attempt(dev, main, "try/1", MAIN)
    for number in (2, 3):
        first.branch(f"try/{number}").commit(f"more {number}", {f"more{number}": ""})
    first.branch("try/4").commit("mended", {"a.txt": f"above\n{DEV}{MAIN}below\n"})
    repo = builder.finish()
    assert said(repo, looked_for(repo, ("try/[123]",))) == [("attempted", ("alone", "exact-context"), MAIN)]
    assert said(repo, looked_for(repo)) == [("attempted", ("alone", "exact-context"), DEV + MAIN)]


def test_a_branch_that_cannot_be_read_is_passed_over(builder: RepositoryBuilder) -> None:
    main, dev = diverged(builder)
    attempt(dev, main, "try/1", MAIN)
    repo = builder.finish()
    tree = repo.text("rev-parse", "dev^{tree}").strip()
    who = "A <a@b> 1700000000 +0000"
    commit = f"tree {tree}\nparent {'12' * 20}\nauthor {who}\ncommitter {who}\n\nits parent is lost\n"
    git = ("git", "-C", str(repo.path))
    done = subprocess.run(
        [*git, "hash-object", "-t", "commit", "-w", "--stdin"],
        input=commit,
        text=True,
        capture_output=True,
        check=True,
    )
    subprocess.run([*git, "update-ref", "refs/heads/try/2", done.stdout.strip()], check=True)
    assert [one.commit for one in looked_for(repo).attempts] == [repo["try/1"]]
    assert [one.commit for one in looked_for(repo, before=1 << 40).attempts] == []


def test_branches_of_remotes_are_looked_at_too(builder: RepositoryBuilder) -> None:
    main, dev = diverged(builder)
    attempt(dev, main, "try/1", MAIN)
    repo = builder.finish()
    with Repository.open(repo.path) as repository:
        repository.on_refs("update-ref", "refs/remotes/origin/try/1", repo["try/1"])
        repository.on_refs("update-ref", "-d", "refs/heads/try/1")
    assert len(looked_for(repo).attempts) == 1
    assert not looked_for(repo, ("origin/*",)).attempts


def test_of_many_branches_the_newest_are_looked_at(
    builder: RepositoryBuilder, monkeypatch: pytest.MonkeyPatch
) -> None:
    main, dev = diverged(builder)
    for number in range(4):
        attempt(dev, main, f"try/{number}", f"{number}\n")
    repo = builder.finish()
    monkeypatch.setattr("syncline.replay.attempts.MOST_BRANCHES", 3)
    assert [one.commit for one in looked_for(repo).attempts] == [repo[f"try/{n}"] for n in (3, 2, 1)]
    monkeypatch.setattr("syncline.replay.attempts.MOST", 2)
    assert len(looked_for(repo).attempts) == 2
