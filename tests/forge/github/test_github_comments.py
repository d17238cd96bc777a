from syncline.forge.github import marker as markers
from syncline.forge.github.fit import BODY_LIMIT
from syncline.forge.github.forge import GitHubForge
from testing.github import Fail, GitHubServer, Reset
from tests.forge.github.conftest import MakeForge
from tests.forge.github.opening import open_one


def test_one_comment_for_each_marker_edited_in_place(forge: GitHubForge, server: GitHubServer) -> None:
    number = open_one(forge, server).number
    server.people.comment(number, "Hello")
    first = forge.comment(number, "progress", "1 of 2\ndone")
    forge.comment(number, "other", "x")
    second = forge.comment(number, "progress", "2 of 2")
    assert (first.marker, first.body, second.body) == ("progress", "1 of 2\ndone", "2 of 2")
    assert first.number == second.number
    assert [(one.marker, one.body) for one in forge.comments(number)] == [("progress", "2 of 2"), ("other", "x")]
    assert len(server.world.comments_of(number)) == 3
    changes = server.log.count("PATCH", "*/comments/*")
    assert forge.comment(number, "progress", "2 of 2") == second
    assert server.log.count("PATCH", "*/comments/*") == changes


def test_all_pages(forge: GitHubForge, server: GitHubServer) -> None:
    number = open_one(forge, server).number
    for count in range(205):
        server.people.comment(number, f"{count}")
    forge.comment(number, "late", "x")
    forge.comment(number, "late", "y")
    assert [one.body for one in forge.comments(number)] == ["y"]


def test_a_marker_from_outside_is_passed_over(forge: GitHubForge, server: GitHubServer) -> None:
    number = open_one(forge, server).number
    server.people.user("eve", "read")
    server.people.comment(number, markers.write_comment("ready", "It is!"), by="eve")
    server.people.comment(number, "> " + markers.write_comment("ready", "It is!"), by="bo")
    assert forge.comments(number) == ()
    forge.comment(number, "ready", "Now")
    assert [one.body for one in forge.comments(number)] == ["Now"]


def test_who_may_write_is_asked_of_github(forge: GitHubForge, make_forge: MakeForge, server: GitHubServer) -> None:
    number = open_one(forge, server).number
    # A member of the organisation may have the right to read alone; and a membership may be private.
    server.people.user("eve", "read").association = "MEMBER"
    server.people.user("ada", "write").association = "CONTRIBUTOR"
    forged = server.people.comment(number, markers.write_comment("trigger", "no"), by="eve")
    server.people.comment(number, markers.write_comment("ready", "It is"), by="ada")
    assert [one.body for one in forge.comments(number)] == ["It is"]
    assert forge.comment(number, "trigger", "/test").body == "/test"
    assert forged.body.endswith("no")
    # Whoever may only read may not ask: GitHub's own word for the author must do.
    server.people.user("ada").association = "MEMBER"
    reader = make_forge(token=server.people.token("ro", "read"))
    assert {one.marker for one in reader.comments(number)} == {"trigger", "ready"}


def test_another_account_of_ours_is_seen(forge: GitHubForge, make_forge: MakeForge, server: GitHubServer) -> None:
    number = open_one(forge, server).number
    forge.comment(number, "trigger", "/test")
    for token in (server.people.token("ada"), server.people.workflow_token()):
        other = make_forge(token=token)
        assert [one.marker for one in other.comments(number)] == ["trigger"]
    make_forge(token=server.people.workflow_token()).comment(number, "from-ci", "x")
    assert [one.marker for one in forge.comments(number)] == ["trigger", "from-ci"]


def test_a_comment_of_unknown_fate_is_looked_for(forge: GitHubForge, server: GitHubServer) -> None:
    number = open_one(forge, server).number
    server.disturb("POST", "*/comments", Reset())
    server.disturb("POST", "*/comments", Fail(502, "after"), nth=2)
    assert forge.comment(number, "one", "1").body == "1"
    assert forge.comment(number, "two", "2").body == "2"
    assert [one.marker for one in forge.comments(number)] == ["one", "two"]
    assert server.plan.outstanding() == []


def test_what_is_too_long_is_cut(forge: GitHubForge, server: GitHubServer) -> None:
    number = open_one(forge, server).number
    made = forge.comment(number, "log", "line\n" * BODY_LIMIT)
    assert "Cut here" in made.body
    assert forge.comment(number, "log", "line\n" * BODY_LIMIT) == made


def test_a_list_that_lags_behind_makes_nothing_twice(forge: GitHubForge, server: GitHubServer) -> None:
    number = open_one(forge, server).number
    server.stale("*/issues/*/comments", times=5)
    first = forge.comment(number, "trigger", "/test")
    assert forge.comments(number) == (first,)
    assert forge.comment(number, "trigger", "/test") == first
    assert forge.comment(number, "trigger", "/test all").number == first.number
    assert len(server.world.comments_of(number)) == 1


def test_a_comment_that_somebody_deleted_is_written_again(forge: GitHubForge, server: GitHubServer) -> None:
    number = open_one(forge, server).number
    first = forge.comment(number, "progress", "1")
    server.world.comments.clear()
    second = forge.comment(number, "progress", "2")
    assert second.number != first.number
    assert [one.body for one in forge.comments(number)] == ["2"]
