"""Which part of a repository a path belongs to. Pure; judged by names only, the first rule that fits wins."""

import re
from enum import StrEnum


class Category(StrEnum):
    """The groups a reviewer reads one after the other, the most important first."""

    SOURCE = "source code"
    TESTS = "tests"
    DEPENDENCIES = "dependencies"
    CI = "CI"
    CONFIGURATION = "configuration"
    DOCUMENTATION = "documentation"
    GENERATED = "generated data"
    OTHER = "other"


_LOCK_FILES = (
    "uv.lock poetry.lock pdm.lock pipfile.lock cargo.lock gemfile.lock composer.lock package-lock.json "
    "npm-shrinkwrap.json pnpm-lock.yaml yarn.lock bun.lock bun.lockb go.sum flake.lock mix.lock pubspec.lock "
    "podfile.lock package.resolved packages.lock.json gradle.lockfile conan.lock module.bazel.lock deno.lock "
    "pixi.lock conda-lock.yml .terraform.lock.hcl"
)
_DEPENDENCY_FILES = (
    "pyproject.toml setup.py setup.cfg pipfile package.json go.mod go.work cargo.toml gemfile composer.json "
    "build.gradle build.gradle.kts settings.gradle libs.versions.toml pom.xml build.sbt mix.exs pubspec.yaml "
    "podfile package.swift conanfile.txt conanfile.py vcpkg.json module.bazel workspace.bazel environment.yml "
    "environment.yaml pixi.toml deno.json dependabot.yml renovate.json .gitmodules directory.packages.props"
)
_CI_FILES = (
    ".gitlab-ci.yml .travis.yml appveyor.yml .appveyor.yml azure-pipelines.yml jenkinsfile .drone.yml "
    "codecov.yml .codecov.yml bitbucket-pipelines.yml .cirrus.yml .pre-commit-config.yaml tox.ini noxfile.py"
)
_DOC_FILES = (
    "readme license licence copying notice authors contributors changelog changes history news contributing "
    "code_of_conduct security maintainers citation.cff mkdocs.yml .readthedocs.yaml .readthedocs.yml"
)
_CODE = (
    "py pyi pyx pxd c h cc cpp cxx hpp hh hxx cu cuh m mm rs go java kt kts scala groovy clj cljs js mjs cjs jsx "
    "ts mts cts tsx vue svelte rb php pl pm lua r jl swift cs fs vb dart ex exs erl hs ml mli nim zig v sv vhd "
    "sh bash zsh fish ps1 bat cmd sql proto thrift graphql css scss sass less html htm jinja j2 el lisp scm f "
    "f90 f95 asm s metal hip cl glsl wgsl sol tcl awk mk cmake bzl ipynb"
)
_CONFIG = "toml yaml yml ini cfg conf json json5 jsonc env properties xml editorconfig tf tfvars hcl nix plist"
_DOCS = "md markdown rst adoc asciidoc txt tex bib org rdoc pod man 1 svg png jpg jpeg gif webp pdf drawio"

_BUILD_FILES = frozenset(
    ["makefile", "gnumakefile", "rakefile", "build", "justfile", "cmakelists.txt", "meson.build", "build.zig"]
)
_CONFIG_FILES = frozenset(["codeowners", "procfile", "vagrantfile"])
_LOCKED, _NEEDED = frozenset(_LOCK_FILES.split()), frozenset(_DEPENDENCY_FILES.split())
_BUILT, _TOLD = frozenset(_CI_FILES.split()), frozenset(_DOC_FILES.split())
_CODE_SUFFIXES, _CONFIG_SUFFIXES = frozenset(_CODE.split()), frozenset(_CONFIG.split())
_DOC_SUFFIXES = frozenset(_DOCS.split())

_GENERATED = re.compile(
    r"(^|/)(__snapshots__|snapshots?|golden[^/]*|goldens|cassettes|third_party|vendor|node_modules)/"
    r"|(^|/)[^/]*golden[_-]?values?[^/]*$"
    r"|\.(snap|ambr|approved\.\w+|golden|lock|min\.js|min\.css|map|pb\.go|g\.dart)$"
    r"|_pb2(_grpc)?\.pyi?$|(^|/)[^/]*\.generated\.\w+$"
)
_CI = re.compile(
    r"^\.(github/(workflows|actions|scripts)|gitlab|circleci|buildkite|azure|azure-pipelines|ci|jenkins)/|^ci/"
)
_TESTS = re.compile(
    r"(^|/)(tests?|testing|__tests__|specs?|e2e|[^/]*[_-]tests?|testdata|fixtures)/"
    r"|(^|/)(test_[^/]*|conftest\.py|[^/]*_test\.\w+|[^/]*[._-](test|spec)\.\w+|[^/]*Tests?\.(java|kt|cs|swift))$"
)
_REQUIREMENTS = re.compile(r"(^|/)(requirements[^/]*\.(txt|in)|requirements/[^/]+|constraints[^/]*\.txt)$")
_DOC_PLACE = re.compile(r"(^|/)(docs?|documentation|man)/")


def category_of(path: str) -> Category:
    """Return the group of a path (as text, `/` between its parts)."""
    name = path.rpartition("/")[2].lower()
    stem, dot, suffix = name.rpartition(".")
    if name in _LOCKED or _GENERATED.search(path):
        return Category.GENERATED
    if name in _NEEDED or _REQUIREMENTS.search(path):
        return Category.DEPENDENCIES
    if name in _BUILT or _CI.search(path):
        return Category.CI
    if _TESTS.search(path):
        return Category.TESTS
    if name in _BUILD_FILES:
        return Category.SOURCE
    if _DOC_PLACE.search(path) or (stem or suffix) in _TOLD or name in _TOLD:
        return Category.DOCUMENTATION
    if name.startswith(("dockerfile", "containerfile")) or name in _CONFIG_FILES:
        return Category.CONFIGURATION
    if not dot:
        return Category.OTHER
    return _by_suffix(suffix) if stem else Category.CONFIGURATION


def _by_suffix(suffix: str) -> Category:
    if suffix in _CODE_SUFFIXES:
        return Category.SOURCE
    if suffix in _CONFIG_SUFFIXES:
        return Category.CONFIGURATION
    return Category.DOCUMENTATION if suffix in _DOC_SUFFIXES else Category.OTHER
