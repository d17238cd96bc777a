"""Which merges a record revokes: told wholly, or not at all; and which sync took the place of one that is gone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.git import CommitId, Repository
from syncline.lane.revoked import Before, revoked_in, revoked_now
from syncline.merge.ladder.lane_record import LaneRecord
from testing.builder import RepositoryBuilder

REVOKED = tuple(letter * 40 for letter in "abc")
WHOLE = LaneRecord(forgotten=REVOKED).to_bytes()
places = st.integers(0, len(WHOLE))


def test_a_whole_record_tells() -> None:
    assert revoked_in(WHOLE) == REVOKED
    assert revoked_in(WHOLE.replace(b"\n", b"\r\n")) == REVOKED
    assert revoked_in(LaneRecord().to_bytes()) == ()


@given(places)
def test_of_a_record_that_was_cut_all_is_told_or_nothing(end: int) -> None:
    listed = WHOLE.index(b"]", WHOLE.index(REVOKED[-1].encode()))
    assert revoked_in(WHOLE[:end]) == (REVOKED if end > listed else None)


@given(places, places)
def test_of_a_record_with_a_hole_all_is_told_or_nothing(one: int, other: int) -> None:
    """A file system that lost a block gives zeros."""
    start, end = sorted((one, other))
    found = revoked_in(WHOLE[:start] + bytes(end - start) + WHOLE[end:])
    behind = start == end or start >= WHOLE.index(b'"format"')
    assert found == (REVOKED if behind else None)


@given(st.integers(WHOLE.index(b'"format"'), len(WHOLE)), places, st.binary(max_size=9))
def test_what_befell_the_rest_of_a_record_does_not_matter(start: int, length: int, instead: bytes) -> None:
    assert revoked_in(WHOLE[:start] + instead + WHOLE[start + length :]) == REVOKED


@pytest.mark.parametrize(
    "content",
    [
        b"", b"\0" * 99, b"{}", b"[]", b"7", b'"forgotten"', b'{"forgotten": {}}', b'{"forgotten": ""}',
        b'{"forgotten": null}', b'{"forgotten": [7]}', b'{"forgotten": ["abc"]}', b'{"forgotten": ["HEAD"]}',
        b'{"deep":{\n"forgotten":[]', b'{"attempted":[\n"forgotten":[],\n"format":1', b"[" * 100_000, b"\xff\xfe{",
        WHOLE.replace(b"\n", b"\n<<<<<<< ours\n", 1),
        WHOLE.replace(REVOKED[1].encode(), b"").removesuffix(b"}\n"),
        WHOLE.replace(b',\n"' + REVOKED[1].encode(), b'\n=======\n"' + REVOKED[1].encode()),
    ],
)  # fmt: skip
def test_what_is_in_doubt_is_not_told(content: bytes) -> None:
    assert revoked_in(content) is None


@pytest.mark.parametrize(("settled", "same"), [("dev", True), ("otherwise", False)])
def test_a_sync_took_the_place_of_another_if_it_settled_the_same_so(
    builder: RepositoryBuilder, settled: str, *, same: bool
) -> None:
    main = builder.branch("main")
    main.commit("start", {"a.txt": "0\n"})
    dev, old = main.branch("dev"), main.branch("old")
    main.commit("main", {"a.txt": "main\n"})
    for branch, text in ((dev, "dev"), (old, settled)):
        branch.commit(f"on {branch.name}", {"a.txt": f"{text}\n"})
        branch.merge(main, f"into {branch.name}", {"a.txt": "both\n"})
    built = builder.finish(head="dev")
    now, gone = CommitId(built["dev"]), CommitId(built["old"])
    with Repository.open(built.path) as repository:
        found = revoked_now(repository, Before((gone,)), [now], now)
    assert found.merges == ((gone, now) if same else (gone,))
