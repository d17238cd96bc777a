"""What replaying a merge costs against the same merge by bare git, in CPU seconds of all processes.

    python bench/replay_speed.py --clones DIR [--merges 10] FILE...

Bare git: `git merge-tree --write-tree` and `git cat-file --batch` of the conflicted files' versions. Syncline: the
same merge gathered, with all resolvers, without and with evidence from history. Judging and learning are counted
in.
"""

import argparse
import resource
import statistics
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from syncline.git import Repository
from syncline.merge.ladder.lane_record import LaneRecord
from syncline.merge.ladder.weights import shipped
from syncline.replay.gather import gather
from syncline.replay.past import PastMerge, read_dataset
from syncline.replay.run import play


def main() -> None:
    """Measure and print medians, of each dataset and of all merges."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clones", type=Path, required=True)
    parser.add_argument("--merges", type=int, default=10, help="the newest so many of each file")
    parser.add_argument("files", type=Path, nargs="+")
    options = parser.parse_args()
    print(f"{'':28}{'merges':>8}{'hunks':>8}{'git, s':>8}{'alone':>8}{'of all':>8}{'history':>9}{'of all':>8}")
    every: list[Cost] = []
    for file in options.files:
        clone = options.clones / file.stem
        clone = clone / "repo" if (clone / "repo").is_dir() else clone
        costs = [_cost(clone, past) for past in read_dataset(file).merges[-options.merges :]]
        _line(file.stem, costs)
        every += costs
    _line("all", every)


@dataclass(frozen=True)
class Cost:
    """CPU seconds of one merge."""

    hunks: int
    bare: float
    alone: float
    with_history: float


def _cost(clone: Path, past: PastMerge) -> Cost:
    bare = _bare(clone, past)
    alone, hunks = _syncline(clone, past, history=False)
    with_history, _ = _syncline(clone, past, history=True)
    return Cost(hunks, bare, alone, with_history)


def _line(name: str, costs: Sequence[Cost]) -> None:
    """Print how many times git's own a merge costs: the median of the merges, and all of them together."""
    bare = sum(cost.bare for cost in costs)
    found = []
    for values in ([cost.alone for cost in costs], [cost.with_history for cost in costs]):
        found.append(statistics.median(value / cost.bare for value, cost in zip(values, costs, strict=True)))
        found.append(sum(values) / bare)
    alone, alone_all, history, history_all = found
    print(
        f"{name:28}{len(costs):>8}{sum(cost.hunks for cost in costs):>8}{bare:>8.2f}"
        f"{alone:>8.2f}{alone_all:>8.2f}{history:>9.2f}{history_all:>8.2f}",
        flush=True,
    )


def _cpu() -> float:
    # Not os.times: a small merge takes git less than its hundredth of a second.
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def _bare(clone: Path, past: PastMerge) -> float:
    begun = _cpu()
    git = ["git", "-C", str(clone)]
    words = ["merge-tree", "--write-tree", "--no-messages", "-z", past.ours, past.theirs]
    printed = subprocess.run([*git, *words], capture_output=True, check=False).stdout.split(b"\0")
    blobs = b"".join(record.split(b" ")[1] + b"\n" for record in printed[1:] if record)
    subprocess.run([*git, "cat-file", "--batch"], input=blobs, capture_output=True, check=False)
    return _cpu() - begun


def _syncline(clone: Path, past: PastMerge, *, history: bool) -> tuple[float, int]:
    begun = _cpu()
    with Repository.open(clone, keep_objects=False) as repository:
        gathered = gather(repository, past, history=history)
        played = list(play([gathered], shipped(), 0.9, LaneRecord()))
    return _cpu() - begun, sum(len(file.right) for file in played[0].files)


if __name__ == "__main__":
    main()
