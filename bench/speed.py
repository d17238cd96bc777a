"""Ratios of syncline against bare git, in one run, taking turns. See bench/README.md."""

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

GOALS = {"merge / merge-tree": 2.0, "plan / merge-tree": 1.5}


def measure(command: list[str]) -> tuple[float, float, int]:
    """Return (wall seconds, CPU seconds, peak KiB) of a command and its children; its result does not matter."""
    before = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(process.pid, 0)
    return time.monotonic() - before, usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clone", type=Path)
    parser.add_argument("--source", default="main")
    parser.add_argument("--target", default="dev")
    example = Path(__file__).parent.parent / "docs" / "examples" / "megatron-lm.toml"
    parser.add_argument("--config", type=Path, default=example)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    git = ["git", "-C", str(options.clone)]
    program = str(Path(sys.executable).parent / "syncline")
    syncline = [program, "-C", str(options.clone)]
    config = ["--config", str(options.config)]
    commands = {
        "git merge-tree": [*git, "merge-tree", "--write-tree", options.target, options.source],
        "syncline merge": [*syncline, "merge", options.target, options.source, "--json"],
        "syncline merge (policy)": [*syncline, "merge", options.target, options.source, "--json", *config],
        "syncline plan": [*syncline, "plan", "--json", *config],
        "syncline --help": [program, "--help"],
    }
    wall: dict[str, list[float]] = {name: [] for name in commands}
    cpu: dict[str, list[float]] = {name: [] for name in commands}
    peak: dict[str, int] = dict.fromkeys(commands, 0)
    for _ in range(options.rounds):
        for name, command in commands.items():
            seconds, cpu_seconds, kib = measure(command)
            wall[name].append(seconds)
            cpu[name].append(cpu_seconds)
            peak[name] = max(peak[name], kib)
    base = statistics.median(wall["git merge-tree"])
    base_cpu = statistics.median(cpu["git merge-tree"])
    print(f"{'command':<26}{'wall s':>8}{'cpu s':>8}{'wall x':>8}{'cpu x':>8}{'peak MiB':>10}")
    for name in commands:
        seconds, cpu_seconds = statistics.median(wall[name]), statistics.median(cpu[name])
        print(
            f"{name:<26}{seconds:>8.2f}{cpu_seconds:>8.2f}{seconds / base:>8.2f}{cpu_seconds / base_cpu:>8.2f}"
            f"{peak[name] / 1024:>10.0f}"
        )
    print(f"goals: {GOALS}; --help 0.2 s of CPU; medians of {options.rounds} rounds")
    return 0


if __name__ == "__main__":
    sys.exit(main())
