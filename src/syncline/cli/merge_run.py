"""What `syncline merge` does."""

import time
from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from syncline.cli.options import Common
from syncline.cli.session import optional_lane
from syncline.cli.text import path_line, print_json, say
from syncline.errors import ConfigError, GitError
from syncline.git import CommitId, Repository
from syncline.git.commit import Person, Signature, write_commit
from syncline.git.identity import configured_person
from syncline.git.merge_tree import start_merge_tree
from syncline.git.refs import resolve_commit
from syncline.merge.as_json import merge_as_json
from syncline.merge.merge import merge, refuse_shallow
from syncline.merge.model import MergeResult, Status

if TYPE_CHECKING:
    from syncline.config.models import Lane


def run(
    options: Common, ours: str, theirs: str, *, lane_name: str | None, commit: bool, message: str | None
) -> int:
    """Merge, print the result, and return the exit code."""
    started = time.monotonic()
    with Repository.open(options.directory) as repository:
        our_commit, their_commit = resolve_commit(repository, ours), resolve_commit(repository, theirs)
        refuse_shallow(repository)
        if commit and not repository.keeps_objects:
            raise GitError(
                f"--commit writes a commit, and {repository.objects_dir} cannot be written to",
                hint="make it writable; without --commit the merge is only shown",
            )
        running = start_merge_tree(repository, our_commit, their_commit)
        # While git merges: the policy, whose models take a while to import.
        lane = optional_lane(options, repository, lane_name)
        result = merge(repository, our_commit, their_commit, lane, running)
        words = message or f"Merge {theirs} into {ours}"
        written = _commit(repository, lane, result, words) if commit else None
        if options.as_json:
            document = merge_as_json(repository, result, time.monotonic() - started)
            print_json(document if written is None else document | {"commit": written})
        else:
            _print(result, written, lane)
    return 0 if result.clean else 1


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
            say(f"  {path_line(decision.path)}  [{decision.kind}]  {decision.evidence[0]}")
    for note in result.notes:
        say(f"note: {note}")
