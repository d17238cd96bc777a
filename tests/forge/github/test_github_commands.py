import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.forge.github.commands import HELP, Command, Kind, Misread, parse

RETRY = Command(Kind.RETRY)


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("/syncline retry", RETRY),
        ("/syncline\tretry  ", RETRY),
        ("/Syncline Retry", RETRY),
        ("/syncline pause", Command(Kind.PAUSE)),
        ("/syncline resume", Command(Kind.RESUME)),
        ("/syncline abort", Command(Kind.ABORT)),
        ("/syncline recheck", Command(Kind.RECHECK)),
        ("/syncline help", Command(Kind.HELP)),
        ("/syncline take ours a/b.py", Command(Kind.TAKE, ("ours", "a/b.py"))),
        ("/syncline take THEIRS `a b`.py", Command(Kind.TAKE, ("theirs", "`a b`.py"))),
        ("/syncline take theirs `a b.py`", Command(Kind.TAKE, ("theirs", "a b.py"))),
        ('/syncline take theirs "a b.py" ', Command(Kind.TAKE, ("theirs", "a b.py"))),
        (
            "/syncline waive 8e809eaf9a36 because it moved to b.py",
            Command(Kind.WAIVE, ("8e809eaf9a36", "it moved to b.py")),
        ),
    ],
)
def test_orders(line: str, wanted: Command) -> None:
    assert parse(line) == (wanted,)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("/syncline", "wanted one of retry"),
        ("/syncline merge", "not one of retry"),
        ("/syncline retry please", "retry takes nothing after it"),
        ("/syncline take a.py", "wanted take ours PATH"),
        ("/syncline take ours", "wanted take ours PATH"),
        ("/syncline take ours ``", "wanted take ours PATH"),
        ("/syncline waive 8e809eaf9a36", "wanted waive ID because REASON"),
        ("/syncline waive 8e809eaf9a36 because  ", "wanted waive ID because REASON"),
        ("/syncline waive a b because c", "wanted waive ID because REASON"),
    ],
)
def test_what_is_no_order_but_looks_like_one(line: str, why: str) -> None:
    (read,) = parse(line)
    assert isinstance(read, Misread)
    assert read.line == line.rstrip() or read.line == line
    assert read.why.startswith(why)


@pytest.mark.parametrize(
    "body",
    [
        "",
        "please /syncline retry",
        " /syncline retry",
        "\t/syncline retry",
        "/synclines retry",
        "/syncline-bot retry",
        "- /syncline retry",
        "`/syncline retry`",
        "```\n/syncline retry\n```",
        "```sh\n/syncline retry",
        "````\n```\n/syncline retry\n````",
        "~~~\n```\n/syncline retry\n~~~",
        "   ```\n/syncline retry\n   ```",
        "> /syncline retry",
        "> so you say\n/syncline retry",
        "> a\n>\n> b\n/syncline retry",
        "> a\n```\n\n/syncline retry\n```",
        "<!--\n/syncline retry\n-->",
        "see <!-- hidden\n/syncline retry\n--> this",
        "<pre>\n/syncline retry\n\n</pre>",
        "it says <code>\n/syncline retry\n</code>",
        "<blockquote>\n\n/syncline retry\n</blockquote>",
        "say `now\n/syncline retry\n` to me",
    ],
)
def test_what_is_not_said_by_the_author_to_us(body: str) -> None:
    assert parse(body) == ()


@pytest.mark.parametrize(
    "body",
    [
        "Thanks!\n/syncline retry",
        "Thanks!\r\n/syncline retry\r\n",
        "> so you say\n\n/syncline retry",
        "```\n/syncline abort\n```\n/syncline retry",
        "```\n/syncline abort\n````\n/syncline retry",
        "``` a`b\n/syncline retry",
        "<!-- a -->\n/syncline retry",
        "<!--\n/syncline abort\n-->\n/syncline retry",
        "a `<!--` b\n/syncline retry",
        "a ` b\n\n/syncline retry\n\nc ` d",
        "<pre>a</pre>\n/syncline retry",
        "<precious>\n/syncline retry",
        "a `<pre>` b\n/syncline retry",
        "a < b\n/syncline retry",
    ],
)
def test_what_is(body: str) -> None:
    assert parse(body) == (RETRY,)


def test_several_in_their_order() -> None:
    body = "/syncline take ours a\n/syncline take theirs b\n\ntext\n/syncline nonsense\n/syncline retry"
    take, other, misread, retry = parse(body)
    assert (take, other) == (Command(Kind.TAKE, ("ours", "a")), Command(Kind.TAKE, ("theirs", "b")))
    assert isinstance(misread, Misread)
    assert retry == RETRY


def test_the_help_orders_nothing_and_tells_of_all() -> None:
    assert parse(HELP) == ()
    assert all(f"/syncline {kind}" in HELP for kind in Kind)


PIECES = st.sampled_from([
    "/syncline", "/syncline retry", "/syncline take ours ", " ", "\n", "\r\n", "`", "```", "~~~", "> ", "<!--",
    "-->", "<pre>", "</pre>", "x", "because", "\t", "\x00", "\u2028",
])  # fmt: skip


@given(st.one_of(st.text(), st.lists(PIECES).map("".join)))
def test_any_text_is_read(body: str) -> None:
    at_starts = [line for line in body.replace("\r", "\n").split("\n") if line.casefold().startswith("/syncline")]
    assert len(parse(body)) <= len(at_starts)


@given(st.lists(PIECES).map("".join))
def test_whatever_is_quoted_orders_nothing(body: str) -> None:
    lines = body.replace("\r", "\n").split("\n")
    assert parse("\n".join(f"> {line}" for line in lines)) == ()
    assert parse("\n".join(f"    {line}" for line in lines)) == ()
    fence = "`" * (len(body) + 3)
    assert parse(f"{fence}\n{body}\n{fence}") == ()


@given(st.lists(PIECES).map("".join))
def test_a_quotation_before_takes_no_order_away(body: str) -> None:
    quoted = "\n".join(f"> {line}" for line in body.replace("\r", "\n").split("\n"))
    assert parse(f"{quoted}\n\n/syncline retry") == (RETRY,)
