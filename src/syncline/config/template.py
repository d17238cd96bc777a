"""Texts with fields in braces: branch names, titles and trigger comments.

The syntax is that of `str.format`, cut down to what a configuration may ask for: a field's name, `.N` to keep
the first N characters of a text, and a `strftime` format for a date. Attributes, indices, conversions and
padding are refused, so a template can reach nothing but its fields and cannot grow without limit.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from string import Formatter

Fields = Mapping[str, str | datetime]

_CUT = re.compile(r"\.[0-9]{1,3}")
# The directives every platform has: https://docs.python.org/3/library/datetime.html#format-codes
_DIRECTIVES = "aAwdbBmyYHIMSfzZjpUWcxXGuV%"
_DEFAULT_DATE = "%Y-%m-%d"


def _pieces(template: str) -> Iterator[tuple[str, str | None, str]]:
    """(literal text, field or None, its format) from left to right; ValueError when the braces are wrong."""
    for literal, name, spec, conversion in Formatter().parse(template):
        if conversion:
            raise ValueError(f'wanted {{{name}}} without "!{conversion}"')
        yield literal, name, spec or ""


def check(template: str, *, texts: Iterable[str], dates: Iterable[str] = ()) -> None:
    """Check that `template` uses only these fields, and formats each as its kind allows.

    Raises:
        ValueError: saying what is wrong and what is allowed.
    """
    texts, dates = tuple(texts), tuple(dates)
    try:
        pieces = list(_pieces(template))
    except ValueError as error:
        raise ValueError(f"{error} (write {{{{ or }}}} for a brace)") from None
    for _, name, spec in pieces:
        if name is None:
            continue
        if name in dates:
            _check_date_format(name, spec)
        elif name not in texts:
            allowed = ", ".join(f"{{{field}}}" for field in sorted((*texts, *dates)))
            raise ValueError(f"unknown field {{{name[:40]}}}; allowed: {allowed}")
        elif spec and not _CUT.fullmatch(spec):
            raise ValueError(
                f"{{{name}}} may only be cut, as in {{{name}:.12}}; the format {spec[:40]!r} is not allowed"
            )


def _check_date_format(name: str, spec: str) -> None:
    for found in re.finditer(r"%(.?)", spec, re.DOTALL):
        if not found[1] or found[1] not in _DIRECTIVES:
            raise ValueError(
                f"{{{name}}} has the unknown date format {found[0]!r}; allowed: % and one of {_DIRECTIVES}"
            )
    if spec and ("%" not in spec or "{" in spec):
        raise ValueError(f"{{{name}}} wants a date format such as {{{name}:%Y-%m-%d}}")


def render(template: str, fields: Fields) -> str:
    """The text of a checked template. A date without a format is written as year-month-day."""
    words: list[str] = []
    for literal, name, spec in _pieces(template):
        words.append(literal)
        if name is not None:
            value = fields[name]
            words.append(format(value, spec or (_DEFAULT_DATE if isinstance(value, datetime) else "")))
    return "".join(words)
