"""What the lane's commands make anew at a run's head; what they made is kept, since running them costs."""

import hashlib
import json
import time
from collections.abc import Collection, Sequence
from pathlib import Path

from syncline.config.models import Lane, Regenerate, Waiver
from syncline.git import CommitId, Entry, Mode, Oid, Repository, TreeId
from syncline.lane.mended import looker
from syncline.repair.generator import Made, run_generator
from syncline.repair.prove import Look
from syncline.repair.regenerate import Regenerated, regenerate
from syncline.whole_file import written_beside

_KEPT = 100
"""Results kept, the newest ones."""
_AGAIN = 3600
"""Seconds after which a command that failed is run again: the network may be back."""


def generated_run(
    repository: Repository,
    lane: Lane,
    *,
    ours: CommitId,
    theirs: CommitId,
    tree: TreeId,
    waiting: frozenset[bytes],
    made: Collection[str],
    waivers: Sequence[Waiver] = (),
) -> Regenerated:
    """Return a run's tree with all made anew that is due.

    Args:
        repository: where the run is.
        lane: its lane.
        ours: the newest commit of target that it holds.
        theirs: the tip of the slice.
        tree: the tree at its head.
        waiting: paths that wait for people; what a command makes of them settles them.
        made: digests of what was made in this run before.
        waivers: those that count beside the policy's.

    Raises:
        SynclineError: the audits cannot be done.
    """

    def look(settled: frozenset[bytes]) -> Look:
        return looker(repository, lane, ours=ours, theirs=theirs, waiting=waiting - settled, waivers=waivers)

    def run(of: TreeId, what: Regenerate) -> Made:
        return _made_before(repository, of, what) or _keep(
            repository, of, what, run_generator(repository, of, what)
        )

    done = regenerate(repository, tree, look, lane.repair.regenerate, made, run)
    _write(_failures(repository, lane, done.tree), list(done.failed))
    return done


def not_generated(repository: Repository, lane: Lane, tree: TreeId) -> tuple[str, ...]:
    """Return what was due at a tree and is not done, and why, as it was found last; a line each."""
    if not lane.repair.regenerate:
        return ()
    try:
        document = json.loads(_failures(repository, lane, tree).read_bytes())
        return tuple(str(line) for line in document)
    except (OSError, ValueError, TypeError, RecursionError):
        return ()  # nothing was found, or what was kept is no use


def _failures(repository: Repository, lane: Lane, tree: TreeId) -> Path:
    settings = lane.model_dump_json(include={"name", "repair"})
    return _place(repository, "failed", lane.source, lane.target, tree, settings)


def _made_before(repository: Repository, tree: TreeId, what: Regenerate) -> Made | None:
    place = _place(repository, tree, what.model_dump_json())
    try:
        age = time.time() - place.stat().st_mtime
        document = json.loads(place.read_bytes())
        entries = tuple(
            (
                path.encode("utf-8", "surrogateescape"),
                None if entry is None else Entry(Mode(entry[0]), Oid(entry[1])),
            )
            for path, entry in document["entries"]
        )
        made = Made(entries, document["beside"], document["trouble"])
    except (OSError, ValueError, KeyError, TypeError, IndexError, RecursionError):
        return None  # it was not run yet, or what was kept is no use
    if (made.trouble and age > _AGAIN) or repository.missing([one.oid for _, one in entries if one is not None]):
        return None
    return made


def _keep(repository: Repository, tree: TreeId, what: Regenerate, made: Made) -> Made:
    document = {
        "entries": [
            [path.decode("utf-8", "surrogateescape"), None if entry is None else [entry.mode, entry.oid]]
            for path, entry in made.entries
        ],
        "beside": made.beside,
        "trouble": made.trouble,
    }
    _write(_place(repository, tree, what.model_dump_json()), document)
    return made


def _place(repository: Repository, *words: str) -> Path:
    name = hashlib.sha256("\0".join(words).encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return repository.state_dir / "cache" / "generated" / f"{name}.json"


def _write(place: Path, document: object) -> None:
    """Write a file, the oldest ones give way; on a disk that refuses, the command runs again some day."""
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with written_beside(place, json.dumps(document).encode(), mode=0o600) as beside:
            beside.replace(place)
        kept = sorted(place.parent.glob("*.json"), key=lambda file: file.stat().st_mtime, reverse=True)
        for old in kept[_KEPT:]:
            old.unlink(missing_ok=True)
    except OSError:
        return
