from datetime import timedelta

import pytest

from syncline.errors import ForgeError
from syncline.forge.github import marker as markers
from syncline.forge.github import steer
from syncline.forge.github.client import Client
from syncline.forge.github.settings import GitHubSettings
from syncline.forge.github.steer import MARKER, Steering
from syncline.forge.orders import Kind, Order
from testing.github import Fail, GitHubServer, Reset
from testing.github.actors import Role
from testing.github.things import Comment

LIVING = 'syncline:comment {"marker":"orders"}'


def client_of(server: GitHubServer, token: str = "") -> Client:
    settings = GitHubSettings(server.owner, server.name, api=server.api)
    return Client(settings, {"GITHUB_TOKEN": token or server.token}, sleep=lambda _: None)


@pytest.fixture
def steering(server: GitHubServer) -> Steering:
    return Steering(client_of(server))


@pytest.fixture
def number(server: GitHubServer) -> int:
    return server.people.open_pull("sync/1", "dev").number


def noted(steering: Steering, number: int) -> tuple[Order, ...]:
    """What waits, once the new comments are noted."""
    steering.note(number)
    return steering.read(number).open


def reactions(comment: Comment) -> list[str]:
    return [one.content for one in comment.reactions]


def living(server: GitHubServer) -> str:
    (found,) = [one for one in server.world.comments.values() if LIVING in one.body]
    return found.body


def edit(server: GitHubServer, comment: Comment, body: str) -> None:
    comment.body = body
    comment.updated = server.clock.now + timedelta(seconds=5)


def test_an_order_is_read_until_it_is_answered(server: GitHubServer, steering: Steering, number: int) -> None:
    comment = server.people.comment(number, "Once more:\n\n/syncline retry", by="ada")
    (order,) = noted(steering, number)
    given = f"{comment.created:%Y-%m-%dT%H:%M:%SZ}"
    assert order == Order(Kind.RETRY, (), "ada", comment.id, number, given=given)
    assert reactions(comment) == ["eyes"]
    assert noted(steering, number) == (order,)
    steering.answer(order, done=True, words="2 jobs run again")
    assert reactions(comment) == ["eyes", "+1"]
    assert "| `@ada` | `/syncline retry` | done: `2 jobs run again` |" in living(server)
    assert noted(steering, number) == ()
    writes = len(server.log.writes())
    steering.answer(order, done=True, words="2 jobs run again")
    assert living(server).count("/syncline retry") == 1
    assert len(server.log.writes()) == writes + 1  # the reaction, which there is already
    assert reactions(comment) == ["eyes", "+1"]


def test_reading_again_writes_nothing(server: GitHubServer, steering: Steering, number: int) -> None:
    server.people.comment(number, "/syncline pause")
    first = noted(steering, number)
    writes = len(server.log.writes())
    assert noted(steering, number) == first
    assert len(server.log.writes()) == writes


def test_several_orders_are_answered_one_by_one(server: GitHubServer, steering: Steering, number: int) -> None:
    comment = server.people.comment(number, "/syncline take ours a b\n/syncline take theirs `c`")
    server.people.comment(number, "/syncline waive 8e809 because it | `moved`", by="bo")
    ours, theirs, waive = noted(steering, number)
    assert (ours.args, theirs.args, waive.args) == (("ours", "a b"), ("theirs", "c"), ("8e809", "it | `moved`"))
    assert len({ours.key, theirs.key, waive.key}) == 3
    steering.answer(theirs, done=False, words="c is settled")
    assert noted(steering, number) == (ours, waive)
    steering.answer(ours, done=True, words="")
    steering.answer(waive, done=True, words="@team: fine\n")
    assert reactions(comment) == ["eyes", "confused", "+1"]
    lines = living(server).split("\n")
    assert "| `@ada` | `/syncline take theirs c` | not done: `c is settled` |" in lines
    assert "| `@ada` | `/syncline take ours a b` | done |" in lines
    assert "| `@bo` | `/syncline waive 8e809 because it \\| 'moved'` | done: `@team: fine` |" in lines
    assert noted(steering, number) == ()


@pytest.mark.parametrize("role", ["none", "read", "triage"])
def test_strangers_order_nothing(server: GitHubServer, steering: Steering, number: int, role: Role) -> None:
    server.people.user("eve", role)
    comment = server.people.comment(number, "/syncline abort", by="eve")
    assert noted(steering, number) == ()
    assert reactions(comment) == ["confused"]
    assert "abort" not in living(server)
    server.people.user("eve", "write")  # what was refused once stays so
    assert noted(steering, number) == ()
    assert reactions(comment) == ["confused"]


def test_strangers_keep_nobody_busy(server: GitHubServer, steering: Steering, number: int) -> None:
    server.people.user("eve", "read")
    server.people.comment(number, "/syncline pause", by="eve")
    assert steering.read(number).unnoted
    steering.note(number)
    server.people.comment(number, "/syncline abort", by="eve")
    assert not steering.read(number).unnoted
    server.people.comment(number, "/syncline retry", by="ada")
    assert steering.read(number).unnoted
    assert [order.kind for order in noted(steering, number)] == [Kind.RETRY]
    assert Steering(client_of(server)).read(number).unnoted is False


def test_no_control_characters_in_answers(server: GitHubServer, steering: Steering, number: int) -> None:
    server.people.comment(number, "/syncline take ours \x1b[31ma\u202eb", by="ada")
    (order,) = noted(steering, number)
    steering.answer(order, done=False, words="no \u2066such")
    assert not {"\x1b", "\u202e", "\u2066"}.intersection(living(server))


def test_rights_taken_back_are_gone(server: GitHubServer, steering: Steering, number: int) -> None:
    server.people.comment(number, "/syncline abort", by="bo")
    assert len(noted(steering, number)) == 1
    server.people.user("bo", "read")
    assert noted(steering, number) == ()


def test_a_record_from_outside_gives_no_rights(server: GitHubServer, steering: Steering, number: int) -> None:
    comment = server.people.comment(number, "/syncline abort", by="bo")
    noted(steering, number)
    record = living(server)
    server.world.comments.pop(next(one.id for one in server.world.comments.values() if one.body == record))
    server.people.user("bo", "read")
    server.people.comment(number, record, by="ada")
    assert str(comment.id) in record
    assert noted(steering, number) == ()


def test_programs_order_nothing(server: GitHubServer, steering: Steering, number: int) -> None:
    bot = server.people.app("ci-app").bot
    assert bot.role == "write"
    server.people.comment(number, "/syncline abort", by=bot.login)
    server.people.comment(number, markers.write_comment("x", "/syncline abort"), by="ada")
    assert noted(steering, number) == ()
    assert server.log.writes() == []


def test_a_comment_edited_before_it_was_read_is_no_order(
    server: GitHubServer, steering: Steering, number: int
) -> None:
    comment = server.people.comment(number, "Hello")
    assert noted(steering, number) == ()
    edit(server, comment, "/syncline abort")
    assert noted(steering, number) == ()
    assert reactions(comment) == ["confused"]
    assert "`the comment was edited before it was read: write a new one`" in living(server)


def test_a_later_edit_takes_back_but_never_adds(server: GitHubServer, steering: Steering, number: int) -> None:
    comment = server.people.comment(number, "/syncline retry")
    (order,) = noted(steering, number)
    edit(server, comment, "/syncline retry\n/syncline abort")
    assert noted(steering, number) == ()
    edit(server, comment, "Please!\n/syncline retry")
    assert noted(steering, number) == (order,)
    steering.answer(order, done=True, words="")
    edit(server, comment, "/syncline abort")
    assert noted(steering, number) == ()


def test_help_and_what_is_not_understood_are_answered_at_once(
    server: GitHubServer, steering: Steering, number: int
) -> None:
    asked = server.people.comment(number, "/syncline help")
    wrong = server.people.comment(number, "/syncline retry it\n/syncline recheck")
    (order,) = noted(steering, number)
    assert (order.kind, order.index) == (Kind.RECHECK, 1)
    assert (reactions(asked), reactions(wrong)) == (["eyes", "+1"], ["eyes", "confused"])
    assert "| `@ada` | `/syncline retry it` | not understood: `retry takes nothing after it` |" in living(server)
    assert "`/syncline take theirs PATH`" in living(server)
    steering.answer(order, done=True, words="")
    assert "`/syncline take theirs PATH`" in living(server)
    assert noted(steering, number) == ()


def test_quietly_nothing_is_written(server: GitHubServer, steering: Steering, number: int) -> None:
    server.people.comment(number, "/syncline retry\n/syncline help\n/syncline what")
    (order,) = steering.read(number).open
    assert order.kind is Kind.RETRY
    assert server.log.writes() == []
    assert noted(steering, number) == (order,)


def test_another_account_of_ours_goes_on(server: GitHubServer, steering: Steering, number: int) -> None:
    server.people.comment(number, "/syncline retry\n/syncline pause")
    retry, pause = noted(steering, number)
    other = Steering(client_of(server, server.people.workflow_token()))
    other.answer(retry, done=True, words="")
    assert noted(steering, number) == (pause,)
    assert noted(other, number) == (pause,)


def test_killed_before_it_is_noted(server: GitHubServer, steering: Steering, number: int) -> None:
    comment = server.people.comment(number, "/syncline retry")
    server.disturb("POST", "*/issues/*/comments", Fail(403), times=1)
    with pytest.raises(ForgeError):
        noted(steering, number)
    (order,) = noted(steering, number)
    server.disturb("PATCH", "*/issues/comments/*", Fail(403), times=1)
    with pytest.raises(ForgeError):
        steering.answer(order, done=True, words="")
    assert noted(steering, number) == (order,)
    steering.answer(order, done=True, words="")
    assert noted(steering, number) == ()
    assert reactions(comment) == ["eyes", "+1"]


def test_a_reaction_that_fails_stops_nothing(server: GitHubServer, steering: Steering, number: int) -> None:
    server.people.comment(number, "/syncline retry")
    server.disturb("POST", "*/reactions", Reset())
    (order,) = noted(steering, number)
    server.disturb("POST", "*/reactions", Fail(422))
    steering.answer(order, done=True, words="")
    assert noted(steering, number) == ()


def test_a_record_that_makes_no_sense_is_begun_anew(server: GitHubServer, steering: Steering, number: int) -> None:
    bad = '<!-- syncline:orders {"seen":[1]} -->\n| `@ada` | `x` | done |'
    server.people.comment(number, markers.write_comment(MARKER, bad))
    server.people.comment(number, "/syncline retry")
    assert len(noted(steering, number)) == 1
    assert "| `@ada` | `x` | done |" in living(server)


def test_what_is_forgotten_does_not_come_back(
    server: GitHubServer, steering: Steering, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steer, "_MOST_KEPT", 2)
    monkeypatch.setattr(steer, "_MOST_SHOWN", 2)
    for count in range(5):
        server.people.comment(number, f"/syncline take ours {count}")
        for order in noted(steering, number):
            steering.answer(order, done=True, words="")
    assert noted(steering, number) == ()
    shown = [line for line in living(server).split("\n") if line.startswith("| `@")]
    assert [line.split("`")[3] for line in shown] == ["/syncline take ours 3", "/syncline take ours 4"]


def test_many_answers_fit(server: GitHubServer, steering: Steering, number: int) -> None:
    for _ in range(4):
        reason = "x|" * 3000
        server.people.comment(number, "\n".join(f"/syncline waive {at} because {reason}" for at in range(9)))
    found = noted(steering, number)
    assert len(found) == 36
    for order in found[:22]:
        steering.answer(order, done=False, words="y" * 9000)
    assert len(living(server)) < 65_536
    assert "Cut here" not in living(server)
    assert noted(steering, number) == found[22:]


def test_lists_that_lag_behind_do_nothing_twice(server: GitHubServer, steering: Steering, number: int) -> None:
    server.people.comment(number, "/syncline retry\n/syncline pause")
    server.stale("*/issues/*/comments", times=20)
    retry, pause = noted(steering, number)
    steering.answer(retry, done=True, words="1")
    assert noted(steering, number) == (pause,)
    steering.answer(pause, done=True, words="2")
    assert noted(steering, number) == ()
    server.plan.clear()
    assert [line.split("`")[3] for line in living(server).split("\n") if line.startswith("| `@")] == [
        "/syncline retry", "/syncline pause",
    ]  # fmt: skip
    assert noted(Steering(client_of(server)), number) == ()


def test_two_processes_at_once_lose_no_answer(server: GitHubServer, steering: Steering, number: int) -> None:
    server.people.comment(number, "/syncline retry\n/syncline pause")
    other = Steering(client_of(server, server.people.token("ada")))
    retry, pause = noted(steering, number)
    assert noted(other, number) == (retry, pause)
    steering.answer(retry, done=True, words="")
    other.answer(pause, done=True, words="")
    assert noted(steering, number) == noted(other, number) == ()


def test_an_answer_that_could_not_be_written_is_not_given(
    server: GitHubServer, steering: Steering, number: int
) -> None:
    server.people.comment(number, "/syncline retry")
    server.stale("*/issues/*/comments", times=20)
    (order,) = noted(steering, number)
    server.disturb("PATCH", "*/issues/comments/*", Fail(403))
    with pytest.raises(ForgeError):
        steering.answer(order, done=True, words="")
    assert noted(steering, number) == (order,)


def test_a_list_from_before_the_answer_opens_nothing_again(
    server: GitHubServer, steering: Steering, number: int
) -> None:
    server.people.comment(number, "/syncline retry")
    (order,) = noted(steering, number)
    server.stale("*/issues/*/comments", times=20)
    steering.answer(order, done=True, words="")
    assert noted(steering, number) == ()
