"""Self-contained HTML pages from templates. jinja2 is loaded when the first page is made.

A page carries a content security policy that allows exactly its own style and script, by their hashes, so that
even a text that slipped through escaping could do nothing.
"""

import base64
import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from syncline.markup.plain_text import block, one_line

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup


def environment(templates: Path | Sequence[Path], filters: Mapping[str, Callable[..., Any]]) -> "Environment":
    """Return what renders the templates of a directory: all text is escaped, its control characters are shown.

    Args:
        templates: where they are: a directory, or several.
        filters: what they use beside `line` (a text in one line) and `number`.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 - heavy, only for pages

    made = Environment(
        loader=FileSystemLoader(templates),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize,
    )
    made.filters.update({"line": one_line, "number": lambda value: f"{value:,}"} | dict(filters))
    return made


def _finalize(value: Any) -> Any:
    # Plain text only: markup made by jinja2 or here is a subclass of str and clean already.
    return block(value) if type(value) is str else value


@cache
def asset(file: Path) -> "Markup":
    """Return a style or script of this program, to be put into a page as it is."""
    from markupsafe import Markup  # noqa: PLC0415 - comes with jinja2

    return Markup(file.read_text("utf-8"))  # noqa: S704 - a file of this program


@cache
def content_hash(content: str) -> str:
    """Return what a content security policy calls a style or script."""
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
