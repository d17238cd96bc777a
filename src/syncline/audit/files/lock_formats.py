"""What manifests ask for and lock files hold, for the formats where a cheap comparison is certain. Pure.

An entry is `name` or `name version-range`, as exact as the format allows. What cannot be read gives None.
"""

import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

Entries = frozenset[str]
ANY = "*"
"""A lock holds `name *` where any range is fine: the source is told elsewhere."""


@dataclass(frozen=True, slots=True)
class LockFormat:
    """A manifest and the lock file that belongs to it.

    `wanted` takes the manifest, `held` the lock file; both the manifest's directory as the lock file names it
    (empty: the same directory) too. `faults` tells what the lock file itself contradicts.
    """

    manifest: bytes
    lock: bytes
    wanted: Callable[[bytes], Entries | None]
    held: Callable[[bytes, str], Entries | None]
    tool: str
    """The command that writes the lock file."""
    faults: Callable[[bytes], frozenset[str]] = lambda _lock: frozenset()


def missing(wanted: Entries, held: Entries) -> Entries:
    """Return the entries that a lock file lacks."""
    return frozenset(
        entry for entry in wanted if entry not in held and f"{entry.partition(' ')[0]} {ANY}" not in held
    )


def _toml(content: bytes) -> dict[str, Any] | None:
    try:
        return tomllib.loads(content.decode())
    except (ValueError, RecursionError):
        return None


def _json(content: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _table(table: object, *keys: str) -> dict[str, Any]:
    """Return a table inside of others; empty where there is none."""
    for key in keys:
        table = table.get(key) if isinstance(table, dict) else None
    return table if isinstance(table, dict) else {}


def _texts(items: object) -> list[str]:
    return [item for item in items if isinstance(item, str)] if isinstance(items, list) else []


# --- Python ----------------------------------------------------------------------------------------------------

_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*([^;]*)")


def python_name(name: str) -> str:
    """Return a name as packaging compares it: https://packaging.python.org/specifications/name-normalization/."""
    return re.sub(r"[-_.]+", "-", name).lower()


def requirement(text: str) -> str:
    """Return a requirement (PEP 508) as an entry; extras and markers are left out."""
    match = _REQUIREMENT.match(text)
    if match is None:
        return ""
    return _entry(python_name(match[1]), "" if "@" in match[2] else match[2])


def _entry(name: str, ranges: str) -> str:
    clauses = sorted("".join(clause.split()) for clause in ranges.strip().strip("()").split(","))
    return f"{name} {','.join(clauses)}".strip()


def python_requirements(project: dict[str, Any]) -> list[str]:
    """Return the requirements of a `pyproject.toml`: of the project, its extras and its groups, as written."""
    found = _texts(_table(project, "project").get("dependencies"))
    for extra in _table(project, "project", "optional-dependencies").values():
        found += _texts(extra)
    for group in _table(project, "dependency-groups").values():
        found += _texts(group)
    return found + _texts(_table(project, "tool", "uv").get("dev-dependencies"))


def _pyproject(content: bytes) -> Entries | None:
    project = _toml(content)
    if project is None:
        return None
    own = python_name(str(_table(project, "project").get("name", "")))
    found = {requirement(text) for text in python_requirements(project)}
    # A project's extras may name the project itself: `all = ["this[one,two]"]`.
    return frozenset(entry for entry in found if entry and entry.partition(" ")[0] != own)


def _poetry_names(content: bytes) -> Entries | None:
    project = _toml(content)
    if project is None:
        return None
    poetry = _table(project, "tool", "poetry")
    names = {*_table(poetry, "dependencies"), *_table(poetry, "dev-dependencies")}
    for group in _table(poetry, "group").values():
        names |= set(_table(group, "dependencies"))
    entries = {python_name(name) for name in names} | {
        requirement(text).partition(" ")[0] for text in python_requirements(project)
    }
    return frozenset(entries - {"python", ""})


_BLOCK = re.compile(rb"^\[\[package\]\]\r?$", re.MULTILINE)
_NAME = re.compile(rb'^name = "([^"]+)"', re.MULTILINE)
_VERSION = re.compile(rb'^version = "([^"]+)"', re.MULTILINE)
_SOURCE = re.compile(rb"^source = (.+?)\r?$", re.MULTILINE)
_INLINE = re.compile(rb'^[ \t]+\{ name = "([^"]+)"(.*?)\},?\r?$', re.MULTILINE)
_SPECIFIER = re.compile(rb'specifier = "([^"]*)"')


def _blocks(lock: bytes) -> list[bytes]:
    return _BLOCK.split(lock)[1:]


def _uv_held(lock: bytes, directory: str) -> Entries | None:
    place = b'"' + (directory or ".").encode() + b'"'
    if b"editable = " + place not in lock and b"virtual = " + place not in lock:
        return None
    for block in _blocks(lock):
        source = _SOURCE.search(block)
        if source is None or not re.search(rb"(?:editable|virtual) = " + re.escape(place), source[1]):
            continue
        _, _, metadata = block.partition(b"[package.metadata]")
        found = set()
        for match in _INLINE.finditer(metadata):
            name = python_name(match[1].decode("utf-8", "replace"))
            specifier = _SPECIFIER.search(match[2])
            elsewhere = re.search(rb"\b(?:git|url|path|editable|virtual|directory) = ", match[2])
            found.add(
                f"{name} {ANY}" if elsewhere
                else _entry(name, specifier[1].decode("utf-8", "replace") if specifier else "")
            )  # fmt: skip
        return frozenset(found)
    return None


def _package_faults(lock: bytes, asks: Callable[[bytes], Iterator[tuple[str, bool]]]) -> frozenset[str]:
    """Return what a list of packages contradicts: one listed twice, a dependency on none or on any of several.

    `asks` gives each dependency of a package: its name, and whether it tells one version from another.
    """
    blocks = [
        (name[1].decode("utf-8", "replace"), block) for block in _blocks(lock) if (name := _NAME.search(block))
    ]
    once: Counter[tuple[str, bytes, bytes]] = Counter()
    count = Counter(name for name, _ in blocks)
    for name, block in blocks:
        version, source = _VERSION.search(block), _SOURCE.search(block)
        once[name, version[1] if version else b"", source[1] if source else b""] += 1
    found = {f"{name} {version.decode('utf-8', 'replace')} is listed twice".replace("  ", " ")
             for (name, version, _), times in once.items() if times > 1}  # fmt: skip
    for name, block in blocks:
        for wanted, exact in asks(block):
            if not count[wanted]:
                found.add(f"{wanted} is not listed, {name} needs it")
            elif count[wanted] > 1 and not exact:
                found.add(f"{wanted} is listed in several versions, {name} does not say which one it needs")
    return frozenset(found)


def _uv_asks(block: bytes) -> Iterator[tuple[str, bool]]:
    needs = block.partition(b"[package.metadata]")[0]
    for match in _INLINE.finditer(needs):
        yield match[1].decode("utf-8", "replace"), b"version = " in match[2] or b"source = " in match[2]


def _lock_names(lock: bytes, _directory: str) -> Entries | None:
    return frozenset(
        python_name(name[1].decode("utf-8", "replace")) for block in _blocks(lock) if (name := _NAME.search(block))
    )


# --- Rust ------------------------------------------------------------------------------------------------------

_CARGO_DEPENDENCIES = re.compile(rb"^dependencies = \[(.*?)^\]", re.MULTILINE | re.DOTALL)
_QUOTED = re.compile(rb'"([^" ]+)( [^"]*)?"')


def _cargo_names(content: bytes) -> Entries | None:
    manifest = _toml(content)
    if manifest is None:
        return None
    tables = [manifest, *(_table(target) for target in _table(manifest, "target").values())]
    names = set()
    for table in tables:
        for kind in ("dependencies", "dev-dependencies", "build-dependencies"):
            for name, what in _table(table, kind).items():
                if not _table(what).get("workspace"):
                    names.add(str(_table(what).get("package", name)))
    return frozenset(names)


def _cargo_held(lock: bytes, _directory: str) -> Entries | None:
    return frozenset(
        name[1].decode("utf-8", "replace") for block in _blocks(lock) if (name := _NAME.search(block))
    )


def _cargo_asks(block: bytes) -> Iterator[tuple[str, bool]]:
    listed = _CARGO_DEPENDENCIES.search(block)
    for match in _QUOTED.finditer(listed[1] if listed else b""):
        yield match[1].decode("utf-8", "replace"), match[2] is not None


# --- JavaScript ------------------------------------------------------------------------------------------------

_NPM_KINDS = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")
_YARN_KEY = re.compile(r'^(?!#)"?(\S.*?)"?:\r?$', re.MULTILINE)


def _npm_entries(table: dict[str, Any], kinds: Iterable[str] = _NPM_KINDS) -> Entries:
    return frozenset(f"{name} {what}" for kind in kinds for name, what in _table(table, kind).items())


def _npm_wanted(content: bytes) -> Entries | None:
    manifest = _json(content)
    return None if manifest is None else _npm_entries(manifest)


def _npm_held(lock: bytes, directory: str) -> Entries | None:
    package = _table(_json(lock), "packages").get(directory)
    return _npm_entries(package) if isinstance(package, dict) else None  # before npm 7 there is nothing exact


def _yarn_wanted(content: bytes) -> Entries | None:
    manifest = _json(content)
    if manifest is None or "resolutions" in manifest:
        return None
    found = _npm_entries(manifest, ("dependencies", "devDependencies", "optionalDependencies"))
    return frozenset(entry for entry in found if ":" not in entry)


def _yarn_held(lock: bytes, _directory: str) -> Entries | None:
    found = set()
    for match in _YARN_KEY.finditer(lock.decode("utf-8", "replace")):
        for key in re.split(r'"?, "?', match[1]):
            name, at, wanted = key[1:].partition("@")
            if at:
                found.add(f"{key[0]}{name} {wanted.removeprefix('npm:')}")
    return frozenset(found)


# --- PHP, Go, Ruby ---------------------------------------------------------------------------------------------


def _composer_wanted(content: bytes) -> Entries | None:
    manifest = _json(content)
    if manifest is None:
        return None
    names = {*_table(manifest, "require"), *_table(manifest, "require-dev")}
    return frozenset(name.lower() for name in names if "/" in name)


def _composer_held(lock: bytes, _directory: str) -> Entries | None:
    found = _json(lock)
    if found is None:
        return None
    names = set()
    for kind in ("packages", "packages-dev"):
        for package in found.get(kind) or ():
            names |= {_table(package).get("name", ""), *_table(package, "replace"), *_table(package, "provide")}
    return frozenset(str(name).lower() for name in names)


_GO_REQUIRED = re.compile(r"^(?:require)?[ \t]+([^\s()]+)[ \t]+(v[^\s()]+)[ \t]*(?://.*)?\r?$", re.MULTILINE)
_GO_REPLACED = re.compile(r"^(?:replace)?[ \t]*(\S+)(?:[ \t]+v\S+)?[ \t]+=>", re.MULTILINE)
_GO_OTHERS = re.compile(r"^(?:exclude|retract|replace)[ \t]*\(.*?^\)", re.MULTILINE | re.DOTALL)


def _go_wanted(content: bytes) -> Entries | None:
    text = content.decode("utf-8", "replace")
    replaced = set(_GO_REPLACED.findall(text))
    required = _GO_REQUIRED.findall(_GO_OTHERS.sub("", text))
    return frozenset(f"{module} {version}" for module, version in required if module not in replaced)


def _go_held(lock: bytes, _directory: str) -> Entries | None:
    words = [line.split() for line in lock.decode("utf-8", "replace").splitlines()]
    return frozenset(f"{line[0]} {line[1].removesuffix('/go.mod')}" for line in words if len(line) == 3)


def _go_faults(lock: bytes) -> frozenset[str]:
    hashes: dict[tuple[str, str], set[str]] = {}
    for line in lock.decode("utf-8", "replace").splitlines():
        words = line.split()
        if len(words) == 3:
            hashes.setdefault((words[0], words[1]), set()).add(words[2])
    return frozenset(
        f"{module} {version} has two hashes" for (module, version), known in hashes.items() if len(known) > 1
    )


_GEM = re.compile(r"""^[ \t]*gem[ \t(]+['"]([\w.-]+)['"]""", re.MULTILINE)
_GEMS = re.compile(r"^DEPENDENCIES\r?\n(.*?)(?:^\r?$|\Z)", re.MULTILINE | re.DOTALL)


def _gem_wanted(content: bytes) -> Entries | None:
    return frozenset(_GEM.findall(content.decode("utf-8", "replace")))


def _gem_held(lock: bytes, _directory: str) -> Entries | None:
    listed = _GEMS.search(lock.decode("utf-8", "replace"))
    return None if listed is None else frozenset(re.findall(r"^  ([\w.-]+)", listed[1], re.MULTILINE))


FORMATS: tuple[LockFormat, ...] = (
    LockFormat(b"pyproject.toml", b"uv.lock", _pyproject, _uv_held, "uv lock",
               lambda lock: _package_faults(lock, _uv_asks)),
    LockFormat(b"pyproject.toml", b"poetry.lock", _poetry_names, _lock_names, "poetry lock",
               lambda lock: _package_faults(lock, lambda _block: iter(()))),
    LockFormat(b"Cargo.toml", b"Cargo.lock", _cargo_names, _cargo_held, "cargo update --workspace",
               lambda lock: _package_faults(lock, _cargo_asks)),
    LockFormat(b"package.json", b"package-lock.json", _npm_wanted, _npm_held, "npm install --package-lock-only"),
    LockFormat(b"package.json", b"yarn.lock", _yarn_wanted, _yarn_held, "yarn install --mode update-lockfile"),
    LockFormat(b"composer.json", b"composer.lock", _composer_wanted, _composer_held, "composer update --lock"),
    LockFormat(b"go.mod", b"go.sum", _go_wanted, _go_held, "go mod tidy", _go_faults),
    LockFormat(b"Gemfile", b"Gemfile.lock", _gem_wanted, _gem_held, "bundle lock"),
)  # fmt: skip
