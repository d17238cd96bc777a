"""The mend of a file that the lane's policy has taken from one side as a whole, where nothing smaller mends it."""

from collections.abc import Iterator

from syncline.audit.finding import Finding
from syncline.audit.task import Task
from syncline.git.tree import Mode
from syncline.merge.model import Side
from syncline.merge.resolvers.patterns import matches
from syncline.repair.mend import Mend

_NAMES = {Side.OURS: "target", Side.THEIRS: "source"}


def take_whole(task: Task, finding: Finding) -> Iterator[Mend]:
    """Yield the file as the side has it that the first fitting table of `repair.whole` names; or its absence.

    A file that the merge has under another name than that side keeps the merge's name.
    """
    file = task.trees.by_path.get(finding.path)
    if task.lane is None or file is None:
        return
    rule = next((one for one in task.lane.repair.whole if matches(one.match, finding.path)), None)
    if rule is None:
        return
    side = Side(rule.take)
    entry = file.of(side)
    if entry == file.merged or (entry is not None and entry.mode is Mode.DIRECTORY):
        return
    what = f"take the whole file as {_NAMES[side]} has it" if entry else f"leave it out, as {_NAMES[side]} does"
    because = f": {rule.reason}" if rule.reason else ""
    words = f"{what}, by the lane's repair.whole for {', '.join(rule.match)}{because}"
    yield Mend(finding, words, entries=((finding.path, entry),), last=True)
