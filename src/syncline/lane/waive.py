"""A waiver by an order: kept with the order at the forge, where the audit of that run reads it.

It is not written into the configuration: where a lane is stepped there may be no work tree of a person, and what
is written on one machine no other sees. Nor is it committed on the branch: the head would be another one, and
every check would run again for nothing that changed. So it counts for this proposal, as long as the code stays the
same; `syncline waive` writes one that counts for later syncs too.
"""

import difflib
from datetime import datetime

from syncline.audit.explain.told import place, waiver_words
from syncline.audit.four_trees import FourTrees
from syncline.audit.make_waiver import make_waiver
from syncline.audit.waivers import NEVER
from syncline.errors import ConfigError
from syncline.forge.orders import Order
from syncline.git import Repository
from syncline.lane.state import State

_MOST_REASON = 500


def waive(repository: Repository, state: State, order: Order, now: datetime) -> tuple[bool, str, str]:
    """Return whether the finding passes from now on, the answer in words, and the waiver to keep (JSON).

    Args:
        repository: where the commits are.
        state: the run as it stands.
        order: names the finding and the reason.
        now: when it is waived.
    """
    wanted, because = order.args[0].lower(), order.args[1][:_MOST_REASON]
    already = next((one for one in state.audit.waived if one.finding.id == wanted), None)
    if already is not None:
        return True, f"it passes already: {waiver_words(already.waiver)}", ""
    found = next((one for one in state.findings if one.id == wanted), None)
    if found is None:
        near = difflib.get_close_matches(wanted, [one.id for one in state.findings], n=1, cutoff=0.5)
        meant = f"; did you mean {near[0]}?" if near else ""
        return False, f"no open finding has the id {wanted}{meant}", ""
    if found.kind in NEVER or found in state.broken:
        what = NEVER.get(found.kind, "mend it")
        return False, f"{place(found)}: nobody may waive this ({found.kind}): {what}", ""
    told = state.audit
    trees = FourTrees(repository, told.ours, told.theirs, told.merged)
    try:
        waiver = make_waiver(trees, found, because, by=order.who, on=now.date())
    except ConfigError as error:
        return False, error.message, ""
    return (
        True,
        f"{place(found)} passes in this proposal, as long as its code stays the same",
        waiver.model_dump_json(),
    )
