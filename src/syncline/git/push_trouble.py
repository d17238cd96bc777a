"""What to do about a push that a remote refused, told from what git printed. Pure.

The codes GHnnn are GitHub's: https://docs.github.com/en/repositories/creating-and-managing-repositories/troubleshooting-cloning-errors
and https://docs.github.com/en/repositories/working-with-files/managing-large-files/about-large-files-on-github
"""

import re

_HINTS: tuple[tuple[str, str], ...] = (
    (
        r"without [`']?workflows?[`']? (scope|permission)",
        (
            "the commits change files below .github/workflows: a classic token needs the scope `workflow` for"
            " that, a fine-grained one or an App `workflows: write`; GITHUB_TOKEN of a workflow never may: give"
            " git another token, or a deploy key"
        ),
    ),
    (
        r"GH001|exceeds GitHub's file size limit|larger than the maximum|file is too large",
        (
            "a file in these commits is larger than the remote takes (100 MB at GitHub): it came from the source"
            " branch; take it out there, or keep it by Git LFS"
        ),
    ),
    (
        r"GH0(06|13).*(signature|signed)|must have verified signatures|commits must be signed",
        "commits must be signed there: set [lanes.NAME.signing], and know that imported ones must be signed too",
    ),
    (
        r"GH009|GH013.*secret|push protection",
        "GitHub found what looks like a secret in the imported commits; its words name it and the way out",
    ),
    (
        r"GH006|GH013|protected branch|repository rule violations",
        (
            "the branch is protected there: let whoever pushes here create branches of that name, or change"
            " `branch` of the lane to names that no rule matches"
        ),
    ),
    (
        r"hook declined",
        "a hook at the remote refused the push; its words (`remote: ...`) say why",
    ),
    (
        r"archived",
        "the repository is archived: nothing can be pushed until it is unarchived",
    ),
    (
        (
            r"ermission (to \S+ )?denied|uthentication failed|could not read Username|returned error: 40[13]"
            r"|rite access to repository not granted|marked as read.only"
        ),
        (
            "whoever pushes here may not write there: check git's credentials for the remote (`git push --dry-run`"
            " tells more); a deploy key needs write access, a token `contents: write`"
        ),
    ),
    (
        r"shallow update not allowed",
        "this clone is shallow: run `git fetch --unshallow` first",
    ),
)
"""Patterns with what to do, the more special ones first."""


def push_hint(printed: bytes) -> str:
    """Return what to do about a refused push; empty where what git printed tells nothing known."""
    text = printed.decode("utf-8", "replace")
    for pattern, hint in _HINTS:
        if re.search(pattern, text, re.DOTALL):
            return hint
    return ""
