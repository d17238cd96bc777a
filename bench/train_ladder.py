"""Trains the ladder's weights on past merges of public repositories, and measures them on repositories left out.

    pip install -e . --group bench
    python bench/train_ladder.py gather --clones DIR --cache DIR --merges 100 FILE...
    python bench/train_ladder.py fit --cache DIR --out src/syncline/merge/ladder/weights.json
    python bench/train_ladder.py fit --cache DIR --without OWNER/NAME --out bench/weights/OWNER+NAME.json

`gather` reads dataset files (see `syncline replay --dataset`); the bare clone of `OWNER/NAME` is expected at
`DIR/OWNER+NAME` or `DIR/OWNER+NAME/repo`. What it finds out about a merge does not depend on weights, so that it
is done once. `fit` learns one logistic model for each kind of candidate, once without and once with what people
answered earlier in the same merge, and counts on repositories left out how often answers at each level of
confidence are right.
"""

import argparse
import hashlib
import json
import pickle
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression

from syncline.git import CommitId, Repository
from syncline.merge.file_group import FileGroup
from syncline.merge.ladder.facts import Candidate, Facts
from syncline.merge.ladder.features import features
from syncline.merge.ladder.gate import LEVELS
from syncline.merge.ladder.lane_record import SIZES, LaneRecord
from syncline.merge.ladder.local import Sample, logistic, values_of
from syncline.merge.ladder.memory import KINDS, Answer, Answered
from syncline.merge.ladder.weights import FORMAT, Linear
from syncline.merge.proposal import Proposal
from syncline.merge.recorded import Recorded
from syncline.merge.resolvers import recorded as recorded_answers
from syncline.replay.gather import GatheredConflict, gather
from syncline.replay.lineage import Lineage
from syncline.replay.past import read_dataset
from syncline.replay.run import rightly

FOLDS = 3
REGULARISATION = 0.004
"""sklearn's C; chosen on the training repositories among .003 to .03, which differ by little."""
LEAST = 25
"""A feature that so few candidates have is left out."""
SAY = 1200
"""How many candidates one repository weighs as, at most."""
LEFT_TO_PEOPLE = 0.85
"""Below this confidence the reviewer is taken to have answered, in the models for answers of the same merge."""


@dataclass(frozen=True)
class Hunk:
    """The facts of a hunk, and which of its candidates was right."""

    facts: Facts
    right: int | None


Merges = list[list[Hunk]]
"""The hunks of each merge, oldest first."""


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    collect = commands.add_parser("gather")
    collect.add_argument("--clones", type=Path, required=True)
    collect.add_argument("--cache", type=Path, required=True)
    collect.add_argument("--merges", type=int, default=100, help="the newest so many of each file")
    collect.add_argument("files", type=Path, nargs="+")
    collect.set_defaults(run=_gather)
    fit = commands.add_parser("fit")
    fit.add_argument("--cache", type=Path, required=True)
    fit.add_argument("--without", action="append", default=[], help="a repository that must not teach")
    fit.add_argument("--out", type=Path, required=True)
    fit.set_defaults(run=_fit)
    options = parser.parse_args()
    options.run(options)


# --- gathering ----------------------------------------------------------------------------------------------


def _gather(options: argparse.Namespace) -> None:
    options.cache.mkdir(parents=True, exist_ok=True)
    for file in options.files:
        dataset = read_dataset(file)
        name = dataset.repository.replace("/", "+")
        clone = options.clones / name
        clone = clone / "repo" if (clone / "repo").is_dir() else clone
        merges = _merges(clone, dataset.merges[-options.merges :])
        part = options.cache / f"{name}.part"
        part.write_bytes(pickle.dumps(merges))
        part.rename(options.cache / f"{name}.pickle")
        print(f"{dataset.repository}: {len(merges)} merges, {sum(map(len, merges))} hunks", flush=True)


def _merges(clone: Path, merges: Iterable[Any]) -> Merges:
    found = []
    store = Recorded()
    with Repository.open(clone, keep_objects=False) as repository:
        lineage = Lineage(repository)
        for past in merges:
            gathered = gather(repository, past)
            rows = []
            for conflict in gathered.conflicts:
                for facts in _with_recorded(conflict, store, partial(lineage.is_precedent, past=past)):
                    right = rightly(conflict, facts)
                    rows.append(Hunk(_slim(facts), None if right is None else facts.candidates.index(right)))
            for conflict in gathered.conflicts:
                if conflict.past.case is not None:
                    store.add(conflict.past.case, conflict.past.answers, past.merge)
            if rows:
                found.append(rows)
    return found


def _with_recorded(
    conflict: GatheredConflict, store: Recorded, of_lane: Callable[[CommitId], bool]
) -> tuple[Facts, ...]:
    """Return the facts of a conflict, with what the lane answered to the same before; none of a lock file's."""
    case = conflict.past.case
    if conflict.facts[0].group is FileGroup.LOCK:
        return ()
    if case is None:
        return conflict.facts
    known: dict[int, list[Proposal]] = defaultdict(list)
    for proposal in recorded_answers.propose(case, store):
        if all(said.commit is None or of_lane(said.commit) for said in proposal.evidence):
            known[proposal.hunk].append(proposal)
    return tuple(
        one.with_proposals(known[one.hunk], case.hunks[one.hunk]) if known[one.hunk] else one
        for one in conflict.facts
    )


def _slim(facts: Facts) -> Facts:
    """Return the facts without texts, which no model sees."""
    return replace(
        facts,
        candidates=tuple(
            Candidate(
                one.kind,
                hashlib.blake2b(one.text, digest_size=8).digest(),
                None,
                tuple(Proposal(said.hunk, (), said.resolver, (), said.marks) for said in one.proposals),
                one.numbers,
            )
            for one in facts.candidates
        ),
    )


# --- fitting ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """A candidate as a model sees it."""

    hunk: int
    kind: str
    values: dict[str, float]
    right: bool
    told: bool
    """Whether people had answered something in the same merge before."""


def _fit(options: argparse.Namespace) -> None:
    without = {name.replace("/", "+") for name in options.without}
    data = {
        file.stem: pickle.loads(file.read_bytes())  # noqa: S301 - written by ourselves
        for file in sorted(options.cache.glob("*.pickle"))
        if file.stem not in without
    }
    names = sorted(data)
    outcomes: dict[str, list[tuple[str, float, bool]]] = {}
    sure: dict[str, dict[tuple[int, int], float]] = {}
    priors = _priors(data)
    rows = {name: _rows(merges, priors) for name, merges in data.items()}
    for fold in range(FOLDS):
        left_out = names[fold::FOLDS]
        models = _models({name: rows[name] for name in names if name not in left_out}, told=False)
        for name in left_out:
            outcomes[name], sure[name] = _judged(data[name], rows[name], models)
    kinds = _models(rows, told=False)
    with_answers = {name: _rows(merges, priors, sure[name]) for name, merges in data.items()}
    kinds |= {f"{kind}+answers": model for kind, model in _models(with_answers, told=True).items()}
    document = {
        "format": FORMAT,
        "repositories": [name.replace("+", "/", 1) for name in names],
        "priors": {voice: round(share, 4) for voice, share in sorted(priors.items())},
        "kinds": {
            kind: {
                "intercept": round(model.intercept, 5),
                "weights": {name: float(f"{weight:.4g}") for name, weight in sorted(model.weights.items())},
            }
            for kind, model in kinds.items()
        },
        "levels": _levels(outcomes),
    }
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(document, indent=0, sort_keys=True) + "\n")
    print(
        f"{options.out}: {len(names)} repositories, {sum(len(m) for d in data.values() for m in d)} hunks",
        flush=True,
    )


def _priors(data: Mapping[str, Merges]) -> dict[str, float]:
    """Return how often each voice was right; a repository counts as 60 answers at most."""
    total: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for merges in data.values():
        counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
        for hunk in (hunk for merge in merges for hunk in merge):
            for index, candidate in enumerate(hunk.facts.candidates):
                for voice in candidate.voices:
                    counts[voice][0] += 1
                    counts[voice][1] += index == hunk.right
        for voice, (spoke, right) in counts.items():
            weight = min(1.0, 60 / spoke)
            total[voice][0] += weight * spoke
            total[voice][1] += weight * right
    return {voice: (right + 2) / (spoke + 4) for voice, (spoke, right) in total.items()}


def _rows(
    merges: Merges, priors: Mapping[str, float], sure: Mapping[tuple[int, int], float] | None = None
) -> list[list[Row]]:
    """Return the candidates of a repository with their features, merge by merge, each from those before it.

    With `sure`, how sure a model was of each hunk, the reviewer's answers to those below `LEFT_TO_PEOPLE` are told
    to the files after.
    """
    record = LaneRecord()
    found = []
    for number, merge in enumerate(merges):
        rows: list[Row] = []
        answered, told = Answered(), False
        waiting: list[Answer] = []
        path = b""
        for index, hunk in enumerate(merge):
            if hunk.facts.path != path:
                path = hunk.facts.path
                told = told or bool(waiting)
                answered.learn(waiting)
                waiting = []
            for at, candidate in enumerate(hunk.facts.candidates):
                known = features(hunk.facts, candidate, record.memory, answered if told else None, priors)
                rows.append(Row(index, candidate.kind, known, at == hunk.right, told))
            if sure is not None and sure[number, index] < LEFT_TO_PEOPLE:
                waiting.append(_answer(hunk))
        found.append(rows)
        record.sizes = (*record.sizes, len(merge))[-SIZES:]
        record.memory.learn(map(_answer, merge), record.fade)
    return found


def _answer(hunk: Hunk) -> Answer:
    return Answer(hunk.facts, None if hunk.right is None else hunk.facts.candidates[hunk.right])


def _models(data: Mapping[str, Sequence[list[Row]]], *, told: bool) -> dict[str, Linear]:
    """Fit one model for each kind of candidate; `told` takes only those with answers from the same merge."""
    columns: dict[str, tuple[list[dict[str, float]], list[bool], list[float]]] = {
        kind: ([], [], []) for kind in KINDS
    }
    for merges in data.values():
        rows = [row for merge in merges for row in merge if row.told or not told]
        weight = min(1.0, SAY / max(1, len(rows)))
        for row in rows:
            values, rights, weights = columns[row.kind]
            values.append(row.values)
            rights.append(row.right)
            weights.append(weight)
    return {kind: _logistic(*column) for kind, column in columns.items()}


def _logistic(values: list[dict[str, float]], rights: list[bool], weights: list[float]) -> Linear:
    counts = Counter(name for known in values for name, value in known.items() if value)
    names = sorted(name for name, count in counts.items() if count >= LEAST)
    place = {name: index for index, name in enumerate(names)}
    matrix = np.zeros((len(values), len(names)), np.float32)
    for at, known in enumerate(values):
        for name, value in known.items():
            if name in place:
                matrix[at, place[name]] = value
    mean, spread = matrix.mean(0), matrix.std(0) + 1e-6
    for name, index in place.items():
        if name.startswith(("says_", "against_", "group_")):
            # A rare word must not weigh more for being rare.
            mean[index], spread[index] = 0.0, max(spread[index], 0.15)
    matrix = (matrix - mean) / spread
    model = LogisticRegression(C=REGULARISATION, max_iter=300, tol=1e-3)
    model.fit(matrix, np.array(rights, dtype=int), sample_weight=np.array(weights))
    scaled = model.coef_[0] / spread
    return Linear(
        float(model.intercept_[0] - (scaled * mean).sum()), dict(zip(names, map(float, scaled), strict=True))
    )


def _judged(
    merges: Merges, known: Sequence[list[Row]], models: Mapping[str, Linear]
) -> tuple[list[tuple[str, float, bool]], dict[tuple[int, int], float]]:
    """Return (group, confidence, right) of the likeliest candidate of each hunk, and the confidence by hunk."""
    record = LaneRecord()
    outcomes, sure = [], {}
    for number, (merge, rows) in enumerate(zip(merges, known, strict=True)):
        samples: dict[str, list[Sample]] = {kind: [] for kind in KINDS}
        best: dict[int, tuple[float, bool]] = {}
        for row in rows:
            score, values = models[row.kind].score(row.values), values_of(row.values)
            samples[row.kind].append(Sample(values, score, row.right))
            confidence = logistic(score + record.local[row.kind].correction(values))
            best[row.hunk] = max(best.get(row.hunk, (0.0, False)), (confidence, row.right))
        for index, (confidence, right) in best.items():
            outcomes.append((merge[index].facts.group.value, confidence, right))
            sure[number, index] = confidence
        record.sizes = (*record.sizes, len(merge))[-SIZES:]
        for kind, correction in record.local.items():
            correction.learn(samples[kind], record.fade)
    return outcomes, sure


def _levels(outcomes: Mapping[str, list[tuple[str, float, bool]]]) -> dict[str, dict[str, float]]:
    """Return how often answers at least so sure were right, by group; a repository counts as 150 at most."""
    found: dict[str, dict[str, float]] = {}
    for group in (FileGroup.CODE, FileGroup.DATA, FileGroup.GENERATED):
        found[group.value] = {}
        for level in LEVELS:
            count = right = 0.0
            for judged in outcomes.values():
                rights = [ok for name, confidence, ok in judged if name == group.value and confidence >= level]
                weight = min(1.0, 150 / max(1, len(rights)))
                count, right = count + weight * len(rights), right + weight * sum(rights)
            # Few are very sure; and who is surer is not righter less often.
            share = (right + 5 * level) / (count + 5)
            loosest = max(found[group.value].values(), default=0.0)
            found[group.value][str(level)] = round(max(share, loosest), 4)
    return found


if __name__ == "__main__":
    main()
