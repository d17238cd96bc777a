"""What `syncline gate` does."""

from dataclasses import asdict

from syncline.checks.gate import OWN_CHECK, Verdict
from syncline.checks.model import Rollup, is_commit_id
from syncline.cli.options import Common
from syncline.cli.output import verdict_as_json
from syncline.cli.session import open_forge_for, open_forge_of, read_config
from syncline.cli.text import print_json, say
from syncline.config.models import Config, Lane
from syncline.errors import ForgeError
from syncline.forge.protocol import Forge, Proposal
from syncline.git import Repository
from syncline.git.refs import resolve_commit
from syncline.lane.verdict import verdict_of

_LOOKS = 5
"""How often a proposal whose head moves while it is judged is judged anew."""


def run(options: Common, subject: str, lane_name: str | None, *, post: bool) -> int:
    """Print the verdict; 0 only when it is green."""
    shown = None
    with Repository.open(options.directory) as repository, open_forge_for(options, repository, lane_name) as forge:
        config = read_config(options, repository)
        proposal = _proposal(forge, subject)
        lane = _lane(config, lane_name, proposal)
        if proposal is None:
            sha = _commit(repository, forge, subject)
            verdict = verdict_of(lane, forge.rollup(sha), sha)
        else:
            verdict = _of_proposal(repository, forge, lane, proposal)
        if post:
            shown = forge.show_verdict(verdict)
    if options.as_json:
        more = {"posted": asdict(shown)} if shown is not None else {}
        print_json(verdict_as_json(verdict) | {"lane": lane.name} | more)
    else:
        say(f"{verdict.state.value}: {verdict.sha}")
        for line in verdict.explain():
            say(f"  {line}")
        if shown is not None:
            what = "check run" if shown.kind == "check" else "commit status"
            say(f"{'posted' if shown.changed else 'already there'}: {what} {OWN_CHECK}")
    return 0 if verdict.green else 1


def _of_proposal(repository: Repository, forge: Forge, lane: Lane, proposal: Proposal) -> Verdict:
    """Return the verdict on a proposal's head, which was its head still when all was read.

    Raises:
        ForgeError: it moves on and on.
    """
    for _ in range(_LOOKS):
        sha = proposal.head_sha
        verdict = verdict_of(lane, _rollup(repository, forge, lane, proposal, sha), sha)
        proposal = forge.proposal(proposal.number)
        if proposal.head_sha == sha:
            return verdict
    raise ForgeError(
        f"the head of proposal {proposal.number} moved each time its checks were read, {_LOOKS} times",
        hint="try again when nobody pushes",
    )


def _proposal(forge: Forge, subject: str) -> Proposal | None:
    """Return the proposal of a number, whoever made it; digits alone are one, but for a long commit id."""
    # No abbreviated commit id is taken for a proposal: numbers are short.
    return forge.proposal(int(subject)) if subject.isdecimal() and len(subject) < 7 else None


def _lane(config: Config, lane_name: str | None, proposal: Proposal | None) -> Lane:
    """Return the lane whose gate judges: the named one, the proposal's, or the only one."""
    known = proposal is not None and proposal.lane in config.lanes
    return config.lane(lane_name or (proposal.lane if proposal is not None and known else None))


def _commit(repository: Repository, forge: Forge, subject: str) -> str:
    # A commit that others pushed to a forge elsewhere need not be here.
    if forge.name != "local" and is_commit_id(subject):
        return subject
    return resolve_commit(repository, subject)


def _rollup(repository: Repository, forge: Forge, lane: Lane, proposal: Proposal, sha: str) -> Rollup:
    """Return the results, with what the branch requires that the proposal goes to."""
    if forge.name == "local" or proposal.target == lane.target:
        return forge.rollup(sha)
    with open_forge_of(repository, lane, target=proposal.target) as other:
        return other.rollup(sha)
