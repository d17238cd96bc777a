"""Who is asked about which file: never a text put together of both sides where a tool writes the file."""

import pytest

from syncline.merge.alignment import squeezed
from syncline.merge.case import FileCase
from syncline.merge.model import Evidence
from syncline.merge.proposal import Proposal
from syncline.merge.proposals import propose_all
from testing.cases import file_case

BASE = b'{\n  "a": 1,\n  "b": 2\n}\n'
OURS = b'{\n  "a": 10,\n  "b": 2\n}\n'
THEIRS = b'{\n  "a": 1,\n  "b": 20\n}\n'
BOTH = (b'  "a": 10,\n', b'  "b": 20\n')

LOCKS = [
    b"package-lock.json", b"web/yarn.lock", b"uv.lock", b"poetry.lock", b"Cargo.lock", b"go.sum", b"composer.lock",
    b"pnpm-lock.yaml", b"Pipfile.lock", b"flake.lock",
]  # fmt: skip
GENERATED = [
    b"tests/__snapshots__/a.json",
    b"locales/de.json",
    b"golden_values.json",
    b"i18n/a.yml",
    b"a.pb.go",
    b"a.min.js",
]


def texts(case: FileCase) -> set[bytes]:
    """What is offered, but for white space."""
    return {squeezed(b"".join(offer.lines)) for offer in propose_all(case)}


def test_where_people_write_both_changes_are_put_together() -> None:
    assert squeezed(b"".join(BOTH)) in texts(file_case(BASE, OURS, THEIRS, b"conf/a.json"))


@pytest.mark.parametrize("path", LOCKS)
def test_nothing_is_offered_for_a_lock_file(path: bytes) -> None:
    assert texts(file_case(BASE, OURS, THEIRS, path)) == set()
    assert texts(file_case(BASE, OURS, BASE, path)) == set()


@pytest.mark.parametrize("path", GENERATED)
def test_in_a_generated_file_only_a_side_is_offered(path: bytes) -> None:
    case = file_case(BASE, OURS, THEIRS, path)
    assert case.hunks
    assert texts(case) <= {squeezed(b"".join(side)) for hunk in case.hunks for side in (hunk.ours, hunk.theirs)}


def test_a_side_is_offered_there_with_its_evidence() -> None:
    ours, theirs = b'{\n  "a": 1,\n  "b": 3\n}\n', b'{\n  "a":   1,\n  "b":   2\n}\n'
    case = file_case(BASE, ours, theirs, b"locales/de.json")
    assert texts(case) == {b'"a":1,"b":3'}


def test_who_is_asked_beside_the_resolvers_may_be_its_tool() -> None:
    def tool(_: FileCase) -> list[Proposal]:
        return [Proposal(0, BOTH, "driver:tool", (Evidence("made anew"),))]

    case = file_case(BASE, OURS, THEIRS, b"locales/de.json")
    assert [offer.resolver for offer in propose_all(case, None, tool) if offer.lines == BOTH] == ["driver:tool"]
