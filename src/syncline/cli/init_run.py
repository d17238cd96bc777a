"""What `syncline init` does."""

from pathlib import Path

from syncline.cli.options import Common
from syncline.cli.text import print_json, say
from syncline.config.find import FILE_NAME
from syncline.config.load import load
from syncline.config.starter.pairs import Wish
from syncline.config.starter.survey import Survey, look
from syncline.config.starter.text import starter_text
from syncline.config.starter.write import destination, refuse_existing, write_whole
from syncline.errors import ConfigError
from syncline.git import Repository


def run(
    options: Common, *, source: str | None, target: str | None, remote: str | None, force: bool, print_only: bool
) -> int:
    """Look, write the file or print it, say what was seen, and return the exit code."""
    with Repository.open(options.directory) as repository:
        path = destination(repository, options.config)
        if not force and not print_only:
            refuse_existing(repository, options.config)
        survey = look(repository, Wish(source, target, remote))
        text = starter_text(survey)
        _prove(repository, survey, text)
        if not print_only:
            write_whole(path, text, replace=force)
    if options.as_json:
        document = _as_json(survey, path, written=not print_only)
        print_json(document | {"text": text} if print_only else document)
    elif print_only:
        say(text.removesuffix("\n"))
    else:
        _print(survey, path)
    return 0


def _prove(repository: Repository, survey: Survey, text: str) -> None:
    """Read the text back as every later command will, before it is put anywhere.

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


def _print(survey: Survey, path: Path) -> None:
    say(f"lane      {survey.lane}: {survey.pair.shown}")
    for line in (*survey.branch_evidence(), *survey.file_evidence()):
        say(f"seen      {line}")
    say(f"written   {path}")
    say("next      syncline plan")
