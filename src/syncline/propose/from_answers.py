"""What people's answers settle beside: the rows shown, the message of the commit that takes them over. Pure."""

from syncline.config.models import Lane
from syncline.git.paths import json_path
from syncline.markup.plain_text import one_line
from syncline.propose.judged_hunks import SIDES, sentences
from syncline.propose.model import AnsweredPath, FromAnswer, FromAnswersRow, RunFacts
from syncline.propose.settle import applying_commands, trailer_pattern
from syncline.trailer_names import ANSWERED, SETTLED

MOST_PATHS = 200
"""Paths shown; the commit's message names all."""


def from_answers_row(lane: Lane, facts: RunFacts) -> FromAnswersRow | None:
    """Return what is shown of it; None where people's answers settle nothing more."""
    found = facts.from_answers
    if found is None:
        return None
    paths = tuple(
        AnsweredPath(
            json_path(one.path), SIDES[one.side], one_line(one.resolver), one.confidence, sentences(one.evidence)
        )
        for one in found.paths[:MOST_PATHS]
    )
    commands = applying_commands(lane, facts.branch, patch=found.patch, message=found.message)
    return FromAnswersRow(len(found.paths), paths, commands)


def message_of(paths: tuple[FromAnswer, ...], run: str) -> str:
    """Return the message of the commit that takes these answers over, with the evidence for each."""
    number = f"{len(paths)} conflicts" if len(paths) > 1 else "a conflict"
    lines = [f"Settle {number} of the sync as the others were", ""]
    for one in paths:
        lines.append(
            f"- {one_line(json_path(one.path))}: {SIDES[one.side]}, {one.resolver}, {one.confidence:.0%} sure"
        )
        lines += [f"  {said.text}{f' ({said.commit})' if said.commit else ''}" for said in sentences(one.evidence)]
    lines.append("")
    lines += [f"{SETTLED}: {trailer_pattern(one.path)}" for one in paths]
    lines.append(f"{ANSWERED}: {run}")
    return "\n".join(lines) + "\n"
