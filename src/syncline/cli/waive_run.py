"""What `syncline waive` does."""

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from syncline.audit.explain.told import Told, place, waiver_as_json, waiver_words
from syncline.audit.finding import Finding
from syncline.audit.four_trees import FourTrees
from syncline.audit.make_waiver import make_waiver
from syncline.audit.waivers import NEVER, Waived
from syncline.cli.audit_run import Subject, audited, lane_of, merge_subject
from syncline.cli.options import Common
from syncline.cli.session import open_forge, read_config
from syncline.cli.text import one_line, print_json, say
from syncline.config.find import find
from syncline.config.models import Lane, Waiver
from syncline.config.write_waiver import write_waiver
from syncline.errors import SynclineError
from syncline.forge.protocol import ProposalState
from syncline.git import Repository
from syncline.git.identity import configured_person


@dataclass(frozen=True, slots=True)
class Found:
    """A finding and where it was found."""

    finding: Finding
    subject: Subject
    waived: Waived | None
    """The waiver that lets it pass already."""


def run(options: Common, *, finding: str, because: str, merge: str | None, lane_name: str | None) -> int:
    """Write the waiver, say so, and return the exit code."""
    with Repository.open(options.directory, keep_objects=False) as repository:
        repository.require_whole_history()
        lane = (
            lane_of(options, repository, lane_name, "HEAD" if merge is None else merge)
            or read_config(options, repository).lane()
        )
        path = find(explicit=options.config, work_tree=repository.work_tree, git_dir=repository.common_dir)
        found = _find(repository, lane, finding.strip().lower(), merge)
        if found.waived is not None:
            return _already(options, found, found.waived)
        if found.finding.kind in NEVER:
            raise SynclineError(
                f"{finding} is a {found.finding.kind!r}, which nobody may waive: "
                f"{one_line(place(found.finding))}: {one_line(found.finding.message)}",
                hint=NEVER[found.finding.kind],
            )
        waiver = _waiver(repository, found, because)
        line = write_waiver(path, lane, waiver)
    if options.as_json:
        print_json({
            "finding": found.finding.as_json(), "waiver": waiver_as_json(waiver), "lane": lane.name,
            "path": str(path), "line": line, "already": False,
        })  # fmt: skip
    else:
        say(f"waived    {_words(found.finding)}")
        say(f"written   {path}:{line}; commit it, so that everybody has it; taking the table out takes it back")
        say("expires   when the code it is about changes")
    return 0


def _find(repository: Repository, lane: Lane, wanted: str, merge: str | None) -> Found:
    """Return the finding with an id, from the first audit that has it.

    Raises:
        SynclineError: none has it, or there is nothing to audit.
    """
    looked: list[str] = []
    known: dict[str, Finding] = {}
    for name, subject in _subjects(repository, lane, merge):
        told = audited(repository, lane, subject)
        hit = _in(told, subject, wanted)
        if hit is not None:
            return hit
        looked.append(name)
        known |= {finding.id: finding for finding in told.findings}
    near = difflib.get_close_matches(wanted, known, n=3, cutoff=0.5)
    meant = [f"{one} ({_words(known[one])})" for one in near]
    raise SynclineError(
        f"no finding has the id {wanted!r} in the audit of {' and '.join(looked)}",
        hint="did you mean " + " or ".join(meant)
        if meant
        else "`syncline audit` lists them; --merge names another merge",
    )


def _in(told: Told, subject: Subject, wanted: str) -> Found | None:
    for one in told.waived:
        if one.finding.id == wanted:
            return Found(one.finding, subject, one)
    return next((Found(finding, subject, None) for finding in told.findings if finding.id == wanted), None)


def _subjects(repository: Repository, lane: Lane, merge: str | None) -> Iterator[tuple[str, Subject]]:
    """Yield the merges in which a finding may be: the one named; else HEAD's, then those of open proposals.

    Raises:
        SynclineError: there is none.
    """
    if merge is not None:
        yield merge, merge_subject(repository, lane, merge)
        return
    none: SynclineError | None = None
    try:
        yield "HEAD", merge_subject(repository, lane, "HEAD")
    except SynclineError as error:  # HEAD is where people work; it need be no merge
        none = error
    with open_forge(repository) as forge:
        proposals = forge.proposals(lane.name, state=ProposalState.OPEN)
    for proposal in reversed(proposals):
        none = None
        yield f"proposal {proposal.number}", merge_subject(repository, lane, proposal.head_sha)
    if none is not None:
        raise none


def _waiver(repository: Repository, found: Found, because: str) -> Waiver:
    trees = FourTrees(repository, found.subject.ours, found.subject.theirs, found.subject.merged)
    person = configured_person(repository)
    by = person.name if person is not None else None
    return make_waiver(trees, found.finding, because, by=by, on=datetime.now(UTC).date())


def _already(options: Common, found: Found, waived: Waived) -> int:
    if options.as_json:
        print_json({
            "finding": found.finding.as_json(), "waiver": waiver_as_json(waived.waiver), "already": True,
        })  # fmt: skip
    else:
        say(f"waived    {_words(found.finding)}")
        say(f"already   {one_line(waiver_words(waived.waiver))}")
    return 0


def _words(finding: Finding) -> str:
    return f"{one_line(place(finding))}  {one_line(finding.message)}"
