"""Writing results: JSON or text on stdout, everything else on stderr."""

import json
import sys
from typing import Any

from syncline.merge.as_json import json_path


def print_json(document: Any) -> None:
    """Print the one JSON document of a command."""
    # Indented for people only: programs get it from the encoder written in C.
    sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=2 if sys.stdout.isatty() else None) + "\n")


def say(text: str = "") -> None:
    """Print a line of the result. What cannot be printed on this terminal is shown escaped."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(_harmless(text).encode(encoding, "backslashreplace").decode(encoding) + "\n")


def _harmless(text: str) -> str:
    """Escape control characters: a path or subject must not steer a terminal."""
    return "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text)


def path_line(path: bytes) -> str:
    """Return a path as it may stand in a line of text."""
    return json_path(path).replace("\n", "\\n")
