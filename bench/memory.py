"""Whether syncline's own memory grows with the number of files. See bench/README.md.

Builds repositories that differ only in how many files both branches share, and prints the peak memory of the
syncline process itself (its git children apart) for a merge with the same five conflicts.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

MERGE = """
import resource, sys
from syncline.cli.main import run
sys.stdout = open("/dev/null", "w")
run(["-C", sys.argv[1], "merge", "dev", "main", "--json"])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, file=sys.stderr)
"""


def build(place: Path, files: int) -> None:
    """Build a repository with `files` shared files and five conflicts."""
    blob = "blob\nmark :{mark}\ndata {size}\n{text}\n"
    texts = {1: "base\n", 2: "main\n", 3: "dev\n", 4: "shared\n"}
    stream = [blob.format(mark=mark, size=len(text), text=text) for mark, text in texts.items()]
    who = "committer A <a@example.org> 1700000000 +0000\ndata 1\nx\n"
    shared = "".join(f"M 100644 :4 d{n % 97}/e{n % 89}/f{n}.txt\n" for n in range(files))
    conflicts = [f"M 100644 :{{mark}} c{n}.txt\n" for n in range(5)]
    base = "".join(line.format(mark=1) for line in conflicts)
    stream.append(f"commit refs/heads/main\nmark :10\n{who}{shared}{base}\n")
    for branch, mark in (("dev", 3), ("main", 2)):
        edits = "".join(line.format(mark=mark) for line in conflicts)
        stream.append(f"commit refs/heads/{branch}\n{who}from :10\n{edits}\n")
    subprocess.run(["git", "init", "-q", "--bare", place], check=True)
    subprocess.run(["git", "-C", place, "fast-import", "--quiet"], input="".join(stream).encode(), check=True)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    options = parser.parse_args()
    print(f"{'files':>8}{'peak MiB':>10}")
    for files in options.files:
        with tempfile.TemporaryDirectory() as scratch:
            place = Path(scratch) / "repository.git"
            build(place, files)
            done = subprocess.run(
                [sys.executable, "-c", MERGE, str(place)],
                capture_output=True,
                text=True,
                check=True,
                env=os.environ,
            )
            print(f"{files:>8}{done.stderr.strip():>10}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
