"""A forecast: started early or not, it says the same; and the merge bases it spares git are git's own."""

from pathlib import Path

import pytest

from syncline.config.peek import Glimpse
from syncline.git import CommitId, Repository
from syncline.git.history import merge_bases
from syncline.plan.forecast import bases_of_slice, forecast, start_early
from syncline.plan.make_plan import make_plan
from testing.builder import RepositoryBuilder
from testing.lane import build_lane
from tests.merge.merging import lane as policy


def tips(repository: Repository, path: Path) -> tuple[CommitId, CommitId]:
    del path
    from syncline.git.refs import resolve_commit  # noqa: PLC0415 - only here

    return resolve_commit(repository, "main"), resolve_commit(repository, "dev")


@pytest.mark.parametrize("guessed", [4, 2, 0])
def test_an_early_start_changes_nothing_but_the_time(tmp_path: Path, guessed: int) -> None:
    story = build_lane(tmp_path, conflict=True)
    lane = policy().model_copy(update={"slice": 4})
    with Repository.open(story.repo.path) as repository:
        source, target = tips(repository, tmp_path)
        plain = forecast(repository, lane, source=source, target=target)
        # A wrong guess (another slice) must not show either.
        early = start_early(repository, Glimpse("main", "dev", guessed))
        assert early is not None
        assert forecast(repository, lane, source=source, target=target, early=early) == plain
        assert plain.plan.slice is not None
        assert len(plain.plan.slice.commits) == 4
        assert {decision.path for decision in plain.conflicts} >= {b"shared.txt"}


def test_bases_that_follow_from_the_plan_are_the_slice_s(tmp_path: Path) -> None:
    story = build_lane(tmp_path)
    with Repository.open(story.repo.path) as repository:
        source, target = tips(repository, tmp_path)
        for size in (1, 2, 0):
            plan = make_plan(repository, source=source, target=target, slice_size=size)
            assert plan.slice is not None
            assert bases_of_slice(repository, plan) == merge_bases(repository, target, plan.slice.tip)


def test_bases_that_do_not_follow_are_left_to_git(builder: RepositoryBuilder) -> None:
    main = builder.branch("main")
    main.commit("start", {"a": "1\n"})
    old = main.branch("old")
    old.commit("beside", {"b": "1\n"})
    dev = main.branch("dev")
    dev.commit("dev", {"d": "1\n"})
    # Source's line begins below the merge base: dev took `old` in, main merges it later.
    dev.merge(old, "take old")
    main.commit("main", {"m": "1\n"})
    main.merge(old, "merge old")
    built = builder.finish(head="dev")
    with Repository.open(built.path) as repository:
        source, target = tips(repository, built.path)
        plan = make_plan(repository, source=source, target=target, slice_size=1)
        assert plan.slice is not None
        known = bases_of_slice(repository, plan)
        assert known in {(), merge_bases(repository, target, plan.slice.tip)}
