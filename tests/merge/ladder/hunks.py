"""Hunks, what is proposed for them, and their facts, for the tests of the ladder."""

from collections.abc import Iterable

from syncline.merge.case import FileCase, HunkCase
from syncline.merge.ladder.facts import Candidate, Facts, facts_of_hunk
from syncline.merge.model import Evidence
from syncline.merge.proposal import Proposal
from testing.cases import file_case

MIDDLE = (b"x = 1\n", b"x = 2\n", b"x = f(1)\n")


def a_case(
    base: bytes = MIDDLE[0], ours: bytes = MIDDLE[1], theirs: bytes = MIDDLE[2], path: bytes = b"src/a.py"
) -> FileCase:
    """A conflict between two lines that stay."""
    return file_case(*(b"above = 0\n" + middle + b"below = 0\n" for middle in (base, ours, theirs)), path=path)


def a_hunk(**versions: bytes) -> HunkCase:
    """The only hunk of such a conflict."""
    (hunk,) = a_case(**versions).hunks
    return hunk


def proposes(text: bytes, resolver: str = "token-merge", *marks: str, hunk: int = 0) -> Proposal:
    """What a resolver might offer."""
    return Proposal(
        hunk, tuple(text.splitlines(keepends=True)), resolver, (Evidence(f"{resolver} says so"),), marks
    )


def facts(*proposals: Proposal, **versions: bytes) -> Facts:
    """The facts of such a hunk."""
    return facts_of_hunk(a_hunk(**versions), proposals)


def candidate(known: Facts, kind: str) -> Candidate:
    """The candidate of a kind."""
    return next(one for one in known.candidates if one.kind == kind)


def texts(candidates: Iterable[Candidate]) -> list[bytes]:
    """What they say, white space apart."""
    return [one.text for one in candidates]
