"""What `syncline merge` does while git merges and after: policy, decisions, commit, output."""

import time
from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from syncline.cli.options import Common
from syncline.cli.session import optional_lane
from syncline.cli.text import path_line, print_json, say
from syncline.counted import counted
from syncline.errors import ConfigError
from syncline.git import CommitId, Repository
from syncline.git.commit import Person, Signature, write_commit
from syncline.git.identity import configured_person
from syncline.git.merge_tree import RunningMerge
from syncline.merge.as_json import merge_as_json
from syncline.merge.ladder.feature_words import weighed
from syncline.merge.merge import merge
from syncline.merge.model import HunkDecision, MergeResult, Side, Status
from syncline.merge.sides import StartedMerge

if TYPE_CHECKING:
    from syncline.config.models import Lane
    from syncline.merge.ladder.settler import Settler

MOST_HUNKS = 20
"""How many hunks of a file are shown as text."""


def show(
    options: Common,
    repository: Repository,
    running: RunningMerge,
    *,
    lane_name: str | None,
    evidence: bool,
    message: str | None,
    since: float,
) -> int:
    """Decide, print the result, and return the exit code.

    Args:
        options: the command's.
        repository: where the commits are.
        running: git's merge of the two.
        lane_name: the lane whose policy counts; None: the only one, where there is a configuration.
        evidence: whether evidence is sought for what no rule settles. With a lane it is accepted as far as the
            lane's record bears it; without one, or a record, candidates are only shown.
        message: write the merge commit with this message; None writes none.
        since: when the command began, by the monotonic clock.
    """
    started = StartedMerge(repository, running)
    # While git merges: the policy, whose models take a while to import.
    lane = optional_lane(options, repository, lane_name)
    settler = _settler(repository, lane, running) if evidence else None
    result = merge(repository, running.ours, running.theirs, lane, started, settler=settler)
    written = _commit(repository, lane, result, message) if message is not None else None
    if options.as_json:
        document = merge_as_json(repository, result, time.monotonic() - since)
        print_json(document if written is None else document | {"commit": written})
    else:
        _print(result, written, lane)
    return 0 if result.clean else 1


def _settler(repository: Repository, lane: "Lane | None", running: RunningMerge) -> "Settler":
    # Only where it was asked for: the ladder takes as long to import as git to merge.
    from syncline.lane.learned import read_learned, settler_for  # noqa: PLC0415
    from syncline.merge.ladder.lane_record import LaneRecord  # noqa: PLC0415

    record = read_learned(repository, lane, running.ours).record if lane is not None else LaneRecord()
    return settler_for(repository, lane, running.ours, running.theirs, record)


def _commit(repository: Repository, lane: "Lane | None", result: MergeResult, message: str) -> CommitId:
    identity = lane.identity if lane is not None else None
    person = Person(identity.name, identity.email) if identity else configured_person(repository)
    if person is None:
        raise ConfigError(
            "--commit needs to know who commits, and git has no user.name and user.email here",
            hint="set them (git config user.name ...), or an identity for the lane",
        )
    signing = lane.signing if lane is not None else None
    return write_commit(
        repository, tree=result.tree, parents=(result.ours, result.theirs), message=message + "\n",
        author=person, committer=person, when=datetime.now(UTC),
        signature=Signature(signing.format, signing.key) if signing else None,
    )  # fmt: skip


def _print(result: MergeResult, written: CommitId | None, lane: "Lane | None") -> None:
    counts = Counter(decision.kind for decision in result.decisions if decision.conflict)
    kinds = ", ".join(f"{count} {kind}" for kind, count in counts.most_common()) or "none"
    say(f"tree      {result.tree}")
    if written is not None:
        say(f"commit    {written}")
    say(f"policy    {f'lane {lane.name}' if lane else 'none (no syncline.toml)'}")
    say(f"conflicts {len(result.conflicts)}: {kinds}")
    for status in (Status.RESOLVED, Status.KEPT, Status.UNRESOLVED):
        shown = [decision for decision in result.decisions if decision.status is status]
        if not shown:
            continue
        say(f"\n{status.value} ({len(shown)})")
        for decision in shown:
            if decision.hunks and decision.confidence is not None:
                words = f"{decision.resolver}, {decision.confidence:.2f} sure"
            else:
                words = str(decision.evidence[0])
            say(f"  {path_line(decision.path)}  [{decision.kind}]  {words}")
            for hunk in decision.hunks[:MOST_HUNKS]:
                say(f"      hunk {hunk.index + 1}: {_hunk_line(hunk)}")
            if len(decision.hunks) > MOST_HUNKS:
                more = counted(len(decision.hunks) - MOST_HUNKS, "more hunk")
                say(f"      ... and {more} (--json has all)")
    for note in result.notes:
        say(f"note: {note}")


_ANSWERS = {Side.OURS: "target's side", Side.THEIRS: "source's side", Side.BOTH: "a text that is neither side's"}
_UNLIKELY = 0.3
"""Below this a candidate that nobody proposes is no hint but noise."""


def _hunk_line(hunk: HunkDecision) -> str:
    """Return what is likeliest for a hunk, how sure that is, and why."""
    best = hunk.offers[0]
    # Where the lane did nothing of the kind, what is left is what the model learned elsewhere.
    nobody = "the lane's record" if best.evidence else "no resolver; by what is usual elsewhere"
    who = ", ".join(best.resolvers) or nobody
    answer = f"{_ANSWERS[best.side]} ({who}, {best.confidence:.2f} sure)"
    why_likely = "" if best.resolvers or not best.evidence else f"; {weighed(best.reasons)}"
    if hunk.status is Status.RESOLVED:
        return f"{answer}: {'; '.join(map(str, hunk.evidence))}{why_likely}"
    if not best.resolvers and best.confidence < _UNLIKELY:
        return f"open; no answer is likely, the best is {answer}"
    why = f": {best.evidence[0]}{why_likely}" if best.evidence else ""
    return f"open; likeliest {answer}{why}" + "".join(f"; {refused}" for refused in hunk.evidence)
