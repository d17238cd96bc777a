"""JSON that people hand in: what is wrong with it, in words that are not Python's. Pure."""

import json
from typing import Any


def parsed(content: bytes) -> Any:
    """Return the document.

    Raises:
        ValueError: it is none; the message says why, and goes on after "FILE: ".
    """
    try:
        return json.loads(content)
    except json.JSONDecodeError as error:
        raise ValueError(f"it is no JSON at line {error.lineno}, column {error.colno}") from error
    except UnicodeDecodeError as error:
        raise ValueError("it is no JSON: its bytes are no UTF-8") from error
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    except ValueError as error:  # the one that is left: an integer of thousands of digits
        raise ValueError("it holds a number of too many digits") from error


def entry(document: Any, key: str, where: str = "it") -> Any:
    """Return what an object holds under a key.

    Args:
        document: the object.
        key: the key.
        where: what the object is called in the error.

    Raises:
        ValueError: it is no object, or has no such key.
    """
    if not isinstance(document, dict):
        raise ValueError(f"{where} is {shown(document)}, and an object was expected")  # noqa: TRY004 - bad input
    if key not in document:
        raise ValueError(f'{where} has no "{key}"')
    return document[key]


def shown(value: Any) -> str:
    """Return a value as it stands in the file, shortened; of what holds others only its kind."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:60]}..."
