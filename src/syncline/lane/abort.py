"""Ending the open run of a lane by hand. Nothing people made is deleted."""

from syncline.errors import FenceError, GitError
from syncline.forge.protocol import ProposalState
from syncline.git.refs import delete_ref, list_refs
from syncline.lane.context import LaneContext
from syncline.lane.run import read_shape


def abort(context: LaneContext, why: str) -> list[str]:
    """Close the lane's open proposals, drop prepared runs, delete branches that hold only syncline's commits.

    Returns:
        What was done, a sentence each; empty when there was nothing to abort.
    """
    done: list[str] = []
    repository = context.repository
    for proposal in context.forge.proposals(context.lane.name, state=ProposalState.OPEN):
        context.forge.comment(proposal.number, "aborted", f"Aborted: {why}.")
        context.forge.close(proposal.number, state=ProposalState.CLOSED)
        done.append(f"closed proposal {proposal.number}")
        tip = context.branches.tip(proposal.branch)
        shape = read_shape(repository, tip, proposal.run) if tip is not None else None
        if tip is None:
            continue
        if shape is None or shape.people:
            done.append(f"kept branch {proposal.branch}: it holds commits by people")
            continue
        try:
            context.branches.delete(proposal.branch, tip)
            done.append(f"deleted branch {proposal.branch}")
        except (FenceError, GitError) as error:
            done.append(f"kept branch {proposal.branch}: {error.message}")
    for ref in list(list_refs(repository, f"refs/syncline/runs/{context.lane.name}/")):
        shape = read_shape(repository, ref.oid)
        tip = context.branches.tip(shape.branch) if shape is not None else None
        if shape is not None and tip == ref.oid and not shape.people:
            # Pushed, but killed before it was proposed.
            context.branches.delete(shape.branch, tip)
            done.append(f"deleted branch {shape.branch}")
        delete_ref(repository, ref.name, ref.oid)
    for entry in done:
        context.journal.write("abort", what=entry, why=why)
    return done
