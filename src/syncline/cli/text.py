"""Writing results: JSON or text on stdout, everything else on stderr."""

import sys
from typing import Any

from syncline.cli import answer
from syncline.git.paths import json_path


def print_json(document: Any) -> None:
    """Print the one JSON document of a command."""
    answer.give(document)


def say(text: str = "") -> None:
    """Print a line of the result. What cannot be printed on this terminal is shown escaped."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(harmless(text).encode(encoding, "backslashreplace").decode(encoding) + "\n")


def harmless(text: str) -> str:
    """Escape control characters: a path, subject or log must not steer a terminal."""
    return "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text)


def one_line(text: str) -> str:
    """Return a text in one line."""
    return " ".join(text.split())


def path_line(path: bytes) -> str:
    """Return a path as it may stand in a line of text."""
    return json_path(path).replace("\n", "\\n")
