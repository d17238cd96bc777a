"""What replaying a merge costs against the same merge by bare git, in CPU seconds of all processes.

    python bench/replay_speed.py CLONE DATASET [--merges 10]

Bare git: `git merge-tree --write-tree` and `git cat-file --batch` of the conflicted files' versions. Syncline: the
same merge gathered, with all resolvers, without and with evidence from history. Judging and learning are counted
in.
"""

import argparse
import resource
import statistics
import subprocess
from pathlib import Path

from syncline.git import Repository
from syncline.merge.ladder.lane_record import LaneRecord
from syncline.merge.ladder.weights import shipped
from syncline.replay.gather import gather
from syncline.replay.past import PastMerge, read_dataset
from syncline.replay.run import play


def main() -> None:
    """Measure and print medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clone", type=Path)
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--merges", type=int, default=10)
    options = parser.parse_args()
    merges = read_dataset(options.dataset).merges[-options.merges :]
    alone, with_history, hunks, totals = [], [], 0, [0.0, 0.0, 0.0]
    for past in merges:
        bare = _bare(options.clone, past)
        first, count = _syncline(options.clone, past, history=False)
        second, _ = _syncline(options.clone, past, history=True)
        alone.append(first / bare)
        with_history.append(second / bare)
        hunks += count
        for place, seconds in enumerate((bare, first, second)):
            totals[place] += seconds
    print(f"{len(merges)} merges, {hunks} hunks; bare git {totals[0]:.2f} s CPU")
    for label, ratios, total in (
        ("without history", alone, totals[1]),
        ("with history", with_history, totals[2]),
    ):
        print(f"{label:18} median {statistics.median(ratios):.2f}x, all together {total / totals[0]:.2f}x")


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
