"""What `syncline replay` does."""

import shlex
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from syncline.cli.bar import Advance, replay_bar
from syncline.cli.options import Common
from syncline.cli.session import read_config
from syncline.cli.text import harmless, print_json, say
from syncline.errors import ConfigError
from syncline.git import Repository
from syncline.git.refs import resolve_commit
from syncline.lane.learned import drivers_of
from syncline.merge.ladder.lane_record import LaneRecord
from syncline.merge.ladder.weights import Weights, shipped
from syncline.replay.asked import AGENT
from syncline.replay.gather import gather_all
from syncline.replay.lineage import Lineage
from syncline.replay.past import PastMerge, last_merges, read_dataset
from syncline.replay.policy import Policy
from syncline.replay.run import TARGETS, Played, play
from syncline.replay.summary import Summary
from syncline.replay.truth import LeftOut

if TYPE_CHECKING:
    from syncline.config.models import Lane
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
            + ("both" if request.last else "none")
            + " was given",
            hint="syncline replay --last 50 replays this repository's newest 50 merges",
        )
    begun = time.monotonic()
    weights = Weights.read(request.weights) if request.weights else shipped()
    merges = _merges(options, request)
    summary = Summary(request.precision)
    record = LaneRecord()
    pages = None
    if request.html is not None:
        from syncline.replay.html.pages import Pages  # noqa: PLC0415 - only for those who want pages

        # A directory that is not ours is refused before the long work.
        title = options.directory.resolve().name
        pages = Pages.begin(request.html, weights, record, request.precision, title)
    lane = _lane(options, request)
    gathered = gather_all(
        options.directory,
        merges,
        jobs=request.jobs,
        history=request.history,
        ask=drivers_of(lane) if lane else None,
        attempts=request.attempts or (lane.attempts if lane else ()),
    )
    with Repository.open(options.directory) as repository, replay_bar(len(merges), "replaying") as advance:
        lineage = Lineage(repository)
        policy = Policy(lane.paths, lane.coupled) if lane else Policy()
        replayed = play(gathered, weights, request.precision, record, lineage.is_precedent, policy)
        asker = _asker(repository, lane, request)
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
        _show(document)
        if index is not None:
            say()
            say(f"the pages, in a browser: {index.absolute().as_uri()}")
    return 0


def _lane(options: Common, request: Request) -> "Lane | None":
    if request.lane is None:
        return None
    with Repository.open(options.directory) as repository:
        return read_config(options, repository).lane(request.lane)


def _asker(repository: Repository, lane: "Lane | None", request: Request) -> "PastAsker | None":
    """Return who is asked about what is left open; None where nobody is."""
    if request.agent is None:
        return None
    from syncline.repair.agents.agent import Limits  # noqa: PLC0415 - only where an agent is asked
    from syncline.repair.agents.ask import agents_of  # noqa: PLC0415
    from syncline.repair.agents.command import CommandAgent  # noqa: PLC0415
    from syncline.repair.agents.replayed import PastAsker  # noqa: PLC0415

    known = {} if lane is None else {one.name: one for one in agents_of(lane.agents)}
    limits = Limits() if lane is None else Limits.of(lane.agents)
    agent = known.get(request.agent)
    if agent is None:
        try:
            words = tuple(shlex.split(request.agent))
        except ValueError as error:
            raise ConfigError(
                f"--agent {request.agent!r} is no command: {error}", hint="close its quotes"
            ) from error
        if not words:
            raise ConfigError("--agent is empty", hint="name a command, or with --lane one of its agents")
        agent = CommandAgent(words[0], words)
    return PastAsker(repository, agent, limits, request.agent_most, tell=_note)


def _note(text: str) -> None:
    print(harmless(text), file=sys.stderr)  # noqa: T201 - progress


def _merges(options: Common, request: Request) -> list[PastMerge]:
    if request.last is not None:
        with Repository.open(options.directory) as repository:
            tip = resolve_commit(repository, request.revision)
            return list(last_merges(repository, tip, request.last))
    # What two files list would else be settled from its own answer.
    found = {past.merge: past for file in request.datasets for past in read_dataset(file).merges}
    return sorted(found.values())


def _watched(merges: Iterable[Played], advance: Advance) -> Iterator[Played]:
    for played in merges:
        advance(played)
        yield played


def _show(document: dict[str, Any]) -> None:
    left_out = ", ".join(f"{count} left out: {why}" for why, count in sorted(document["left_out"].items()))
    say(
        f"{document['merges']} merges, {document['files']} files, {document['hunks']} hunks"
        f" (and {document['locks']} in lock files)" + (f"; {left_out}" if left_out else "")
    )
    say()
    say(_row("strategy", "answered", "right", "files whole", "right", "merges whole", "right"))
    for name in document["results"]:
        result = document["results"][name]
        answered, files, merges = result["hunks"]["resolved"], result["files"], result["merges"]
        say(
            _row(
                name,
                _share(answered, document["hunks"]),
                _share(result["hunks"]["agree"], answered),
                files["resolved"],
                _share(files["exact"], files["resolved"]),
                merges["resolved"],
                _share(merges["exact"], merges["resolved"]),
            )
        )
    found = document["results"]["syncline"]["hunks"]
    if found["agree"]:
        say()
        right, same = found["agree"], found["same_layout"]
        say(f"of syncline's {right} right answers {same} are the same in white space that may mean something, too")
    if (cost := document["results"].get(AGENT, {}).get("cost")) is not None:
        say()
        say(
            f"the agent was asked {cost['asked']} times, {cost['refused']} without an answer;"
            f" {cost['seconds']:.1f} s, {cost['tokens']:,} tokens, {cost['money']:.2f} of money"
        )
        for why in cost["why"][:3]:
            say(f"  {why}")
    say()
    say(_row("precision asked", "answered", "right"))
    for target in TARGETS:
        tally = document["curve"][f"{target:.2f}"]
        answered = tally["resolved"]
        say(_row(f"{target:.2f}", _share(answered, document["hunks"]), _share(tally["agree"], answered)))
    for title, key in (("by resolver", "by_resolver"), ("by file type", "by_suffix")):
        say()
        say(_row(title, "answered", "right"))
        rows = document["results"]["syncline"][key]
        for name, tally in sorted(rows.items(), key=lambda row: (-row[1]["resolved"], row[0]))[:15]:
            if tally["resolved"]:
                say(_row(name, tally["resolved"], _share(tally["agree"], tally["resolved"])))


def _row(name: str, *cells: object) -> str:
    return f"{name:28}" + "".join(f"{cell:>13}" for cell in cells)


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"
