"""Which group a file is in: its conflicts are judged by the record of that group. Pure.

Source: 26,642 hunks of 32 repositories. Configuration, documents and data are settled by other evidence than code;
in generated files text tells nothing, so that no record of the others may speak for them.
"""

import re
from enum import StrEnum
from functools import lru_cache


class FileGroup(StrEnum):
    """The groups with a record of their own."""

    CODE = "code"
    DATA = "data"
    """Configuration, documents and data that people write."""
    GENERATED = "generated"
    """Snapshots, golden values, translations: written by a tool or a service."""
    LOCK = "lock"
    """Locked dependencies: only their tool can make them right."""


_LOCKS = re.compile(
    rb"(^|/)([^/]*\.lock|[^/]*\.lockfile|package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.ya?ml|go\.sum|go\.work\.sum"
    rb"|bun\.lockb|Package\.resolved|packages\.lock\.json|Cargo\.lock|[Ff]lake\.lock|requirements[^/]*\.lock"
    rb"|conda-lock\.ya?ml|Pipfile\.lock|gems\.locked|mix\.lock)$"
)
_GENERATED = re.compile(
    rb"(^|/)(__snapshots__|snapshots|golden[^/]*|locale|locales|translations?|i18n|l10n|vendor|node_modules|third_party|dist)/"
    rb"|\.(snap|po|pot|xlf|xliff|ts_translation|min\.js|min\.css|map|svg|pbxproj|ipynb|csv|tsv)$"
    rb"|(^|/)[^/]*golden[^/]*\.json$"
    rb"|(^|/)[^/]*(_pb2(_grpc)?\.pyi?|\.pb\.(go|cc|h)|_generated\.[a-z]+|\.g\.dart|\.designer\.cs|\.desktop)$"
)
_CODE = re.compile(
    rb"\.(py|pyi|pyx|pxd|c|h|cc|cpp|cxx|hpp|hh|hxx|cu|cuh|inc|m|mm|java|kt|kts|scala|groovy|go|rs|rb|rake|php|js|jsx|mjs|cjs|ts"
    rb"|tsx|mts|cts|vue|svelte|cs|fs|vb|swift|pl|pm|t|sh|bash|zsh|lua|r|jl|hs|ml|mli|ex|exs|erl|clj|dart|sql|s|S|asm|proto|thrift"
    rb"|haml|erb|slim|twig|jsp|cshtml|css|scss|less|sass|cmake|glsl|metal|cl|hip)$"
)


def is_lock(path: bytes) -> bool:
    """Whether `path` is a file of locked dependencies."""
    return _LOCKS.search(path) is not None


@lru_cache(maxsize=100_000)
def file_group(path: bytes) -> FileGroup:
    """Return the group of a file by its path."""
    if is_lock(path):
        return FileGroup.LOCK
    if _GENERATED.search(path):
        return FileGroup.GENERATED
    return FileGroup.CODE if _CODE.search(path) else FileGroup.DATA
