"""The one JSON document of a command, whatever the locale."""

import json
import sys
from typing import Any


class _State:
    given = False


def given() -> bool:
    """Whether the command has answered, or has begun to: then nothing may follow."""
    return _State.given


def give(document: Any) -> None:
    """Write the document to standard output in UTF-8 (RFC 8259, 8.1).

    Half a character of a path, a lone surrogate, becomes its JSON escape.
    """
    # Indented for people only: programs get it from the encoder written in C.
    text = json.dumps(document, ensure_ascii=False, indent=2 if sys.stdout.isatty() else None) + "\n"
    data = text.encode("utf-8", "backslashreplace")
    sys.stdout.flush()
    _State.given = True
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
