"""What `syncline replay` does."""

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from syncline.cli.attempt_patterns import without_branches
from syncline.cli.bar import Advance, replay_bar
from syncline.cli.options import Common
from syncline.cli.replay_show import show
from syncline.cli.session import read_config
from syncline.cli.text import harmless, print_json, say
from syncline.errors import ConfigError
from syncline.git import Repository
from syncline.git.refs import resolve_commit
from syncline.lane.learned import drivers_of
from syncline.merge.ladder.lane_record import LaneRecord
from syncline.merge.ladder.weights import Weights, shipped
from syncline.replay.gather import gather_all
from syncline.replay.lineage import Lineage
from syncline.replay.past import PastMerge, last_merges, read_dataset
from syncline.replay.policy import Policy
from syncline.replay.run import Played, play
from syncline.replay.summary import Summary
from syncline.replay.truth import LeftOut

if TYPE_CHECKING:
    from syncline.config.models import Lane
    from syncline.repair.agents.agent import Agent, Limits
    from syncline.repair.agents.replayed import PastAsker


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked for."""

    last: int | None
    datasets: tuple[Path, ...]
    revision: str
    lane: str | None
    precision: float
    jobs: int
    history: bool
    weights: Path | None
    html: Path | None
    agent: str | None = None
    agent_most: int = 20
    attempts: tuple[str, ...] = ()


def run(options: Common, request: Request) -> int:
    """Replay, print the figures, and return the exit code."""
    if bool(request.datasets) == (request.last is not None):
        raise ConfigError(
            "either --last N or --dataset FILE was expected, "
            + ("both were" if request.last else "none was")
            + " given",
            hint="syncline replay --last 50 replays this repository's newest 50 merges",
        )
    begun = time.monotonic()
    weights = Weights.read(request.weights) if request.weights else shipped()
    lane = _lane(options, request)
    agent = _agent(lane, request)
    merges = _merges(options, request)
    attempts = request.attempts or (lane.attempts if lane else ())
    _tell_unmatched(options, attempts)
    summary = Summary(request.precision)
    record = LaneRecord()
    pages = None
    if request.html is not None:
        from syncline.replay.html.pages import Pages  # noqa: PLC0415 - only for those who want pages

        # A directory that is not ours is refused before the long work.
        title = options.directory.resolve().name
        pages = Pages.begin(request.html, weights, record, request.precision, title)
    gathered = gather_all(
        options.directory,
        merges,
        jobs=request.jobs,
        history=request.history,
        ask=drivers_of(lane) if lane else None,
        attempts=attempts,
    )
    with Repository.open(options.directory) as repository, replay_bar(len(merges), "replaying") as advance:
        lineage = Lineage(repository)
        policy = Policy(lane.paths, lane.coupled) if lane else Policy()
        replayed = play(gathered, weights, request.precision, record, lineage.is_precedent, policy)
        asker = _asker(repository, agent, request.agent_most)
        if asker is not None:
            summary.ask()
        for played in _watched(replayed, advance):
            asked = [asker.ask(played.gathered.past, file) for file in played.files] if asker is not None else ()
            summary.add(played, asked)
            if pages is not None:
                pages.add(played)
    # Where history is cut, sides seem to have no common ancestor.
    lost = sum(summary.left_out[why.value] for why in (LeftOut.INCOMPLETE, LeftOut.UNRELATED))
    if merges and lost == len(merges):
        raise ConfigError(
            f"none of the {len(merges)} merges is in {options.directory} with all its history",
            hint="name the repository of the dataset with -C DIR; a shallow or partial clone will not do",
        )
    seconds = time.monotonic() - begun
    index = pages.finish(summary, seconds) if pages is not None else None
    document = summary.as_json(seconds)
    if options.as_json:
        print_json(document)
    else:
        show(document)
        if index is not None:
            say()
            say(f"the pages, in a browser: {index.absolute().as_uri()}")
    return 0


def _lane(options: Common, request: Request) -> "Lane | None":
    if request.lane is None:
        return None
    with Repository.open(options.directory) as repository:
        return read_config(options, repository).lane(request.lane)


def _tell_unmatched(options: Common, attempts: Sequence[str]) -> None:
    if not attempts:
        return
    with Repository.open(options.directory) as repository:
        for pattern in without_branches(repository, attempts):
            _note(
                f"no branch, here or on a remote, matches the attempts {pattern!r}: it adds nothing"
                " (`git branch --all` lists them)"
            )


def _agent(lane: "Lane | None", request: Request) -> "tuple[Agent, Limits] | None":
    """Return who is asked about what is left open, and how far it may go; None where nobody is."""
    if request.agent is None:
        return None
    from syncline.cli.replay_agent import agent_named  # noqa: PLC0415 - only where an agent is asked

    return agent_named(request.agent, lane)


def _asker(repository: Repository, found: "tuple[Agent, Limits] | None", most: int) -> "PastAsker | None":
    if found is None:
        return None
    from syncline.repair.agents.replayed import PastAsker  # noqa: PLC0415 - only where an agent is asked

    return PastAsker(repository, *found, most, tell=_note)


def _note(text: str) -> None:
    print(harmless(text), file=sys.stderr)  # noqa: T201 - progress


def _merges(options: Common, request: Request) -> list[PastMerge]:
    if request.last is not None:
        with Repository.open(options.directory) as repository:
            tip = resolve_commit(repository, request.revision)
            merges = list(last_merges(repository, tip, request.last))
        if not merges:
            raise ConfigError(
                f"there is no merge to replay: {request.revision} ({tip.short}) has none among its first parents",
                hint="name the branch that merges land on with --branch; a sync that was landed by squashing has"
                " no second parent, and cannot be replayed",
            )
        return merges
    # What two files list would else be settled from its own answer.
    found = {past.merge: past for file in request.datasets for past in read_dataset(file).merges}
    if not found:
        raise ConfigError(
            f"there is no merge to replay: none is listed in {', '.join(map(str, request.datasets))}",
            hint="list some (docs/replay.md tells the form), or replay this repository's own with --last 50",
        )
    return sorted(found.values())


def _watched(merges: Iterable[Played], advance: Advance) -> Iterator[Played]:
    for played in merges:
        advance(played)
        yield played
