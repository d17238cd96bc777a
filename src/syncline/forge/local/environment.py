"""What the command of a check finds in its environment. A pure function of what is passed in.

Everything of the caller's environment is dropped except the few variables a program needs to run at all: no
`GIT_*` that would point a check's git at another repository, and no token or password.
"""

from collections.abc import Mapping

from syncline.programs.leftovers import TOKEN_VARIABLE

PASSED = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TERM")
"""The caller's variables that a check gets, where they are set."""


def environment(
    caller: Mapping[str, str], own: Mapping[str, str], *, sha: str, lane: str, artifacts: str, token: str
) -> dict[str, str]:
    """The whole environment of one command: `PASSED`, `CI=true`, the check's own, and syncline's.

    A check's own `env` may change any of them but the `SYNCLINE_*`, which are facts.
    """
    passed = {name: caller[name] for name in PASSED if name in caller}
    facts = {"SYNCLINE_SHA": sha, "SYNCLINE_LANE": lane, "SYNCLINE_ARTIFACTS": artifacts, TOKEN_VARIABLE: token}
    return {**passed, "CI": "true", **own, **facts}
