"""All parsers, one class each, in the order of their names."""

from syncline.checks.logs.parser import Parser

PARSERS: tuple[type[Parser], ...] = ()
