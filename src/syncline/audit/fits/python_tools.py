"""The checkers for Python that syncline knows: ruff, and pyrefly or ty. Their rules, as of the pinned versions.

Pinned in `pyproject.toml` (extra `checkers`): rules are renamed now and then. Other versions work as well; rules
that are not known here do not count. Most rules of type checkers are about annotations, and a merge makes hundreds
of such diagnostics where nothing is wrong; those below are about names and calls, which fail when they run.
"""

import re
from collections.abc import Callable, Sequence
from enum import StrEnum

from syncline.audit.fits.stubs import write_stubs
from syncline.audit.fits.tool import BESIDE, TREE, Tool, stamp


class Fault(StrEnum):
    """What is wrong, whichever tool says so; the kinds of this audit's findings."""

    NAME = "undefined-name"
    ATTRIBUTE = "missing-attribute"
    CALL = "call-mismatch"
    IMPORT = "missing-import"
    ABSTRACT = "abstract-instance"
    DOUBLED = "doubled-import"


RUFF = {
    "F811": Fault.DOUBLED,
    "F821": Fault.NAME,
    "F822": Fault.NAME,
    "F823": Fault.NAME,
}
PYREFLY = {
    "unknown-name": Fault.NAME,
    "unbound-name": Fault.NAME,
    "bad-dunder-all": Fault.NAME,
    "missing-attribute": Fault.ATTRIBUTE,
    "missing-argument": Fault.CALL,
    "unexpected-keyword": Fault.CALL,
    "bad-argument-count": Fault.CALL,
    "bad-keyword-argument": Fault.CALL,
    "unexpected-positional-argument": Fault.CALL,
    "missing-import": Fault.IMPORT,
    "missing-module-attribute": Fault.IMPORT,
    "bad-instantiation": Fault.ABSTRACT,
}
TY = {
    "unresolved-reference": Fault.NAME,
    "missing-attribute": Fault.ATTRIBUTE,
    "missing-argument": Fault.CALL,
    "unknown-argument": Fault.CALL,
    "too-many-positional-arguments": Fault.CALL,
    "parameter-already-assigned": Fault.CALL,
    "import-not-found": Fault.IMPORT,
    "missing-module-member": Fault.IMPORT,
    "abstract-class-instantiation": Fault.ABSTRACT,
}
FAULTS = {"ruff": RUFF, "pyrefly": PYREFLY, "ty": TY}
TYPE_CHECKERS = ("pyrefly", "ty")
"""The first one that is installed and not skipped is asked."""

_TIMEOUT = 600.0
_PYTHON = "3.12"
"""The newest version whose standard library still has what older code imports."""
_MOST_ROOTS = 50
_ROOT_NAMES = {b"src", b"lib", b"python", b"source"}
_ROOT_MARKS = {b"setup.py", b"__main__.py"}
"""Files beside a package that make their directory one that Python imports from."""


def reads_python(path: bytes) -> bool:
    """Whether a path is a Python module or its stub."""
    return path.endswith((b".py", b".pyi"))


def python_tool(name: str, program: str) -> Tool:
    """Return one of the tools of `FAULTS`, as that program."""
    rules = FAULTS[name]
    commands: dict[str, tuple[str, ...]] = {
        "ruff": ("check", "--isolated", "--no-cache", "--no-fix", "--quiet", "--ignore-noqa",
                 "--select", ",".join(sorted(rules)), "--no-respect-gitignore", "--output-format", "json", TREE),
        "pyrefly": ("check", "--config", f"{TREE}/pyrefly.toml", "--only", ",".join(sorted(rules)),
                    "--output-format", "json", "--summary=none"),
        "ty": ("check", "--config-file", f"{TREE}/ty.toml", "--project", TREE, "--output-format", "gitlab",
               "--no-progress", "--exit-zero", "--ignore", "all",
               *(word for rule in sorted(rules) for word in ("--error", rule)), TREE),
    }  # fmt: skip
    configs: dict[str, Callable[[Sequence[bytes]], tuple[str, str]]] = {
        "pyrefly": _pyrefly_config,
        "ty": _ty_config,
    }
    return Tool(
        name,
        (program, *commands[name]),
        "json",
        reads_python,
        rules.__contains__,
        _TIMEOUT,
        config=configs.get(name),
        prepare=write_stubs if name in TYPE_CHECKERS else None,
        own_home=True,
        statuses=frozenset({0, 1}),
        identity=stamp(program),
    )


def _pyrefly_config(paths: Sequence[bytes]) -> tuple[str, str]:
    """Return the configuration of pyrefly (https://pyrefly.org/en/docs/configuration/)."""
    lines = (
        'project-includes = ["**/*.py", "**/*.pyi"]',
        "project-excludes = []",
        "disable-project-excludes-heuristics = true",
        "use-ignore-files = false",
        # What is new in the merge is new whatever a comment on both sides says.
        "enabled-ignores = []",
        "skip-interpreter-query = true",
        f'python-version = "{_PYTHON}"',
        f"search-path = {_toml_list([*source_roots(paths), f'../{BESIDE}'])}",
    )
    return "pyrefly.toml", "\n".join(lines) + "\n"


def _ty_config(paths: Sequence[bytes]) -> tuple[str, str]:
    """Return the configuration of ty (https://docs.astral.sh/ty/reference/configuration/)."""
    lines = (
        "[environment]",
        f"root = {_toml_list(source_roots(paths))}",
        f'python-version = "{_PYTHON}"',
        f"extra-paths = {_toml_list([f'../{BESIDE}'])}",
        "[src]",
        "respect-ignore-files = false",
        "[analysis]",
        "respect-type-ignore-comments = false",
    )
    return "ty.toml", "\n".join(lines) + "\n"


def source_roots(paths: Sequence[bytes]) -> list[str]:
    """Return the directories that modules are imported from, the top last.

    Besides the top, these are directories by whose name or content one can see it: `src/` and its like, and those
    with a `setup.py` next to a package. If two hold a package of the same name, no one can tell which is meant.
    """
    packages = {path.rpartition(b"/")[0] for path in paths if path.endswith((b"/__init__.py", b"/__init__.pyi"))}
    marked = {path.rpartition(b"/")[0] for path in paths if path.rpartition(b"/")[2] in _ROOT_MARKS}
    holders: dict[bytes, set[bytes]] = {}
    for package in packages:
        place, _, name = package.rpartition(b"/")
        if place not in packages and (place in marked or place.rpartition(b"/")[2] in _ROOT_NAMES):
            holders.setdefault(name, set()).add(place)
    roots = {place for places in holders.values() if len(places) == 1 for place in places} - {b""}
    clear = sorted(root.decode() for root in roots if re.fullmatch(rb"[\w./ -]+", root))
    return [*sorted(clear, key=lambda root: -root.count("/"))[:_MOST_ROOTS], "."]


def _toml_list(words: Sequence[str]) -> str:
    return "[" + ", ".join(f'"{word}"' for word in words) + "]"
