"""Writing what was seen as a `syncline.toml` in which every line is explained. Pure."""

from collections.abc import Callable
from dataclasses import dataclass

from syncline.config.starter.files import pattern_of
from syncline.config.starter.page import Page, array, key, quoted
from syncline.config.starter.survey import Survey

# Beyond that a file is no longer read, and patterns are better written by hand.
_MOST_COUPLED = 20
_MOST_GOLDEN = 10
# A title of at most 256 characters holds two names of this length.
_LONGEST_IN_TITLE = 100
_MANY = 100
COMPILES = "compiles"


def starter_text(survey: Survey, *, github: bool = False) -> str:
    """Return the text of the file; with `github` proposals live there, and the checks are those of CI there."""
    page = Page()
    lane = f"lanes.{key(survey.lane)}"
    _head(page)
    _lane(page, survey, lane, github=github)
    _identity(page, lane)
    _paths(page, survey, lane)
    _coupled(page, survey, lane)
    _formatters(page, survey, lane)
    if github:
        _gate_of_ci(page, lane)
    else:
        _checks(page, survey, lane)
    _audit(page, lane)
    return page.text


def _head(page: Page) -> None:
    page.note("The lanes that syncline keeps in step; a first version by `syncline init`, yours from now on.")
    page.note('A line that starts with "#" and no space is a suggestion: take the # away to switch it on.')
    page.note("`syncline plan` shows what the next sync would do. docs/config.md of syncline explains every key.")
    page.gap()
    page.note("The format of this file.")
    page.put("version = 1")
    page.gap()


def _lane(page: Page, survey: Survey, lane: str, *, github: bool) -> None:
    page.note("The lane. What speaks for these two branches:")
    for line in survey.branch_evidence():
        page.note(f"- {line}")
    page.put(f"[{lane}]")
    page.note("The branch commits come from.")
    page.put(f"source = {quoted(survey.source.branch)}")
    page.note("The branch they go to, by way of a proposal.")
    page.put(f"target = {quoted(survey.target.branch)}")
    _remotes(page, survey)
    if github:
        page.note(
            "Proposals are pull requests at that remote's GitHub; docs/github.md of syncline tells the rest."
        )
        page.put('forge = "github"')
        page.note("Where CI starts by a comment: the comment, written once for each head.")
        page.suggest('ci_trigger = "/ok to test {sha}"')
    if survey.prefix != "syncline":
        page.note('The branch of a sync. Usually it begins with "syncline/", but here a branch is in the way.')
        page.put(f"branch = {quoted(survey.prefix + '/{lane}/{date:%Y-%m-%d}')}")
    if max(len(survey.source.branch), len(survey.target.branch)) > _LONGEST_IN_TITLE:
        page.note("The title of a proposal, the long branch names cut.")
        page.put('title = "Sync {source:.100} into {target:.100} ({date:%Y-%m-%d})"')
    behind = survey.pair.distance.behind
    page.note(
        "How many commits one sync imports, the oldest first; without it, all."
        + (f" {behind} are waiting: smaller syncs are easier to review." if behind > _MANY else "")
    )
    page.suggest("slice = 100")
    page.note("When `syncline` starts a sync by itself: minute, hour, day, month, day of the week.")
    page.suggest('schedule = "0 3 * * *"')
    page.suggest('time_zone = "UTC"')
    page.note("What the tree holds where nothing settled a conflict: the target's text, the source's, or markers.")
    page.suggest('unresolved = "ours"')
    page.note("How often an answer that is drawn from evidence and applied without asking must be right.")
    page.suggest("precision = 0.95")
    if survey.attempts is not None:
        page.note(
            "Branches on which others attempt this sync. What was answered there and did not land becomes"
            " evidence, weighed by how often such answers landed in past syncs."
        )
        page.suggest(f"attempts = {array([survey.attempts.pattern])}")
    page.note(
        "Where `syncline learn` keeps what past syncs taught: in the git directory, or in a file that you commit"
        " to target, for every machine to have it."
    )
    page.suggest(f"learned = {quoted(f'.syncline/{survey.lane}.json')}")


def _remotes(page: Page, survey: Survey) -> None:
    source, target = survey.source.remote, survey.target.remote
    if survey.remote is not None:
        page.note("The remote where both branches live; each sync fetches from there and pushes its branch there.")
        page.put(f"remote = {quoted(survey.remote)}")
        return
    if source is not None:
        page.note("The remote where the source lives; it is fetched for each sync.")
        page.put(f"source_remote = {quoted(source)}")
    if target is not None:
        page.note("The remote where the target lives; each sync fetches it and pushes its branch there.")
        page.put(f"target_remote = {quoted(target)}")
    if survey.also_at is not None:
        page.note(
            f"Both branches are taken from this repository, as they stand here. They are also at {survey.also_at}:"
            " to sync what is there, switch this on."
        )
        page.suggest(f"remote = {quoted(survey.also_at)}")


def _identity(page: Page, lane: str) -> None:
    page.title("Who the commits are by")
    page.note(
        "Without this, git's own user.name and user.email, which were not copied here: the file may be shared."
    )
    page.suggest(f"[{lane}.identity]")
    page.suggest('name = "sync bot"')
    page.suggest('email = "sync-bot@example.org"')
    page.note("Add a Signed-off-by line.")
    page.suggest("signoff = true")


def _paths(page: Page, survey: Survey, lane: str) -> None:
    page.title("Path rules: the first match wins")
    if survey.owners:
        page.note(
            f"A hard stop: never differs from {survey.target.shown}'s. Each branch has its own owners, and another"
            " list would call reviewers who have nothing to do with the sync."
        )
        page.put(f"[[{lane}.paths]]")
        page.put(f"match = {array([pattern_of(path) for path in survey.owners])}")
        page.put('take = "protect"')
        page.put('reason = "each branch has its own code owners"')
        page.gap()
    if survey.golden:
        shown = survey.golden[:_MOST_GOLDEN]
        page.note(
            f"Values that tests recorded ({sum(golden.files for golden in survey.golden)} files). They are right"
            " for the code they were measured on: keep the target's on a conflict and record anew after the sync."
            + (
                f" {len(survey.golden) - _MOST_GOLDEN} more places are not listed."
                if survey.golden != shown
                else ""
            )
        )
        page.suggest(f"[[{lane}.paths]]")
        page.suggest(f"match = {array([golden.pattern for golden in shown])}")
        page.suggest('take = "ours"')
        page.suggest('reason = "measured on the target\'s code"')
        page.gap()
    page.note('Any other rule: "ours", "theirs", "union", "combine" or "delete" on a conflict; "protect" always.')
    page.suggest(f"[[{lane}.paths]]")
    page.suggest('match = ["/CHANGELOG.md"]')
    page.suggest('take = "union"')


def _coupled(page: Page, survey: Survey, lane: str) -> None:
    if not survey.coupled:
        return
    page.title("Files that only fit together")
    page.note(
        "A lock file fits the manifest it was made from, so they come from one side as a whole: the one that alone"
        ' changed them. Did both, a person decides; "ours" or "theirs" decides once and for all.'
    )
    page.gap()
    if len(survey.coupled) > _MOST_COUPLED:
        page.note(f"{len(survey.coupled) - _MOST_COUPLED} more sets were found and are not listed.")
    for name, couple in _numbered(survey, _MOST_COUPLED):
        directory = couple[0].rpartition("/")[0]
        page.note(f"In {directory}:" if directory else "At the top:")
        page.put(f"[[{lane}.coupled]]")
        page.put(f"name = {quoted(name)}")
        page.put(f"paths = {array([pattern_of(path) for path in couple])}")
        page.put('take = "together"')
        page.gap()


def _numbered(survey: Survey, most: int) -> list[tuple[str, tuple[str, ...]]]:
    """The sets with names that differ, case not counting."""
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    for couple in survey.coupled[:most]:
        name, number = couple.name, 1
        while name.casefold() in found:
            number += 1
            name = f"{couple.name} {number}"
        found[name.casefold()] = (name, couple.paths)
    return list(found.values())


def _formatters(page: Page, survey: Survey, lane: str) -> None:
    if not survey.formatters:
        return
    page.title("Formatters")
    page.note(
        "They run after the merge, on the files that are neither side's, and must be installed where syncline"
        " runs. Left off: where source is not formatted the same way, each sync brings new conflicts over layout."
    )
    for seen in survey.formatters:
        both = "both branches have the same settings" if seen.same else "source's settings differ"
        page.note(f"{seen.where} has settings for {seen.name}; {both}.")
        page.suggest(f"[[{lane}.formatters]]")
        page.suggest(f"name = {quoted(seen.name)}")
        page.suggest(f"command = {array(seen.command)}")
        page.suggest('match = ["*.py"]')
        page.gap()


@dataclass(frozen=True, slots=True)
class _Check:
    name: str
    command: tuple[str, ...]
    timeout: int
    write: Callable[[str], None]


def _checks(page: Page, survey: Survey, lane: str) -> None:
    page.title("Checks that run here, in a clean temporary work tree; exit code 0 is success")
    if survey.python:
        page.note(
            "Seconds, and worth it: a merge without any conflict can still yield a file that does not compile."
            " Where some files are not meant to, leave them out: -x REGEX."
        )
        _check(page, lane, _Check(COMPILES, ("python3", "-m", "compileall", "-q", "."), 600, page.put))
        page.gap()
    page.note("A guess at how the tests are run. The command gets no shell; what it needs must be installed.")
    _check(page, lane, _Check("tests", survey.test_command, 1800, page.suggest))
    page.title("The gate: what makes a proposal ready")
    write = page.put if survey.python else page.suggest
    if survey.python:
        page.note("Until this holds for the head of a proposal, it stays a draft.")
    else:
        page.note(
            "Without any check a proposal never becomes ready: switch on the tests above and this, or write"
            " allow_no_checks = true."
        )
    write(f"[{lane}.gate]")
    page.note("Checks that must have finished with success.")
    write(f"sentinel = [{quoted(COMPILES if survey.python else 'tests')}]")
    page.note("Patterns: each must match at least one check, and all it matches must succeed.")
    page.suggest('required = ["tests"]')


def _gate_of_ci(page: Page, lane: str) -> None:
    page.title("The gate: what makes a proposal ready")
    page.note(
        "Until this holds for the head of a proposal, it stays a draft. Beside it, all that the target's branch"
        " rules require is waited for. Without any check a proposal never becomes ready: name those of your CI, or"
        " write allow_no_checks = true."
    )
    page.suggest(f"[{lane}.gate]")
    page.note("Checks that must have finished with success.")
    page.suggest('sentinel = ["tests"]')
    page.note("Patterns: each must match at least one check, and all it matches must succeed.")
    page.suggest('required = ["tests"]')


def _check(page: Page, lane: str, check: _Check) -> None:
    check.write(f"[[{lane}.checks]]")
    check.write(f"name = {quoted(check.name)}")
    check.write(f"command = {array(check.command)}")
    page.note("Seconds; after that it has failed.")
    check.write(f"timeout = {check.timeout}")


def _audit(page: Page, lane: str) -> None:
    page.title("The audit: what a merge dropped, broke or made up")
    page.note("Vendored or generated files: nothing in them is reported.")
    page.suggest(f"[{lane}.audit]")
    page.suggest('ignore = ["/vendor/"]')
    page.gap()
    page.note("Below, `syncline waive` writes which findings may pass, and why.")
