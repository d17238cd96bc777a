"""Commits: reading them, and writing new ones with identity, date and signature."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone

from syncline.git.oid import CommitId, TreeId
from syncline.git.repository import Repository
from syncline.git.trailers import parse_trailers


@dataclass(frozen=True, slots=True)
class Person:
    """A name and an e-mail address."""

    name: str
    email: str

    def __str__(self) -> str:
        return f"{self.name} <{self.email}>"


@dataclass(frozen=True, slots=True)
class Signature:
    """How to sign a commit: git's `gpg.format` and the key it takes."""

    format: str
    key: str


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit, decoded. `message` keeps everything after the header."""

    oid: CommitId
    tree: TreeId
    parents: tuple[CommitId, ...]
    author: Person
    authored: int
    """Seconds since 1970."""
    committer: Person
    committed: int
    message: str
    signed: bool = False

    @property
    def subject(self) -> str:
        """The first line of the message."""
        return self.message.lstrip("\n").partition("\n")[0].strip()

    @property
    def when(self) -> datetime:
        """The commit date, in UTC."""
        return datetime.fromtimestamp(self.committed, tz=timezone.utc)  # noqa: UP017 - reads the same in 3.11

    def trailers(self, name: str) -> tuple[str, ...]:
        """Return the values of the trailers called `name`, in order (see `trailers.parse_trailers`)."""
        wanted = name.casefold()
        return tuple(value for found, value in parse_trailers(self.message) if found.casefold() == wanted)

    def trailer(self, name: str) -> str | None:
        """Return the first trailer called `name`, None when there is none."""
        return next(iter(self.trailers(name)), None)


_PERSON = re.compile(r"(?P<name>.*?) ?<(?P<email>[^>]*)> (?P<time>-?\d+)")


def parse_commit(oid: CommitId, content: bytes) -> Commit:
    """Read the content of a commit object. Text that is not UTF-8 is kept readable, never refused."""
    head, _, message = content.partition(b"\n\n")
    fields: dict[str, list[str]] = {}
    name = ""
    for line in head.decode("utf-8", "replace").split("\n"):
        if line.startswith(" "):
            fields[name][-1] += line
            continue
        name, _, value = line.partition(" ")
        fields.setdefault(name, []).append(value)
    encoding = fields.get("encoding", ["utf-8"])[0]
    author, authored = _person(fields.get("author", [""])[0])
    committer, committed = _person(fields.get("committer", [""])[0])
    return Commit(
        oid=oid,
        tree=TreeId(fields["tree"][0]),
        parents=tuple(CommitId(parent) for parent in fields.get("parent", [])),
        author=author,
        authored=authored,
        committer=committer,
        committed=committed,
        message=_decode(message, encoding),
        signed="gpgsig" in fields or "gpgsig-sha256" in fields,
    )


def _decode(message: bytes, encoding: str) -> str:
    try:
        return message.decode(encoding, "replace")
    except (LookupError, ValueError):  # no such encoding, or one that is no plain text encoding (idna)
        return message.decode("utf-8", "replace")


def _person(text: str) -> tuple[Person, int]:
    found = _PERSON.match(text)
    if found is None:
        return Person(text, ""), 0
    return Person(found["name"].strip(), found["email"]), int(found["time"])


def read_commit(repository: Repository, oid: CommitId) -> Commit:
    """Return one commit."""
    return parse_commit(oid, repository.commit_object(oid))


def read_commits(repository: Repository, oids: Iterable[CommitId]) -> list[Commit]:
    """Return several commits in the order asked."""
    wanted = list(oids)
    contents = repository.objects.read_all(wanted)
    return [parse_commit(oid, content) for oid, (_, content) in zip(wanted, contents, strict=True)]


def write_commit(
    repository: Repository,
    *,
    tree: TreeId,
    parents: Sequence[CommitId],
    message: str,
    author: Person,
    committer: Person,
    when: datetime,
    signature: Signature | None = None,
) -> CommitId:
    """Write a commit object and return its id. No ref moves, no hook runs.

    Args:
        repository: where.
        tree: its tree.
        parents: its parents, the first one first.
        message: the whole message, trailers included.
        author: who made the change.
        committer: who wrote the commit.
        when: both dates; an aware datetime.
        signature: sign with this key; None leaves it unsigned.

    Raises:
        GitError: when the key cannot sign.
    """
    date = f"@{int(when.timestamp())} {when:%z}"  # the @: a small number alone is no date to git
    identity = {
        "GIT_AUTHOR_NAME": author.name,
        "GIT_AUTHOR_EMAIL": author.email,
        "GIT_AUTHOR_DATE": date,
        "GIT_COMMITTER_NAME": committer.name,
        "GIT_COMMITTER_EMAIL": committer.email,
        "GIT_COMMITTER_DATE": date,
    }
    switches: list[str] = []
    signing: list[str] = []
    if signature is not None:
        switches = ["-c", f"gpg.format={signature.format}", "-c", f"user.signingKey={signature.key}"]
        signing = [f"-S{signature.key}"]
    parent_arguments = [word for parent in parents for word in ("-p", parent)]
    done = repository.sealed(
        *switches,
        "commit-tree",
        *signing,
        *parent_arguments,
        tree,
        input=message.encode("utf-8", "surrogateescape"),
        extra=identity,
    )
    return CommitId.from_bytes(done.stdout)
