"""Whether a text can be read as what its suffix says: Python, JSON, TOML. Pure."""

import json
import tomllib
import warnings
from collections import Counter


def python_fault(content: bytes, *, flags: int = 0) -> tuple[int | None, str] | None:
    """Return the line (if it is known) and why Python does not compile a text; None when it does.

    `compile()` and not `ast.parse`: a parameter that stands twice is an error that only the compiler tells.

    Args:
        content: the text.
        flags: the compiler flags of `__future__` imports that stand elsewhere.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(content, "merged", "exec", flags=flags, dont_inherit=True)
        except SyntaxError as error:
            return error.lineno, error.msg or "syntax error"
        except (ValueError, RecursionError, MemoryError, OverflowError) as error:
            return None, f"{type(error).__name__}: {error}"
    return None


def json_fault(content: bytes) -> str | None:
    """Return why a text is no JSON whose keys stand once; None when it is."""
    try:
        json.loads(content, object_pairs_hook=_once, parse_int=str)  # Python makes no int of 5,000 digits
    except (ValueError, RecursionError) as error:
        return str(error)
    return None


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise ValueError(f"the key {twice} stands twice in one object")
    return found


def toml_fault(content: bytes) -> str | None:
    """Return why a text is no TOML; None when it is."""
    try:
        tomllib.loads(content.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        return str(error)
    except ValueError:
        return None  # a number of more digits than Python makes an int of
    return None
