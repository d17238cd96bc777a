"""Plays the engineer who finishes a sync: settles what is open, repairs what merged cleanly and broke.

Knows the story's first sync only: the slice of twenty commits that its `syncline.toml` asks for.
"""

from collections.abc import Iterable
from datetime import UTC, datetime

from syncline.demo import shelf
from syncline.demo.people import DANA
from syncline.errors import SynclineError
from syncline.git import CommitId, Entry, Mode, Repository
from syncline.git.commit import read_commit, write_commit
from syncline.git.refs import RefChange, branch_ref, change_refs, resolve_commit
from syncline.trailer_names import SETTLED

DELETED = {
    "scripts/launch.sh": "dev replaced it by tinytron/launch.py, which gets main's time limit",
    "tinytron/legacy_sampler.py": "main removed it, and dev's fix is of no use without it",
}
"""Paths that are gone after the sync, each with the reason."""

REPAIRED = {
    "tinytron/evaluate.py": "pass the state of the random numbers, which save_checkpoint asks for on dev",
    "tinytron/finetune.py": "call clip_grad_norm, as main has renamed it",
    "tinytron/inference.py": "take the stop token once, both branches had added it",
    "tinytron/launch.py": "the time limit that main added to scripts/launch.sh",
}
"""Paths that git merged cleanly and that need a hand, each with what is done; what is mended needs none."""


def settle(repository: Repository, branch: str, *, unresolved: Iterable[bytes]) -> CommitId:
    """Add one commit that settles `unresolved` and repairs the rest; return the branch's new tip.

    The branch moves only if it is still where this function found it. When everything is right already, no
    commit is made and the present tip is returned.

    Args:
        repository: the story's repository.
        branch: the branch of the sync, its tip the merge (or a repair above it).
        unresolved: the paths that the merge left open.

    Raises:
        SynclineError: a path is unresolved that the story does not know.
        FenceError: the branch moved meanwhile.
    """
    settled = shelf.texts("settled")
    open_paths = sorted({path.decode("utf-8", "replace") for path in unresolved})
    unknown = [path for path in open_paths if path not in settled and path not in DELETED]
    if unknown:
        raise SynclineError(
            f"the demo's engineer can settle the conflicts of the demo's first sync, not {', '.join(unknown)}",
            hint="settle them by hand, in a commit on that branch",
        )
    tip = resolve_commit(repository, branch_ref(branch))
    before = read_commit(repository, tip)
    edits: dict[bytes, Entry | None] = {}
    for path, text in (settled | shelf.texts("repaired")).items():
        if path in open_paths or path in REPAIRED:
            edits[path.encode()] = Entry(Mode.FILE, repository.write_blob(text.encode()))
    edits |= {path.encode(): None for path in DELETED if path in open_paths}
    tree = repository.edit_tree(before.tree, edits)
    # What the tree holds already is accepted by a trailer: no change could tell that somebody looked.
    accepted = [
        path for path in open_paths if repository.entry(before.tree, path.encode()) == edits[path.encode()]
    ]
    if tree == before.tree and (not accepted or before.author == DANA):
        return tip
    commit = write_commit(
        repository,
        tree=tree,
        parents=[tip],
        message=_message(
            open_paths,
            accepted,
            [path for path in REPAIRED if edits[path.encode()] != repository.entry(before.tree, path.encode())],
        ),
        author=DANA,
        committer=DANA,
        # Never before its parent, so that logs sorted by date tell the story in order.
        when=datetime.fromtimestamp(before.committed, tz=UTC),
    )
    change_refs(repository, [RefChange(branch_ref(branch), tip, commit)], why="syncline demo: settle the sync")
    return commit


def _message(open_paths: list[str], accepted: list[str], repaired: list[str]) -> str:
    lines = ["Settle what the sync left open", ""]
    lines += [f"- {path}: {DELETED.get(path, 'both changes are kept')}" for path in open_paths]
    lines += [f"- {path}: {REPAIRED[path]}" for path in repaired]
    if accepted:
        lines += ["", *(f"{SETTLED}: /{path}" for path in accepted)]
    return "\n".join(lines) + "\n"
