"""Hand-made audits to explain."""

from datetime import date

from syncline.audit.explain.told import Told
from syncline.audit.finding import Edit, EvidenceCommit, Finding, Severity
from syncline.audit.task import NotRun
from syncline.audit.waivers import Applied, Waived
from syncline.config.models import Waiver
from syncline.git import CommitId, TreeId

SHA = CommitId("1234567890" * 4)
LOST = Finding(
    "lost-call", Severity.FIX, b"src/a.py", "ours' call of f() is gone", line=3, symbol="f", side="ours",
    text=("    f(1)\n", "    f(2)\n"), evidence=(EvidenceCommit(SHA, "added the call: Call f (#1234)"),),
    suggestion="put the line back", edits=(Edit(b"src/a.py", 2, 2, (b"    f(1)\n",)),),
)  # fmt: skip
MARKERS = Finding("conflict-markers", Severity.STOP, b"b.txt", "conflict markers are left in the file", line=1)
WHOLE = Finding("import-undone", Severity.STOP, b"", "the head holds nothing of what was imported")
SEEN = Finding("written-by-hand", Severity.LOOK, b"dir/\xff\n x.py", "neither side has it", text=("é\udcff\n",))


def hostile(words: str, kind: str = "lost-call", severity: Severity = Severity.FIX) -> Finding:
    """Return a finding that says `words` wherever text of a repository can stand."""
    return Finding(
        kind, severity, words.replace("\0", "").encode("utf-8", "replace"), words, line=2, symbol=words,
        side="ours", text=(words, words), evidence=(EvidenceCommit(SHA, words),), suggestion=words,
    )  # fmt: skip


def told(
    *findings: Finding,
    waived: tuple[Finding, ...] = (),
    not_run: tuple[NotRun, ...] = (),
    because: str = "it moved to c.py",
) -> Told:
    """Return an audit with these findings."""
    waiver = Waiver(finding="0" * 12, because=because, code="0" * 16, by="Ada", on=date(2026, 11, 30))
    return Told(
        ours=CommitId("a" * 40),
        theirs=CommitId("b" * 40),
        bases=(CommitId("c" * 40),),
        merged=TreeId("d" * 40),
        merge=None,
        lane="nightly",
        applied=Applied(findings, tuple(Waived(finding, waiver) for finding in waived), ()),
        not_run=not_run,
        seconds={"dropped": 0.5, "evidence": 0.25},
    )
