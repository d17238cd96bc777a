"""Path rules: what the lane's policy says of a path. The first rule that matches wins.

Evidence is the rule itself: file, line and reason.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from syncline.merge.model import Evidence
from syncline.merge.resolvers.patterns import matches

if TYPE_CHECKING:
    # pydantic takes a fifth of a second to import; nothing here needs more than the names.
    from syncline.config.models import PathRule

NAME = "path-rule"


def first_rule(rules: "Sequence[PathRule]", paths: Iterable[bytes]) -> "PathRule | None":
    """Return the first rule that matches any of `paths` (the paths one conflict ties together)."""
    tied = list(paths)
    return next((rule for rule in rules if any(_covers(rule, path) for path in tied)), None)


def _covers(rule: "PathRule", path: bytes) -> bool:
    if matches(rule.match, path):
        return True
    # A protected directory must not be taken by a file, link or submodule of its name.
    return rule.take == "protect" and matches(rule.match, path + b"/")


def rule_text(rule: "PathRule") -> str:
    """Return which rule it is: where it stands."""
    return f"the rule at {rule.file}:{rule.line}" if rule.line else "the rule for the policy's own file"


def evidence_for(rule: "PathRule") -> Evidence:
    """Return the sentence that says which rule decided."""
    patterns = ", ".join(rule.match)
    reason = f": {rule.reason}" if rule.reason else ""
    where = f" ({rule.file}:{rule.line})" if rule.line else ""
    return Evidence(f"path rule `{rule.take}` for {patterns}{where}{reason}")
