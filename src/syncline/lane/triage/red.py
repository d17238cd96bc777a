"""The red checks of a commit, and the failures that their logs tell."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from syncline.checks.logs.archive import logs_in
from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.read_log import MOST, read_log
from syncline.checks.logs.read_logs import read_one
from syncline.checks.model import Check, CheckState, Conclusion
from syncline.checks.triage.saw import is_red, untold
from syncline.checks.triage.verdict import Attempt
from syncline.errors import ForgeError, SynclineError
from syncline.forge.protocol import Forge

MOST_LOGS = 200
"""So many logs of one commit are read."""
LARGEST_ARTIFACT = 512 << 20
"""Bytes that are unpacked of one artifact."""


@dataclass(frozen=True, slots=True)
class RedCheck:
    """A check that is red, or was before it passed on the same commit."""

    name: str
    conclusion: Conclusion
    """How it stands now."""
    failures: tuple[LogFailure, ...]
    """At least one."""

    @property
    def tests(self) -> tuple[str, ...]:
        """The tests that its log names as failed, sorted."""
        return tuple(sorted({failure.test for failure in self.failures if failure.test}))


class Logs:
    """Reads logs through a forge, each once; what cannot be read is noted."""

    def __init__(self, forge: Forge, folder: Path, artifacts: Sequence[str] = ()) -> None:
        """Take the forge, a directory for what is fetched, and how names of artifacts that hold logs look."""
        self._forge = forge
        self._folder = folder
        self._artifacts = [re.compile(one, re.IGNORECASE) for one in artifacts]
        self._read: dict[tuple[str, str, int, str], tuple[LogFailure, ...]] = {}
        self.notes: list[str] = []

    def failures(self, check: Check) -> tuple[LogFailure, ...]:
        """Return what a check's log tells; nothing where there is none that can be read."""
        key = (check.sha, check.name, check.order, check.log)
        if key not in self._read:
            self._read[key] = self._failures(check)
        return self._read[key]

    def _failures(self, check: Check) -> tuple[LogFailure, ...]:
        if len(self._read) >= MOST_LOGS:
            self._note(f"only {MOST_LOGS} logs were read")
            return ()
        to = self._folder / f"{len(self._read)}.log"
        try:
            file = self._forge.log_file(check, to)
            found = read_log(file).failures if file is not None else ()
        except (ForgeError, OSError) as error:
            self._note(f"the log of {check.name} on {check.sha[:10]} could not be read: {error}")
            found = ()
        to.unlink(missing_ok=True)
        if any(one.weight is Weight.CAUSE for one in found):
            return found
        return (*found, *self._beside(check, found))

    def _beside(self, check: Check, own: Iterable[LogFailure]) -> Iterator[LogFailure]:
        """What annotations and artifacts tell of a check whose own log tells no cause; each fault once."""
        told = {(one.signature, one.test) for one in own}
        with TemporaryDirectory(dir=self._folder) as folder:
            try:
                beside = self._forge.beside(check, Path(folder), self._is_log)
            except ForgeError as error:
                self._note(f"what else tells of {check.name} on {check.sha[:10]} could not be read: {error}")
                return
            for note in beside.notes:
                self._note(note)
            for file in beside.files:
                for failure in self._in_file(check, file):
                    key = failure.signature, failure.test
                    if key not in told and len(told) < MOST:
                        told.add(key)
                        yield failure

    def _in_file(self, check: Check, file: Path) -> Iterator[LogFailure]:
        try:
            for log in logs_in(file, largest=LARGEST_ARTIFACT):
                read = read_one(file.name, log)
                if read.broken:
                    self._note(f"{log.name or 'an artifact'} of {check.name} could not be read: {read.broken}")
                yield from read.read.failures
        except SynclineError as error:
            self._note(
                f"an artifact of {check.name} could not be read: {error.message}".replace(f"{file}", file.name)
            )

    def _is_log(self, artifact: str) -> bool:
        return any(one.search(artifact) is not None for one in self._artifacts)

    def _note(self, words: str) -> None:
        if words not in self.notes:
            self.notes.append(words)


def newest(checks: Iterable[Check]) -> dict[str, list[Check]]:
    """Return by name the results that stand: several where they are equally new."""
    found: dict[str, list[Check]] = {}
    for check in checks:
        there = found.setdefault(check.name, [check])
        if check.order > there[0].order:
            found[check.name] = [check]
        elif check is not there[0] and check.order == there[0].order:
            there.append(check)
    return found


def red_checks(logs: Logs, checks: Sequence[Check], names: Collection[str]) -> tuple[RedCheck, ...]:
    """Return the checks among `names` that are red, or were on the same commit before they passed; by name."""
    found = []
    for name, last in sorted(newest(checks).items()):
        if name not in names or any(one.state is not CheckState.COMPLETED for one in last):
            continue
        red = [one for one in last if is_red(one)] or _failed_before(checks, last)
        if not red:
            continue
        failures = [failure for one in red for failure in (logs.failures(one) or (untold(one),))]
        standing = next((one for one in last if is_red(one)), last[0])
        assert standing.conclusion is not None  # noqa: S101 - it is completed
        found.append(RedCheck(name, standing.conclusion, tuple(failures)))
    return tuple(found)


def attempts(checks: Sequence[Check], red: Iterable[RedCheck]) -> tuple[Attempt, ...]:
    """Return the other results of red checks on the same commit: of each the last that failed is the one told."""
    found = []
    for one in red:
        mine = [check for check in checks if check.name == one.name]
        last = newest(mine).get(one.name, [])
        passed = [check for check in last if check.conclusion is Conclusion.SUCCESS]
        if passed and len(passed) == len(last):
            found.append(Attempt(one.name, passed=True))
        before = [check for check in mine if check.order < last[0].order] if last else []
        ends = {check.conclusion for check in before}
        if Conclusion.SUCCESS in ends:
            found.append(Attempt(one.name, passed=True))
        # Where it passed now, the failure before is the fault itself and no second one.
        if Conclusion.FAILURE in ends and not passed:
            found.append(Attempt(one.name, passed=False))
    return tuple(found)


def _failed_before(checks: Iterable[Check], last: Sequence[Check]) -> list[Check]:
    """The newest failure before a check passed; none where it did not pass."""
    if any(one.conclusion is not Conclusion.SUCCESS for one in last):
        return []
    ended = {Conclusion.FAILURE, Conclusion.TIMED_OUT}
    before = [
        one for one in checks if one.name == last[0].name and one.order < last[0].order and one.conclusion in ended
    ]
    return [max(before, key=lambda one: one.order)] if before else []
