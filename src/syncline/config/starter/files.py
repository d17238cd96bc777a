"""What the files of a branch say about the rules its lane needs. Judged by names only; pure but for the walk."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from syncline.git import Repository, TreeId

OWNERS = ("CODEOWNERS", ".github/CODEOWNERS", ".gitlab/CODEOWNERS", ".gitea/CODEOWNERS", "docs/CODEOWNERS")
"""Where forges look for it: GitHub, GitLab and Gitea documentation, "code owners"."""

_ECOSYSTEMS = (
    ("pyproject.toml", "python", ("uv.lock", "poetry.lock", "pdm.lock")),
    ("Pipfile", "pipenv", ("Pipfile.lock",)),
    (
        "package.json",
        "javascript",
        ("package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb"),
    ),
    ("Cargo.toml", "rust", ("Cargo.lock",)),
    ("go.mod", "go", ("go.sum",)),
    ("Gemfile", "ruby", ("Gemfile.lock",)),
    ("composer.json", "php", ("composer.lock",)),
)
"""Manifest, what the set is called, lock files made from the manifest."""

_TESTS = (
    (("pytest.ini", "conftest.py", "tests/conftest.py", "pyproject.toml"), ("python3", "-m", "pytest", "-q")),
    (("package.json",), ("npm", "test")),
    (("Cargo.toml",), ("cargo", "test")),
    (("go.mod",), ("go", "test", "./...")),
)
"""Files that tell how tests are run here."""
_ANY_TESTS = ("make", "test")

_VENDORED = frozenset({b"node_modules", b"vendor", b"third_party", b"site-packages", b".venv"})
"""Other people's code: its lock files and snapshots are not this repository's."""

_GOLDEN_DIRECTORY = re.compile(
    r"__snapshots__|__image_snapshots__|snapshots?|goldens?|goldens?[-_].+|.+[-_]goldens?|cassettes|baseline_images",
    re.IGNORECASE,
)
_GOLDEN_FILE = re.compile(r"golden[-_]?values?.*(?P<suffix>\.[a-z0-9]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Listing:
    """The regular files of a tree whose names are plain text, and how many others there are."""

    paths: tuple[str, ...]
    left_out: int


@dataclass(frozen=True, slots=True)
class FileSet:
    """Files that fit together, with a name for reports."""

    name: str
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Golden:
    """Recorded values of tests: a pattern for them and how many files it is about."""

    pattern: str
    files: int


def list_files(repository: Repository, tree: TreeId) -> Listing:
    """Walk a tree without vendored directories.

    Raises:
        GitError: a tree object is missing or damaged.
    """
    paths: list[str] = []
    left_out = 0
    for path in _walk(repository, tree):
        text = _plain(path)
        if text is None:
            left_out += 1
        else:
            paths.append(text)
    return Listing(tuple(sorted(paths)), left_out)


def _walk(repository: Repository, tree: TreeId) -> Iterator[bytes]:
    todo = [(b"", tree)]
    while todo:
        prefix, here = todo.pop()
        for name, entry in repository.tree(here).items():
            if entry.mode.is_file:
                yield prefix + name
            elif isinstance(entry.oid, TreeId) and name not in _VENDORED:
                todo.append((prefix + name + b"/", entry.oid))


def _plain(path: bytes) -> str | None:
    try:
        text = path.decode()
    except UnicodeDecodeError:
        return None
    return text if text.isprintable() else None


def owners(paths: Collection[str]) -> tuple[str, ...]:
    """Return the files that say who reviews what."""
    return tuple(place for place in OWNERS if place in set(paths))


def coupled_sets(paths: Collection[str]) -> tuple[FileSet, ...]:
    """Return each manifest with the lock files beside it; sets at the top come first."""
    known = set(paths)
    found = []
    for path in known:
        directory, slash, name = path.rpartition("/")
        for manifest, kind, locks in _ECOSYSTEMS:
            if name != manifest:
                continue
            beside = tuple(directory + slash + lock for lock in locks if directory + slash + lock in known)
            if beside:
                found.append((directory.count("/") + bool(directory), path, kind, directory, beside))
    found.sort()
    return tuple(
        FileSet(f"{kind} dependencies" + (f" ({_short(directory)})" if directory else ""), (path, *locks))
        for _, path, kind, directory, locks in found
    )


def _short(directory: str) -> str:
    return directory if len(directory) <= 60 else f"...{directory[-57:].lstrip()}"


def golden_values(paths: Collection[str]) -> tuple[Golden, ...]:
    """Return patterns for recorded values: the topmost directories named so, and files named so elsewhere."""
    counts: dict[str, int] = {}
    for path in paths:
        *parents, name = path.split("/")
        place = next((at for at, part in enumerate(parents) if _GOLDEN_DIRECTORY.fullmatch(part)), None)
        if place is not None:
            pattern = f"/{escape('/'.join(parents[: place + 1]))}/"
        elif found := _GOLDEN_FILE.fullmatch(name):
            pattern = f"golden*value*{found['suffix']}"
        else:
            continue
        counts[pattern] = counts.get(pattern, 0) + 1
    return tuple(Golden(pattern, counts[pattern]) for pattern in sorted(counts))


def test_command(paths: Collection[str]) -> tuple[str, ...]:
    """Return how the tests are probably run here: a guess, only ever suggested."""
    known = set(paths)
    for tells, command in _TESTS:
        if any(path in known for path in tells):
            return command
    return _ANY_TESTS


def python_files(paths: Collection[str]) -> int:
    """Return how many Python files there are."""
    return sum(path.endswith(".py") for path in paths)


def escape(path: str) -> str:
    r"""Return a path as a gitignore pattern for itself (without what anchors it).

    https://git-scm.com/docs/gitignore: `\` takes away the meaning of what follows.
    """
    return re.sub(r"([\\*?\[\]#!])| (?=/|$)", lambda found: "\\" + found[0], path)


def pattern_of(path: str) -> str:
    """Return the pattern that matches this one path."""
    return f"/{escape(path)}"
