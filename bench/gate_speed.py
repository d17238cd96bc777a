"""CPU of `syncline gate` on a commit with a large rollup, against a GitHub on loopback. See bench/README.md."""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from testing.builder import RepositoryBuilder
from testing.github import GitHubServer, github

POLICY = """version = 1
[lanes.nightly]
source = "main"
target = "dev"
remote = "origin"
forge = "github"
[lanes.nightly.github]
repository = "acme/engine"
api = "API"
[lanes.nightly.gate]
required = ["unit", "ci/"]
"""
GOAL = 1.0
"""Seconds of CPU: the program's start, reading the policy, all requests, and the verdict."""


def fill(server: GitHubServer, sha: str, checks: int) -> None:
    """Give a commit results of three kinds: jobs of workflows, other apps' check runs, commit statuses."""
    people = server.people
    runs = [people.run(sha, f"workflow {number}", event="pull_request") for number in range(10)]
    for number in range(checks):
        if number % 3 == 0:
            people.job(runs[number % 10], f"unit ({number})")
        elif number % 3 == 1:
            people.check(sha, f"check {number}", app=f"app-{number % 4}")
        else:
            people.status(sha, f"ci/{number}")


def measure(command: list[str], token: str) -> tuple[float, float, int]:
    """Return (wall seconds, CPU seconds, exit code) of a command and its children."""
    before = time.monotonic()
    environment = os.environ | {"GITHUB_TOKEN": token}
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    return time.monotonic() - before, usage.ru_utime + usage.ru_stime, os.waitstatus_to_exitcode(status)


def main() -> int:
    """Measure and print; 1 when the goal is missed or a verdict is not green."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checks", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    program = str(Path(sys.executable).parent / "syncline")
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        build = RepositoryBuilder(place / "origin")
        main_branch = build.branch("main")
        main_branch.commit("start", {"a": "a\n"})
        main_branch.branch("dev").commit("dev", {"b": "b\n"})
        built = build.finish()
        with github(place / "github", built, owner="acme", name="engine") as server:
            sha = server.world.bare.tip("dev")
            assert sha is not None
            fill(server, sha, options.checks)
            policy = place / "policy.toml"
            policy.write_text(POLICY.replace('"API"', f'"{server.api}"'))
            command = [program, "-C", str(built.path), "gate", sha, "--config", str(policy)]
            rounds = [measure(command, server.token) for _ in range(options.rounds)]
            pages = server.log.count("POST", "/graphql") // options.rounds
    wall, cpu = statistics.median(one[0] for one in rounds), statistics.median(one[1] for one in rounds)
    codes = {one[2] for one in rounds}
    print(f"{options.checks} checks in {pages} GraphQL requests")
    print(f"{cpu:.2f} s of CPU (goal {GOAL:.0f}), {wall:.2f} s wall")
    print(f"exit codes {sorted(codes)}; medians of {options.rounds} rounds")
    return 0 if codes == {0} and cpu <= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
