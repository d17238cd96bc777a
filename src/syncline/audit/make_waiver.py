"""The waiver that lets a finding pass."""

from datetime import date

from pydantic import ValidationError

from syncline.audit.code_digest import code_digest
from syncline.audit.finding import Finding
from syncline.audit.four_trees import FourTrees
from syncline.config.models import Waiver
from syncline.errors import ConfigError
from syncline.git.paths import json_path


def make_waiver(trees: FourTrees, finding: Finding, because: str, *, by: str | None, on: date) -> Waiver:
    """Return the waiver; without `by` where that is no name a configuration takes.

    Raises:
        ConfigError: the reason cannot stand in a configuration.
        GitError: missing objects.
    """
    words = {
        "finding": finding.id,
        "because": because,
        "path": json_path(finding.path),
        "code": code_digest(trees, finding),
        "on": on,
    }
    try:
        plain = Waiver.model_validate(words)
    except ValidationError as error:
        wrong = error.errors(include_url=False)[0]
        told = wrong["msg"].removeprefix("Value error, ")
        raise ConfigError(
            f"the reason (--because): {told}", hint="say in one line why the finding may pass"
        ) from None
    try:
        return Waiver.model_validate(words | {"by": by})
    except ValidationError:  # a name that git takes and the configuration does not
        return plain
