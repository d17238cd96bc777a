"""Deciding about landing: pure. What is ready lands where the lane says so, and only as what was judged."""

from syncline.forge.landing import By
from syncline.lane.actions import Action, Disarm, Land, Outcome, Rest
from syncline.lane.observation import Current, Observation


def disarm(run: Current, *, leaving: bool) -> Disarm | None:
    """Take back that the forge merges by itself, before anything else; None where that is not so, or may stay.

    Args:
        run: the run of the open proposal.
        leaving: whether it is about to be ended, replaced or held.
    """
    landing = run.landing
    if landing is None or landing.by is not By.FORGE or not landing.armed or run.landed:
        return None
    if not run.provable or run.head != run.proposal.head_sha or run.proposal.draft:
        why = "it is not proven any more"
    elif landing.held:
        why = landing.held
    elif landing.behind or leaving:
        why = "it is not to land as it is"
    else:
        return None
    return Disarm(run.proposal.number, why)


def to_be_made_anew(run: Current) -> str:
    """Return why a run that would land has to be merged again first; empty where it has not, or would not land."""
    landing = run.landing
    if landing is None or landing.held or run.people:
        return ""
    if landing.by is By.SYNCLINE and run.target_moved and not landing.waits:
        return "target moved since it was judged"
    if landing.by is By.FORGE and landing.behind:
        return "target's rules want a head that contains its newest commit"
    return ""


def land(seen: Observation, run: Current) -> Action:
    """Return what follows when a proposal is ready."""
    number, head, landing = run.proposal.number, run.head, run.landing
    assert head is not None  # noqa: S101 - it is ready
    if landing is None or landing.by is By.PEOPLE:
        return Rest(Outcome.READY, f"proposal {number} is ready")
    if landing.by is By.FORGE and landing.armed:
        waits = f": {landing.waits}" if landing.waits else ""
        return Rest(
            Outcome.READY, f"proposal {number} is ready, and lands as soon as target's rules allow it{waits}"
        )
    why = landing.held or (landing.by is By.SYNCLINE and _waits(run)) or ""
    if why:
        return Rest(Outcome.READY, f"proposal {number} is ready, and does not land by itself: {why}")
    return Land(number, head, seen.plan.target)


def _waits(run: Current) -> str:
    assert run.landing is not None  # noqa: S101 - the caller looked
    if run.landing.waits or not run.target_moved:
        return run.landing.waits
    return (
        "target moved since it was judged, and people have committed on its branch: merge target into"
        f" {run.proposal.branch}, or land it by hand"
    )
