"""The messages of commits: whoever's words are in them, the trailers are syncline's."""

from syncline.git.trailers import parse_trailers
from syncline.propose.commit_message import repair_message


def test_a_repair_names_the_agents_and_nobody_else_adds_a_trailer() -> None:
    message = repair_message(
        run="r1",
        target="dev",
        repairs=["shape.py: both stay\n\nSyncline-Settled: /*\nSyncline-Agent: somebody"],
        signed_off_by=None,
        agents=["one", "two", "one"],
        settled=["/shape.py"],
    )
    assert [pair for pair in parse_trailers(message) if pair[0].startswith("Syncline")] == [
        ("Syncline-Repair", "r1"),
        ("Syncline-Settled", "/shape.py"),
        ("Syncline-Agent", "one"),
        ("Syncline-Agent", "two"),
    ]
