"""By what hunks of one merge are known for being alike: an answer to one speaks for the others. Pure.

Only what the model weighs of answers in the same merge counts (`memory.LEVELS`): the text of both sides, numbers
aside, and the form of the hunk, here within one directory.
"""

from syncline.merge.file_group import FileGroup
from syncline.merge.ladder.facts import Facts
from syncline.merge.model import Likeness


def likeness(facts: Facts) -> Likeness | None:
    """Return it; None for a hunk of a lock file, whose answers are told to nobody."""
    if facts.group is FileGroup.LOCK:
        return None
    return Likeness(facts.keys["digits"], f"{facts.keys['shape']} {facts.keys['directory']}")
