"""When a loss is none: the other side took the place away, or somebody wrote the same thing in other words."""

from collections import Counter
from collections.abc import Collection, Sequence

from syncline.audit.dropped.losses import Loss
from syncline.audit.dropped.lost_lines import Block
from syncline.audit.dropped.roles import enclosing
from syncline.audit.dropped.text import TOKEN, squeezed
from syncline.audit.occurrences import occurrences, stands_in

_AROUND = 3
"""Lines above and below that must be gone as well before a place counts as gone."""
_FEW = 3
"""One line in so many around a place may stand elsewhere on a side that took the place away."""
_ALIKE = 0.5
"""What share of its words a line must have in common with a new one to be the same line, reworded."""
_WORDS = 3
"""Words that a line must have, where a conflict was, to be told from others."""


def place_is_gone(loss: Loss, block: Block) -> bool:
    """Whether the other side took away what a block stands in, and the merge follows it."""
    kept = loss.base.counts
    lines = loss.had.bare
    above = [line for line in lines[max(0, block.start - 40) : block.start] if len(line) > 3 and line in kept]
    below = [line for line in lines[block.end : block.end + 40] if len(line) > 3 and line in kept]
    around = (*above[-_AROUND:], *below[:_AROUND])
    there = sum(line in loss.other.counts for line in around)
    if loss.had.style is not None and there * _FEW <= len(around):
        name = enclosing(loss.had, block.start)
        known = name and stands_in(loss.base.content, name)
        if known and not stands_in(loss.other.content, name) and not stands_in(loss.merged.content, name):
            return True
    return len(around) == 2 * _AROUND and not there and not any(line in loss.merged.counts for line in around)


def really_lost(loss: Loss, block: Block) -> list[int]:
    """Return the lines of a block that were lost though nothing stood against them.

    That is where git had merged them, or where the other side left the place alone. A line counts if it holds
    words which the merge is short of, and if nobody reworded or formatted it.
    """
    found = []
    for at in block.lost if loss.left_alone(block) else loss.taken_out(block):
        line = loss.had.bare[at]
        if not loss.had.code_lines[at].strip():
            continue
        if loss.had.counts[line] <= loss.base.counts.get(line, 0) and loss.had.lines[at] in loss.base.exact:
            continue  # not the side's own
        words = Counter(TOKEN.findall(line))
        if loss.conflicted and words.total() < _WORDS:
            continue
        if not _reworded(words, loss.invented) and not _formatted(loss, squeezed(line)) and _missing(loss, words):
            found.append(at)
    return found


def _formatted(loss: Loss, line: bytes) -> bool:
    """Whether a line is still there as often, only cut into lines another way."""
    count = loss.merged.squeezed.count(line)
    return count > 0 and count >= loss.had.squeezed.count(line)


def _missing(loss: Loss, words: Collection[bytes]) -> bool:
    """Whether the merge has any of a line's words less often than both sides' changes would make it."""
    for word in words:
        had = occurrences(loss.had.content, word)
        if loss.conflicted:
            had += min(0, occurrences(loss.other.content, word) - occurrences(loss.base.content, word))
        else:
            had = max(had, occurrences(loss.automatic.content, word))
        if occurrences(loss.merged.content, word) < had:
            return True
    return False


def _reworded(words: Counter[bytes], new: Sequence[Counter[bytes]]) -> bool:
    """Whether a new line says the same in other words; one that only leaves words out does not."""
    size = words.total()
    for line in new:
        if words.keys().isdisjoint(line):
            continue
        other = line.total()
        if min(size, other) < _ALIKE * max(size, other):
            continue
        common = (words & line).total()
        if other > common >= _ALIKE * max(size, other):
            return True
    return False
