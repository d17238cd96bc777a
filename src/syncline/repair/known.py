"""Which mends are known for a finding, the best first. Each is only a proposal: `prove` decides."""

from collections.abc import Callable, Iterable, Iterator

from syncline.audit.finding import Finding, Severity
from syncline.audit.task import Task
from syncline.merge.resolvers.path_rule import first_rule
from syncline.repair.definitions import mend_definitions
from syncline.repair.import_order import order_as_before
from syncline.repair.mend import Mend
from syncline.repair.renamed import follow_rename
from syncline.repair.whole_files import take_whole
from syncline.repair.whole_paths import put_paths_back

WORTH = frozenset((Severity.STOP, Severity.FIX))
"""What is mended; what is only for a person to see is left to the person."""

_SHOWN = 80
_Kind = Callable[[Task, Finding], Iterator[Mend]]


def _as_told(_task: Task, finding: Finding) -> Iterator[Mend]:
    """Yield what the audit itself says would mend it."""
    if finding.edits:
        out, put = (
            sum(one.end - one.start for one in finding.edits),
            [row for one in finding.edits for row in one.lines],
        )
        shown = put[0].decode("utf-8", "replace").strip()[:_SHOWN] if len(put) == 1 else ""
        words = [*([f"take out {_lines(out)}"] if out else []), *([f"put in {_lines(len(put))}"] if put else [])]
        yield Mend(finding, " and ".join(words) + (f": `{shown}`" if shown else ""), edits=finding.edits)


def _lines(count: int) -> str:
    return f"{count} line{'s' if count != 1 else ''}"


_KINDS: tuple[_Kind, ...] = (
    _as_told,
    put_paths_back,
    follow_rename,
    order_as_before,
    mend_definitions,
    take_whole,
)


def known_mends(task: Task, findings: Iterable[Finding]) -> list[list[Mend]]:
    """Return for each finding that is worth it the mends that are known, the best first; the graver first.

    Paths that a rule of the lane settles in any case are left alone: that is policy and no mistake.
    """
    graver_first = sorted(
        (finding for finding in findings if finding.severity in WORTH),
        key=lambda one: (one.severity is not Severity.STOP, one.path, one.line or 0, one.id),
    )
    found = ([mend for kind in _KINDS for mend in kind(task, finding)] for finding in graver_first)
    allowed = ([mend for mend in mends if not any(_by_rule(task, path) for path in mend.paths)] for mends in found)
    return [mends for mends in allowed if mends]


def _by_rule(task: Task, path: bytes) -> bool:
    if task.ignores(path):
        return True
    rule = first_rule(task.lane.paths, [path]) if task.lane is not None else None
    return rule is not None and rule.when == "always"
