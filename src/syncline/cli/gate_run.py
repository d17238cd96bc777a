"""What `syncline gate` does."""

from syncline.cli.options import Common
from syncline.cli.output import verdict_as_json
from syncline.cli.session import open_forge, read_config
from syncline.cli.text import print_json, say
from syncline.forge.local.forge import LocalForge
from syncline.git import Repository
from syncline.git.refs import resolve_commit
from syncline.lane.verdict import verdict_of


def run(options: Common, subject: str, lane_name: str | None) -> int:
    """Print the verdict; 0 only when it is green."""
    with Repository.open(options.directory) as repository, open_forge(repository) as forge:
        config = read_config(options, repository)
        sha, found_lane = _subject(repository, forge, subject)
        lane = config.lane(lane_name or found_lane)
        verdict = verdict_of(lane, forge.rollup(sha), sha)
    if options.as_json:
        print_json(verdict_as_json(verdict) | {"lane": lane.name})
    else:
        say(f"{verdict.state.value}: {sha}")
        for line in verdict.explain():
            say(f"  {line}")
    return 0 if verdict.green else 1


def _subject(repository: Repository, forge: LocalForge, subject: str) -> tuple[str, str | None]:
    """Return (commit id, lane) of a proposal's number or a commit; digits alone are a number."""
    # No abbreviated commit id is taken for a proposal: numbers are short.
    if subject.isdecimal() and len(subject) < 7:
        proposal = forge.proposal(int(subject))
        return proposal.head_sha, proposal.lane
    return resolve_commit(repository, subject), None
