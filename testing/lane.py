"""A small lane to sync: `main` and `dev` diverged, with a policy, as a user would have it."""

import textwrap
from dataclasses import dataclass
from pathlib import Path

from testing.builder import RepositoryBuilder
from testing.cli import Result, run_syncline
from testing.repository import BuiltRepository

POLICY = """
version = 1
[lanes.nightly]
source = "main"
target = "dev"
branch = "main2dev/{slice}"
slice = 4
labels = ["sync"]
ci_trigger = "/ok to test {sha}"
[lanes.nightly.identity]
name = "Sync Bot"
email = "sync@example.org"
[[lanes.nightly.paths]]
match = ["/OWNERS"]
take = "protect"
[[lanes.nightly.paths]]
match = ["*.gold"]
take = "ours"
[[lanes.nightly.coupled]]
name = "dependencies"
paths = ["/deps.toml", "/deps.lock"]
take = "ours"
"""

GREEN_CHECKS = """
[[lanes.nightly.checks]]
name = "files"
command = ["sh", "-c", "test -f app.txt"]
[[lanes.nightly.checks]]
name = "done"
command = ["true"]
needs = ["files"]
[lanes.nightly.gate]
sentinel = ["done"]
required = ["files$"]
"""


@dataclass(frozen=True, slots=True)
class LaneStory:
    """A repository with a lane, and the file that says its policy."""

    repo: BuiltRepository
    config: Path

    def run(self, command: str, *arguments: str) -> Result:
        """`syncline COMMAND --config ... ARGUMENTS` in the repository."""
        return run_syncline(command, "--config", self.config, *arguments, repo=self.repo)


def build_lane(
    tmp_path: Path, *, policy: str = POLICY + GREEN_CHECKS, conflict: bool = False, bare: bool = False
) -> LaneStory:
    """Build a lane of six source commits; with `conflict` one file is left for people to settle."""
    build = RepositoryBuilder(tmp_path / "repo", bare=bare)
    main = build.branch("main")
    main.commit("start", {
        "app.txt": "one\ntwo\nthree\nfour\n", "OWNERS": "all: ada\n", "run.gold": "1\n",
        "deps.toml": "a = 1\n", "deps.lock": "a 1\n", "shared.txt": "alpha\nbeta\n",
    })  # fmt: skip
    dev = main.branch("dev")
    dev.commit("target's feature (#11)", {"feature.txt": "dev\n", "OWNERS": "all: dev\n"}, author="Ada")
    dev.commit("target's figures", {"run.gold": "2\n", "deps.toml": "a = 2\n", "deps.lock": "a 2\n"}, author="Bo")
    if conflict:
        dev.commit("target's words", {"shared.txt": "alpha\nbeta of dev\n"}, author="Ada")
    main.commit("source one (#21)", {"app.txt": "ONE\ntwo\nthree\nfour\n"}, author="Cy")
    main.commit("source two", {"OWNERS": "all: main\n", "run.gold": "3\n"}, author="Di")
    main.commit("source three", {"deps.toml": "a = 3\n", "deps.lock": "a 3\n", "lib.txt": "lib\n"}, author="Cy")
    main.commit("source four", {"shared.txt": "alpha\nbeta of main\n"}, author="Di")
    main.commit("source five", {"late.txt": "late\n"}, author="Cy")
    main.commit("source six", {"late.txt": "later\n"}, author="Cy")
    config = tmp_path / "policy.toml"
    config.write_text(textwrap.dedent(policy))
    return LaneStory(build.finish(head="dev"), config)
