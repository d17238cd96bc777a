"""A lane whose merge is clean and broken: a parameter that both sides added, a function that source renamed."""

import textwrap
from pathlib import Path

from testing.builder import RepositoryBuilder
from testing.lane import GREEN_CHECKS, POLICY, LaneStory

CALLS = "def call(\n    a=0,\n    b=0,\n    c=0,\n    d=0,\n):\n    return a, b, c, d\n"
CLIP = "def clip(grads, limit):\n    total = sum(grads)\n    return [grad * limit / total for grad in grads]\n"
USE = "from lib import clip\n\n\ndef go(grads):\n    return clip(grads, 2)\n"
REPAIRED_CALLS = CALLS.replace("    a=0,\n", "    a=0,\n    eos=None,\n")
REPAIRED_USE = USE.replace("clip", "clip_norm")
ALL = POLICY.replace("slice = 4\n", "slice = 0\n") + GREEN_CHECKS


def build_repair_lane(tmp_path: Path, extra: str = "", *, policy: str = ALL, bare: bool = False) -> LaneStory:
    """Build the lane; `extra` is added to its policy."""
    build = RepositoryBuilder(tmp_path / "repo", bare=bare)
    main = build.branch("main")
    base = {
        "app.txt": "one\n",
        "OWNERS": "all: ada\n",
        "run.gold": "1\n",
        "deps.toml": "a = 1\n",
        "deps.lock": "a 1\n",
    }
    main.commit("start", {**base, "calls.py": CALLS, "lib.py": CLIP})
    dev = main.branch("dev")
    dev.commit(
        "target adds eos (#11)",
        {"calls.py": CALLS.replace("    a=0,\n", "    a=0,\n    eos=None,\n")},
        author="Ada",
    )
    dev.commit("target clips (#12)", {"use.py": USE}, author="Bo")
    main.commit(
        "source adds eos (#21)",
        {"calls.py": CALLS.replace("    d=0,\n", "    d=0,\n    eos=None,\n")},
        author="Cy",
    )
    main.commit("source renames clip (#22)", {"lib.py": CLIP.replace("clip", "clip_norm")}, author="Di")
    config = tmp_path / "policy.toml"
    config.write_text(textwrap.dedent(policy) + extra)
    return LaneStory(build.finish(head="main" if bare else "dev"), config)
