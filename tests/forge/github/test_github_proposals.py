from collections.abc import Sequence
from dataclasses import replace

import pytest

from syncline.errors import FenceError, ForgeError
from syncline.forge.github import marker as markers
from syncline.forge.github.body_block import Body, render
from syncline.forge.github.client import Client
from syncline.forge.github.forge import GitHubForge
from syncline.forge.github.marker import ProposalMarker
from syncline.forge.github.settings import GitHubSettings
from syncline.forge.protocol import ProposalState
from testing.github import Do, GitHubServer
from testing.github.disturbances import Stale
from tests.forge.github.answering import Got, Reply, answering
from tests.forge.github.conftest import MakeForge
from tests.forge.github.opening import open_one, tip

OPEN, CLOSED, MERGED, SUPERSEDED = (
    ProposalState.OPEN,
    ProposalState.CLOSED,
    ProposalState.MERGED,
    ProposalState.SUPERSEDED,
)


def test_a_new_proposal_is_a_draft_with_labels(forge: GitHubForge, server: GitHubServer) -> None:
    made = open_one(forge, server, labels=("sync", "Night ly"))
    assert (made.lane, made.run, made.branch, made.target) == ("x", "r1", "sync/1", "dev")
    assert (made.draft, made.state, made.head_sha) == (True, OPEN, tip(server))
    assert (made.title, made.body) == ("Sync 1", "All of 1.\n\n- [ ] look")
    assert made.labels == ("sync", "Night ly")
    assert made.url.endswith(f"/acme/engine/pull/{made.number}")
    assert forge.proposal(made.number) == made
    assert forge.proposals("x") == forge.proposals(None) == (made,)
    assert forge.proposals("y") == ()


def test_the_same_run_gives_the_same_proposal_whatever_became_of_it(
    forge: GitHubForge, server: GitHubServer
) -> None:
    made = open_one(forge, server, labels=("sync",))
    assert open_one(forge, server, labels=("sync",)) == made
    closed = forge.close(made.number, state=CLOSED)
    assert open_one(forge, server) == closed
    assert len(server.world.pulls) == 1


def test_another_run_waits_for_the_open_one_to_be_closed(forge: GitHubForge, server: GitHubServer) -> None:
    first = open_one(forge, server)
    with pytest.raises(ForgeError, match=f"already has the open proposal {first.number} of run r1"):
        open_one(forge, server, 2)
    forge.close(first.number, state=SUPERSEDED)
    second = open_one(forge, server, 2)
    done = forge.close(first.number, state=SUPERSEDED, superseded_by=second.number)
    assert (done.state, done.superseded_by) == (SUPERSEDED, second.number)
    assert forge.proposals("x", state=OPEN) == (second,)
    assert forge.proposals("x", state=SUPERSEDED) == (done,)
    assert forge.proposals("x", state=CLOSED) == ()
    assert [one.number for one in forge.proposals("x")] == [first.number, second.number]


def test_another_lane_s_run_is_not_ours(forge: GitHubForge, server: GitHubServer) -> None:
    open_one(forge, server)
    with pytest.raises(ForgeError, match="run r1 belongs to lane x, not to y"):
        open_one(forge, server, lane="y")


def test_labels_that_are_there_are_kept(forge: GitHubForge, server: GitHubServer) -> None:
    made = open_one(forge, server, labels=("sync",))
    server.people.label(made.number, "urgent")
    assert set(forge.add_labels(made.number, ["SYNC", "late"]).labels) == {"sync", "urgent", "late"}
    posts = server.log.count("POST", "*/labels")
    forge.add_labels(made.number, ["late"])
    assert server.log.count("POST", "*/labels") == posts


def test_people_s_words_stay(forge: GitHubForge, server: GitHubServer) -> None:
    made = open_one(forge, server)
    body = server.people.pull(made.number).body or ""
    server.people.edit_body(made.number, f"Please wait.\r\n\r\n{body.replace('[ ]', '[x]')}\r\nThanks!")
    told = forge.update(made.number, title="Other", body="New.\n- [ ] look")
    assert (told.title, told.body) == ("Other", "New.\n- [ ] look")
    now = server.people.pull(made.number).body or ""
    assert now.startswith("Please wait.\n\n")
    assert now.endswith("\nThanks!")
    assert "[x]" not in now
    changes = server.log.count("PATCH", "*")
    assert forge.update(made.number, title="Other", body="New.\n- [ ] look") == told
    assert server.log.count("PATCH", "*") == changes


def test_ready_and_back(forge: GitHubForge, server: GitHubServer) -> None:
    made = open_one(forge, server)
    assert forge.mark_ready(made.number, head_sha=made.head_sha) == replace(made, draft=False)
    assert forge.mark_ready(made.number, head_sha=made.head_sha) == replace(made, draft=False)
    assert forge.mark_draft(made.number) == made
    assert forge.mark_draft(made.number) == made
    mutations = [one for one in server.log.entries if one.path == "/graphql" and "mutation" in str(one.body)]
    assert len(mutations) == 2


def test_ready_for_this_head_only(forge: GitHubForge, server: GitHubServer) -> None:
    made = open_one(forge, server)
    server.people.push("sync/1", {"late": "late\n"})
    with pytest.raises(FenceError, match="its head is"):
        forge.mark_ready(made.number, head_sha=made.head_sha)
    assert server.people.pull(made.number).draft


def test_a_push_between_look_and_mark_takes_it_back(forge: GitHubForge, server: GitHubServer) -> None:
    made = open_one(forge, server)
    # The first request reads, the second marks: just before that somebody pushes.
    server.disturb("POST", "/graphql", Do(lambda: server.people.push("sync/1", {"late": "late\n"})), nth=2)
    with pytest.raises(FenceError):
        forge.mark_ready(made.number, head_sha=made.head_sha)
    assert server.people.pull(made.number).draft
    assert server.plan.outstanding() == []


def test_a_push_that_no_read_shows_yet_takes_it_back(forge: GitHubForge, server: GitHubServer) -> None:
    made = open_one(forge, server)
    before = Stale(server.world.frozen())
    server.people.push("sync/1", {"late": "late\n"})
    server.plan.add("POST", "/graphql", before)
    server.plan.add("POST", "/graphql", before, nth=3, times=4)
    server.plan.add("POST", "/graphql", before, nth=8, times=4)  # not the change back, the seventh
    with pytest.raises(FenceError):
        forge.mark_ready(made.number, head_sha=made.head_sha)
    assert server.people.pull(made.number).draft


def test_a_new_head_makes_it_a_draft_again(forge: GitHubForge, server: GitHubServer) -> None:
    made = open_one(forge, server)
    forge.mark_ready(made.number, head_sha=made.head_sha)
    assert forge.update(made.number, head_sha=made.head_sha).draft is False
    # GitHub notices the push while it is waited for.
    server.stale("/graphql", method="POST", times=2)
    head = server.people.push("sync/1", {"late": "late\n"})
    moved = forge.update(made.number, head_sha=head)
    assert (moved.draft, moved.head_sha) == (True, head)


def test_a_head_that_github_does_not_show(forge: GitHubForge, server: GitHubServer) -> None:
    made = open_one(forge, server)
    with pytest.raises(FenceError, match="its head is"):
        forge.update(made.number, head_sha="b" * 40)


@pytest.mark.parametrize("lag", [1, 3])
def test_reads_that_lag_behind_are_waited_for(forge: GitHubForge, server: GitHubServer, lag: int) -> None:
    waits: list[str] = []
    forge._client._on_wait = lambda wait: waits.append(wait.why)

    def lagging(before: int) -> None:
        """After so many requests of the next call all is as it was, for `lag` reads."""
        waits.clear()
        server.plan.clear()
        server.plan.add("POST", "/graphql", Stale(server.world.frozen()), nth=before + 1, times=lag)

    lagging(4)
    made = open_one(forge, server)
    assert (made.state, len(waits)) == (OPEN, lag)
    lagging(1)
    assert forge.update(made.number, title="Other", body="New").body == "New"
    assert len(waits) == lag
    lagging(2)
    assert not forge.mark_ready(made.number, head_sha=made.head_sha).draft
    assert len(waits) == lag
    lagging(2)
    assert forge.mark_draft(made.number).draft
    assert len(waits) == lag
    lagging(1)
    assert forge.close(made.number, state=CLOSED).state is CLOSED
    assert len(waits) == lag


def test_how_it_ends(forge: GitHubForge, server: GitHubServer) -> None:
    made = open_one(forge, server)
    closed = forge.close(made.number, state=CLOSED)
    assert (closed.state, closed.body) == (CLOSED, made.body)
    assert forge.close(made.number, state=CLOSED) == closed
    for state in (MERGED, SUPERSEDED):
        with pytest.raises(ForgeError, match="already closed"):
            forge.close(made.number, state=state)
    for call in (
        lambda: forge.mark_draft(made.number),
        lambda: forge.mark_ready(made.number, head_sha=made.head_sha),
        lambda: forge.update(made.number, head_sha="b" * 40),
    ):
        with pytest.raises(ForgeError, match="is closed, so it cannot"):
            call()


@pytest.mark.parametrize(
    ("state", "by", "words"),
    [
        (OPEN, None, "cannot be closed as open"),
        (CLOSED, 2, "cannot be closed and have a successor"),
        (SUPERSEDED, 1, "cannot supersede itself"),
        (SUPERSEDED, 99, "no proposal 99"),
    ],
)
def test_ends_that_make_no_sense(
    forge: GitHubForge, server: GitHubServer, state: ProposalState, by: int | None, words: str
) -> None:
    made = open_one(forge, server)
    assert made.number == 1
    with pytest.raises(ForgeError, match=words):
        forge.close(1, state=state, superseded_by=by)
    assert forge.proposal(1).state is OPEN


def test_closed_by_people_and_reopened(forge: GitHubForge, server: GitHubServer) -> None:
    made = open_one(forge, server)
    server.people.close(made.number)
    assert forge.proposal(made.number).state is CLOSED
    server.people.reopen(made.number)
    forge.close(made.number, state=SUPERSEDED)
    server.people.reopen(made.number)
    again = forge.proposal(made.number)
    assert (again.state, again.superseded_by) == (OPEN, None)
    assert forge.close(made.number, state=CLOSED).state is CLOSED


def test_landed_by_people(forge: GitHubForge, server: GitHubServer) -> None:
    made = open_one(forge, server)
    server.people.set_draft(made.number, draft=False)
    server.people.merge(made.number)
    assert forge.proposal(made.number).state is MERGED
    assert forge.close(made.number, state=MERGED).state is MERGED
    with pytest.raises(ForgeError, match="already merged"):
        forge.close(made.number, state=CLOSED)


def test_landed_by_another_way(forge: GitHubForge, server: GitHubServer) -> None:
    made = open_one(forge, server)
    assert forge.close(made.number, state=MERGED).state is MERGED
    assert server.people.pull(made.number).merged is None
    assert forge.proposals("x", state=MERGED)[0].number == made.number


def test_what_others_open_is_not_ours(forge: GitHubForge, server: GitHubServer) -> None:
    mark = ProposalMarker("x", "r9", "sync/9")
    pasted = server.people.open_pull("sync/2", "dev", body=render(Body("Theirs", mark)))
    quoted = server.people.open_pull("sync/3", "dev", body="> " + markers.write(replace(mark, branch="sync/3")))
    assert forge.proposals(None) == ()
    for pull in (pasted, quoted):
        shown = forge.proposal(pull.number)
        assert (shown.lane, shown.run, shown.body) == ("", "", pull.body)
        for call in (
            lambda number=pull.number: forge.update(number, body="mine"),
            lambda number=pull.number: forge.close(number, state=CLOSED),
            lambda number=pull.number: forge.mark_draft(number),
        ):
            with pytest.raises(ForgeError, match="none of syncline's"):
                call()
    open_one(forge, server)


def test_there_is_no_such_proposal(forge: GitHubForge) -> None:
    for call in (lambda: forge.proposal(7), lambda: forge.comments(7), lambda: forge.comment(7, "a", "b")):
        with pytest.raises(ForgeError, match="there is no proposal 7 in acme/engine"):
            call()


def test_a_mark_that_was_taken_out_is_put_back(forge: GitHubForge, server: GitHubServer) -> None:
    made = open_one(forge, server, labels=("sync",))
    server.people.set_draft(made.number, draft=False)
    server.people.edit_body(made.number, "I made this mine.")
    assert forge.proposals("x") == ()
    again = open_one(forge, server, labels=("sync",))
    assert again == made
    assert (server.people.pull(made.number).body or "").startswith("I made this mine.\n")


def test_another_run_on_the_same_branch(forge: GitHubForge, server: GitHubServer) -> None:
    made = open_one(forge, server, lane="y")
    with pytest.raises(ForgeError, match=f"branch sync/1 already has the open proposal {made.number} of run r1"):
        open_one(forge, server, run="r7")


def test_one_that_people_sent_elsewhere(forge: GitHubForge, server: GitHubServer) -> None:
    made = open_one(forge, server)
    server.world.pulls[made.number].base = "main"
    with pytest.raises(ForgeError, match="goes into main now, not dev"):
        open_one(forge, server)


def test_what_cannot_be_opened(forge: GitHubForge, server: GitHubServer) -> None:
    with pytest.raises(ForgeError, match="nothing that dev has not"):
        open_one(forge, server, branch="dev")
    with pytest.raises(FenceError, match="knows no branch gone"):
        open_one(forge, server, branch="gone")
    with pytest.raises(ForgeError, match="knows no branch nowhere"):
        open_one(forge, server, target="nowhere")
    with pytest.raises(ForgeError, match="full commit id"):
        open_one(forge, server, head_sha="abc")


def test_a_repository_without_drafts() -> None:
    """A private one on a free plan; the loopback GitHub is none of these."""

    def script(got: Got) -> Reply:
        if got.path == "/graphql":
            nothing = {"nodes": [], "pageInfo": {"hasNextPage": False, "endCursor": None}}
            return Reply({"data": {"repository": {"pullRequests": nothing}}})
        return Reply({"message": "Draft pull requests are not supported in this repository."}, status=422)

    given = {
        "lane": "x",
        "run": "r",
        "branch": "b",
        "target": "dev",
        "title": "t",
        "body": "b",
        "head_sha": "a" * 40,
    }
    with (
        answering(script) as hub,
        GitHubForge(Client(GitHubSettings("a", "b", api=hub.url), {"GITHUB_TOKEN": "x"}), {}) as forge,
        pytest.raises(ForgeError, match="has no draft pull requests") as caught,
    ):
        forge.open_proposal(**given)
    assert "public repository" in caught.value.hint


def test_all_open_ones_are_found_in_several_pages(forge: GitHubForge, server: GitHubServer) -> None:
    base = tip(server, "dev")
    for number in range(60):
        branch = f"topic/{number}"
        server.people.push(branch, {f"t{number}": "t\n"}, start=base)
        server.people.open_pull(branch, "dev")
    made = open_one(forge, server)
    # Between the pages an old one goes away: pages by number would lose one at the border.
    server.disturb("POST", "/graphql", Do(lambda: server.people.close(1)), nth=2)
    assert forge.proposals("x", state=OPEN) == (made,)


def test_a_lane_is_looked_for_at_its_target(make_forge: MakeForge, server: GitHubServer) -> None:
    made = open_one(make_forge(), server)
    assert make_forge(targets={"x": "main"}).proposals("x") == ()
    assert make_forge(targets={}).proposals("x") == (made,)


@pytest.mark.parametrize(
    ("reviewers", "asked"),
    [(("bo", "CODEOWNERS", "syncline-bot"), ["bo", "cy"]), (("nobody-known", "bo"), ["bo"]), ((), [])],
)
def test_reviewers_are_asked_when_it_is_ready(
    make_forge: MakeForge, server: GitHubServer, reviewers: tuple[str, ...], asked: Sequence[str]
) -> None:
    for login in ("bo", "cy"):
        server.people.user(login)
    told: list[str] = []
    forge = make_forge(reviewers=reviewers, tell=told.append)
    made = open_one(forge, server)
    assert server.people.pull(made.number).reviewers == []
    for _ in range(2):
        forge.mark_ready(made.number, head_sha=made.head_sha)
    assert [user.login for user in server.people.pull(made.number).reviewers] == asked
    assert bool(told) == ("nobody-known" in reviewers)
