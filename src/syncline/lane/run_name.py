"""How a run is called: by what it is made from, so that every machine gives it the same name."""

import hashlib

from syncline.config.models import Lane
from syncline.git import CommitId


def inputs_name(lane: str, *, target: str, source: str, policy: str) -> str:
    """Return the name of what a run is made from. Equal inputs, equal name."""
    return hashlib.sha256(f"{lane}\0{target}\0{source}\0{policy}".encode()).hexdigest()[:12]


def run_inputs(lane: Lane, *, target: CommitId, source: CommitId) -> str:
    """Return the name of what a run of a lane would be made from now."""
    return inputs_name(lane.name, target=target, source=source, policy=lane.digest)


def run_name(inputs: str, attempt: int) -> str:
    """Return the name of the run that is the `attempt`-th for these inputs."""
    return inputs if attempt == 1 else f"{inputs}.{attempt}"


def inputs_of(run: str) -> str:
    """Return the inputs' name of a run."""
    return run.partition(".")[0]


def run_ref(lane: str, run: str) -> str:
    """Return the ref that keeps the commits syncline wrote for a run, before and beside its branch."""
    return f"refs/syncline/runs/{lane}/{run}"


def learned_ref(lane: str, run: str) -> str:
    """Return the ref that keeps the record of the lane by which a run was settled."""
    return f"refs/syncline/learned/{lane}/{run}"
