"""A proposal's body: syncline's block between two hidden lines, and around it what people wrote. Pure.

What lies outside of the block stays as it is. What people change inside is lost with the next writing.
"""

import re
from dataclasses import dataclass

from syncline.errors import ForgeError
from syncline.forge.github import marker as markers
from syncline.forge.github.fit import BODY_LIMIT, fit, length
from syncline.forge.github.marker import ProposalMarker

BEGIN = (
    "<!-- syncline:begin: what is written from here to the end mark is written by syncline, again and again -->"
)
END = "<!-- syncline:end: below this line is yours -->"

_BEGIN = re.compile(r"^<!-- syncline:begin\b[^\n]*-->[ \t]*\n|(?=^<!-- syncline:proposal )", re.MULTILINE)
_END = re.compile(r"^<!-- syncline:end\b[^\n]*-->[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Body:
    """A body in its parts: people's text before and after, the marker, and what syncline tells."""

    text: str
    marker: ProposalMarker | None
    before: str = ""
    after: str = ""


def parse(body: str) -> Body:
    """A body as GitHub gives it, in its parts. One without syncline's marker is people's alone.

    Where somebody took the end mark away, the block goes to the end of the body.
    """
    body = body.replace("\r\n", "\n")
    for begin in _BEGIN.finditer(body):  # people may quote one of its lines above
        end = _END.search(body, begin.end())
        inside = body[begin.end() : end.start() if end is not None else len(body)]
        first, _, text = inside.partition("\n")
        marker = markers.read(first)
        if marker is not None:
            after = body[end.end() :] if end is not None else ""
            return Body(text.removesuffix("\n"), marker, before=body[: begin.start()], after=after)
    return Body("", None, before=body)


def render(body: Body) -> str:
    """The parts as one body within GitHub's limit; where it is too long, syncline's own text is cut.

    Raises:
        ForgeError: what people wrote leaves no room.
    """
    if body.marker is None:
        raise ValueError("a body without a marker is not syncline's to write")
    before = body.before
    if before and not before.endswith("\n"):
        before += "\n\n"
    head = f"{before}{BEGIN}\n{markers.write(body.marker)}\n"
    tail = f"\n{END}{body.after}"
    room = BODY_LIMIT - length(head) - length(tail)
    text = body.text.replace("\r\n", "\n")
    # A text that holds the end mark (quoted from somewhere) would end the block too early.
    text = text.replace("<!-- syncline:end", "<!-- syncline-end").replace(
        "<!-- syncline:begin", "<!-- syncline-begin"
    )
    fitting = fit(text, room)
    if fitting is None:
        raise ForgeError(
            f"people's text in the proposal's body leaves no room for syncline's: at most {BODY_LIMIT} characters",
            hint="shorten what stands above or below syncline's block",
        )
    return head + fitting + tail
