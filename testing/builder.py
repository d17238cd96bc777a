r"""Builds real git repositories in a few lines that read like the story of their history.

    build = RepositoryBuilder(tmp_path / "repo")
    main = build.branch("main")
    main.commit("start", {"README.md": "hello\n", "run.sh": File("exit 0\n", executable=True)})
    dev = main.branch("dev")
    main.commit("rename", {"lib/a.py": Append("b = 1\n")}, move={"a.py": "lib/a.py"}, author="Ada")
    dev.merge(main, "Merge main")
    repo = build.finish()

The same story always gives the same commit ids. Everything goes through one `git fast-import`.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Literal, NotRequired, TypeAlias, TypedDict, Unpack

from testing.blobs import Blobs, Files, Moves
from testing.content import AnyPath, ObjectFormat, Replace, StoryError, Tree, merged_tree, put, to_bytes
from testing.fast_import import FastImport, data, tree_changes
from testing.history import Commit, merge_bases
from testing.repository import BuiltRepository
from testing.sealed import CLOCK, IDENTITY, git

Side = Literal["ours", "theirs"]


class CommitOptions(TypedDict):
    """What can be said about any commit beside its content."""

    author: NotRequired[str]
    """`Name <email>`, or a name alone; the tests' own identity when not given."""
    committer: NotRequired[str]
    """The same; the author when not given."""
    trailers: NotRequired[Mapping[str, str] | Sequence[tuple[str, str]]]
    """The message's last paragraph."""
    label: NotRequired[str]
    """The name by which `BuiltRepository.oid` finds the commit; the message's first line when not given."""


class Branch:
    """A branch that grows; empty, and not in the repository, until its first commit."""

    def __init__(self, builder: "RepositoryBuilder", name: str, tip: Commit | None) -> None:
        self._builder = builder
        self._tip = tip
        self.name = name

    @property
    def tip(self) -> Commit:
        """The newest commit."""
        if self._tip is None:
            raise StoryError(f"branch {self.name!r} has no commit yet")
        return self._tip

    def commit(
        self,
        message: str | bytes,
        files: Files | None = None,
        *,
        move: Moves | None = None,
        delete: Iterable[AnyPath] = (),
        **options: Unpack[CommitOptions],
    ) -> Commit:
        """Moves, deletes (files or whole directories), then writes files, in this order.

        A file written where a directory is takes its place, and the other way round.
        """
        before = self._tip.tree if self._tip else {}
        tree = self._builder.blobs.changed(before, files, move, delete)
        return self._add(message, tree, [], options)

    def edit(
        self,
        path: AnyPath,
        *,
        replace: tuple[str | bytes, str | bytes],
        message: str | bytes | None = None,
        **options: Unpack[CommitOptions],
    ) -> Commit:
        """A commit that replaces one piece of text in one file."""
        words = message or b"Edit " + to_bytes(path)
        return self.commit(words, {path: Replace(*replace)}, **options)

    def branch(self, name: str) -> "Branch":
        """A new branch from here."""
        return self._builder.branch(name, at=self)

    def merge(
        self,
        others: "Source | Sequence[Source]",
        message: str | bytes,
        files: Files | None = None,
        *,
        delete: Iterable[AnyPath] = (),
        take: Side | None = None,
        tree_of: "Source | None" = None,
        swap_parents: bool = False,
        **options: Unpack[CommitOptions],
    ) -> Commit:
        """A merge commit: what one side changed, and `files` and `delete` for what both did.

        `take` settles all files both changed; `tree_of` takes a whole tree as it is. With `swap_parents` this
        branch is the second parent, as after merging dev into main and moving dev there.
        """
        sources = _commits(others)
        tree = self._merged(sources, files, delete, take, tree_of)
        return self._add(message, tree, sources, options, swap_parents=swap_parents)

    def squash(
        self,
        other: "Source",
        message: str | bytes,
        files: Files | None = None,
        *,
        delete: Iterable[AnyPath] = (),
        take: Side | None = None,
        tree_of: "Source | None" = None,
        **options: Unpack[CommitOptions],
    ) -> Commit:
        """The tree of a merge in a commit that does not name its second parent."""
        return self._add(message, self._merged(_commits(other), files, delete, take, tree_of), [], options)

    def cherry_pick(
        self, commit: Commit, message: str | bytes | None = None, **options: Unpack[CommitOptions]
    ) -> Commit:
        """Gives the files a commit changed their state in it, and says so as `git cherry-pick -x` does."""
        origin = f"(cherry picked from commit {commit.oid})"
        words = to_bytes(message or f"Pick {commit.oid[:12]}") + b"\n\n" + origin.encode()
        return self._add(words, self._replayed(commit.tree_before, commit.tree), [], options)

    def revert(
        self, commit: Commit, message: str | bytes | None = None, **options: Unpack[CommitOptions]
    ) -> Commit:
        """Gives the files a commit changed their state before it (of its first parent), and says so."""
        words = to_bytes(message or f"Revert {commit.oid[:12]}")
        words += f"\n\nThis reverts commit {commit.oid}.".encode()
        return self._add(words, self._replayed(commit.tree, commit.tree_before), [], options)

    def reset(self, to: "Source") -> None:
        """Points the branch to another commit, as a forced push would."""
        self._tip = _commit(to)
        self._builder.point(f"refs/heads/{self.name}", self._tip)

    def _merged(
        self,
        others: Sequence[Commit],
        files: Files | None,
        delete: Iterable[AnyPath],
        side: Side | None,
        tree_of: "Source | None",
    ) -> Tree:
        if tree_of is not None:
            return self._builder.blobs.changed(_commit(tree_of).tree, files, None, delete)
        bases = [base.tree for base in merge_bases(self.tip, others)]
        trees = [other.tree for other in others]
        merged, open_paths = merged_tree(bases, self.tip.tree, trees)
        for path in open_paths if side == "theirs" else ():
            theirs = trees[-1].get(path)
            merged.pop(path, None) if theirs is None else put(merged, path, theirs)
        told = {to_bytes(path) for path in (*(files or {}), *delete)}
        if side is None and (untold := open_paths - told):
            raise StoryError(f"both sides changed {sorted(untold)}: say in `files` or `delete` what comes of it")
        gone = [path for path in delete if to_bytes(path) in merged or to_bytes(path) not in open_paths]
        return self._builder.blobs.changed(merged, files, None, gone)

    def _replayed(self, before: Tree, after: Tree) -> Tree:
        tree = dict(self.tip.tree)
        for path in before.keys() - after.keys():
            tree.pop(path, None)
        for path, entry in after.items():
            if before.get(path) != entry:
                put(tree, path, entry)
        return tree

    def _add(
        self,
        message: str | bytes,
        tree: Tree,
        others: Sequence[Commit],
        options: CommitOptions,
        *,
        swap_parents: bool = False,
    ) -> Commit:
        parents = [*([self._tip] if self._tip else []), *others]
        if swap_parents:
            parents.reverse()
        self._tip = self._builder.add(f"refs/heads/{self.name}", message, parents, tree, options)
        return self._tip


Source: TypeAlias = Branch | Commit


def _commit(source: Source) -> Commit:
    return source.tip if isinstance(source, Branch) else source


def _commits(sources: Source | Sequence[Source]) -> list[Commit]:
    return [_commit(one) for one in ([sources] if isinstance(sources, Branch | Commit) else sources)]


class RepositoryBuilder:
    """A repository in the making, at `path`, which may exist already and is made when it does not.

    Commits are a minute apart, from `CLOCK` on; `wait` lets more time pass.
    """

    def __init__(
        self,
        path: Path,
        *,
        bare: bool = False,
        object_format: ObjectFormat = "sha1",
        existing: BuiltRepository | None = None,
    ) -> None:
        self.path = path
        self._git_dir = path if bare else path / ".git"
        self._object_format: ObjectFormat = object_format
        self._clock = existing.clock if existing else CLOCK
        self._import = FastImport(self._git_dir)
        self._branches: dict[str, Branch] = {}
        self._labels: dict[str, list[Commit]] = {}
        self._marks = 0
        self._head: str | None = None
        self.blobs = Blobs(object_format, lambda oid: git(path, "cat-file", "blob", oid))
        if existing:
            self._read_history(existing)
        else:
            path.mkdir(parents=True, exist_ok=True)
            options = [f"--object-format={object_format}", *(["--bare"] if bare else [])]
            git(path, "init", "--quiet", "--template=", *options)

    @classmethod
    def resume(cls, repo: BuiltRepository) -> "RepositoryBuilder":
        """Goes on with a finished repository: `branch` gives its branches, `commit_of` its commits."""
        return cls(repo.path, bare=repo.bare, object_format=repo.object_format, existing=repo)

    def _read_history(self, repo: BuiltRepository) -> None:
        commits: dict[str, Commit] = {}
        for line in repo.text("rev-list", "--all", "--parents", "--reverse", "--topo-order").splitlines():
            oid, *parents = line.split()
            commits[oid] = Commit(self, oid, [commits[parent] for parent in parents])
        heads = repo.text("for-each-ref", "--format=%(objectname) %(refname:lstrip=2)", "refs/heads")
        for oid, _, name in (line.partition(" ") for line in heads.splitlines()):
            self._branches[name] = Branch(self, name, commits[oid])
        self._labels = {
            label: [commits[oid] for oid in oids if oid in commits] for label, oids in repo.labels.items()
        }
        self._head = repo.text("symbolic-ref", "HEAD").removeprefix("refs/heads/")

    def branch(self, name: str, at: Source | None = None) -> Branch:
        """The branch of that name; a new one starts at `at`, or else without any history (an orphan)."""
        if name not in self._branches:
            self._branches[name] = Branch(self, name, _commit(at) if at else None)
            self._head = self._head or name
            if at:
                self.point(f"refs/heads/{name}", _commit(at))
        elif at is not None:
            raise StoryError(f"there is a branch {name!r} already; move it with reset()")
        return self._branches[name]

    def commit_of(self, label: str) -> Commit:
        """The one commit with this label so far."""
        found = self._labels.get(label, [])
        if len(found) != 1:
            raise StoryError(f"{len(found)} commits are called {label!r}; there are {sorted(self._labels)}")
        return found[0]

    def tag(self, name: str, at: Source, message: str | None = None) -> None:
        """A tag; an annotated one when there is a message."""
        if message is None:
            self.point(f"refs/tags/{name}", _commit(at))
            return
        head = f"tag {name}\n".encode() + b"from %s\n" % _commit(at).reference
        self._import.send(head + b"tagger %s\n" % self._signature(IDENTITY) + data(message.encode() + b"\n"))

    def point(self, ref: str, at: Source) -> None:
        """Sets any ref, `refs/pull/1/head` for example."""
        self._import.send(b"reset %s\nfrom %s\n\n" % (ref.encode(), _commit(at).reference))

    def wait(self, *, days: float = 0, hours: float = 0) -> None:
        """Lets time pass before the next commit."""
        self._clock += int(timedelta(days=days, hours=hours).total_seconds())

    def finish(self, *, head: str | None = None, checkout: bool = True) -> BuiltRepository:
        """Writes the repository and checks out `head`: the first branch made, or what HEAD was, if not given.

        Whatever was in a work tree is overwritten; with `checkout=False` work tree and index stay as they
        are, as after a fetch into the branches.
        """
        branches = {branch.name: branch.tip.oid for branch in self._branches.values()}
        labels = {label: tuple(commit.oid for commit in found) for label, found in self._labels.items()}
        self._import.finish()
        head = head or self._head
        if head:
            git(self.path, "symbolic-ref", "HEAD", f"refs/heads/{head}")
        if head and checkout and self.path != self._git_dir:
            git(self.path, "reset", "--quiet", "--hard")
        return BuiltRepository(self.path, self._git_dir, self._object_format, branches, labels, self._clock)

    # What commits and branches of this builder need of it; a test does not.

    def add(
        self, ref: str, message: str | bytes, parents: Sequence[Commit], tree: Tree, options: CommitOptions
    ) -> Commit:
        """Sends one commit to git."""
        self._clock += 60
        self._marks += 1
        author = options.get("author", IDENTITY)
        commit = Commit(self, self._marks, parents, tree)
        head = [b"commit %s\n" % ref.encode(), b"mark :%d\n" % self._marks]
        head.append(b"author %s\n" % self._signature(author))
        head.append(b"committer %s\n" % self._signature(options.get("committer", author)))
        head.append(data(_with_trailers(to_bytes(message), options.get("trailers", ()))))
        words = [b"from", *([b"merge"] * (len(parents) - 1))]
        head.extend(b"%s %s\n" % (word, one.reference) for word, one in zip(words, parents, strict=False))
        head.append(tree_changes(commit.tree_before, tree, self.blobs.unsent))
        self._import.send(b"".join(head) + b"\n")
        subject = to_bytes(message).split(b"\n", 1)[0].decode(errors="replace")
        self._labels.setdefault(options.get("label", subject), []).append(commit)
        return commit

    def oid_of_mark(self, mark: int) -> str:
        """The object id of a commit made by this builder."""
        return self._import.oid_of(mark)

    def tree_of_oid(self, oid: str) -> Tree:
        """The files of a commit that was there before this builder."""
        return self._built({}, {}).entries(oid)

    def _built(self, branches: Mapping[str, str], labels: Mapping[str, tuple[str, ...]]) -> BuiltRepository:
        return BuiltRepository(self.path, self._git_dir, self._object_format, branches, labels, self._clock)

    def _signature(self, who: str) -> bytes:
        if "<" not in who:
            who = f"{who} <{who.lower().replace(' ', '.')}@example.org>"
        return b"%s %d +0000" % (to_bytes(who), self._clock)


def _with_trailers(message: bytes, trailers: Mapping[str, str] | Sequence[tuple[str, str]]) -> bytes:
    pairs = trailers.items() if isinstance(trailers, Mapping) else trailers
    block = "".join(f"{key}: {value}\n" for key, value in pairs).encode()
    return message.rstrip(b"\n") + b"\n" + (b"\n" + block if block else b"")
