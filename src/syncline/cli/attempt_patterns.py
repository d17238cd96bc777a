"""The patterns of `--attempts`: each must be one, and one that meets no branch is told."""

import os
from collections.abc import Iterator, Sequence

from syncline.errors import ConfigError
from syncline.git import Repository
from syncline.git.refs import list_refs
from syncline.merge.resolvers.patterns import is_pattern, matches


def without_branches(repository: Repository, patterns: Sequence[str]) -> list[str]:
    """Return the patterns that no branch matches, here or on a remote.

    Raises:
        ConfigError: one of them is no pattern.
    """
    for pattern in patterns:
        if not is_pattern(pattern):
            raise ConfigError(
                f"--attempts {pattern!r} is no pattern of branches", hint='write it as in gitignore(5): "bot/*"'
            )
    names = list(_names(repository)) if patterns else []
    return [pattern for pattern in patterns if not any(matches((pattern,), name) for name in names)]


def _names(repository: Repository) -> Iterator[bytes]:
    for ref in list_refs(repository, "refs/heads/", "refs/remotes/"):
        kind, _, name = ref.name.removeprefix("refs/").partition("/")
        # What a remote calls its branch, without the remote's name.
        yield os.fsencode(name if kind == "heads" else name.partition("/")[2])
