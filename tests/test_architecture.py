"""The rules of docs/architecture.md that imports tell: who may know whom, and who starts programs."""

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import syncline

ROOT = Path(syncline.__file__).parent

MAY_IMPORT: dict[str, set[str]] = {
    "errors": set(),
    "counted": set(),
    "given_json": set(),
    "trailer_names": set(),
    "whole_file": set(),
    "search_path": set(),
    "markup": set(),
    "secrets": set(),
    "git": {"errors", "search_path"},
    "config": {"errors", "whole_file"},
    "config.starter": {"errors", "whole_file", "git", "config"},
    "checks": {"errors", "secrets"},
    "programs": {"errors", "search_path", "checks"},
    "merge": {"errors", "counted", "given_json", "git", "config"},
    "replay": {"errors", "given_json", "trailer_names", "git", "config", "merge"},
    "plan": {"errors", "git", "config", "merge"},
    "audit": {
        "errors",
        "trailer_names",
        "whole_file",
        "search_path",
        "git",
        "config",
        "checks",
        "programs",
        "merge",
        "markup",
        "secrets",
    },
    "forge": {"errors", "markup", "checks", "programs"},
    "propose": {"errors", "trailer_names", "markup", "git", "config", "checks", "merge", "plan", "audit"},
    "replay.html": {"errors", "counted", "markup", "git", "merge", "replay"},
    "repair": {
        "errors",
        "trailer_names",
        "whole_file",
        "git",
        "config",
        "checks",
        "programs",
        "merge",
        "secrets",
        "audit",
        "propose",
        "replay",
    },
    "lane": {
        "errors",
        "trailer_names",
        "whole_file",
        "markup",
        "git",
        "config",
        "checks",
        "programs",
        "merge",
        "plan",
        "audit",
        "forge",
        "propose",
        "repair",
    },
    "demo": {"errors", "trailer_names", "git"},
    "cli": {
        "errors",
        "counted",
        "git",
        "config",
        "config.starter",
        "checks",
        "merge",
        "replay",
        "plan",
        "audit",
        "forge",
        "replay.html",
        "lane",
        "demo",
        "repair",
        "whole_file",
    },
    "__main__": {"cli"},
}
"""Each package with those it may import, from the bottom up: none may import what stands below it here."""

START_PROGRAMS = {
    "syncline.git.cat_file",
    "syncline.git.command",
    "syncline.git.missing",
    "syncline.git.object_writer",
    "syncline.git.repository",
    "syncline.programs.confine",
    "syncline.programs.process",
    "syncline.programs.supervise",
}
"""git is started in `syncline.git` alone; the commands people configured, in one other place."""

STARTERS = {"subprocess", "multiprocessing", "pty", "asyncio"}
OTHER_STARTERS = ("fork", "exec", "spawn", "posix_spawn", "popen", "system", "startfile")
"""What begins so in `os` starts a program too."""


def module_of(file: Path) -> str:
    parts = file.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


SOURCES = {module_of(file): ast.parse(file.read_bytes()) for file in sorted(ROOT.rglob("*.py"))}


def imported(node: ast.AST) -> Iterator[str]:
    """The modules that an import statement names; for anything else none."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        assert node.module is not None, "relative imports hide who is meant"
        assert node.level == 0, "relative imports hide who is meant"
        for alias in node.names:
            inside = f"{node.module}.{alias.name}"
            yield inside if inside in SOURCES else node.module


def package_of(module: str) -> str:
    """The part of the code base that a module belongs to; empty for `syncline` itself."""
    # `config.starter` reads repositories, of which the configuration knows nothing; `replay.html` knows pages.
    for inner in ("config.starter", "replay.html"):
        if f"{module}.".startswith(f"syncline.{inner}."):
            return inner
    return module.split(".")[1] if "." in module else ""


def calls(module: str) -> Iterator[ast.Call]:
    yield from (node for node in ast.walk(SOURCES[module]) if isinstance(node, ast.Call))


def starts_by_os(call: ast.Call) -> bool:
    match call.func:
        case ast.Attribute(value=ast.Name(id="os"), attr=name):
            return name.startswith(OTHER_STARTERS)
        case _:
            return False


def when_loaded(tree: ast.AST) -> Iterator[ast.AST]:
    """What runs when a module is imported: not the bodies of functions, nor what only type checkers read."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            continue
        yield node
        yield from when_loaded(node)


def test_every_package_has_its_place() -> None:
    assert {package_of(module) for module in SOURCES} - {""} == set(MAY_IMPORT)


def test_packages_only_look_down() -> None:
    below: set[str] = set()
    for package, allowed in MAY_IMPORT.items():
        assert allowed <= below, package
        below.add(package)


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_a_package_imports_what_it_may_know(package: str) -> None:
    # Imports in functions and for type checkers count as well: knowing is knowing.
    found = {
        (module, name)
        for module, tree in SOURCES.items()
        if package_of(module) == package
        for node in ast.walk(tree)
        for name in imported(node)
        if name.split(".")[0] == "syncline" and package_of(name) not in {package, ""}
    }
    assert {(module, name) for module, name in found if package_of(name) not in MAY_IMPORT[package]} == set()


def test_modules_load_without_a_cycle() -> None:
    graph = {
        module: {name for node in when_loaded(tree) for name in imported(node) if name in SOURCES} - {module}
        for module, tree in SOURCES.items()
    }
    assert set(TopologicalSorter(graph).static_order()) == set(SOURCES)


def test_programs_are_started_in_few_places() -> None:
    by_import = {
        module
        for module, tree in SOURCES.items()
        for node in ast.walk(tree)
        for name in imported(node)
        if name.split(".")[0] in STARTERS
    }
    by_os = {module for module in SOURCES if any(map(starts_by_os, calls(module)))}
    assert by_import | by_os == START_PROGRAMS


def test_nothing_goes_through_a_shell() -> None:
    found = [
        f"{module}:{call.lineno}"
        for module in SOURCES
        for call in calls(module)
        if any(word.arg == "shell" for word in call.keywords)
        or (isinstance(call.func, ast.Attribute) and call.func.attr in {"system", "popen", "getoutput"})
    ]
    assert found == []
