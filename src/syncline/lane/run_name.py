"""How a run is called: by what it is made from, so that every machine gives it the same name."""

import hashlib

from syncline.config.models import Lane
from syncline.git import CommitId


def run_inputs(lane: Lane, *, target: CommitId, source: CommitId) -> str:
    """Return the name of what a run is made from: lane, both commits, policy. Equal inputs, equal name."""
    words = f"{lane.name}\0{target}\0{source}\0{lane.digest}"
    return hashlib.sha256(words.encode()).hexdigest()[:12]


def run_name(inputs: str, attempt: int) -> str:
    """Return the name of the run that is the `attempt`-th for these inputs."""
    return inputs if attempt == 1 else f"{inputs}.{attempt}"


def inputs_of(run: str) -> str:
    """Return the inputs' name of a run."""
    return run.partition(".")[0]
