import pytest

from syncline.git import BlobId, CommitId, Repository
from syncline.git.versions import Version
from syncline.merge import past_versions
from syncline.merge.model import Side
from syncline.merge.past_versions import PastVersions
from testing.builder import RepositoryBuilder


def version(blob: str, date: str = "2024-05-01T10:00:00+00:00") -> Version:
    return Version(BlobId(blob), CommitId("12" * 20), date, "Ann", "subject")


def test_a_missing_text_ends_the_story(builder: RepositoryBuilder) -> None:
    builder.branch("main").commit("start", {"a": "1\n"})
    built = builder.finish()
    here = built.entries(built["main"])[b"a"].oid
    with Repository.open(built.path) as repository:
        known = {b"a": [version(here), version("ab" * 20), version(here)], b"b": [version(here)]}
        history = PastVersions(repository, {}, known, {})
        assert [text for _, text in history.texts(b"a", Side.OURS)] == [b"1\n"]
        assert [text for _, text in history.texts(b"b", Side.OURS)] == [b"1\n"]


def test_so_much_is_read_and_no_more(builder: RepositoryBuilder, monkeypatch: pytest.MonkeyPatch) -> None:
    builder.branch("main").commit("start", {"a": "1\n"})
    built = builder.finish()
    here = built.entries(built["main"])[b"a"].oid
    monkeypatch.setattr(past_versions, "_FILE_BYTES", 8)
    monkeypatch.setattr(past_versions, "_MERGE_BYTES", 6)
    with Repository.open(built.path) as repository:
        history = PastVersions(repository, {}, {b"a": [version(here)] * 5}, {b"a": [version(here)] * 5})
        assert len(list(history.texts(b"a", Side.OURS))) == 2
        assert list(history.texts(b"a", Side.THEIRS)) == []


def test_versions_of_two_names_are_sorted_by_time(builder: RepositoryBuilder) -> None:
    builder.branch("main").commit("start", {"a": "1\n"})
    built = builder.finish()
    early, late = version("ab" * 20, "2024-05-01T10:00:00+05:00"), version("cd" * 20, "2024-05-01T07:00:00+00:00")
    odd = version("ef" * 20, "of old")
    with Repository.open(built.path) as repository:
        history = PastVersions(repository, {b"a": (b"a", b"b")}, {b"a": [early, odd], b"b": [late]}, {})
        assert history.versions(b"a", Side.OURS) == [late, early, odd]
