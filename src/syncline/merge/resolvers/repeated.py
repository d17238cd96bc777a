"""The same conflict stands elsewhere in this merge, in a file that people have settled already."""

from collections.abc import Iterator

from syncline.merge.case import FileCase
from syncline.merge.model import Evidence
from syncline.merge.proposal import Proposal
from syncline.merge.recorded import Recorded
from syncline.merge.resolvers.recorded import marks

NAME = "repeated"


def propose(case: FileCase, answered: Recorded) -> Iterator[Proposal]:
    """Yield the answer that each hunk got elsewhere in this merge.

    Args:
        case: the file.
        answered: the files of this merge that are done, as people settled them; nothing that is only proposed.

    Marks: as `recorded`. Source: 310 of 311 hunks that stood twice in a merge were answered alike.
    """
    for hunk in case.hunks:
        found = answered.lookup(hunk)
        if found is not None:
            seen = found.answer.seen
            where = "elsewhere" if seen == 1 else f"in {seen} other places"
            evidence = Evidence(f"the same conflict was settled so {where} in this merge")
            yield Proposal(hunk.index, found.lines, NAME, (evidence,), marks(found), found.to_the_byte)
