"""ty."""

import re
from typing import ClassVar

from syncline.checks.logs.parsers.arrows import ArrowParser


class Ty(ArrowParser):
    """Its errors in the full style."""

    tool: ClassVar[str] = "ty"
    words: ClassVar[tuple[str, ...]] = ("error[",)
    head: ClassVar[re.Pattern[str]] = re.compile(r"^error\[(?P<kind>[a-z][a-z-]+)\]: (?P<message>.+)$")
