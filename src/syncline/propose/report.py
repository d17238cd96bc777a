"""Collecting what a proposal says. Reads git, changes nothing."""

from collections.abc import Mapping
from datetime import datetime

from syncline.checks.gate import Verdict
from syncline.checks.model import Rollup
from syncline.config.models import Lane
from syncline.git import CommitId, Repository
from syncline.git.diff import changes, line_counts
from syncline.git.paths import json_path
from syncline.markup.plain_text import one_line
from syncline.merge.model import MergeResult
from syncline.plan.model import Plan
from syncline.propose.ask_first import Asked, ask_first
from syncline.propose.commit_lines import CommitLines
from syncline.propose.decision_rows import DecisionRows
from syncline.propose.from_answers import from_answers_row
from syncline.propose.language import language_of
from syncline.propose.model import Figures, LanguageLines, Report, RunFacts, Settled, Totals
from syncline.propose.open_paths import open_paths, whose
from syncline.propose.settle import accepting_commands, settling_commands
from syncline.propose.test_rows import check_rows, gate_row, what_was_tested
from syncline.propose.texts import remerge_diff

__all__ = ["Report", "RunFacts", "Settled", "collect"]

_COMMITS_SHOWN = 600


def collect(
    repository: Repository,
    *,
    lane: Lane,
    plan: Plan,
    result: MergeResult,
    facts: RunFacts,
    rollup: Rollup | None,
    verdict: Verdict | None,
    created: datetime,
) -> Report:
    """Collect everything a proposal tells.

    Args:
        repository: where all the commits are.
        lane: the policy the merge was made under.
        plan: what the run imports; its slice's tip is what `result` merged.
        result: the merge.
        facts: what the run knows beside: its commits, what people settled, what stops it.
        rollup: the results for `facts.head`; None before any check ran.
        verdict: the gate's answer for `facts.head`; None before it was asked.
        created: now (aware).

    Raises:
        GitError: missing objects.
    """
    commits = CommitLines(repository)
    merge_commit = commits.one(facts.merge_commit)
    asked = _asked(result, facts)
    rows = DecisionRows(repository, commits, plan, result, facts, asked)
    decisions = rows.rows()
    opened = open_paths(lane, facts, decisions, asked)
    side = whose(opened)
    return Report(
        lane=lane.name,
        source=lane.source,
        target=lane.target,
        branch=facts.branch,
        run=facts.run,
        title=merge_commit.subject or f"Sync {lane.source} into {lane.target}",
        created=created.isoformat(timespec="seconds"),
        figures=_figures(commits, plan),
        merge=merge_commit,
        repair=commits.one(facts.repair_commit) if facts.repair_commit else None,
        people=commits.read(facts.people),
        head=commits.one(facts.head),
        totals=_totals(repository, result, facts.head),
        languages=_languages(repository, result.ours, facts.head),
        conflicts=len(result.conflicts),
        decisions=decisions,
        diffs=remerge_diff(repository, result.git_tree, facts.head),
        unresolved=opened,
        from_answers=from_answers_row(lane, facts),
        settle=settling_commands(lane, facts.branch, facts.unresolved),
        accept=accepting_commands(lane, facts.branch, facts.unresolved, side) if side else (),
        stops=tuple(one_line(stop) for stop in facts.stops),
        audit=facts.audit,
        repairs=tuple(one_line(repair) for repair in facts.repairs),
        checks=check_rows(rollup, verdict, facts.head),
        gate=gate_row(verdict),
        **what_was_tested(lane, rollup, verdict, facts.head, facts.audit),
        notes=(*_history_notes(plan), *(one_line(note) for note in (*result.notes, *facts.not_done))),
    )


def _asked(result: MergeResult, facts: RunFacts) -> tuple[Asked, ...]:
    """Return the open paths in the order in which people are asked for them."""
    by_path = {decision.path: decision for decision in result.decisions}
    # What other answers settle need not be asked, nor spoken for.
    offered = {one.path for one in facts.from_answers.paths} if facts.from_answers is not None else set()
    asked = by_path.keys() - offered
    first = ask_first([by_path[path] for path in facts.unresolved if path in asked])
    return (*first, *(Asked(path, 0, 0) for path in facts.unresolved if path not in asked))


def _figures(commits: CommitLines, plan: Plan) -> Figures:
    part = plan.slice
    line = part.commits if part else ()
    shown = line
    if len(line) > _COMMITS_SHOWN:
        shown = (*line[: _COMMITS_SHOWN // 2], *line[-_COMMITS_SHOWN // 2 :])
    boundary = commits.one(part.boundary) if part and part.boundary else None
    if boundary is None:
        text = "nothing is excluded, the slice reaches the tip of source"
    else:
        text = f"commit {len(line) + 1} ({boundary.short} {boundary.subject}) is excluded"
    return Figures(
        ahead=plan.ahead,
        behind=plan.behind,
        bases=commits.read(plan.bases),
        source_tip=commits.one(plan.source),
        target_tip=commits.one(plan.target),
        slice_tip=commits.one(part.tip) if part else None,
        imported=part.imported if part else 0,
        line=len(line),
        left=part.left if part else 0,
        boundary=boundary,
        boundary_text=text,
        commits=commits.read(shown),
        commits_left_out=len(line) - len(shown),
    )


def _totals(repository: Repository, result: MergeResult, head: CommitId) -> Totals:
    from_ours = {change.path for change in changes(repository, result.ours, head)}
    from_theirs = {change.path for change in changes(repository, result.theirs, head)}
    return Totals(
        kept=len(from_theirs - from_ours),
        taken=len(from_ours - from_theirs),
        combined=len(from_ours & from_theirs),
    )


def _languages(repository: Repository, target: CommitId, head: CommitId) -> tuple[LanguageLines, ...]:
    sums: dict[str, list[int]] = {}
    for count in line_counts(repository, target, head):
        row = sums.setdefault(language_of(json_path(count.path)), [0, 0, 0, 0])
        row[0] += 1
        row[1] += count.added or 0
        row[2] += count.deleted or 0
        row[3] += count.added is None
    lines = (LanguageLines(language, *row) for language, row in sums.items())
    return tuple(sorted(lines, key=lambda one: (-one.added - one.deleted, -one.files, one.language)))


def _history_notes(plan: Plan) -> tuple[str, ...]:
    if len(plan.bases) < 2:
        return ()
    shorts: Mapping[CommitId, str] = {base: base.short for base in plan.bases}
    return (f"The branches crossed: {len(plan.bases)} merge bases ({', '.join(shorts.values())}).",)
