"""Where a file of the repository is called by its path on the machine of a check. Pure."""

import re

_CHECKOUT = re.compile(
    r"(?:/home/runner/work/[^/]+/[^/]+"  # GitHub's runners, on Linux
    r"|/Users/runner/work/[^/]+/[^/]+"
    r"|[A-Z]:/a/[^/]+/[^/]+"
    r"|/__w/[^/]+/[^/]+"  # their containers
    r"|/github/workspace"
    r"|/builds/[^/]+/[^/]+"  # GitLab's
    r"|/root/project|/home/circleci/project"
    r"|/workspaces?/source|/workspace)/"
)
_LONGEST = 500


def in_repository(path: str) -> str:
    """Return a path as the repository has it where the runner's check-out is known, with `/`, without `./`."""
    path = path[:_LONGEST].replace("\\", "/").removeprefix("file://")
    match = _CHECKOUT.match(path)
    if match is not None:
        path = path[match.end() :]
    while path.startswith("./"):
        path = path[2:]
    return path
