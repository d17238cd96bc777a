"""Ending the open run of a lane by hand. Nothing people made is deleted."""

from collections.abc import Collection

from syncline.errors import FenceError, GitError
from syncline.forge.protocol import Proposal, ProposalState
from syncline.git import CommitId
from syncline.git.refs import Ref, delete_ref, find_object, list_refs
from syncline.lane.context import LaneContext
from syncline.lane.run_name import learned_ref
from syncline.lane.shape import read_shape


def abort(context: LaneContext, why: str, *, also: Collection[int] = ()) -> list[str]:
    """Close the lane's open proposals, drop the commits kept for its runs, and delete branches nobody worked on.

    A branch is deleted only if its tip is, commit for commit, what syncline wrote on this machine.

    Args:
        context: the lane.
        why: said on the proposals.
        also: proposals that may have been closed so already, before their branches were dropped.

    Returns:
        What was done, a sentence each; empty when there was nothing to abort.
    """
    done: list[str] = []

    def tell(*sentences: str) -> None:
        # At once: a remote that fails in the middle must not leave what was done untold.
        for sentence in sentences:
            context.journal.write("abort", what=sentence, why=why)
            done.append(sentence)

    for proposal in context.forge.proposals(context.lane.name, state=ProposalState.OPEN):
        context.forge.comment(proposal.number, "aborted", f"Aborted: {why}.")
        context.forge.close(proposal.number, state=ProposalState.CLOSED)
        tell(f"closed proposal {proposal.number}")
        tell(*_drop_written(context, proposal))
    for proposal in context.forge.proposals(context.lane.name, state=ProposalState.CLOSED):
        if proposal.number in also:
            tell(*_drop_written(context, proposal))
    proposed = {proposal.run for proposal in context.forge.proposals(context.lane.name)}
    for ref in _kept(context):
        shape = read_shape(context.repository, ref.oid)
        # Pushed, but killed before it was proposed. Branches of earlier proposals are no part of the open run.
        if shape is not None and shape.run not in proposed and context.branches.tip(shape.branch) == ref.oid:
            tell(*_drop_branch(context, shape.branch, ref.oid))
        delete_ref(context.repository, ref.name, ref.oid)
        record = learned_ref(context.lane.name, ref.name.rpartition("/")[2])
        kept = find_object(context.repository, record)
        if kept is not None:
            delete_ref(context.repository, record, kept)
    return done


def _kept(context: LaneContext) -> list[Ref]:
    return list(list_refs(context.repository, f"refs/syncline/runs/{context.lane.name}/"))


def _drop_written(context: LaneContext, proposal: Proposal) -> list[str]:
    written = [ref.oid for ref in _kept(context) if ref.name.endswith(f"/{proposal.run}")]
    return _drop_branch(context, proposal.branch, written[0] if written else None)


def _drop_branch(context: LaneContext, branch: str, written: CommitId | None) -> list[str]:
    tip = context.branches.tip(branch)
    if tip is None:
        return []
    if tip != written:
        return [f"kept branch {branch}: it holds more than syncline wrote on this machine"]
    try:
        context.branches.delete(branch, tip)
    except (FenceError, GitError) as error:
        return [f"kept branch {branch}: {error.message}"]
    return [f"deleted branch {branch}"]
