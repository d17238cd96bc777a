"""What `syncline triage --log` does: it reads logs, and needs no repository."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from io import BufferedReader
from pathlib import Path
from typing import Any

from syncline.checks.logs.archive import LogFile, is_text
from syncline.checks.logs.failure import LogFailure
from syncline.checks.logs.read_logs import Log, ReadLogs, read_one, read_paths
from syncline.checks.triage.cause import Cause, Cluster, Triaged
from syncline.checks.triage.cluster import cluster
from syncline.checks.triage.report import failure_as_json, fault_as_json
from syncline.checks.triage.transient import known
from syncline.checks.triage.verdict import Facts, judge
from syncline.cli.options import Common
from syncline.cli.text import print_json, say
from syncline.cli.triage_show import fault_lines
from syncline.errors import SynclineError

_MOST = 20
"""Faults that are shown with the lines of their log; the others get one line each."""


def run(options: Common, files: Sequence[str]) -> int:
    """Print the faults in logs: 0 when there is none, 1 when there is, 2 when a log could not be read to tell."""
    logs: list[Log] = []
    for file in dict.fromkeys(files):
        logs.extend(_from_stdin() if file == "-" else read_paths([Path(file)]).logs)
    read = ReadLogs(tuple(logs))
    broken = [log for log in logs if log.broken]
    if broken and not read.failures and len(broken) == len(logs):
        raise SynclineError(f"{broken[0].name} cannot be read: {broken[0].broken}", hint="get it again, as text")
    facts = Facts(signatures=known())
    faults = [_judged(one, facts) for one in cluster(read.failures)]
    first = read.cause
    # What a reader should look at first is what the others follow from.
    faults.sort(key=lambda one: first is None or not _holds(one, first))
    if options.as_json:
        print_json(_as_json(read, faults))
    else:
        _show(read, faults)
    if read.failures:
        return 1
    return 2 if broken else 0


def _judged(fault: Cluster, facts: Facts) -> Triaged:
    """Return a fault with what its words alone tell of its cause."""
    verdict = judge(fault, facts)
    # That nobody ran it on a parent is no news to who reads a log.
    return Triaged(fault, verdict if verdict.cause is not Cause.UNKNOWN else replace(verdict, evidence=()))


def _from_stdin() -> list[Log]:
    source = sys.stdin.buffer
    start = source.peek(4096)[:4096] if isinstance(source, BufferedReader) else b""
    if start.startswith((b"PK\x03\x04", b"\x1f\x8b")):
        raise SynclineError("what comes in is an archive", hint="save it, and name the file")
    if not is_text(start):
        raise SynclineError("what comes in is no log: it is not text", hint="pipe text into it")
    return [read_one("-", LogFile("", source))]


def _holds(fault: Triaged, failure: LogFailure) -> bool:
    return any(failure.signature in member.signatures for member in fault.cluster.members)


def _show(read: ReadLogs, faults: Sequence[Triaged]) -> None:
    lines = sum(log.read.lines for log in read.logs)
    many = len(read.logs)
    say(f"{_count(len(faults), 'fault')} in {_count(many, 'log')} of {_count(lines, 'line')}")
    for fault in faults[:_MOST]:
        first = fault.cluster.first
        say()
        for line in fault_lines(fault):
            say(line)
        say(f"  told by {first.tool} at {_line_of(first)}; signature {fault.cluster.signature}")
        for line in first.excerpt:
            say(f"    | {line}")
    if len(faults) > _MOST:
        say()
        for fault in faults[_MOST:]:
            say(f"{fault_lines(fault)[0]} [{fault.cluster.signature}]")
    for log in read.logs:
        if log.broken:
            say(f"note: {log.name} was not read to its end: {log.broken}")
        if log.read.truncated:
            say(f"note: {log.name} tells more failures than the first {len(log.read.failures)}, which were read")


def _line_of(failure: LogFailure) -> str:
    where = f" of {failure.log}" if failure.log else ""
    rank = f", rank {failure.rank}" if failure.rank is not None else ""
    return f"line {failure.at}{where}{rank}"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _as_json(read: ReadLogs, faults: Sequence[Triaged]) -> dict[str, Any]:
    first = read.cause
    return {
        "faults": [fault_as_json(one) for one in faults],
        "first": None if first is None else failure_as_json(first),
        "failures": [{"in": name} | failure_as_json(one) for name, one in read.failures],
        "logs": [
            {
                "name": log.name,
                "lines": log.read.lines,
                "truncated": log.read.truncated,
                "broken": log.broken or None,
            }
            for log in read.logs
        ],
    }
