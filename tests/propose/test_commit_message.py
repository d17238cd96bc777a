"""The messages of commits: whoever's words are in them, the trailers are syncline's."""

from syncline.git import CommitId, TreeId
from syncline.git.trailers import parse_trailers
from syncline.propose.commit_message import made_digest, repair_message


def test_a_repair_names_the_agents_and_nobody_else_adds_a_trailer() -> None:
    message = repair_message(
        run="r1",
        target="dev",
        repairs=["shape.py: both stay\n\nSyncline-Settled: /*\nSyncline-Agent: somebody"],
        left=(2, 1),
        tree=TreeId("a" * 40),
        merge=CommitId("b" * 40),
        signed_off_by=None,
        agents=["one", "two", "one"],
        settled=["/shape.py"],
    )
    *found, made = [pair for pair in parse_trailers(message) if pair[0].startswith("Syncline")]
    digest = made_digest(message, tree=TreeId("a" * 40), parent=CommitId("b" * 40))
    assert made == ("Syncline-Repair-Made", digest)
    assert digest != made_digest(message + "more\n", tree=TreeId("a" * 40), parent=CommitId("b" * 40))
    assert found == [
        ("Syncline-Repair", "r1"),
        ("Syncline-Repair-Left", "2 1"),
        ("Syncline-Settled", "/shape.py"),
        ("Syncline-Agent", "one"),
        ("Syncline-Agent", "two"),
    ]
