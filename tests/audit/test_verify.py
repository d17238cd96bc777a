import hashlib
from collections.abc import Sequence
from dataclasses import replace

import pytest

from syncline.audit.finding import EvidenceCommit, Finding, Severity
from syncline.audit.open_conflicts import has_markers
from syncline.audit.verify import verify
from syncline.config.models import CoupledSet, Lane, PathRule, Signing
from syncline.git import CommitId, Repository
from syncline.git.commit import read_commit
from testing.blobs import Files
from testing.builder import RepositoryBuilder
from testing.repository import BuiltRepository

MARKED = "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> topic\n"
START = {"a.py": "a = 1\n", "b.py": "b = 1\n", "lock": "1\n", "toml": "1\n", "doc.rst": "Doc\n===\n"}


def lane(*, protect: Sequence[str] = (), coupled: Sequence[str] = (), signing: bool = False) -> Lane:
    return Lane(
        name="nightly",
        source="main",
        target="dev",
        paths=(PathRule(match=tuple(protect), take="protect", line=4),) if protect else (),
        coupled=(CoupledSet(name="lock", paths=tuple(coupled), take="together", line=6),) if coupled else (),
        signing=Signing(format="ssh", key="/key") if signing else None,
    )


def synced(
    builder: RepositoryBuilder,
    ours: Files,
    theirs: Files,
    merged: Files,
    *,
    trailers: dict[str, str] | None = None,
) -> BuiltRepository:
    """Dev merges main; `merged` is what the merge commit has of the paths it names."""
    dev = builder.branch("dev")
    dev.commit("start", START)
    main = dev.branch("main")
    dev.commit("ours", {"ours.txt": "1\n"} | dict(ours))
    main.commit("theirs", {"theirs.txt": "1\n"} | dict(theirs))
    dev.merge(main, "sync", merged, take="ours", trailers=trailers or {})
    return builder.finish()


def found(built: BuiltRepository, policy: Lane | None = None, head: str | None = None) -> list[Finding]:
    with Repository.open(built.path) as repository:
        merge = read_commit(repository, CommitId(built.oid("sync")))
        findings = verify(repository, policy, merge, None if head is None else CommitId(built.oid(head)))
    assert all(finding.severity is Severity.STOP for finding in findings)
    return list(findings)


def kinds(findings: Sequence[Finding]) -> list[tuple[str, bytes, int | None]]:
    return [(finding.kind, finding.path, finding.line) for finding in findings]


# What ours, theirs and the merge have, and what is found.
CASES: dict[str, tuple[Files, Files, Files, list[tuple[str, bytes, int | None]]]] = {
    "nothing wrong": ({}, {"a.py": "a = 2\n"}, {}, []),
    "markers left": (
        {"a.txt": "1\n"}, {"a.txt": "2\n"}, {"a.txt": "top\n" + MARKED}, [("conflict-markers", b"a.txt", 2)],
    ),
    "markers with CRLF": (
        {"a.txt": "1\n"}, {"a.txt": "2\n"}, {"a.txt": MARKED.replace("\n", "\r\n")},
        [("conflict-markers", b"a.txt", 1)],
    ),
    "markers in a binary file": (
        {"a": b"\0"}, {"a": b"\1"}, {"a": b"\0\n" + MARKED.encode()}, [("conflict-markers", b"a", 2)],
    ),
    "markers a side had itself": ({"a.txt": MARKED}, {"a.txt": "2\n"}, {"a.txt": MARKED + "2\n"}, []),
    "titles underlined as markers are": (
        {"doc.rst": "Title\n=======\n"}, {"doc.rst": "Other\n=======\n"},
        {"doc.rst": "Title\n=======\nOther\n=======\n"}, [],
    ),
    "only an opening marker": ({"a.txt": "1\n"}, {"a.txt": "2\n"}, {"a.txt": "<<<<<<< x\n"}, []),
    "longer lines of arrows": ({"a.txt": "1\n"}, {"a.txt": "2\n"}, {"a.txt": "<<<<<<<< x\n>>>>>>>> y\n"}, []),
    "does not compile": (
        {"a.py": "a = 2\n"}, {"a.py": "a = 3\n"}, {"a.py": "a = 2\ndef f(:\n"}, [("does-not-compile", b"a.py", 2)],
    ),
    "a parameter twice": (
        {"a.py": "def f(x, y): pass\n"}, {"a.py": "def f(x, z): pass\n"}, {"a.py": "def f(x, y, x): pass\n"},
        [("does-not-compile", b"a.py", 1)],
    ),
    "a side did not compile either": ({"a.py": "def f(:\n"}, {"a.py": "a = 3\n"}, {"a.py": "def g(:\n"}, []),
    "null bytes": (
        {"a.py": "a = 2\n"}, {"a.py": "a = 3\n"}, {"a.py": b"a = 1\0\n"}, [("does-not-compile", b"a.py", None)],
    ),
    "nested beyond all measure": (
        {"a.py": "a = 2\n"}, {"a.py": "a = 3\n"}, {"a.py": "(" * 5000 + ")" * 5000 + "\n"},
        [("does-not-compile", b"a.py", 1)],
    ),
    "not UTF-8": (
        {"a.py": "a = 2\n"}, {"a.py": "a = 3\n"}, {"a.py": b"a = '\xe9'\n"}, [("does-not-compile", b"a.py", 1)],
    ),
    "a coding that is said": (
        {"a.py": "a = 2\n"}, {"a.py": "a = 3\n"}, {"a.py": b"# coding: latin-1\na = '\xe9'\n"}, [],
    ),
    "warnings are no errors": ({"a.py": "a = 2\n"}, {"a.py": "a = 3\n"}, {"a.py": "a = '\\d' is 3\n"}, []),
    "another language": ({"a.js": "1\n"}, {"a.js": "2\n"}, {"a.js": "def f(:\n"}, []),
    "a stub": (
        {"a.pyi": "a: int\n"}, {"a.pyi": "b: int\n"}, {"a.pyi": "def f(:\n"}, [("does-not-compile", b"a.pyi", 1)],
    ),
    "new in the merge": ({}, {}, {"new.py": "def f(:\n"}, [("does-not-compile", b"new.py", 1)]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_the_merge_alone_broke(name: str, builder: RepositoryBuilder) -> None:
    ours, theirs, merged, expected = CASES[name]
    built = synced(builder, ours, theirs, merged)
    if name == "nested beyond all measure":
        # Which error the compiler has for it depends on the version of Python.
        assert [finding.kind for finding in found(built)] == ["does-not-compile"]
        return
    assert kinds(found(built)) == expected


def test_the_head_is_judged_not_the_merge(builder: RepositoryBuilder) -> None:
    built = synced(builder, {"a.py": "a = 2\n"}, {"a.py": "a = 3\n"}, {"a.py": "def f(:\n"})
    build = RepositoryBuilder.resume(built)
    build.branch("dev").commit("repair", {"a.py": "a = 23\n"})
    built = build.finish()
    assert kinds(found(built)) == [("does-not-compile", b"a.py", 1)]
    assert kinds(found(built, head="repair")) == []


# merged, protect, expected paths
PROTECTED: dict[str, tuple[Files, Sequence[str], list[bytes]]] = {
    "as target has it": ({}, ["lock"], []),
    "changed": ({"lock": "3\n"}, ["lock"], [b"lock"]),
    "taken from source": ({"lock": "2\n"}, ["lock"], [b"lock"]),
    "another file": ({"toml": "3\n"}, ["lock"], []),
    "a new file below": ({"docs/new": "1\n"}, ["docs/"], [b"docs/new"]),
    "two": ({"lock": "3\n", "toml": "3\n"}, ["lock", "toml"], [b"lock", b"toml"]),
}


@pytest.mark.parametrize("name", PROTECTED)
def test_protected_paths(name: str, builder: RepositoryBuilder) -> None:
    merged, patterns, expected = PROTECTED[name]
    built = synced(builder, {}, {"lock": "2\n"}, {"lock": "1\n"} | dict(merged))
    findings = found(built, lane(protect=patterns))
    assert [(finding.kind, finding.path) for finding in findings] == [
        ("protected-path", path) for path in expected
    ]
    for finding in findings:
        assert "syncline.toml:4" in finding.message
        assert finding.evidence == (EvidenceCommit(CommitId(built.oid("ours")), "target's version"),)
    assert found(built) == []


def test_an_earlier_rule_lifts_the_protection(builder: RepositoryBuilder) -> None:
    built = synced(builder, {}, {"lock": "2\n"}, {"lock": "2\n"})
    policy = lane(protect=["lock"])
    free = PathRule(match=("lock",), take="theirs", line=1)
    assert found(built, policy.model_copy(update={"paths": (free, *policy.paths)})) == []


# ours, theirs, merged, split?
COUPLED: dict[str, tuple[Files, Files, Files, bool]] = {
    "all of source": ({}, {"lock": "2\n", "toml": "2\n"}, {"lock": "2\n", "toml": "2\n"}, False),
    "all of target": ({}, {"lock": "2\n", "toml": "2\n"}, {"lock": "1\n", "toml": "1\n"}, False),
    "one of each": ({}, {"lock": "2\n", "toml": "2\n"}, {"lock": "2\n", "toml": "1\n"}, True),
    "each side moved one, both taken": ({"toml": "3\n"}, {"lock": "2\n"}, {"lock": "2\n", "toml": "3\n"}, True),
    "one written by hand beside target's": (
        {}, {"lock": "2\n", "toml": "2\n"}, {"lock": "4\n", "toml": "1\n"}, True,
    ),
    "a lock made anew for source's": (
        {}, {"lock": "2\n", "toml": "2\n"}, {"lock": "4\n", "toml": "2\n"}, False,
    ),
    "equal files do not count": (
        {"toml": "2\n"}, {"lock": "2\n", "toml": "2\n"}, {"lock": "2\n", "toml": "2\n"}, False,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", COUPLED)
def test_coupled_sets(name: str, builder: RepositoryBuilder) -> None:
    ours, theirs, merged, split = COUPLED[name]
    built = synced(builder, ours, theirs, merged)
    findings = found(built, lane(coupled=["lock", "toml"]))
    assert [finding.kind for finding in findings] == (["coupled-set-split"] if split else [])
    assert all("coupled set 'lock' (syncline.toml:6)" in finding.message for finding in findings)


def topology(built: BuiltRepository, label: str, policy: Lane | None = None) -> list[str]:
    with Repository.open(built.path) as repository:
        merge = read_commit(repository, CommitId(built.oid(label)))
        return [f"{finding.kind}: {finding.message}" for finding in verify(repository, policy, merge)]


def test_a_commit_that_is_no_merge(builder: RepositoryBuilder) -> None:
    built = synced(builder, {}, {}, {})
    assert "has two parents" in topology(built, "ours")[0]
    assert topology(built, "start")[0].startswith("parents:")


def test_trailers_that_name_other_parents(builder: RepositoryBuilder) -> None:
    built = synced(builder, {}, {}, {}, trailers={"Syncline-Target": "1" * 40, "Syncline-Source": "2" * 40})
    assert "name other parents" in topology(built, "sync")[0]


def test_trailers_that_name_the_parents(builder: RepositoryBuilder) -> None:
    dev = builder.branch("dev")
    dev.commit("start", START)
    main = dev.branch("main")
    ours, theirs = dev.commit("ours", {"o": "1\n"}), main.commit("theirs", {"t": "1\n"})
    dev.merge(main, "sync", trailers={"Syncline-Target": ours.oid, "Syncline-Source": theirs.oid})
    dev.merge(main, "swapped", swap_parents=True, tree_of=dev)
    built = builder.finish()
    assert topology(built, "sync") == []
    assert "already contained" not in " ".join(topology(built, "sync"))


def test_nothing_was_imported(builder: RepositoryBuilder) -> None:
    dev = builder.branch("dev")
    start = dev.commit("start", START)
    dev.commit("ours", {"o": "1\n"})
    dev.merge(start, "sync")
    assert "nothing was imported" in topology(builder.finish(), "sync")[0]


@pytest.mark.parametrize(("reverts", "gone"), [(0, False), (1, True), (2, False), (3, True), (4, False)])
def test_an_import_that_was_reverted(builder: RepositoryBuilder, reverts: int, *, gone: bool) -> None:
    dev = builder.branch("dev")
    dev.commit("start", START)
    main = dev.branch("main")
    dev.commit("ours", {"o": "1\n"})
    main.commit("theirs", {"t": "1\n"})
    newest, head = dev.merge(main, "sync"), "sync"
    for number in range(reverts):
        # With a note each, so that no tree is target's again: only the words tell.
        head = f"Revert {number}"
        newest = dev.commit(f"{head}\n\nThis reverts commit {newest.oid}.", {"note": f"{number}\n"})
    assert [kind for kind, _, _ in kinds(found(builder.finish(), head=head))] == ["import-undone"] * gone


def test_a_signature_that_is_asked_for(builder: RepositoryBuilder) -> None:
    built = synced(builder, {}, {}, {})
    assert topology(built, "sync", lane(signing=True))[0].startswith("unsigned:")
    assert topology(built, "sync", lane()) == []


FINDING = Finding("kind", Severity.FIX, b"a.py", "message", line=3, symbol="f", side="ours", text=("x = 1",))


def test_an_id_stays_when_lines_and_commits_move() -> None:
    again = Finding(
        "kind", Severity.STOP, b"a.py", "other words", line=99, symbol="f", side="ours", text=("x = 1",),
        evidence=(EvidenceCommit(CommitId("1" * 40), "why"),), suggestion="do it",
    )  # fmt: skip
    assert again.id == FINDING.id
    assert FINDING.id == hashlib.sha256(b"\0f\0a.py").hexdigest()[:12]
    # Which audit saw it first, and how much of the text it shows, is no matter where the symbol is known.
    assert replace(FINDING, side="theirs", text=("x = 2",)).id == FINDING.id


def test_an_id_tells_findings_apart() -> None:
    nameless = replace(FINDING, symbol="")
    others = [
        replace(FINDING, path=b"caf\xe9"),
        replace(FINDING, symbol="g"),
        nameless,
        replace(nameless, side="theirs"),
        replace(nameless, kind="other"),
        replace(FINDING, nth=1),
        replace(nameless, text=("x = \udcff",)),
    ]
    assert len({finding.id for finding in (FINDING, *others)}) == 8


def test_the_public_shape() -> None:
    assert FINDING.as_json() == {
        "id": FINDING.id, "kind": "kind", "severity": "fix", "path": "a.py", "line": 3, "symbol": "f",
        "side": "ours", "message": "message", "evidence": [], "text": ["x = 1"], "suggestion": None,
    }  # fmt: skip
    odd = Finding("kind", Severity.LOOK, b"caf\xe9", "m", evidence=(EvidenceCommit(CommitId("1" * 40), "w"),))
    assert odd.as_json()["path"] == "caf\\xe9"
    assert odd.as_json()["evidence"] == [{"sha": "1" * 40, "why": "w"}]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (MARKED.encode(), True),
        (b"", False),
        (b"=======\n", False),
        (b"<<<<<<<\n>>>>>>>", True),
        (b"  <<<<<<< x\n>>>>>>> y\n", False),
        (b"x <<<<<<< x\nx >>>>>>> y\n", False),
        (b">>>>>>> y\n>>>>>>> y\n", False),
    ],
)
def test_markers(content: bytes, *, expected: bool) -> None:
    assert has_markers(content) is expected
