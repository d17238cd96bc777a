"""What to do where objects are missing: the command that fetches them, if this is a partial clone.

git itself fetches what a partial clone left out when it comes across it. Ours does not: it works in a sealed
room that knows no remote, so that nothing goes over the network unasked.
"""

import re
import shlex
import subprocess
from pathlib import Path

from syncline.git import seal

_DAMAGED = "objects are missing in this repository: git fsck tells which; fetch them, or clone it again"


def missing_hint(git: str, where: Path) -> str:
    """Return the way out for the repository `where` (its common directory); `git` is the program.

    `--refetch` since a plain fetch thinks all is here (git-fetch(1)). A bare clone has no refspec to fetch by.
    """
    wanted = r"^remote\..*\.(promisor|partialclonefilter|fetch)$"
    printed = subprocess.run(
        [git, "config", "--file", where / "config", "-z", "--get-regexp", wanted],
        env=seal.discovery_environment(), cwd="/", stdin=subprocess.DEVNULL, capture_output=True, check=False,
    ).stdout.decode("utf-8", "surrogateescape")  # fmt: skip
    found = [key.partition("\n")[0] for key in printed.split("\0")]
    remotes = [
        match[1] for key in found if (match := re.fullmatch(r"(?s)remote\.(.*)\.(?:promisor|partial.*)", key))
    ]
    if not remotes:
        return _DAMAGED
    name = remotes[0]
    words = ["git", "-C", str(where), "fetch", "--refetch", "--no-filter", name]
    if f"remote.{name}.fetch" not in found:
        words.append("refs/heads/*:refs/heads/*")
    command = shlex.join(words).encode("utf-8", "backslashreplace").decode()
    return f"this is a partial clone, and syncline fetches nothing unasked; `{command}` fetches what is missing"
