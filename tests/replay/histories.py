"""Past merges of every sort, in real repositories, and what a replay makes of them."""

from collections.abc import Sequence
from typing import Any

from syncline.git import CommitId, Repository
from syncline.merge.ladder.lane_record import LaneRecord
from syncline.merge.ladder.weights import Weights
from syncline.replay.gather import Gathered, gather_all
from syncline.replay.past import PastMerge, last_merges
from syncline.replay.run import Played, PlayedFile, play
from syncline.replay.summary import Summary
from testing.builder import Branch, RepositoryBuilder
from testing.repository import BuiltRepository
from testing.weights import weights_by_voice

LINES = "".join(f"line {number}\n" for number in range(20))


def text(**changes: str) -> str:
    """Twenty lines, some of them changed: `l3="x"` puts x in place of line 3."""
    found = LINES
    for name, new in changes.items():
        found = found.replace(f"line {name[1:]}\n", f"{new}\n" if new else "")
    return found


def begin(builder: RepositoryBuilder, files: Sequence[str] = ("a.py", "b.md")) -> tuple[Branch, Branch]:
    """The branches main and dev, which share some files."""
    main = builder.branch("main")
    main.commit("Start", dict.fromkeys(files, LINES))
    return main, main.branch("dev")


def past_merges(built: BuiltRepository, count: int = 50, branch: str = "dev") -> tuple[PastMerge, ...]:
    """The newest merges of a branch."""
    with Repository.open(built.path) as repository:
        return last_merges(repository, CommitId(built[branch]), count)


def gathered(built: BuiltRepository, merges: Sequence[PastMerge], *, jobs: int = 1) -> list[Gathered]:
    """Those merges, gathered without a look at history."""
    return list(gather_all(built.path, merges, jobs=jobs, history=False))


def played(
    merges: Sequence[Gathered], weights: Weights | None = None, precision: float = 0.9
) -> tuple[list[Played], LaneRecord, Summary]:
    """Those merges, played from an empty record."""
    record, summary = LaneRecord(), Summary(precision)
    found = []
    for one in play(merges, weights or weights_by_voice(), precision, record):
        summary.add(one)
        found.append(one)
    return found, record, summary


def told(file: PlayedFile) -> tuple[object, ...]:
    """What a replay says of a file, in values that compare."""
    return tuple(
        (
            [None if answer is None else (answer.candidate.text, answer.confidence) for answer in settled.answers],
            [
                [(ranked.candidate.text, ranked.confidence) for ranked in judged.ranking]
                for judged in settled.judged
            ],
            settled.faults,
            settled.content,
        )
        for settled in (file.alone, *file.curve, file.helped)
    )


def without_seconds(document: Any) -> Any:
    """Return a JSON document without what the clock tells."""
    if isinstance(document, dict):
        return {key: without_seconds(value) for key, value in document.items() if key != "seconds"}
    return [without_seconds(value) for value in document] if isinstance(document, list) else document
