"""What the server asks the bare repository, and what it does to it. Knows git, nothing of GitHub."""

import contextlib
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from testing.sealed import git, run_git


class Change(NamedTuple):
    """One changed file: `status` is git's letter; a binary file has no lines."""

    status: str
    path: str
    added: int
    removed: int
    blob: str


class Bare:
    """A bare repository. With `frozen` refs it answers as if nothing had moved since."""

    def __init__(self, path: Path, frozen: Mapping[str, str] | None = None) -> None:
        self.path = path
        self._frozen = frozen
        # What is said about commits by their ids stays true.
        self._merges: dict[tuple[str, str], str | None] = {}
        self._ancestors: dict[tuple[str, str], bool] = {}
        self._bases: dict[tuple[str, str], str | None] = {}
        self._ranges: dict[tuple[str, str], list[str]] = {}
        self._changes: dict[tuple[str, str], list[Change]] = {}
        self._headers: dict[str, dict[str, str]] = {}

    def refs(self) -> dict[str, str]:
        """All refs and what they point to."""
        if self._frozen is not None:
            return dict(self._frozen)
        lines = git(self.path, "for-each-ref", "--format=%(refname) %(objectname)").decode().splitlines()
        return {name: oid for name, _, oid in (line.partition(" ") for line in lines)}

    def branches(self) -> dict[str, str]:
        """All branches and their tips; read from their files, as this happens on each request."""
        prefix = "refs/heads/"
        if self._frozen is not None:
            return {name.removeprefix(prefix): at for name, at in self._frozen.items() if name.startswith(prefix)}
        place = self.path / prefix
        loose = (file.relative_to(place).as_posix() for file in place.rglob("*") if file.is_file())
        known = {name for name in loose if not name.endswith(".lock")}
        known |= {name.removeprefix(prefix) for name in self._packed() if name.startswith(prefix)}
        tips = {name: self.tip(name) for name in known}
        return {name: tip for name, tip in tips.items() if tip is not None}

    def freeze(self) -> "Bare":
        """Return the repository as it is now, for reading."""
        return Bare(self.path, self.refs())

    def ref(self, name: str) -> str | None:
        """What a full ref points to; read from its file, as this happens on each request."""
        if self._frozen is not None:
            return self._frozen.get(name)
        with contextlib.suppress(OSError):
            text = (self.path / name).read_text(encoding="ascii").strip()
            if text and not text.startswith("ref:"):
                return text
        return self._packed().get(name)

    def _packed(self) -> dict[str, str]:
        try:
            lines = (self.path / "packed-refs").read_text(encoding="utf-8").splitlines()
        except OSError:
            return {}
        return {name: oid for oid, _, name in (line.partition(" ") for line in lines if line[:1] not in "#^")}

    def tip(self, branch: str) -> str | None:
        """The commit of a branch; None: there is no such branch."""
        return self.ref(f"refs/heads/{branch}")

    def commit(self, name: str) -> str | None:
        """The commit that a branch, tag, ref or (abbreviated) object id names; None: there is none."""
        found = self.tip(name) or self.ref(name) or name
        done = run_git(self.path, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{found}^{{commit}}")
        return done.stdout.decode().strip() or None

    def contains(self, commit: str, ancestor: str) -> bool:
        """Whether `commit` is, or descends from, `ancestor`."""
        key = commit, ancestor
        if key not in self._ancestors:
            done = run_git(self.path, "merge-base", "--is-ancestor", ancestor, commit)
            self._ancestors[key] = done.returncode == 0
        return self._ancestors[key]

    def merged_tree(self, base: str, head: str) -> str | None:
        """The tree of the two merged; None: they conflict."""
        if (base, head) not in self._merges:
            done = run_git(self.path, "merge-tree", "--write-tree", "--allow-unrelated-histories", base, head)
            tree = done.stdout.decode().split("\n", 1)[0]
            self._merges[base, head] = tree if done.returncode == 0 else None
        return self._merges[base, head]

    def tree(self, commit: str) -> str:
        """The tree of a commit."""
        return git(self.path, "rev-parse", f"{commit}^{{tree}}").decode().strip()

    def new_commit(self, tree: str, parents: list[str], message: str) -> str:
        """Write a commit."""
        named = [word for parent in parents for word in ("-p", parent)]
        return git(self.path, "commit-tree", tree, *named, input=message.encode()).decode().strip()

    def rebased(self, base: str, head: str) -> str:
        """Write the commits of `base..head` again on top of `base` and return the last one."""
        with tempfile.TemporaryDirectory() as place:
            work = Path(place) / "work"
            git(self.path, "worktree", "add", "--quiet", "--detach", work, head)
            try:
                git(work, "rebase", "--quiet", "--force-rebase", base)
                return git(work, "rev-parse", "HEAD").decode().strip()
            finally:
                git(self.path, "worktree", "remove", "--force", work)

    def point(self, name: str, commit: str | None, *, old: str | None = None) -> bool:
        """Point a full ref somewhere (None: delete it), if it is `old` now; False: it was not."""
        words = ["-d", name] if commit is None else [name, commit]
        done = run_git(self.path, "update-ref", *words, *([old] if old is not None else []))
        return done.returncode == 0

    def commits(self, base: str, head: str) -> list[str]:
        """The commits of `base..head`, oldest first."""
        if (base, head) not in self._ranges:
            self._ranges[base, head] = git(self.path, "rev-list", "--reverse", f"{base}..{head}").decode().split()
        return self._ranges[base, head]

    def about(self, commit: str) -> dict[str, str]:
        """Message, author and so on of a commit, by name."""
        if commit not in self._headers:
            names = {
                "tree": "%T", "parents": "%P", "author": "%an", "author_email": "%ae", "author_date": "%aI",
                "committer": "%cn", "committer_email": "%ce", "committer_date": "%cI", "message": "%B",
            }  # fmt: skip
            shown = git(self.path, "show", "--no-patch", "--format=" + "%x00".join(names.values()), commit)
            values = shown.decode(errors="replace").split("\0")
            read = dict(zip(names, values, strict=True))
            for key in ("author_date", "committer_date"):
                read[key] = read[key].replace("+00:00", "Z")
            self._headers[commit] = read | {"message": read["message"].strip("\n")}
        return self._headers[commit]

    def changes(self, base: str, head: str) -> list[Change]:
        """The files changed from `base` to `head`."""
        if (base, head) not in self._changes:
            self._changes[base, head] = self._read_changes("-r", "-z", "--no-renames", base, head)
        return self._changes[base, head]

    def _read_changes(self, *options: str) -> list[Change]:
        raw = git(self.path, "diff-tree", *options).decode(errors="replace").split("\0")[:-1]
        counts = git(self.path, "diff-tree", "--numstat", *options).decode(errors="replace").split("\0")[:-1]
        found = []
        for about, path, numbers in zip(raw[::2], raw[1::2], counts, strict=True):
            words = about.split(" ")
            added, removed = (0 if word == "-" else int(word) for word in numbers.split("\t")[:2])
            blob = words[3] if words[4] != "D" else words[2]
            found.append(Change(words[4], path, added, removed, blob))
        return found

    def merge_base(self, one: str, other: str) -> str | None:
        """The best common ancestor; None: unrelated histories."""
        if (one, other) not in self._bases:
            found = run_git(self.path, "merge-base", one, other).stdout.decode().strip()
            self._bases[one, other] = found or None
        return self._bases[one, other]

    def file(self, commit: str, path: str) -> tuple[str, bytes] | None:
        """The blob id and content of a file; None: there is no such file."""
        done = run_git(self.path, "rev-parse", "--verify", "--quiet", f"{commit}:{path}")
        blob = done.stdout.decode().strip()
        if not blob or git(self.path, "cat-file", "-t", blob).strip() != b"blob":
            return None
        return blob, git(self.path, "cat-file", "blob", blob)
