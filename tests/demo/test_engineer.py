import pytest

from syncline.demo import shelf
from syncline.demo.engineer import DELETED, REPAIRED, settle
from syncline.errors import SynclineError
from syncline.git import Repository
from syncline.git.commit import read_commit
from syncline.git.refs import delete_ref
from syncline.merge.merge import merge
from tests.demo.sync import branch_tip, commit, failures, merge_slice, start_branch, the_lane, with_files


def unresolved(repository: Repository) -> tuple[bytes, ...]:
    return tuple(decision.path for decision in merge_slice(repository).unresolved)


def test_the_answers_are_those_of_the_open_paths(repository: Repository) -> None:
    open_paths = {path.decode() for path in unresolved(repository)}
    assert open_paths == set(shelf.texts("settled")) | set(DELETED)
    assert set(shelf.texts("repaired")) == set(REPAIRED)
    assert not open_paths & set(REPAIRED)


def test_a_sync_is_red_before_and_green_after(repository: Repository) -> None:
    merged = merge_slice(repository)
    before = start_branch(repository, "sync/settle", merged)
    assert set(failures(repository, before)) == {"compile", "lint", "tests"}

    after = settle(repository, "sync/settle", unresolved=unresolved(repository))

    assert branch_tip(repository, "sync/settle") == after
    made = read_commit(repository, after)
    assert made.parents == (before,)
    assert made.author.name == "Dana Okafor"
    assert failures(repository, after) == {}
    for path in DELETED:
        assert path in made.message
        assert repository.entry(made.tree, path.encode()) is None

    # Everything is right: nothing is added a second time.
    assert settle(repository, "sync/settle", unresolved=unresolved(repository)) == after

    # dev lands the sync; what is left of main merges without a question, and stays green.
    rest = merge(repository, after, branch_tip(repository, "main"), the_lane())
    assert rest.clean
    assert failures(repository, commit(repository, rest.tree, after, rest.theirs)) == {}
    delete_ref(repository, "refs/heads/sync/settle", after)


@pytest.mark.parametrize(
    ("path", "wrong", "check", "words"),
    [
        ("tinytron/inference.py", None, "compile", "duplicate argument 'eos'"),
        ("tinytron/finetune.py", None, "tests", "cannot import name 'clip_grads'"),
        (
            "tinytron/evaluate.py",
            None,
            "tests",
            "missing 1 required keyword-only argument: 'rng_state'",
        ),
        ("tinytron/training.py", ("import math\n", ""), "lint", "name 'math' is not defined"),
        ("tinytron/training.py", ("import logging\n", ""), "lint", "name 'logging' is not defined"),
        ("tinytron/utils.py", ("def perplexity", "def lost"), "tests", "cannot import name 'perplexity'"),
        ("tinytron/schedule.py", ("max(lr, arguments.min_lr)", "lr"), "tests", "test_it_stops_at_the_smallest"),
    ],
)
def test_every_fault_shows_by_itself(
    repository: Repository, path: str, wrong: tuple[str, str] | None, check: str, words: str
) -> None:
    merged = merge_slice(repository)
    answers = shelf.texts("settled") | shelf.texts("repaired") | dict.fromkeys(DELETED)
    if wrong is None:
        del answers[path]  # as git merged it
    else:
        right = answers[path]
        assert right is not None
        assert wrong[0] in right
        answers[path] = right.replace(*wrong)
    tree = with_files(repository, merged.tree, answers)
    tip = commit(repository, tree, merged.ours, merged.theirs)
    assert words in failures(repository, tip, only=check)[check]


def test_a_conflict_of_another_story_is_refused(repository: Repository) -> None:
    before = branch_tip(repository, "dev")
    with pytest.raises(SynclineError, match=r"not README\.md"):
        settle(repository, "dev", unresolved=(b"README.md", b"tinytron/utils.py"))
    assert branch_tip(repository, "dev") == before
