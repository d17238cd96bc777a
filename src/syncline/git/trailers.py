"""Which lines of a commit message are its trailers. The rule is git's own.

trailer.c, `find_trailer_block_start`: the last paragraph, which is not the title, is a block of trailers when all
its lines are trailers (or continue one), or when one of them is written by git itself and at least a quarter are
trailers. https://git-scm.com/docs/git-interpret-trailers
"""

import re

_TRAILER = re.compile(r"(?P<name>[A-Za-z0-9-]+)[ \t]*:(?P<value>.*)", re.DOTALL)
_BY_GIT = ("Signed-off-by: ", "(cherry picked from commit ")


def parse_trailers(message: str) -> tuple[tuple[str, str], ...]:
    """Return (name, value) of each trailer in order; folded values are joined by a blank."""
    paragraphs = re.split(r"\n[ \t]*\n", message.replace("\r\n", "\n").strip("\n").rstrip())
    if len(paragraphs) < 2:
        return ()  # a title alone
    lines = paragraphs[-1].split("\n")
    return tuple(_unfolded(lines)) if _is_block(lines) else ()


def _is_block(lines: list[str]) -> bool:
    trailers = others = 0
    by_git = False
    follows_trailer = False
    for line in lines:
        if line.startswith(_BY_GIT):
            trailers, by_git, follows_trailer = trailers + 1, True, True
        elif line[:1].isspace() and follows_trailer:
            continue  # goes on with the trailer above
        elif _TRAILER.fullmatch(line) and not line[:1].isspace():
            trailers, follows_trailer = trailers + 1, True
        else:
            others, follows_trailer = others + 1, False
    return trailers > 0 and (others == 0 or (by_git and trailers * 3 >= others))


def _unfolded(lines: list[str]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    open_trailer = False
    for line in lines:
        if line[:1].isspace() and open_trailer:
            name, value = found[-1]
            found[-1] = (name, f"{value} {line.strip()}".strip())
            continue
        match = _TRAILER.fullmatch(line)
        open_trailer = match is not None
        if match is not None:
            found.append((match["name"], match["value"].strip()))
    return found
