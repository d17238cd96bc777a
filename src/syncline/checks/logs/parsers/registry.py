"""All parsers, one class each, in the order of their names."""

from syncline.checks.logs.parser import Parser
from syncline.checks.logs.parsers.pytest import Pytest
from syncline.checks.logs.parsers.python import PythonTraceback

PARSERS: tuple[type[Parser], ...] = (Pytest, PythonTraceback)
