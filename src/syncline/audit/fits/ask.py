"""Asks checkers about three trees, no oftener than they must be."""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field

from syncline.audit.fits.compare import Fresh, Key, fresh, surplus
from syncline.audit.fits.diagnostic import Diagnostic
from syncline.audit.fits.said import Answers, CheckerError
from syncline.audit.fits.three_trees import ThreeTrees, Where
from syncline.audit.fits.tool import Tool
from syncline.audit.four_trees import SIDES
from syncline.git import Entry
from syncline.merge.model import Side


@dataclass
class _Asked:
    """How far one checker has come."""

    tool: Tool
    merged: Sequence[Diagnostic] = ()
    sides: dict[Side, Sequence[Diagnostic]] = field(default_factory=dict)
    more: set[Key] | None = None
    error: CheckerError | None = None

    @property
    def is_done(self) -> bool:
        """Whether nothing can be new any more."""
        return self.error is not None or not self.merged or self.more == set()


def ask(
    tools: Sequence[Tool], trees: ThreeTrees, answers: Answers, *, open_paths: Container[bytes] = ()
) -> Iterator[tuple[Tool, list[Fresh] | CheckerError]]:
    """Yield what each checker says of the merge and of neither side, or why it did not do its work.

    All of them read the same files, so that each tree is made only once. What they say of `open_paths`, in which a
    conflict is open, means nothing yet.
    """
    if not tools:
        return
    asked = [_Asked(tool) for tool in tools]
    if _differs(tools[0], trees):
        for where in _order(tools[0], trees):
            for one in asked:
                if where is None or not one.is_done:
                    _go_on(one, where, trees, answers, open_paths)
    for one in asked:
        if one.error is not None:
            yield one.tool, one.error
        else:
            yield one.tool, [] if one.is_done else fresh(one.merged, one.sides, one.more or set(), trees.line)


def _differs(tool: Tool, trees: ThreeTrees) -> bool:
    """Whether something it reads is not the same everywhere; to tell this, few paths are looked at."""
    return any(
        tool.reads(path) for file in trees.trees.files for path in {file.path, file.our_path, file.their_path}
    )


def _order(tool: Tool, trees: ThreeTrees) -> list[Where]:
    """Return the trees to ask about: none, if all it reads is as one side has it.

    Otherwise the merge, and first the side that is more like it: often nothing is left to ask about the other one.
    """
    read = {path: entry for path, entry in trees.files(None).items() if tool.reads(path)}
    differing = {
        side: len(read.items() ^ {(path, entry) for path, entry in trees.files(side).items() if tool.reads(path)})
        for side in SIDES
    }
    if not all(differing.values()):
        return []
    return [None, *sorted(SIDES, key=lambda one: differing[one])]


def _go_on(one: _Asked, where: Where, trees: ThreeTrees, answers: Answers, open_paths: Container[bytes]) -> None:
    """Ask about one tree."""
    try:
        said = answers.of(one.tool, _given(one.tool, trees, where))
    except CheckerError as error:
        one.error = error
        return
    if where is None:
        one.merged = [diagnostic for diagnostic in said if diagnostic.path not in open_paths]
        return
    one.sides[where] = said
    more = surplus(one.merged, said, lambda path: trees.now(where, path))
    one.more = more if one.more is None else one.more & more


def _given(tool: Tool, trees: ThreeTrees, where: Where) -> list[tuple[bytes, Entry]]:
    return [
        (path, entry)
        for path, entry in trees.files(where).items()
        if entry.mode.is_file and (tool.needs_all or tool.reads(path))
    ]
