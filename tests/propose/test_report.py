import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from syncline.audit.explain.told import Told
from syncline.audit.task import NotRun
from syncline.audit.waivers import Applied
from syncline.checks.model import Check, CheckState, Conclusion
from syncline.config.models import CoupledSet, GateRule, Lane, LocalCheck, PathRule
from syncline.git import CommitId, Entry, Mode, Repository
from syncline.git.paths import json_path
from syncline.propose.body import render_body
from syncline.propose.html import render_html
from syncline.propose.report import Settled
from testing.builder import RepositoryBuilder
from testing.conflict_cases.stories import LINES
from testing.conflicts import CONFLICT_CASES, ConflictCase
from testing.content import Replace
from tests.propose.merged import Merged, merged

LANE = Lane(
    name="nightly",
    source="main",
    target="dev",
    remote="origin",
    slice=2,
    paths=(
        PathRule(match=("ruled.txt",), take="theirs", reason="source knows best", line=7),
        PathRule(match=("gone.txt",), take="delete", line=8),
        PathRule(match=("both.txt",), take="union", line=9),
    ),
    coupled=(CoupledSet(name="pins", paths=("uv.lock",), take="ours", line=20),),
    checks=(LocalCheck(name="unit", command=("true",)), LocalCheck(name="lint", command=("true",))),
    gate=GateRule(sentinel=("CI",)),
)


@pytest.fixture
def story(builder: RepositoryBuilder) -> Iterator[Merged]:
    names = ("ruled.txt", "gone.txt", "both.txt", "open.py", "dropped.txt", "uv.lock")
    dev = builder.branch("dev")
    dev.commit("start", dict.fromkeys(names, LINES), author="Ada")
    main = dev.branch("main")
    theirs = {name: Replace("line 4\n", "line 4, main\n") for name in names}
    ours = {name: Replace("line 4\n", "line 4, dev\n") for name in names if name != "dropped.txt"}
    main.commit("Rework line four (#41)", theirs, author="Grace Hopper")
    main.commit("Add a module (#42)", {"new.py": "x = 1\ny = 2\n"}, author="Grace Hopper")
    main.commit("Not yet (#43)", {"later.py": "z = 3\n"})
    dev.commit("Our own line four (#7)", ours, author="Linus")
    dev.commit("Drop what nobody reads (#8)", delete=["dropped.txt"], author="Linus")
    with Repository.open(builder.finish().path) as repository:
        yield merged(repository, LANE)


def test_each_path_says_what_became_of_it_and_which_commits_stand_behind(story: Merged) -> None:
    rows = {row.path: row for row in story.report().decisions}
    assert {path: (row.status, row.outcome, row.resolver) for path, row in rows.items()} == {
        "both.txt": ("resolved", "combined", "path-rule"),
        "dropped.txt": ("unresolved", "deleted", ""),
        "gone.txt": ("resolved", "deleted", "path-rule"),
        "open.py": ("unresolved", "kept", ""),
        "ruled.txt": ("resolved", "taken", "path-rule"),
        "uv.lock": ("resolved", "kept", "coupled"),
    }
    ruled = rows["ruled.txt"]
    assert ruled.ours is not None
    assert ruled.theirs is not None
    assert (ruled.ours.author, ruled.ours.proposal) == ("Linus", "#7")
    assert (ruled.theirs.author, ruled.theirs.subject, ruled.theirs.proposal) == (
        "Grace Hopper",
        "Rework line four (#41)",
        "#41",
    )
    assert "syncline.toml:7" in ruled.evidence[0].text


def test_a_deleted_path_names_the_deleting_commit(story: Merged) -> None:
    row = next(row for row in story.report().decisions if row.path == "dropped.txt")
    assert row.why == "target deleted it"
    assert row.by is not None
    assert row.by.subject == "Drop what nobody reads (#8)"


def test_the_boundary_is_named_and_the_slice_listed(story: Merged) -> None:
    figures = story.report().figures
    assert figures.boundary is not None
    assert figures.boundary_text == f"commit 3 ({figures.boundary.short} Not yet (#43)) is excluded"
    assert [one.proposal for one in figures.commits] == ["#41", "#42"]
    assert (figures.ahead, figures.behind, figures.imported, figures.left) == (2, 3, 2, 1)


def test_lines_are_counted_by_language(story: Merged) -> None:
    lines = {one.language: (one.added, one.deleted, one.files) for one in story.report().languages}
    # new.py; ruled.txt changed and both.txt with a line more, gone.txt with all its lines less.
    assert lines == {"Python": (2, 0, 1), "Text": (2, 9, 3)}
    assert "- Python lines: +2 / -0 across 1 file\n" in render_body(story.report())


def test_where_the_files_are_from(story: Merged) -> None:
    totals = story.report().totals
    # kept: open.py, uv.lock, dropped.txt; taken: ruled.txt, new.py; neither: both.txt, gone.txt.
    assert (totals.kept, totals.taken, totals.combined) == (3, 2, 2)


def test_hunks_show_both_sides(story: Merged) -> None:
    row = next(row for row in story.report().decisions if row.path == "open.py")
    (hunk,) = row.hunks
    assert (hunk.line, hunk.ours.text, hunk.theirs.text) == (4, "line 4, dev\n", "line 4, main\n")


def test_the_remerge_diff_is_the_way_from_gits_result(story: Merged) -> None:
    diffs = {diff.path: diff for diff in story.report().diffs}
    assert set(diffs) == {"both.txt", "dropped.txt", "gone.txt", "open.py", "ruled.txt", "uv.lock"}
    assert "+line 4, main" not in diffs["ruled.txt"].patch.text
    assert "-line 4, dev\n" in diffs["ruled.txt"].patch.text
    assert diffs["both.txt"].added == 0
    assert diffs["both.txt"].deleted == 3


def test_open_paths_come_with_commands(story: Merged) -> None:
    report = story.report()
    assert [(one.path, one.in_tree) for one in report.unresolved] == [
        ("dropped.txt", "nothing, as on the side that deleted it"),
        ("open.py", "target's side"),
    ]
    body = render_body(report)
    assert "git add -- dropped.txt open.py\n" in body
    assert "--trailer 'Syncline-Settled: /dropped.txt' --trailer 'Syncline-Settled: /open.py'" in body


def test_what_a_person_settled_is_shown_as_theirs(story: Merged) -> None:
    blob = story.repository.write_blob(LINES.replace("line 4\n", "line 4, both\n").encode())
    tree = story.repository.edit_tree(story.tree(), {b"open.py": Entry(Mode.FILE, blob)})
    commit = story.commit(tree, "Settle open.py")
    story.facts = replace(
        story.facts,
        people=(commit,),
        unresolved=(b"dropped.txt",),
        settled=(Settled(b"open.py", commit, "changed on the branch"),),
    )
    row = next(row for row in story.report().decisions if row.path == "open.py")
    assert (row.status, row.resolver, row.outcome, row.why) == (
        "settled",
        "person",
        "combined",
        "changed on the branch",
    )
    assert row.by is not None
    assert row.by.sha == commit


def test_a_change_beyond_the_conflicts_is_in_the_remerge_diff(story: Merged) -> None:
    blob = story.repository.write_blob(b"x = 2\n")
    tree = story.repository.edit_tree(story.tree(), {b"new.py": Entry(Mode.SYMLINK, blob)})
    commit = story.commit(tree, "Repair")
    story.facts = replace(story.facts, repair_commit=commit, repairs=("formatted new.py",))
    report = story.report()
    diff = next(diff for diff in report.diffs if diff.path == "new.py")
    # A file that became a link is two changes; none may slip to the next path.
    assert (diff.added, diff.deleted) == (1, 2)
    assert next(diff for diff in report.diffs if diff.path == "open.py").deleted == 4
    assert "Other changes to git" in render_html(report)


def test_what_was_tested_and_what_not(story: Merged) -> None:
    def checks(head: CommitId) -> list[Check]:
        return [
            Check("unit", head, CheckState.COMPLETED, Conclusion.FAILURE, 1, seconds=3.0),
            Check("unit", head, CheckState.COMPLETED, Conclusion.SUCCESS, 2, seconds=4.0),
            Check("docs", head, CheckState.COMPLETED, Conclusion.SKIPPED, 3),
            Check("slow", head, CheckState.RUNNING, None, 4),
            Check("lint", "0" * 39 + "1", CheckState.COMPLETED, Conclusion.SUCCESS, 5),
        ]

    report = story.report(checks)
    assert report.tested == ("unit passed in 4.0 s",)
    assert report.not_tested == (
        "docs was skipped",
        "slow is running",
        "lint has not started",
        "CI has not reported",
    )
    assert report.gate.state == "waiting"
    assert [(row.name, row.not_counted) for row in report.checks] == [
        ("docs", ""),
        ("slow", ""),
        ("unit", ""),
        ("unit", "an older result of the same name"),
    ]


def test_before_any_check(story: Merged) -> None:
    report = story.report()
    assert (report.gate.state, report.tested) == ("none", ())
    assert report.not_tested == ("unit has not started", "lint has not started")


def test_what_the_audit_did_not_look_at_was_not_tested(story: Merged) -> None:
    commit = story.facts.head
    not_run = (NotRun("ruff", "not\ninstalled"),)
    told = Told(commit, commit, (), commit, commit, None, Applied((), (), ()), not_run, {})
    story.facts = replace(story.facts, audit=told)
    report = story.report()
    assert report.not_tested[-1] == "the audit's ruff did not run: not installed"
    assert "the audit's ruff did not run" in render_body(report)


def test_a_report_is_json(story: Merged) -> None:
    assert json.loads(json.dumps(asdict(story.report())))["lane"] == "nightly"


@pytest.mark.parametrize("unresolved", ["ours", "theirs", "markers"])
def test_open_paths_say_what_the_tree_holds(builder: RepositoryBuilder, unresolved: str) -> None:
    dev = builder.branch("dev")
    dev.commit("start", {"a.py": "one\n"})
    builder.branch("main", at=dev).commit("theirs", {"a.py": "theirs\n"})
    dev.commit("ours", {"a.py": "ours\n"})
    lane = Lane.model_validate({"name": "n", "source": "main", "target": "dev", "unresolved": unresolved})
    with Repository.open(builder.finish().path) as repository:
        report = merged(repository, lane).report()
    held = {
        "ours": "target's side",
        "theirs": "source's side",
        "markers": "git's result with its conflict markers",
    }
    assert report.unresolved[0].in_tree == held[unresolved]
    # Markers are never to be accepted as they are.
    assert (report.accept == ()) == (unresolved == "markers")


class _Ids(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag
        self.ids += [value for name, value in attrs if name == "id" and value is not None]


@pytest.mark.parametrize("case", CONFLICT_CASES, ids=[case.name for case in CONFLICT_CASES])
def test_every_kind_of_conflict_is_told(case: ConflictCase, tmp_path: Path) -> None:
    built = case.build(tmp_path / "repo")
    lane = Lane(name="n", source="theirs", target="ours")
    with Repository.open(built.path) as repository:
        made = merged(repository, lane)
        report = made.report()
    assert json.dumps(asdict(report))
    assert [row.path for row in report.decisions] == [json_path(one.path) for one in made.result.decisions]
    assert report.decisions
    assert {row.status for row in report.decisions} == {"unresolved"}
    body = render_body(report)
    page = _Ids()
    page.feed(render_html(report))
    assert sum(name.startswith("path-") for name in page.ids) == len(report.decisions)
    assert body.count("git add") == 1
