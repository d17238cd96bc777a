"""What was learned, for people and as JSON."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from syncline.cli.options import Common
from syncline.cli.text import path_line, print_json, say
from syncline.config.starter.page import array, key, quoted
from syncline.counted import counted
from syncline.errors import GitError
from syncline.git import CommitId, Repository
from syncline.git.commit import read_commit
from syncline.git.paths import json_path
from syncline.merge.file_group import FileGroup
from syncline.merge.ladder.gate import ATTEMPTED, BORNE_OUT, OF_ATTEMPTS, OTHERWISE, file_group_of
from syncline.merge.ladder.lane_record import LaneRecord
from syncline.merge.recorded import Answer
from syncline.replay.suggest import Suggestion
from syncline.replay.truth import LeftOut

if TYPE_CHECKING:
    from syncline.config.models import Lane

_GROUPS = {
    FileGroup.CODE: "code",
    FileGroup.DATA: "configuration, documents, data",
    FileGroup.GENERATED: "generated files",
}
_MOST_PATHS = 8
FORGOTTEN = "forgotten on request"
"""Why a sync that was revoked is left out."""


@dataclass(frozen=True, slots=True)
class Taught:
    """What came of learning."""

    lane: "Lane"
    file: Path
    record: LaneRecord
    levels: Mapping[str, Mapping[str, float]]
    """How often answers at each level of confidence were right in other repositories (`Weights.levels`)."""
    syncs: int
    left_out: Counter[str]
    files: int
    hunks: int
    suggestions: Sequence[Suggestion]
    committed: bool
    """Whether the record that was written is in force: target holds it, or it need not be committed."""
    notes: Sequence[str] = ()
    """What else people should know."""


def document_of(taught: Taught, seconds: float) -> dict[str, Any]:
    """Return the document of `learn --json`."""
    lane, record = taught.lane, taught.record
    return {
        "lane": lane.name,
        "record": str(taught.file),
        "in_force": taught.committed,
        "target": lane.target,
        "precision": lane.precision,
        "syncs": taught.syncs,
        "learned": list(record.learned),
        "left_out": dict(taught.left_out),
        "forgotten": list(record.forgotten),
        "notes": list(taught.notes),
        "files": taught.files,
        "hunks": taught.hunks,
        "recorded": len(record.recorded.answers()),
        "attempts": [one.commit for one in record.attempted.attempts],
        "gate": {name: _gate(taught, name) for name in _groups(record)},
        "suggestions": [_suggestion(lane.name, one) for one in taught.suggestions],
        "seconds": round(seconds, 3),
    }


_TRIED = {
    ATTEMPTED: "  with an attempt alone:",
    BORNE_OUT: "  with an attempt borne out:",
    OTHERWISE: "  with an attempt against:",
}


def _groups(record: LaneRecord) -> list[str]:
    """Return the groups the gate knows: every one of files, and those with attempts where there were any."""
    names = [f"{group.value}{tried}" for group in _GROUPS for tried in ("", *OF_ATTEMPTS)]
    return [name for name in names if "," not in name or name in record.gate.record]


def _gate(taught: Taught, group: str) -> dict[str, Any]:
    gate = taught.record.gate
    opens = gate.threshold(group, taught.lane.precision, taught.levels)
    count, share = gate.worth(group, opens) if opens is not None else (0, None)
    return {"open_from": opens, "answers": count, "right": round(share, 4) if share is not None else None}


def _suggestion(lane: str, one: Suggestion) -> dict[str, Any]:
    before = one.before
    return {
        "match": [one.pattern],
        "take": one.take,
        "right": one.right,
        "total": one.total,
        "syncs": one.syncs,
        "files": one.files,
        "since": one.since,
        "before": {"right": before.right, "total": before.total, "until": before.until} if before else None,
        "record": one.record,
        "toml": "\n".join(
            (
                f"# {one.record}",
                f"[[lanes.{key(lane)}.paths]]",
                f"match = {array([one.pattern])}",
                f"take = {quoted(one.take)}",
            )
        ),
    }


def show(document: dict[str, Any]) -> None:
    """Print what was learned."""
    learned = len(document["learned"])
    say(
        f"{document['lane']}: {counted(document['syncs'], 'past sync')} into {document['target']}; learned from"
        f" {learned} with conflicts: {counted(document['files'], 'file')}, {counted(document['hunks'], 'hunk')}"
    )
    if not document["syncs"]:
        say("  no merge on target's own line brought in commits of source; one landed by squashing is not seen")
    for why, count in sorted(document["left_out"].items()):
        if why == FORGOTTEN:
            say(f"  {count} left out: {why} (--remember SHA takes it back)")
        else:
            say(f"  {count} left out: {LeftOut(why).said_of(count)}")
    for note in document["notes"]:
        say(f"note: {note}")
    say(f"{counted(document['recorded'], 'recorded resolution')} (`syncline learn --recorded` lists them)")
    if document["attempts"]:
        tried = document["attempts"]
        say(f"{counted(len(tried), 'attempt')} at the next sync that did not land, the newest {tried[0][:10]}")
    say(f"written to {document['record']}")
    if not document["in_force"]:
        say(f"  in force once it is committed to {document['target']}")
    say()
    say(f"answers are accepted without asking, at a precision of {document['precision']:.0%}:")
    words = {group.value: told for group, told in _GROUPS.items()}
    for group, gate in document["gate"].items():
        tried = _TRIED.get(group.removeprefix(file_group_of(group))) or f"{words[group]}:"
        say(f"  {tried:33}{_gate_line(gate)}")
    say(f"  {'lock files:':33}never; a rule or their tool settles them")
    say()
    if not document["suggestions"]:
        say("no path rule to suggest")
        return
    say("path rules that the past speaks for; paste them below your own, in this order:")
    for one in document["suggestions"]:
        say()
        say(one["toml"])


def _gate_line(gate: Mapping[str, Any]) -> str:
    if gate["open_from"] is None:
        return "closed; candidates are shown, none is accepted"
    if not gate["answers"]:
        return f"from confidence {gate['open_from']:.2f} on; none was so sure here yet, others show that such hold"
    record = f"so sure {gate['right']:.0%} of about {counted(gate['answers'], 'answer')} here were right"
    return f"from confidence {gate['open_from']:.2f} on; {record}, beside what others show"


def list_recorded(options: Common, repository: Repository, lane: "Lane", record: LaneRecord) -> None:
    """Print the recorded resolutions, merge by merge, the newest first."""
    merges = [_merge(repository, merge, answers) for merge, answers in _by_merge(record)]
    if options.as_json:
        print_json(
            {
                "lane": lane.name,
                "recorded": sum(len(merge["resolutions"]) for merge in merges),
                "contradicted": record.recorded.contradicted,
                "forgotten": list(record.forgotten),
                "merges": merges,
            }
        )
        return
    total = sum(len(merge["resolutions"]) for merge in merges)
    say(f"{lane.name}: {counted(total, 'recorded resolution')} from {counted(len(merges), 'merge')}")
    if record.recorded.contradicted:
        one, many = (
            "conflict was not always settled alike and has",
            "conflicts were not always settled alike and have",
        )
        say(f"  {counted(record.recorded.contradicted, one, many)} none")
    for merge in merges:
        say(f"\n{merge['merge'][:10]} {merge['date']} {merge['subject']}: {len(merge['resolutions'])}")
        paths = Counter(one["path"] for one in merge["resolutions"])
        for path, count in sorted(paths.items())[:_MOST_PATHS]:
            sides = Counter(one["side"] or "new text" for one in merge["resolutions"] if one["path"] == path)
            how = ", ".join(f"{number} {side}" for side, number in sorted(sides.items()))
            say(f"  {path_line(path.encode('utf-8', 'surrogateescape'))}  {count}: {how}")
        if len(paths) > _MOST_PATHS:
            say(f"  ... and {counted(len(paths) - _MOST_PATHS, 'more file')}")
    for merge in record.forgotten:
        say(f"\nforgotten: {merge}")
    if merges:
        say("\nto revoke what a merge taught: syncline learn --forget SHA")


def _by_merge(record: LaneRecord) -> list[tuple[str, list[Answer]]]:
    found: dict[str, list[Answer]] = defaultdict(list)
    for answer in record.recorded.answers():
        found[answer.commit or ""].append(answer)
    # In the order they were learned, turned round; every merge that was learned can be revoked.
    return [(merge, found.get(merge, [])) for merge in reversed(record.learned)]


def _merge(repository: Repository, merge: str, answers: Sequence[Answer]) -> dict[str, Any]:
    try:
        commit = read_commit(repository, CommitId(merge))
        subject, date = commit.subject, f"{commit.when:%Y-%m-%d}"
    except (GitError, ValueError, OverflowError):  # history was rewritten since, or the clock was far off
        subject, date = "", ""
    return {
        "merge": merge,
        "date": date,
        "subject": subject,
        "resolutions": [
            {
                "path": json_path(answer.path),
                "side": answer.side.value if answer.side is not None else None,
                "text": answer.text.decode("utf-8", "replace") if answer.side is None else None,
                "seen": answer.seen,
            }
            for answer in sorted(answers, key=lambda answer: (answer.path, answer.side or "", answer.text))
        ],
    }
