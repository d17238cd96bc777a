"""What people's answers on a proposal's branch settle beside: offered as a patch and the message of its commit.

Nothing is put on the branch: people look at the patch and commit it, and it counts as theirs from then on. What
they take over so is not learned from again, for it would only say what the ladder said before.
"""

from collections.abc import Iterable
from pathlib import Path

from syncline import trailer_names
from syncline.config.models import Lane
from syncline.errors import SynclineError
from syncline.git import BlobId, Entry, Mode, Repository
from syncline.git.commit import read_commit
from syncline.git.diff import patch
from syncline.lane.learned import read_blob, settler_for
from syncline.lane.state import State
from syncline.merge.ladder.settle_more import Answered, More, settle_more
from syncline.merge.model import Side
from syncline.merge.side_version import file_at
from syncline.propose.from_answers import message_of
from syncline.propose.model import FromAnswer, FromAnswers
from syncline.whole_file import written_beside

PATCH, MESSAGE = "answers.patch", "answers.txt"
"""The files, beside the report."""


def write_from_answers(repository: Repository, lane: Lane, state: State, place: Path) -> FromAnswers | None:
    """Write the files to the directory `place` and return what they settle; None, and no files, for nothing.

    Raises:
        GitError: missing objects.
    """
    found = list(_untouched(repository, state, _more(repository, lane, state)))
    files = place / PATCH, place / MESSAGE
    if not found:
        for file in files:
            file.unlink(missing_ok=True)
        return None
    offered = tuple(_offered(more) for more in found)
    head = read_commit(repository, state.shape.head).tree
    settled = repository.edit_tree(head, {more.decision.path: _entry(repository, state, more) for more in found})
    text = patch(repository, head, settled, binary=True)
    for file, content in zip(files, (text, message_of(offered, state.shape.run).encode()), strict=True):
        with written_beside(file, content, mode=0o644) as beside:
            beside.replace(file)
    return FromAnswers(offered, str(files[0]) if text else "", str(files[1]))


def _more(repository: Repository, lane: Lane, state: State) -> tuple[More, ...]:
    shape = state.shape
    named = shape.merge.trailer(trailer_names.LEARNED)
    if named is None or not state.settled or not state.unresolved:
        return ()
    try:
        record = read_blob(repository, BlobId(named))
    except (ValueError, SynclineError):
        return ()  # it is on another machine, and with it what such answers are worth
    settler = settler_for(repository, lane, shape.target, shape.source, record)
    return settle_more(settler, state.result.git_tree, _answered(repository, state), state.unresolved)


def _answered(repository: Repository, state: State) -> list[Answered]:
    """Return what people settled by themselves, in the order of their commits."""
    people = state.shape.people
    own = {oid for oid in people if read_commit(repository, oid).trailer(trailer_names.ANSWERED) is None}
    by_path = {decision.path: decision for decision in state.result.unresolved}
    head = read_commit(repository, state.shape.head).tree
    return [
        Answered(by_path[settled.path], file_at(repository, head, settled.path))
        for commit in people
        for settled in state.settled
        if settled.commit == commit and commit in own and settled.path in by_path and not settled.agents
    ]


def _untouched(repository: Repository, state: State, found: Iterable[More]) -> Iterable[More]:
    """Yield those whose path is as the merge left it; anything else is somebody's work, and left to them."""
    head = read_commit(repository, state.shape.head).tree
    for more in found:
        path = more.decision.path
        if file_at(repository, head, path) == file_at(repository, state.shape.merge.tree, path):
            yield more


def _entry(repository: Repository, state: State, more: More) -> Entry | None:
    """Return what the path would hold; None where it would be gone."""
    settlement, conflict = more.settlement, more.decision.conflict
    assert conflict is not None  # noqa: S101 - only conflicts are judged
    if settlement.content is None:
        return conflict.stages.ours if settlement.side is Side.OURS else conflict.stages.theirs
    merged = file_at(repository, state.result.git_tree, conflict.path)
    mode = merged.mode if merged is not None else Mode.FILE
    return Entry(mode, repository.write_blob(settlement.content))


def _offered(more: More) -> FromAnswer:
    settlement = more.settlement
    return FromAnswer(
        path=more.decision.path,
        side=settlement.side,
        resolver=settlement.resolver,
        confidence=settlement.confidence or 0.0,
        evidence=settlement.evidence,
    )
