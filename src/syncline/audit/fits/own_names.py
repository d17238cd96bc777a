"""The names that imports of a project's own modules begin with."""

from collections.abc import Iterable


def own_names(paths: Iterable[bytes]) -> set[str]:
    """Return the top names in a tree with these paths, and the names of packages, at whatever depth they begin."""
    names: set[bytes] = set()
    packages: set[bytes] = set()
    for path in paths:
        if path.endswith((b".py", b".pyi")):
            place, _, name = path.rpartition(b"/")
            names.add(path.split(b"/", 1)[0].partition(b".")[0])
            if name.startswith(b"__init__.py"):
                packages.add(place)
    names |= {package.rpartition(b"/")[2] for package in packages if package.rpartition(b"/")[0] not in packages}
    return {name.decode("utf-8", "replace") for name in names}
