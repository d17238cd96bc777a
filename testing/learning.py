"""A lane with a past: in each sync people kept target's settings, took source's figures, and wrote the words."""

import textwrap
from pathlib import Path

from testing.builder import Branch, RepositoryBuilder
from testing.lane import LaneStory

PAST_POLICY = """
version = 1
[lanes.nightly]
source = "main"
target = "dev"
branch = "main2dev/{slice}"
[lanes.nightly.identity]
name = "Sync Bot"
email = "sync@example.org"
[lanes.nightly.gate]
allow_no_checks = true
"""


def build_past(
    tmp_path: Path, *, syncs: int = 6, policy: str = PAST_POLICY, keys: str = "", attempts: int = 0
) -> LaneStory:
    """Build `syncs` past syncs, and commits on both sides that are in conflict again.

    Args:
        tmp_path: where.
        syncs: how many.
        policy: the configuration.
        keys: further keys of the lane.
        attempts: how many branches `try/N` merged main into dev since, without landing.
    """
    build = RepositoryBuilder(tmp_path / "repo")
    main = build.branch("main")
    main.commit("start", {"conf/app.txt": "level 0\n", "words.txt": "zero\n", "figures/a.csv": "0\n"})
    dev = main.branch("dev")
    for number in range(1, syncs + 1):
        _diverge(main, dev, number)
        dev.merge(
            main, f"sync {number}",
            {
                "conf/app.txt": f"level dev {number}\n",
                "words.txt": f"words of both {number}\n",
                "figures/a.csv": f"main {number}\n",
            },
        )  # fmt: skip
    _diverge(main, dev, syncs + 1)
    for number in range(attempts):
        answers = {"conf/app.txt": "level tried\n", "words.txt": f"tried {number}\n", "figures/a.csv": "tried\n"}
        dev.branch(f"try/{number}").merge(main, f"attempt {number}", answers)
    config = tmp_path / "policy.toml"
    config.write_text(textwrap.dedent(policy).replace('target = "dev"\n', f'target = "dev"\n{keys}', 1))
    return LaneStory(build.finish(head="dev"), config)


def _diverge(main: Branch, dev: Branch, number: int) -> None:
    build = {"conf/app.txt": "level {} {}\n", "words.txt": "words of {} {}\n", "figures/a.csv": "{} {}\n"}
    for name, branch in (("main", main), ("dev", dev)):
        branch.commit(f"{name} {number}", {path: text.format(name, number) for path, text in build.items()})
