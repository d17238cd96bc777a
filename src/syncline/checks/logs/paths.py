"""Paths as logs have them, made the same on every machine. Pure."""

import re

_CHECKOUT = re.compile(
    r"(?:[A-Za-z]:)?/(?:home/runner/work|Users/runner/work|__w|a|runner/_work|actions-runner/_work)/[^/]+/[^/]+/"
    r"|/github/workspace/|/home/circleci/project/|/root/project/|/builds/[^/]+/[^/]+/|/home/vsts/work/\d+/s/"
    r"|/(?:var/lib/jenkins|home/jenkins(?:/agent)?)/workspace/[^/]+/"
    r"|/(?:workspaces?/source|workspace|workspaces|workdir|app|code|repo|project|usr/src/app)/"
    # Of syncline's own check-outs (`git.checkout`), wherever temporary directories are.
    r"|/(?:[^/]+/)*syncline-\d+-\w+/checkout-\w+/tree/"
    r"|/opt/(?!conda/|venv/|hostedtoolcache/|python|pyenv/|homebrew/|miniconda|anaconda|cuda)[^/]+/"
)
"""Where a repository is checked out: GitHub, GitLab, CircleCI, Azure, Jenkins, containers, syncline itself."""
_INSTALLED = re.compile(r"^.*/(?=(?:site|dist)-packages/)")
_STANDARD = re.compile(r"^.*/lib/python\d[\d.]*t?/")
_DRIVE = re.compile(r"^[A-Za-z]:[\\/]")
_LONGEST = 500
_ABSOLUTE = re.compile(r"(?<![\w.:/<>])(?:[A-Za-z]:[\\/]|/)[^\s'\"()\[\],;:<>]+")


def repository_path(path: str) -> str:
    """Return a path with `/`, without the directory of the check-out; what is installed begins at its packages."""
    path = path[:_LONGEST].removeprefix("file://")
    if "\\" in path or _DRIVE.match(path):
        path = path.replace("\\", "/")
    if (installed := _INSTALLED.match(path)) is not None:
        return path[installed.end() :]
    if (standard := _STANDARD.match(path)) is not None:
        return f"lib/python/{path[standard.end() :]}"
    if (place := _CHECKOUT.match(path)) is not None:
        return path[place.end() :]
    while path.startswith("./"):
        path = path[2:]
    return path


def under(path: str, root: str) -> str:
    """Return `repository_path`, where `root` is known as the directory of the check-out."""
    return path[len(root) + 1 :] if root and path.startswith(f"{root}/") else repository_path(path)


def is_own(path: str) -> bool:
    """Whether a path (of `repository_path`) may be a file of the repository: not installed, not made up."""
    return not path.startswith(("site-packages/", "dist-packages/", "lib/python/", "<")) and path != "???"


def without_places(message: str) -> str:
    """Return a message whose absolute paths are as `repository_path` has them."""
    if "/" not in message and "\\" not in message:
        return message
    return _ABSOLUTE.sub(lambda found: repository_path(found[0]), message)
