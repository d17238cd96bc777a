import shutil
import subprocess
import tempfile
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from syncline.errors import GitError
from syncline.git import CommitId, Repository
from syncline.git.commit import Commit, Person, Signature, parse_commit, read_commit, read_commits, write_commit
from testing.builder import RepositoryBuilder
from testing.repository import BuiltRepository
from testing.sealed import run_git
from tests.git.opened import opened, tip, tree_of

WHEN = datetime(2024, 2, 29, 23, 59, 58, tzinfo=timezone(timedelta(hours=5, minutes=30)))
ADA, BOB = Person("Ada Lovelace", "ada@example.org"), Person("Bøb", "bob@example.org")


@pytest.fixture
def built(builder: RepositoryBuilder) -> BuiltRepository:
    main = builder.branch("main")
    main.commit("start\n\nbody", {"a": "1\n"}, author="Ada <ada@example.org>", committer="Bob <bob@example.org>")
    main.commit("second", {"a": "2\n"}, trailers=[("Reviewed-by", "Eve"), ("reviewed-by", "Mallory")])
    return builder.finish()


def write(built: BuiltRepository, message: str = "message\n", *, signature: Signature | None = None) -> CommitId:
    with opened(built) as repository:
        return write_commit(
            repository,
            tree=tree_of(built, "main"),
            parents=[tip(built, "main")],
            message=message,
            author=ADA,
            committer=BOB,
            when=WHEN,
            signature=signature,
        )


FIELDS = "%T%n%P%n%an%n%ae%n%at%n%cn%n%ce%n%ct%n%B"


def by_git(built: BuiltRepository, oid: str) -> list[str]:
    return (
        built.git("log", "-1", "--no-show-signature", f"--format={FIELDS}", oid)
        .decode()
        .rstrip("\n")
        .split("\n", 8)
    )


def as_git_has_it(commit: Commit) -> list[str]:
    return [
        commit.tree, " ".join(commit.parents), commit.author.name, commit.author.email, str(commit.authored),
        commit.committer.name, commit.committer.email, str(commit.committed), commit.message.rstrip("\n"),
    ]  # fmt: skip


def test_reading_is_what_git_reads(built: BuiltRepository) -> None:
    oids = [CommitId(oid) for oid in built.text("rev-list", "main").split()]
    with opened(built) as repository:
        commits = read_commits(repository, iter(oids))
        assert [as_git_has_it(commit) for commit in commits] == [by_git(built, oid) for oid in oids]
        assert read_commit(repository, oids[0]) == commits[0]
        assert commits[0].when.timestamp() == commits[0].committed
    assert commits[1].subject == "start"
    assert commits[0].trailers("Reviewed-By") == ("Eve", "Mallory")
    assert commits[0].trailer("reviewed-by") == "Eve"
    assert commits[1].trailer("Reviewed-by") is None


def test_writing_says_all_that_was_asked(built: BuiltRepository) -> None:
    oid = write(built, "Überschrift\n\nbody\n\nKey: value\n")
    content = built.git("cat-file", "commit", oid)
    assert f"author {ADA} {int(WHEN.timestamp())} +0530".encode() in content
    assert f"committer {BOB} {int(WHEN.timestamp())} +0530".encode() in content
    assert content.endswith("\n\nÜberschrift\n\nbody\n\nKey: value\n".encode())
    assert built.text("rev-parse", "main") == built["main"]
    with opened(built) as repository:
        commit = read_commit(repository, oid)
    assert (commit.author, commit.committer, commit.trailer("key")) == (ADA, BOB, "value")
    assert not commit.signed
    assert write(built, "Überschrift\n\nbody\n\nKey: value\n") == oid


def test_the_first_seconds_of_1970_are_a_date(built: BuiltRepository) -> None:
    with opened(built) as repository:
        oid = write_commit(
            repository, tree=tree_of(built, "main"), parents=[], message="m", author=ADA, committer=BOB,
            when=datetime.fromtimestamp(5, tz=UTC),
        )  # fmt: skip
        assert read_commit(repository, oid).committed == 5


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"message": "a\0b"}, "NUL"),
        ({"author": Person("", "x@example.org")}, "empty ident name"),
        ({"tree": "1" * 40}, "not a valid object|unable"),
        ({"parents": ["1" * 40]}, "not a valid object|unable"),
    ],
)
def test_what_git_refuses(change: dict[str, object], words: str, built: BuiltRepository) -> None:
    values: dict[str, object] = {
        "tree": tree_of(built, "main"), "parents": [], "message": "m",
        "author": ADA, "committer": BOB, "when": WHEN,
    }  # fmt: skip
    with opened(built) as repository, pytest.raises(GitError, match=words):
        write_commit(repository, **(values | change))  # pyrefly: ignore[bad-argument-type]


OID = CommitId("1" * 40)
HEAD = b"tree " + b"2" * 40 + b"\n"
ODD: dict[str, tuple[bytes, str, str]] = {
    "Latin-1": (HEAD + b"author B\xe9a <b@x> 1 +0000\nencoding ISO-8859-1\n\nB\xe9a\n", "B�a", "Béa\n"),
    "encoding nobody knows": (HEAD + b"author A <a@x> 1 +0000\nencoding klingon\n\nx\xff\n", "A", "x�\n"),
    "no name": (HEAD + b"author <a@x> 1 +0000\n\nm", "", "m"),
    "no date": (HEAD + b"author A <a@x>\n\nm", "A <a@x>", "m"),
    "angle brackets": (HEAD + b"author A <B> <a@x> 1 +0000\n\nm", "A <B>", "m"),
    "no message": (HEAD + b"author A <a@x> 1 +0000\n", "A", ""),
    "no author": (HEAD + b"\nm", "", "m"),
    "a message that looks like a header": (
        HEAD + b"author A <a@x> 1 +0\n\ntree x\n\ngpgsig no",
        "A",
        "tree x\n\ngpgsig no",
    ),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_commits_are_readable(name: str) -> None:
    content, author, message = ODD[name]
    commit = parse_commit(OID, content)
    assert commit.message == message
    assert commit.author.name == author
    assert not commit.signed


TRAILERS = {
    "none": "subject\n\nbody\n",
    "one": "subject\n\nbody\n\nSigned-off-by: A <a@x>\n",
    "several": "s\n\nSigned-off-by: A\nFixes: #1\nFixes:#2\n",
    "another case": "s\n\nfixes: 1\nFIXES: 2\n",
    "not in the last paragraph": "s\n\nFixes: 1\n\nbody\n",
    "empty value": "s\n\nFixes:\n",
    "name is a prefix": "s\n\nFixes-also: 1\n",
    "blank lines after": "s\n\nFixes: 1\n\n\n",
    "subject only": "Fixes: 1\n",
}


@pytest.mark.parametrize("name", TRAILERS)
def test_trailers_are_gits_trailers(name: str, built: BuiltRepository) -> None:
    message = TRAILERS[name]
    commit = parse_commit(OID, HEAD + b"author A <a@x> 1 +0000\n\n" + message.encode())
    lines = built.git("interpret-trailers", "--parse", input=message.encode()).decode().splitlines()
    pairs = [line.partition(":") for line in lines]
    for key in ("Fixes", "Signed-off-by"):
        assert commit.trailers(key) == tuple(v.strip() for k, _, v in pairs if k.lower() == key.lower())


# --- signatures -------------------------------------------------------------------------------------------


def needed(program: str) -> str:
    found = shutil.which(program)
    if found is None:
        pytest.skip(f"{program} is not installed")
    return found


def test_an_ssh_signature_is_verified_by_git(built: BuiltRepository, tmp_path: Path) -> None:
    keygen = needed("ssh-keygen")
    key = tmp_path / "key"
    subprocess.run([keygen, "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    public = key.with_suffix(".pub").read_text()
    (tmp_path / "allowed").write_text(f"{BOB.email} {public}")
    oid = write(built, signature=Signature("ssh", str(key)))
    with opened(built) as repository:
        assert read_commit(repository, oid).signed
    switches = ("-c", f"gpg.ssh.allowedSignersFile={tmp_path / 'allowed'}")
    done = run_git(built.path, *switches, "verify-commit", oid)
    assert (done.returncode, b"Good" in done.stderr) == (0, True), done.stderr
    assert built.text("log", "-1", "--format=%s", oid) == "message"


def test_an_openpgp_signature_is_verified_by_git(built: BuiltRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    gpg, gpgconf = needed("gpg"), needed("gpgconf")
    home = Path(tempfile.mkdtemp())  # a short path: gpg's sockets need it
    home.chmod(0o700)
    monkeypatch.setenv("GNUPGHOME", str(home))
    try:
        made = subprocess.run(
            [gpg, "--batch", "--quiet", "--passphrase", "", "--quick-generate-key", str(BOB), "ed25519", "sign"],
            capture_output=True,
            check=False,
        )
        if made.returncode != 0:
            pytest.skip(f"gpg cannot make a key here: {made.stderr.decode()[-200:]}")
        oid = write(built, signature=Signature("openpgp", BOB.email))
        with opened(built) as repository:
            assert read_commit(repository, oid).signed
        verified = subprocess.run(
            [needed("git"), "-C", built.path, "verify-commit", oid], capture_output=True, check=False
        )
        assert verified.returncode == 0, verified.stderr
    finally:
        subprocess.run([gpgconf, "--kill", "all"], capture_output=True, check=False)
        shutil.rmtree(home, ignore_errors=True)


def test_a_key_that_cannot_sign(built: BuiltRepository, tmp_path: Path) -> None:
    needed("ssh-keygen")
    for key in (tmp_path / "missing", tmp_path / "no key"):
        if key.name == "no key":
            key.write_text("this is no key\n")
        with pytest.raises(GitError, match="commit-tree") as caught:
            write(built, signature=Signature("ssh", str(key)))
        assert str(key) in caught.value.message
    with pytest.raises(GitError, match="commit-tree"):
        write(built, signature=Signature("openpgp", "nobody@example.org"))


def test_the_configured_signing_program_is_not_run(built: BuiltRepository, tmp_path: Path) -> None:
    canary = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch '{canary}'\n")
    program.chmod(0o755)
    for key in ("gpg.program", "gpg.ssh.program", "gpg.openpgp.program"):
        built.git("config", key, str(program))
    built.git("config", "commit.gpgSign", "true")
    built.git("config", "user.signingKey", "x")
    assert not read_signed(built, write(built))
    with pytest.raises(GitError):
        write(built, signature=Signature("ssh", str(tmp_path / "missing")))
    assert not canary.exists()


def read_signed(built: BuiltRepository, oid: CommitId) -> bool:
    with Repository.open(built.path) as repository:
        return read_commit(repository, oid).signed
