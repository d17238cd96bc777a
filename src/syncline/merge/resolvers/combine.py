"""Combine: target's text, and with it the definitions that only source has and the imports they need.

For files whose two versions hold different definitions: what the path rule `take = "combine"` makes of a file.
"""

from dataclasses import dataclass

from syncline.merge.acceptance import faults
from syncline.merge.case import FileCase
from syncline.merge.text import syntax
from syncline.merge.text.combination import Added, combine

_TOLD = 4
"""How many names are told."""


@dataclass(frozen=True, slots=True)
class Combined:
    """What the rule makes of a file."""

    content: bytes | None
    """None where it cannot be applied."""
    words: str
    """What was done, or why it cannot be."""


def combined(case: FileCase) -> Combined:
    """Return target's file with source's missing definitions, as far as the result may be accepted."""
    language = syntax.language_of(case.path)
    done = combine(language, case.base if case.has_base else None, case.ours, case.theirs) if language else None
    if done is None:
        return Combined(None, "no definitions can be told apart in both versions")
    content = b"".join(done.lines)
    found = faults(case, content)
    if found:
        return Combined(None, f"target's file with source's missing definitions {found[0]}")
    return Combined(content, _words(done.added, done.imports))


def _words(added: tuple[Added, ...], imports: tuple[bytes, ...]) -> str:
    if not added and not imports:
        return "target's text; source has no definition there that target lacks"
    what = []
    if added:
        what.append(f"source's {_shown([one.name for one in added])}, which target lacks")
    if imports:
        what.append(f"the imports of {_shown(list(imports))}")
    return f"target's text with {' and '.join(what)}"


def _shown(names: list[bytes]) -> str:
    shown = [name.decode("utf-8", "replace")[:60] for name in dict.fromkeys(names)]
    return ", ".join(shown[:_TOLD]) + (f" and {len(shown) - _TOLD} more" if len(shown) > _TOLD else "")
