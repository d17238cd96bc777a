"""One small report, as a run might make it."""

from syncline.propose import model

_LARGE = "@@ -0,0 +1,400 @@\n" + "".join(f"+large {number}\n" for number in range(400))

_JUDGED = model.JudgedHunk(
    0,
    "",
    None,
    (),
    (
        model.CandidateText(
            "a text that is neither side's",
            ("token-merge",),
            0.83,
            (model.EvidenceLine("the edits are 3 words apart", ""),),
            model.Excerpt("ours\nof both\nsame\n", 3, 18, ""),
        ),
        model.CandidateText("target's side", (), 0.1, (), None),
    ),
    2,
)


def _commit(letter: str, subject: str, proposal: str = "") -> model.CommitLine:
    return model.CommitLine(letter * 40, letter * 10, "Ada", "2026-11-28", subject, proposal)


def _row(path: str, status: str, outcome: str, resolver: str) -> model.DecisionRow:
    return model.DecisionRow(
        path=path,
        category="source code",
        kind="content",
        also=(),
        tied_to=(),
        status=status,
        outcome=outcome,
        why="",
        by=None,
        resolver=resolver,
        basis="rule" if resolver else "",
        confidence=1.0 if resolver else None,
        evidence=(model.EvidenceLine("path rule `theirs` for large.py (syncline.toml:7)", ""),),
        messages=("CONFLICT (content): Merge conflict",),
        ours=_commit("1", "Ours (#1)", "#1"),
        theirs=_commit("2", "Theirs (#2)", "#2"),
        hunks=(model.HunkText(0, 4, model.Excerpt("ours\nsame\n", 2, 10, ""), model.Excerpt("same\n", 1, 5, "")),),
        hunks_left_out=0,
        judged=() if resolver else (_JUDGED,),
        judged_left_out=0,
    )


def plain_report() -> model.Report:
    """A sync with one open path, one taken, two diffs and a gate that waits."""
    return model.Report(
        lane="nightly",
        source="main",
        target="dev",
        branch="syncline/nightly/1",
        run="run-39999999",
        title="Sync main into dev",
        created="2026-11-29T03:00:00+00:00",
        figures=model.Figures(
            ahead=7,
            behind=5,
            bases=(_commit("0", "Base"),),
            source_tip=_commit("9", "Tip of main"),
            target_tip=_commit("8", "Tip of dev"),
            slice_tip=_commit("5", "Import me (#5)", "#5"),
            imported=2,
            line=2,
            left=3,
            boundary=_commit("b", "Later (#6)", "#6"),
            boundary_text="commit 3 (bbbbbbbbbb Later (#6)) is excluded",
            commits=(_commit("4", "First (#4)", "#4"), _commit("5", "Import me (#5)", "#5")),
            commits_left_out=0,
        ),
        merge=_commit("e", "Sync main into dev"),
        repair=None,
        people=(),
        head=_commit("e", "Sync main into dev"),
        totals=model.Totals(3, 2, 1),
        languages=(model.LanguageLines("Python", 3, 30, 2, 0),),
        conflicts=2,
        decisions=(_row("open.py", "unresolved", "kept", ""), _row("large.py", "resolved", "taken", "path-rule")),
        diffs=(
            model.DiffText("large.py", "source code", 400, 0, model.Excerpt(_LARGE, 401, len(_LARGE), "")),
            model.DiffText("open.py", "source code", 1, 0, model.Excerpt("@@ -1 +1 @@\n+small\n", 2, 19, "")),
        ),
        unresolved=(
            model.OpenPath(
                "open.py",
                "source code",
                "content",
                "target's side",
                _commit("1", "Ours (#1)", "#1"),
                _commit("2", "Theirs (#2)", "#2"),
                ("git switch x", "git add -- open.py"),
                ("git commit --allow-empty",),
                same=2,
                alike=1,
            ),
        ),
        from_answers=None,
        settle=("git switch x", "git add -- open.py"),
        accept=("git commit --allow-empty",),
        audit=None,
        stops=(),
        repairs=(),
        checks=(model.CheckRow("unit", "completed", "success", 3.0, "12 passed", "https://ci.example.org/1", ""),),
        gate=model.GateRow("waiting", ("waits: CI: sentinel has not reported",)),
        tested=("unit passed in 3.0 s",),
        not_tested=("CI has not reported",),
        notes=(),
    )
