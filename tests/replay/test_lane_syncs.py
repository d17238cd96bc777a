"""Which merges of target are syncs of its source, by the shapes in which people land them."""

from collections.abc import Mapping

from syncline.git import CommitId, Repository
from syncline.replay.lane_syncs import past_syncs
from testing.builder import Branch, RepositoryBuilder

RUN = {"Syncline-Run": "0123456789ab", "Syncline-Lane": "x"}


def diverged(build: RepositoryBuilder) -> tuple[Branch, Branch]:
    main = build.branch("main")
    main.commit("start", {"a.txt": "1\n"})
    feature = main.branch("early")
    feature.commit("early work", {"early.txt": "e\n"})
    main.merge(feature, "Merge early, when there was no dev")
    dev = main.branch("dev")
    dev.commit("dev 1", {"dev.txt": "1\n"})
    main.commit("main 1", {"a.txt": "2\n"})
    return main, dev


def found(
    build: RepositoryBuilder, count: int = 10, landed: Mapping[str, str] | None = None
) -> list[tuple[str, str, str]]:
    """The syncs by the names of their commits: answer, ours, theirs."""
    repo = build.finish()
    names = {oid: label for label, oids in repo.labels.items() for oid in oids}
    heads = {run: CommitId(repo.oid(label)) for run, label in (landed or {}).items()}
    with Repository.open(repo.path) as repository:
        syncs = past_syncs(repository, CommitId(repo["main"]), CommitId(repo["dev"]), count, heads)
    return [(names[past.merge], names[past.ours], names[past.theirs]) for past in syncs]


def test_a_plain_merge(builder: RepositoryBuilder) -> None:
    main, dev = diverged(builder)
    dev.merge(main, "sync 1")
    main.commit("main 2", {"a.txt": "3\n"})
    dev.commit("dev 2", {"dev.txt": "2\n"})
    dev.merge(main, "sync 2")
    assert found(builder) == [("sync 1", "dev 1", "main 1"), ("sync 2", "dev 2", "main 2")]
    assert found(builder, count=1) == [("sync 2", "dev 2", "main 2")]


def test_work_that_was_merged_into_target_is_no_sync(builder: RepositoryBuilder) -> None:
    _, dev = diverged(builder)
    feature = dev.branch("feature")
    feature.commit("feature", {"f.txt": "f\n"})
    dev.commit("dev 2", {"dev.txt": "2\n"})
    dev.merge(feature, "Merge feature")
    assert found(builder) == []


def test_a_proposal_s_merge_counts_with_its_repairs(builder: RepositoryBuilder) -> None:
    main, dev = diverged(builder)
    sync = dev.branch("sync")
    sync.merge(main, "merge on the branch")
    sync.commit("repair", {"dev.txt": "repaired\n"})
    main.commit("main 2, not imported", {"a.txt": "3\n"})
    dev.commit("dev 2", {"other.txt": "2\n"})
    dev.merge(sync, "Merge the proposal")
    assert found(builder) == [("Merge the proposal", "dev 2", "main 1")]


def test_a_squash_is_none(builder: RepositoryBuilder) -> None:
    main, dev = diverged(builder)
    dev.squash(main, "squashed")
    assert found(builder) == []


def test_target_moved_to_a_merge_on_source_s_side(builder: RepositoryBuilder) -> None:
    main, dev = diverged(builder)
    dev.merge(main, "sync 1")
    main.commit("main 2", {"a.txt": "3\n"})
    dev.merge(main, "sync 2, parents swapped", swap_parents=True)
    assert found(builder) == [("sync 1", "dev 1", "main 1"), ("sync 2, parents swapped", "sync 1", "main 2")]


def test_branches_that_cross(builder: RepositoryBuilder) -> None:
    main, dev = diverged(builder)
    sync = dev.branch("sync")
    sync.merge(main, "merge on the branch")
    dev.merge(sync, "Merge the proposal")
    main.commit("main 2", {"a.txt": "3\n"})
    main.merge(dev, "Merge dev back")
    # All that the proposal held is source's now; it imported main 1 all the same.
    assert found(builder) == [("Merge the proposal", "dev 1", "main 1")]


def test_a_run_that_landed_by_fast_forward_is_answered_by_its_head(builder: RepositoryBuilder) -> None:
    main, dev = diverged(builder)
    dev.merge(main, "Sync main into dev", trailers=RUN)
    dev.commit("people settle", {"dev.txt": "settled\n"})
    dev.commit("dev goes on", {"dev.txt": "3\n"})
    landed = {RUN["Syncline-Run"]: "people settle"}
    assert found(builder, landed=landed) == [("people settle", "dev 1", "main 1")]


def test_a_run_whose_end_is_not_known_is_left_out(builder: RepositoryBuilder) -> None:
    main, dev = diverged(builder)
    dev.merge(main, "Sync main into dev", trailers=RUN)
    dev.commit("people settle, or go on", {"dev.txt": "settled\n"})
    assert found(builder) == []
    assert found(builder, landed={RUN["Syncline-Run"]: "main 1"}) == []
