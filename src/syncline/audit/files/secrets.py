"""Secrets that came in while merging: in lines that the merge has and no side has.

A secret that a side has is not this merge's doing; whoever settled a conflict may have pasted one.
"""

from collections.abc import Iterator

from syncline.audit.files.by_hand import mixed_by_hand, new_lines
from syncline.audit.finding import Finding, Severity
from syncline.audit.task import Task
from syncline.secrets.patterns import secrets_in


def new_secrets(task: Task) -> Iterator[Finding]:
    """Yield a finding for each secret; it never holds the secret itself."""
    trees = task.trees
    for made in mixed_by_hand(task):
        contents = trees.contents(made.file)
        if contents is None:
            continue
        for line in new_lines(contents):
            for secret in secrets_in(line.text):
                yield Finding(
                    "secret", Severity.STOP, made.file.path,
                    f"line {line.number} holds {secret.name} that neither side has: {secret.masked}",
                    line=line.number, text=(secret.masked,),
                    suggestion="take it out and revoke it: what was pushed once is known",
                )  # fmt: skip
