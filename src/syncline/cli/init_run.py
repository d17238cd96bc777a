"""What `syncline init` does."""

import os
from dataclasses import replace
from pathlib import Path

from syncline.cli.init_workflow import github_remote, workflow_for, workflow_place, write_workflow
from syncline.cli.options import Common
from syncline.cli.text import print_json, say
from syncline.config.find import FILE_NAME
from syncline.config.load import load
from syncline.config.models import Lane
from syncline.config.starter.pairs import Wish
from syncline.config.starter.survey import Survey, look
from syncline.config.starter.text import starter_text
from syncline.config.starter.workflow import PLACE
from syncline.config.starter.write import destination, refuse_existing, write_whole
from syncline.errors import ConfigError
from syncline.git import Repository


def run(options: Common, wish: Wish, *, github: bool, force: bool, print_only: bool) -> int:
    """Look, write the files or print them, say what was seen, and return the exit code."""
    with Repository.open(options.directory) as repository:
        path = destination(repository, options.config)
        if github and not force and os.path.lexists(path):
            return _only_workflow(options, repository, path, print_only=print_only)
        if not force and not print_only:
            refuse_existing(repository, options.config)
        if github:
            wish = replace(wish, remote=github_remote(repository, wish.remote))
        place = workflow_place(repository) if github and not print_only else None
        survey = look(repository, wish)
        text = starter_text(survey, github=github)
        lane = _prove(repository, survey, text)
        workflow = workflow_for([lane], repository, options.config) if github else None
        if not print_only:
            write_whole(path, text, replace=force)
        if place is not None and workflow is not None:
            write_workflow(place, workflow)
    if options.as_json:
        document = _as_json(survey, path, written=not print_only)
        if workflow is not None:
            document |= {"forge": "github", "workflow": str(place or PLACE)}
        shown = {"text": text} | ({"workflow_text": workflow} if workflow is not None else {})
        print_json(document | shown if print_only else document)
    elif print_only:
        say(text.removesuffix("\n"))
        if workflow is not None:
            say(f"\n# ---- {PLACE}\n\n{workflow}".removesuffix("\n"))
    else:
        _print(survey, path, place)
    return 0


def _only_workflow(options: Common, repository: Repository, path: Path, *, print_only: bool) -> int:
    """Write the workflow for a policy that is there already."""
    lanes = load(path).lanes.values()
    place = None if print_only else workflow_place(repository)
    text = workflow_for(lanes, repository, options.config)
    if place is not None:
        write_workflow(place, text)
    if options.as_json:
        shown = {"workflow_text": text} if print_only else {}
        print_json({"path": str(path), "workflow": str(place or PLACE), "written": not print_only, **shown})
    elif print_only:
        say(text.removesuffix("\n"))
    else:
        say(f"kept      {path}")
        _print_workflow(place)
    return 0


def _prove(repository: Repository, survey: Survey, text: str) -> Lane:
    """Read the text back as every later command will, before it is put anywhere, and return the lane in it.

    Raises:
        ConfigError: it does not say what was seen, so no file can.
    """
    hint = "write the file by hand; docs/config.md explains every key"
    with repository.temporary_directory("init") as place:
        draft = place / FILE_NAME
        draft.write_text(text, encoding="utf-8", newline="\n")
        try:
            lane = load(draft).lane(survey.lane)
        except ConfigError as error:
            raise ConfigError(f"what was found makes no valid file: {error.message}", hint=hint) from error
    wanted = (survey.source.branch, survey.source.remote, survey.target.branch, survey.target.remote)
    if (lane.source, lane.source_at, lane.target, lane.target_at) != wanted:
        raise ConfigError(f"the lane {survey.pair.shown} cannot be written into a {FILE_NAME}", hint=hint)
    return lane


def _as_json(survey: Survey, path: Path, *, written: bool) -> dict[str, object]:
    return {
        "path": str(path),
        "lane": survey.lane,
        "source": survey.source.branch,
        "target": survey.target.branch,
        "remote": survey.remote,
        "source_remote": survey.source.remote,
        "target_remote": survey.target.remote,
        "evidence": [*survey.branch_evidence(), *survey.file_evidence()],
        "written": written,
    }


def _print(survey: Survey, path: Path, workflow: Path | None) -> None:
    say(f"lane      {survey.lane}: {survey.pair.shown}")
    for line in (*survey.branch_evidence(), *survey.file_evidence()):
        say(f"seen      {line}")
    say(f"written   {path}")
    if workflow is not None:
        _print_workflow(workflow)
    say("next      syncline plan")


def _print_workflow(path: Path | None) -> None:
    say(f"written   {path}")
    say("next      read the comments in it, then put both files on the default branch")
