"""Replaying: each merge is settled from those before it, and scored against what people committed."""

from typing import Literal

import pytest

from syncline.config.models import CoupledSet, PathRule
from syncline.errors import GitError
from syncline.git import CommitId, Repository
from syncline.merge.ladder.facts import squeeze
from syncline.merge.ladder.lane_record import LaneRecord
from syncline.merge.ladder.weights import shipped
from syncline.replay.gather import Gathered, gather
from syncline.replay.past import PastMerge
from syncline.replay.policy import Policy
from syncline.replay.run import TARGETS, PlayedFile, play
from syncline.replay.score import Strategy, Tally
from syncline.replay.summary import STRATEGIES, Summary
from syncline.replay.truth import LeftOut
from testing.builder import RepositoryBuilder
from testing.repository import BuiltRepository
from testing.weights import weights_by_voice
from tests.replay.histories import begin, gathered, past_merges, played, text, told, without_seconds

SURE = weights_by_voice({"token-merge": 4.0, "recorded": 6.0, "repeated": 6.0})


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> BuiltRepository:
    """Syncs of every sort: sides, mixtures, own texts, deletions, locks; and some that do not count."""
    builder = RepositoryBuilder(tmp_path_factory.mktemp("replay") / "repo")
    main, dev = begin(builder, ("a.py", "b.md", "uv.lock", "gone.py"))
    for turn in range(4):
        main.commit(
            f"Main {turn}",
            {
                "a.py": text(l3=f"call(one, m{turn})", l12=f"main {turn}"),
                "b.md": text(l5=f"main {turn}"),
                "uv.lock": text(l5=f"main {turn}"),
                f"main{turn}": "",
            },
        )
        dev.commit(
            f"Dev {turn}",
            {
                "a.py": text(l3=f"call(d{turn}, m{turn - 1})", l12=f"dev {turn}"),
                "b.md": text(l5=f"dev {turn}"),
                "uv.lock": text(l5=f"dev {turn}"),
                f"dev{turn}": "",
            },
        )
        settled = {
            "a.py": text(l3=f"call(d{turn}, m{turn})", l12=f"dev {turn}"),
            "b.md": text(l5=f"main {turn}") if turn % 2 else text(l5=f"by hand {turn}"),
            "uv.lock": text(l5=f"main {turn}"),
        }
        if turn == 1:
            dev.merge(main, f"Sync {turn}", settled | {"b.md": text(l5="<<<<<<< a\n=======\n>>>>>>> b")})
        elif turn == 2:
            dev.merge(main, f"Sync {turn}", tree_of=dev)
        else:
            dev.merge(main, f"Sync {turn}", settled)
    main.commit(
        "Change", {"gone.py": text(l3="changed"), "c.py": "", "a.py": text(l3="call(one, m4)", l12="main 3")}
    )
    dev.commit("Drop", {"a.py": text(l3="call(d4, m3)", l12="dev 3")}, delete=["gone.py"])
    dev.merge(main, "Sync 4", {"a.py": text(l3="call(d4, m4)", l12="dev 3")}, delete=["gone.py"])
    return builder.finish(head="dev")


@pytest.fixture(scope="module")
def merges(repo: BuiltRepository) -> list[Gathered]:
    return gathered(repo, past_merges(repo))


def test_what_is_left_out_is_counted(repo: BuiltRepository, merges: list[Gathered]) -> None:
    assert [one.left_out for one in merges] == [None, LeftOut.MARKERS, LeftOut.ONE_SIDE, None, None]
    found, record, summary = played(merges, SURE)
    assert [len(one.files) for one in found] == [3, 0, 0, 3, 2]
    assert summary.left_out == {LeftOut.MARKERS.value: 1, LeftOut.ONE_SIDE.value: 1}
    document = summary.as_json(1.0)
    assert (document["merges"], document["files"], document["locks"]) == (3, 8, 2)
    assert document["hunks"] == sum(len(file.right) for one in found for file in one.files) - 2
    assert record.learned == tuple(repo.oid(f"Sync {turn}") for turn in (0, 3, 4))
    assert record.memory.merges == record.gate.merges == 3


def test_sides_are_scored_against_what_people_did(merges: list[Gathered]) -> None:
    _, _, summary = played(merges, SURE)
    document = summary.as_json(1.0)
    results = document["results"]
    assert list(results) == list(STRATEGIES)
    hunks = document["hunks"]
    for name, result in results.items():
        tally = result["hunks"]
        assert tally["resolved"] + tally["unresolved"] == hunks
        assert tally["agree"] + tally["disagree"] == tally["resolved"]
        for key in ("by_suffix", "by_group"):
            assert sum(row["resolved"] + row["unresolved"] for row in result[key].values()) == hunks
        assert sum(row["resolved"] for row in result["by_resolver"].values()) == tally["resolved"]
        assert sum(one["results"][name]["hunks"]["agree"] for one in document["per_merge"]) == tally["agree"]
    # Dev's line 12 twice, main's b.md once, dev's deletion once; lock files aside, of which main's is right twice.
    assert (results["ours"]["hunks"]["agree"], results["theirs"]["hunks"]["agree"]) == (3, 1)
    assert (results["ours"]["locks"]["agree"], results["theirs"]["locks"]["agree"]) == (0, 2)
    assert results["union"]["hunks"]["unresolved"] == 1  # there is no union of a file and none
    assert results["syncline"]["locks"]["resolved"] == 0


def test_nothing_is_settled_before_there_is_a_record(merges: list[Gathered]) -> None:
    found, _, _ = played(merges, SURE)
    assert all(answer is None for file in found[0].files for answer in file.alone.answers)
    assert all(answer is None for file in found[0].files for s in file.curve for answer in s.answers)


def test_words_of_both_sides_are_merged_later_on(merges: list[Gathered]) -> None:
    found, _, summary = played(merges, SURE)
    file = next(file for file in found[-1].files if file.gathered.past.conflict.path == b"a.py")
    (answer,) = file.alone.answers
    assert answer is not None
    assert answer.candidate.lines == (b"call(d4, m4)\n",)
    assert file.right == (answer.candidate,)
    assert summary.results["syncline"].by_resolver
    assert summary.per_merge[-1]["results"]["syncline"]["files"]["exact"] == 1


def test_only_the_past_is_used(repo: BuiltRepository, merges: list[Gathered]) -> None:
    whole, _, _ = played(merges, SURE)
    for count in (1, 4):
        part, _, _ = played(gathered(repo, past_merges(repo)[:count]), SURE)
        for one, again in zip(part, whole, strict=False):
            assert [told(file) for file in one.files] == [told(file) for file in again.files]


def test_several_jobs_find_the_same(repo: BuiltRepository, merges: list[Gathered]) -> None:
    shared = gathered(repo, past_merges(repo), jobs=2)
    assert [one.past for one in shared] == [one.past for one in merges]
    alone, _, one = played(merges, SURE)
    together, _, other = played(shared, SURE)
    assert [[told(f) for f in played.files] for played in alone] == [
        [told(f) for f in played.files] for played in together
    ]
    assert without_seconds(one.as_json(0.0)) == without_seconds(other.as_json(0.0))


def test_history_gives_further_evidence_and_changes_no_truth(
    repo: BuiltRepository, merges: list[Gathered]
) -> None:
    with Repository.open(repo.path) as repository:
        for known in merges:
            found = gather(repository, known.past)
            assert found.left_out == known.left_out
            assert [c.past.answers for c in found.conflicts] == [c.past.answers for c in known.conflicts]


@pytest.mark.parametrize(
    ("take", "side"), [("ours", "ours"), ("theirs", "theirs"), ("together", None)], ids=["ours", "theirs", "open"]
)
def test_a_lanes_policy_settles_before_evidence_is_asked(
    merges: list[Gathered], take: Literal["ours", "theirs", "together"], side: str | None
) -> None:
    """Coupled sets go before path rules, protected paths before both; a set that both sides moved is left open."""
    policy = Policy(
        rules=(
            PathRule(match=("uv.lock",), take="ours"),
            PathRule(match=("a.py",), take="protect", when="always"),
            PathRule(match=("gone.py",), take="theirs"),
        ),
        coupled=(CoupledSet(name="deps", paths=("/uv.lock", "/a.py"), take=take),),
    )
    settled: dict[bytes, set[tuple[str, str | None]]] = {}
    for one in play(merges, SURE, 0.9, LaneRecord(), policy=policy):
        for file in one.files:
            for answer in (*file.alone.answers, *file.helped.answers):
                kind = None if answer is None else answer.candidate.kind
                settled.setdefault(file.gathered.past.conflict.path, set()).add((file.by_policy, kind))
    assert settled[b"a.py"] == {("path-rule", "ours")}
    assert settled[b"gone.py"] == {("path-rule", "theirs")}
    assert settled[b"uv.lock"] == {("coupled" if side else "", side)}


def helped(file: PlayedFile) -> list[bytes | None]:
    return [answer.candidate.text if answer else None for answer in file.helped.answers]


def test_answers_come_from_earlier_files_of_the_same_merge_only(builder: RepositoryBuilder) -> None:
    names = ("a.md", "b.md", "c.md")
    main, dev = begin(builder, (*names, "z.md"))
    main.commit("Main 0", {"z.md": text(l3="main"), "m": ""})
    dev.commit("Dev 0", {"z.md": text(l3="dev"), "d": ""})
    dev.merge(main, "Sync 0", {"z.md": text(l3="dev")})
    main.commit("Main 1", dict.fromkeys(names, text(l3="from main")))
    dev.commit("Dev 1", dict.fromkeys(names, text(l3="from dev")))
    dev.merge(main, "Sync 1", dict.fromkeys(names, text(l3="by hand")) | {"c.md": text(l3="by  hand")})
    built = builder.finish(head="dev")
    found, _, summary = played(gathered(built, past_merges(built)), weights_by_voice({"repeated": 6.0}))
    first, second, third = found[1].files
    assert [helped(file) for file in (first, second, third)] == [[None], [b"byhand"], [b"byhand"]]
    assert all(file.alone.answers == (None,) for file in found[1].files)
    strategy = summary.results["syncline+answers"]
    assert strategy.by_resolver["repeated"].as_json() == {
        "resolved": 2, "agree": 2, "disagree": 0, "unresolved": 0,
    }  # fmt: skip
    # Scoring counts no white space; what of it might mean something is told beside.
    assert strategy.as_json()["hunks"]["same_layout"] == 1
    assert "same_layout" not in summary.results["theirs"].as_json()["hunks"]
    # It was accepted, not answered: nobody was asked for the second file.
    assert second.helped.judged[0].best.candidate.voices[0] == "repeated"


@pytest.mark.parametrize("policy", ["tttttotot", "tttttoott"])
def test_a_policy_that_goes_back_and_forth_is_believed_once(builder: RepositoryBuilder, policy: str) -> None:
    """What turned is remembered anew; that answers were wrong is not forgotten, so the gate closes."""
    names = [f"m{number}.py" for number in range(32)]
    main, dev = begin(builder, names)
    for turn, side in enumerate(policy):
        theirs = {name: text(l3=f"up_{turn}(os)") for name in names}
        ours = {name: text(l3=f"fork_{turn}(os)") for name in names}
        main.commit(f"Main {turn}", theirs)
        dev.commit(f"Dev {turn}", ours)
        dev.merge(main, f"Sync {turn}", (theirs if side == "t" else ours) | {f"only{turn}": ""})
    built = builder.finish(head="dev")
    found, _, _ = played(gathered(built, past_merges(built)), shipped())
    wrong = [
        sum(
            answer is not None and answer.candidate is not right
            for file in one.files
            for answer, right in zip(file.alone.answers, file.right, strict=True)
        )
        for one in found
    ]
    first = policy.index("o")
    assert wrong[first] > 20  # no record tells of a turn before it comes
    assert sum(wrong) == wrong[first]


def test_what_cannot_be_merged_again_is_left_out(repo: BuiltRepository, builder: RepositoryBuilder) -> None:
    past = past_merges(repo)[0]
    nowhere = CommitId("1" * 40)
    one, other = builder.branch("one"), builder.branch("two")
    one.commit("One", {"a": "1"})
    other.commit("Two", {"a": "2"})
    apart = builder.finish(head="one")
    lost = (
        (repo, PastMerge(nowhere, past.ours, past.theirs, ""), LeftOut.INCOMPLETE),
        (repo, PastMerge(past.merge, nowhere, past.theirs, ""), LeftOut.INCOMPLETE),
        (repo, PastMerge(past.merge, past.ours, nowhere, ""), LeftOut.INCOMPLETE),
        (
            apart,
            PastMerge(CommitId(apart["one"]), CommitId(apart["one"]), CommitId(apart["two"]), ""),
            LeftOut.UNRELATED,
        ),
    )
    for where, missing, why in lost:
        for history in (True, False):
            with Repository.open(where.path) as repository:
                assert gather(repository, missing, history=history).left_out is why
                if where is repo:
                    # The repository can still be worked with.
                    assert gather(repository, past, history=False).left_out is None


def test_a_blob_for_a_commit_is_an_error(repo: BuiltRepository) -> None:
    past = past_merges(repo)[0]
    blob = CommitId(repo.text("rev-parse", "dev:a.py"))
    with Repository.open(repo.path) as repository, pytest.raises(GitError):
        gather(repository, PastMerge(blob, past.ours, past.theirs, ""), history=False)


def test_merges_with_nothing_but_lock_files_are_no_merge_settled(builder: RepositoryBuilder) -> None:
    main, dev = begin(builder, ("uv.lock",))
    main.commit("Main", {"uv.lock": text(l3="main"), "m": ""})
    dev.commit("Dev", {"uv.lock": text(l3="dev"), "d": ""})
    dev.merge(main, "Sync", {"uv.lock": text(l3="both")})
    built = builder.finish(head="dev")
    _, _, summary = played(gathered(built, past_merges(built)))
    document = summary.as_json(0.0)
    assert (document["hunks"], document["locks"]) == (0, 1)
    for result in document["results"].values():
        assert result["merges"] == {"exact": 0, "resolved": 0, "total": 0}
        assert result["hunks"]["resolved"] == 0


def test_a_tally_counts() -> None:
    tally = Tally()
    for resolved, right in ((True, True), (True, False), (False, False)):
        tally.count(resolved=resolved, right=right)
    assert tally.as_json() == {"resolved": 2, "agree": 1, "disagree": 1, "unresolved": 1}


def test_an_empty_replay_has_all_its_figures() -> None:
    document = Summary(0.9).as_json(0.1234)
    assert document["seconds"] == 0.123
    assert list(document["curve"]) == [f"{target:.2f}" for target in TARGETS]
    assert document["results"]["union"] == Strategy().as_json()


def test_right_is_what_people_did_white_space_apart(merges: list[Gathered]) -> None:
    found, _, _ = played(merges, SURE)
    for one in found:
        for file in one.files:
            answers = file.gathered.past.answers
            for right, lines in zip(file.right, answers, strict=True):
                assert right is None or lines is None or right.text == squeeze(lines)
