"""A TOML file in the making: comments, keys and suggestions. Whatever text comes in, it stays where it belongs."""

import re
import textwrap
from collections.abc import Sequence

_WIDTH = 110
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_SHORT = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


def quoted(text: str) -> str:
    """Return a TOML basic string (https://toml.io/en/v1.0.0#string); what cannot be seen is escaped.

    Raises:
        ValueError: the text has surrogates, which TOML cannot hold.
    """
    return '"' + "".join(_character(char) for char in text) + '"'


def _character(char: str) -> str:
    if char in _SHORT:
        return _SHORT[char]
    if char.isprintable():
        return char
    code = ord(char)
    if 0xD800 <= code <= 0xDFFF:
        raise ValueError("a surrogate cannot be written in TOML")
    return f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}"


def key(name: str) -> str:
    """Return a key as TOML writes it."""
    return name if _BARE.fullmatch(name) else quoted(name)


def array(texts: Sequence[str]) -> str:
    """Return an array of strings, on several lines where one would be long."""
    words = [quoted(text) for text in texts]
    line = f"[{', '.join(words)}]"
    return line if len(line) < _WIDTH - 20 else "[\n" + "".join(f"  {word},\n" for word in words) + "]"


class Page:
    """The lines written so far."""

    def __init__(self) -> None:
        self._lines: list[str] = []

    @property
    def text(self) -> str:
        """The whole file."""
        return "\n".join(self._lines).rstrip("\n") + "\n"

    def note(self, text: str) -> None:
        """Write a comment that explains what follows; `# ` starts each line."""
        harmless = "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
        # Names of branches and files are not taken apart.
        self._lines += [
            f"# {line}" for line in textwrap.wrap(harmless, _WIDTH, break_long_words=False, break_on_hyphens=False)
        ]

    def title(self, text: str) -> None:
        """Write the line above a part of the file."""
        self.gap()
        self._lines.append(f"# ---- {text} {'-' * max(0, _WIDTH - 6 - len(text))}")
        self.gap()

    def gap(self) -> None:
        """Write an empty line, unless there is one."""
        if self._lines and self._lines[-1]:
            self._lines.append("")

    def put(self, toml: str) -> None:
        """Write TOML as it is."""
        self._lines += toml.split("\n")

    def suggest(self, toml: str) -> None:
        """Write TOML that is switched off: `#` and no space."""
        self._lines += [f"#{line}" for line in toml.split("\n")]
