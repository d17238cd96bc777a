"""What came of running something on a parent, kept in the git directory by commit and by what was run."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from syncline.checks.triage.cause import Saw
from syncline.git import CommitId, Repository
from syncline.whole_file import written_beside


@dataclass(frozen=True, slots=True)
class Told:
    """What a run told: `signatures` are those of its failures. `run` is one that is still at work elsewhere."""

    saw: Saw
    signatures: frozenset[str] = frozenset()
    timed_out: bool = False
    run: int = 0


def place_of(repository: Repository, sha: CommitId, words: Sequence[object]) -> Path:
    """Return the file for what was run on a commit, whose names and arguments `words` are."""
    text = json.dumps(words)
    name = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]
    return repository.state_dir / "cache" / "parents" / sha / f"{name}.json"


def read(file: Path) -> Told | None:
    """Return what was kept; None where there is nothing that can be read: then it is run."""
    try:
        document = json.loads(file.read_bytes())
        return Told(
            Saw(document["saw"]), frozenset(map(str, document["signatures"])), run=int(document.get("run", 0))
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def store(file: Path, told: Told) -> None:
    """Keep it; a disk that refuses costs the next look a run, and nothing else."""
    document = {"saw": told.saw.value, "signatures": sorted(told.signatures)}
    content = json.dumps(document | ({"run": told.run} if told.run else {})).encode()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with written_beside(file, content) as beside:
            beside.replace(file)
    except OSError:
        return
