"""The messages of the commits that syncline writes, with the trailers by which any machine knows a run again."""

import hashlib
from collections.abc import Sequence

from syncline.git import BlobId, CommitId, TreeId
from syncline.git.commit import Commit, Person
from syncline.markup.markdown import unlinked
from syncline.markup.plain_text import one_line
from syncline.merge.model import MergeResult, settled_by_rule
from syncline.plan.model import Plan
from syncline.trailer_names import (
    AGENT,
    BRANCH,
    LANE,
    LEARNED,
    ORDER,
    POLICY,
    REPAIR,
    REPAIR_ANSWERED,
    REPAIR_GENERATED,
    REPAIR_LEFT,
    REPAIR_MADE,
    REPAIR_SETTLED,
    RUN,
    SETTLED,
    SOURCE,
    TARGET,
)


def merge_message(
    *,
    title: str,
    lane: str,
    source: str,
    target: str,
    run: str,
    branch: str,
    policy: str,
    learned: BlobId | None,
    plan: Plan,
    boundary: Commit | None,
    result: MergeResult,
    signed_off_by: Person | None,
) -> str:
    """Return the message of the merge commit."""
    part = plan.slice
    assert part is not None  # noqa: S101 - a merge is only made for a slice
    words = [f"Imports {part.imported} commits of {source} up to {part.tip.short} into {target}."]
    if boundary is not None:
        number = len(part.commits) + 1
        subject = unlinked(boundary.subject[:60])
        words.append(f"Commit {number} ({boundary.oid.short}, {subject}) is excluded; {part.left} are left.")
    resolved = len(result.conflicts) - sum(1 for decision in result.unresolved if decision.conflict)
    by_rule = settled_by_rule(result)
    counts = [f"Conflicts: {len(result.conflicts)}", f"settled by rule {by_rule}"]
    if resolved > by_rule:
        counts.append(f"by evidence {resolved - by_rule}")
    words.append(f"{', '.join(counts)}, open {len(result.unresolved)}.")
    trailers = [
        f"{LANE}: {lane}",
        f"{RUN}: {run}",
        f"{BRANCH}: {branch}",
        f"{TARGET}: {result.ours}",
        f"{SOURCE}: {result.theirs}",
        f"{POLICY}: {policy}",
        *([f"{LEARNED}: {learned}"] if learned is not None else []),
    ]
    return _message(title, words, trailers, signed_off_by)


def repair_message(
    *,
    run: str,
    target: str,
    repairs: Sequence[str],
    left: Sequence[int],
    tree: TreeId,
    merge: CommitId,
    signed_off_by: Person | None,
    agents: Sequence[str] = (),
    settled: Sequence[str] = (),
    answered: int = 0,
    generated: Sequence[str] = (),
    generated_paths: Sequence[str] = (),
) -> str:
    """Return the message of the one repair commit.

    Args:
        run: the run's name.
        target: the branch the sync goes into.
        repairs: what was done, a line each.
        left: of each round how many findings it left, the oldest first.
        tree: the commit's tree.
        merge: the merge commit, which is its parent.
        signed_off_by: who signs off, where somebody does.
        agents: whose answers it holds.
        settled: patterns of the paths these settle (see `settle.trailer_pattern`).
        answered: in how many rounds agents answered failures.
        generated: digests of what commands made anew.
        generated_paths: patterns of the paths in conflict whose content these made.
    """
    words = [f"- {harmless(repair)}" for repair in repairs]
    title = f"Repair the sync into {target}"
    trailers = [
        f"{REPAIR}: {run}",
        *([f"{REPAIR_LEFT}: {' '.join(map(str, left))}"] if left else []),
        *([f"{REPAIR_ANSWERED}: {answered}"] if answered else []),
        *(f"{REPAIR_GENERATED}: {digest}" for digest in generated),
        *(f"{REPAIR_SETTLED}: {pattern}" for pattern in generated_paths),
        *(f"{SETTLED}: {pattern}" for pattern in settled),
        *(f"{AGENT}: {name}" for name in dict.fromkeys(agents)),
    ]
    return _proven(title, words, trailers, signed_off_by, tree=tree, parent=merge)


def harmless(words: str) -> str:
    """Return words of strangers as they may stand in a message: one line, in which nothing notifies or closes."""
    return unlinked(one_line(" ".join(words.split())))


def as_written(commit: Commit) -> bool:
    """Whether a commit is what syncline wrote, by the digest that it holds of itself: nobody has changed it."""
    if len(commit.parents) != 1:
        return False
    digest = made_digest(commit.message, tree=commit.tree, parent=commit.parents[0])
    return commit.trailers(REPAIR_MADE) == (digest,)


def made_digest(message: str, *, tree: TreeId, parent: CommitId) -> str:
    """Return what a commit says of itself: 16 hex digits over all that syncline put into it."""
    own = [line.rstrip() for line in message.splitlines() if not line.startswith(f"{REPAIR_MADE}:")]
    words = "\0".join((tree, parent, *"\n".join(own).strip().split("\n")))
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def taken_message(
    *, lines: Sequence[str], settled: Sequence[str], orders: Sequence[str], signed_off_by: Person | None
) -> str:
    """Return the message of a commit that settles files as people ordered at the forge.

    Args:
        lines: what is done, a line each.
        settled: patterns of the paths (see `settle.trailer_pattern`).
        orders: the names the orders have at the forge.
        signed_off_by: who signs off, where somebody does.
    """
    words = [f"- {harmless(line)}" for line in lines]
    trailers = [*(f"{SETTLED}: {pattern}" for pattern in settled), *(f"{ORDER}: {key}" for key in orders)]
    return _message("Settle conflicts of the sync as ordered", words, trailers, signed_off_by)


def answered_message(
    *,
    lines: Sequence[str],
    settled: Sequence[str],
    agents: Sequence[str],
    mended: bool,
    tree: TreeId,
    parent: CommitId,
    signed_off_by: Person | None,
) -> str:
    """Return the message of a commit that takes over what agents answered.

    Args:
        lines: which files, by whom and why, a line each.
        settled: patterns of the paths whose conflicts that settles.
        agents: their names.
        mended: whether failures are among what they answered.
        tree: the commit's tree.
        parent: the commit below it.
        signed_off_by: who signs off, where somebody does.
    """
    words = [f"- {harmless(line)}" for line in lines]
    trailers = [
        *([f"{REPAIR_ANSWERED}: 1"] if mended else []),
        *(f"{SETTLED}: {pattern}" for pattern in settled),
        *(f"{AGENT}: {name}" for name in agents),
    ]
    return _proven("Take over what agents answered", words, trailers, signed_off_by, tree=tree, parent=parent)


def _proven(
    title: str,
    words: Sequence[str],
    trailers: Sequence[str],
    signed_off_by: Person | None,
    *,
    tree: TreeId,
    parent: CommitId,
) -> str:
    """Return a message that holds a digest of its commit; see `as_written`."""
    made = made_digest(_message(title, words, trailers, signed_off_by), tree=tree, parent=parent)
    return _message(title, words, [*trailers, f"{REPAIR_MADE}: {made}"], signed_off_by)


def _message(title: str, words: Sequence[str], trailers: Sequence[str], signed_off_by: Person | None) -> str:
    signed = [f"Signed-off-by: {signed_off_by}"] if signed_off_by is not None else []
    return "\n".join([" ".join(title.split()), "", *words, "", *trailers, *signed]) + "\n"
