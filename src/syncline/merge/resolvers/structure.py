"""Structure: three-way merge by what a file is made of, not by its lines.

Definitions, methods, fields, parameters, entries and imports are matched by kind, name and scope. What one side
changed, added or deleted is taken; what both changed is merged by its own members, and where it has none, token by
token. Whether that is right hangs on the order: units that both sides added at one place are offered both ways.
Measured on eight repositories' history: 58 % right where no order is a guess, 48 % altogether (the project's study
of resolvers).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING

from syncline.merge.alignment import regions, squeezed
from syncline.merge.case import FileCase, HunkCase
from syncline.merge.hunks import Lines, split_lines
from syncline.merge.model import Evidence
from syncline.merge.proposal import Proposal
from syncline.merge.text import members, syntax
from syncline.merge.text.diff import Edit, edits, edits_between
from syncline.merge.text.languages import Language
from syncline.merge.text.layout import lay_out
from syncline.merge.text.members import Body, Member
from syncline.merge.text.three_way import merge_edits
from syncline.merge.text.tokens import tokenize

if TYPE_CHECKING:
    from tree_sitter import Tree

NAME = "structure"

MAX_SIZE = 500_000
"""Bytes of a version that is still merged: three trees of it take about a second."""
MAX_BYTES = 40_000
MAX_TOKENS = 4_000
"""Size of a version of a unit that both sides changed."""

CONFLICT = b"\n\n"
"""Stands for what did not merge: no line of a file has two newlines."""

_APART = 3
"""Tokens between two changes that part right from wrong: 61 % right without, 77 % with (the study)."""
_NEVER = MAX_TOKENS

Key = tuple[str, bytes, int]
"""A unit's kind, its name and which of that name it is."""


def propose(case: FileCase) -> Iterator[Proposal]:
    """Yield the structural merges of the hunks: one for each, two where the order of additions is open."""
    language = syntax.language_of(case.path, case.ours)
    contents = (case.base, case.ours, case.theirs)
    if language is None or not language.bodies or not case.has_base or max(map(len, contents)) > MAX_SIZE:
        return
    bodies = _bodies(case, language)
    if bodies is None:
        return
    for hunk, answers in zip(case.hunks, _answers(case, bodies), strict=True):
        ours_first, theirs_first = answers.offers
        offers = [(ours_first, ("order-unambiguous",))]
        if ours_first != theirs_first:
            offers = [(ours_first, ("order-ambiguous", "ours-first"))]
            offers += [(theirs_first, ("order-ambiguous", "theirs-first"))]
        for lines, order in offers:
            if lines is not None and hunk.ours != hunk.theirs and _sound(hunk, lines):
                marks = (*order, *answers.depth, *_marks(hunk, lines))
                yield Proposal(hunk.index, _ended(hunk, lines), NAME, (_evidence(marks),), marks)


def _bodies(case: FileCase, language: Language) -> list[Body] | None:
    """Return what base, ours and theirs are made of; None where one of them is not read."""
    base = syntax.parse(language, case.base)
    body = members.cut(language, base, case.base_lines) if base is not None else None
    if base is None or body is None:
        return None
    bodies = [body]
    for content, lines, found in (
        (case.ours, case.our_lines, case.base_in_ours),
        (case.theirs, case.their_lines, case.base_in_theirs),
    ):
        near = _edited(base, case.base_lines, lines, edits_between(found, len(case.base_lines), len(lines)))
        tree = syntax.parse(language, content, near=near)
        if tree is not None and tree.root_node.has_error:
            # A tree that grew from another may have found another way round an error.
            tree = syntax.parse(language, content)
        body = members.cut(language, tree, lines) if tree is not None else None
        if body is None:
            return None
        bodies.append(body)
    return bodies


def _edited(tree: "Tree", old: Sequence[bytes], new: Sequence[bytes], changes: Sequence[Edit]) -> "Tree":
    """Return a tree with what changed marked, line by line: all the rest needs no reading again."""
    old_starts, new_starts = ([0, *accumulate(map(len, lines))] for lines in (old, new))
    near = tree.copy()
    for edit in reversed(changes):
        start, size = old_starts[edit.a], new_starts[edit.b_end] - new_starts[edit.b]
        ends = (edit.a_end, 0), (edit.a + edit.b_end - edit.b, 0)
        near.edit(start, old_starts[edit.a_end], start + size, (edit.a, 0), *ends)
    return near


@dataclass(frozen=True, slots=True)
class _Answers:
    """What the merges of a file say to one hunk."""

    offers: tuple[Lines | None, Lines | None]
    """With what ours added first, and with what theirs added first."""
    depth: tuple[str, ...]
    """Whether whole units were taken, or how far apart the changes inside one were."""


def _answers(case: FileCase, bodies: Sequence[Body]) -> list[_Answers]:
    base, ours, theirs = bodies

    known = _Known(case.path)
    cut: dict[Lines, tuple[Lines | None, ...]] = {}

    def run(*, theirs_first: bool = False, gap: int = 0) -> tuple[_Merge, tuple[Lines | None, ...]]:
        merge = _Merge(known, theirs_first, gap)
        lines = merge.body(base, ours, theirs)
        if lines not in cut:
            cut[lines] = regions(case.cut, lines, key=bytes)
        return merge, cut[lines]

    merge, answers = run()
    others = run(theirs_first=True)[1] if merge.ambiguous else answers
    # What still comes out so when tokens may not be merged, or only with some between the changes, needed no more.
    # Nothing needs to be told of a file in which nothing merged.
    told = merge.inside and any(lines is not None and CONFLICT not in lines for lines in (*answers, *others))
    whole = run(gap=_NEVER)[1] if told else answers
    apart = run(gap=_APART)[1] if told else answers
    found = []
    for one, other, plain, wide in zip(answers, others, whole, apart, strict=True):
        inside = ("inside-units", f"gap-{_APART}") if one == wide else ("inside-units",)
        found.append(_Answers((one, other), ("whole-units",) if one == plain else inside))
    return found


def _sound(hunk: HunkCase, lines: Lines) -> bool:
    """Whether nothing is open in `lines` and nothing is lost that both sides have."""
    if CONFLICT in lines:
        return False
    both = Counter(map(squeezed, hunk.ours)) & Counter(map(squeezed, hunk.theirs))
    del both[b""]
    return both <= Counter(map(squeezed, lines))


def _marks(hunk: HunkCase, lines: Lines) -> tuple[str, ...]:
    text = [squeezed(line) for line in lines]
    one_side = b"".join(text) in {b"".join(map(squeezed, side)) for side in (hunk.ours, hunk.theirs)}
    base = set(map(squeezed, hunk.outer.base.of(hunk.file.base_lines)))
    added = {squeezed(line) for line in (*hunk.ours, *hunk.theirs)} - base - {b""}
    return ("one-side",) * one_side + ("keeps-added",) * (added <= set(text))


def _ended(hunk: HunkCase, lines: Lines) -> Lines:
    """Return lines that all end, unless nothing comes after the hunk."""
    last = len(hunk.file.our_lines) == hunk.at.ours.end
    if lines and not last and not lines[-1].endswith(b"\n"):
        return (*lines[:-1], lines[-1] + hunk.hunk.ending)
    return lines


def _evidence(marks: tuple[str, ...]) -> Evidence:
    if "one-side" in marks:
        return Evidence("matched by name, only one side changed these units")
    what = "different units" if "whole-units" in marks else "different parts of the same units"
    order = "; which addition comes first is open" if "order-ambiguous" in marks else ""
    return Evidence(f"matched by name, target and source changed {what}{order}")


@dataclass(slots=True)
class _Merge:
    """One way through a merge; tells what it met."""

    known: "_Known"
    theirs_first: bool
    gap: int
    """How many tokens must stand between what both changed in one unit."""
    ambiguous: bool = field(default=False, init=False)
    """Whether both sides added at one place."""
    inside: bool = field(default=False, init=False)
    """Whether something was merged by tokens."""

    def body(self, base: Body, ours: Body, theirs: Body) -> Lines:
        """Merge three bodies."""
        keyed = self.known.keyed(base, ours, theirs)
        order = self._order(*(list(one) for one in keyed))
        head = self._text(base.head, ours.head, theirs.head)
        foot = self._text(base.foot, ours.foot, theirs.foot)
        if order is None:
            return (*head, CONFLICT, *foot)
        olds, of_ours, of_theirs = keyed
        found: list[tuple[Member | None, Lines]] = []
        for key in order:
            if key is None:
                found.append((None, (CONFLICT,)))
                continue
            lines = self._member(olds.get(key), of_ours.get(key), of_theirs.get(key))
            if lines:
                found.append((of_ours.get(key) or of_theirs.get(key), lines))
        return (*head, *_joined(found, (ours, theirs)), *foot)

    def _member(self, base: Member | None, ours: Member | None, theirs: Member | None) -> Lines:
        """Merge a unit; () when it is gone."""
        plain = self.known.plain(base, ours, theirs)
        if plain is not None:
            return plain
        assert base is not None  # noqa: S101 - tells the type checker
        assert ours is not None  # noqa: S101
        assert theirs is not None  # noqa: S101
        if base.inner and ours.inner and theirs.inner:
            merged = self.body(base.inner, ours.inner, theirs.inner)
            if CONFLICT not in merged:
                return merged
            whole = self._by_token(base.lines, ours.lines, theirs.lines)
            return merged if CONFLICT in whole else whole
        return self._by_token(base.lines, ours.lines, theirs.lines)

    def _text(self, base: Lines, ours: Lines, theirs: Lines) -> Lines:
        """Merge lines that have no members."""
        if _same(ours, theirs) or _same(theirs, base):
            return ours
        if _same(ours, base):
            return theirs
        return self._by_token(base, ours, theirs)

    def _by_token(self, base: Lines, ours: Lines, theirs: Lines) -> Lines:
        """Merge lines that both sides changed."""
        self.inside = True
        if self.gap == _NEVER:
            return (CONFLICT,)
        merged = self.known.by_token(base, ours, theirs)
        return (CONFLICT,) if merged is None or merged.gap < self.gap else merged.lines

    def _order(self, base: list[Key], ours: list[Key], theirs: list[Key]) -> list[Key | None] | None:
        """Return the order of all keys, None for an open place; None when both sides moved what base has."""
        shared = set(ours) & set(theirs)
        our_order = [key for key in ours if key in shared]
        their_order = [key for key in theirs if key in shared]
        their_turn = self.theirs_first
        if our_order != their_order:
            old = [key for key in base if key in shared]
            if len(old) != len(shared) or old not in (our_order, their_order):
                return None
            their_turn = old == our_order
        first, second = (theirs, ours) if their_turn else (ours, theirs)
        firsts, seconds, olds = (_gaps(keys, shared) for keys in (first, second, base))
        known = set(base)
        order: list[Key | None] = []
        for anchor, gap in firsts.items():
            other = seconds[anchor]
            both_added = set(gap) - known and set(other) - known
            old = olds.get(anchor)
            if both_added and old:
                # Both added where base had something that one of them took away: next to it, or in its place?
                placed = merge_edits(gap, other, len(old), edits(old, gap), edits(old, other))
                order += [anchor] if anchor else []
                order += [key for key in old if key in gap or key in other]  # what one of them changed is open
                order += (
                    [None]
                    if placed is None
                    else [
                        gap[place.ours] if place.ours is not None else other[place.theirs or 0]
                        for place in placed.places
                    ]
                )
                continue
            self.ambiguous = self.ambiguous or bool(both_added)
            order += [anchor, *gap, *other] if anchor else [*gap, *other]
        return order


@dataclass(slots=True)
class _Known:
    """What every way through one file's merge comes to alike, found out once."""

    path: bytes
    _keyed: "dict[tuple[int, ...], tuple[dict[Key, Member], ...]]" = field(default_factory=dict, init=False)
    _plain: dict[tuple[int, ...], Lines | None] = field(default_factory=dict, init=False)
    _by_token: "dict[tuple[Lines, ...], _TokenMerge | None]" = field(default_factory=dict, init=False)

    def keyed(self, *bodies: Body) -> tuple[dict[Key, Member], ...]:
        """Return the members of three bodies by their keys."""
        place = tuple(map(id, bodies))
        if place not in self._keyed:
            self._keyed[place] = _keyed(*bodies)
        return self._keyed[place]

    def plain(self, base: Member | None, ours: Member | None, theirs: Member | None) -> Lines | None:
        """Return what a unit becomes that at most one side changed; None when both did."""
        place = id(base), id(ours), id(theirs)
        if place not in self._plain:
            self._plain[place] = _plain(base, ours, theirs)
        return self._plain[place]

    def by_token(self, base: Lines, ours: Lines, theirs: Lines) -> "_TokenMerge | None":
        """Return lines merged by tokens."""
        texts = base, ours, theirs
        if texts not in self._by_token:
            self._by_token[texts] = _by_token(base, ours, theirs, self.path)
        return self._by_token[texts]


def _plain(base: Member | None, ours: Member | None, theirs: Member | None) -> Lines | None:
    if ours is None or theirs is None:
        left = ours or theirs
        if left is None or base is None:
            return left.lines if left is not None else ()
        return () if left.bare == base.bare else (CONFLICT,)
    if ours.bare == theirs.bare:
        return ours.lines
    if base is None:
        return (CONFLICT,)
    if theirs.bare == base.bare:
        return ours.lines
    return theirs.lines if ours.bare == base.bare else None


def _gaps(keys: list[Key], shared: set[Key]) -> dict[Key | None, list[Key]]:
    """Return what stands behind each shared key and before the next; None is the beginning."""
    gaps: dict[Key | None, list[Key]] = {None: []}
    last: Key | None = None
    for key in keys:
        if key in shared:
            last = key
            gaps[key] = []
        else:
            gaps[last].append(key)
    return gaps


def _keyed(*bodies: Body) -> tuple[dict[Key, Member], ...]:
    """Return the members of three bodies by a key that is the same for the same unit.

    Units of one name in one scope (overloads, statements) are counted where all have as many, else told by text.
    """
    named = [Counter((member.kind, _called(member)) for member in body.members) for body in bodies]
    # Most counts are one or none.
    many = {name for count in named for name, size in count.items() if size > 1}
    odd = {name for name in many if len({count[name] for count in named if count[name]}) > 1}
    found = []
    for body in bodies:
        keyed: dict[Key, Member] = {}
        seen: Counter[tuple[str, bytes]] = Counter()
        for member in body.members:
            name = member.kind, _called(member)
            if name in odd:
                name = member.kind, _called(member) + b"\n" + member.bare
            keyed[*name, seen[name]] = member
            seen[name] += 1
        found.append(keyed)
    return tuple(found)


def _called(member: Member) -> bytes:
    return member.bare if member.name is None else member.name


def _joined(found: Sequence[tuple[Member | None, Lines]], sides: tuple[Body, Body]) -> Iterator[bytes]:
    """Yield the lines of members below each other, parted as they are in the sides."""
    parted = {m.separator for side in sides for m in side.members[:-1]}
    separator = b"," if parted == {b","} else b""
    closed = any(side.members[-1].separator for side in sides)
    blanks = Counter(m.blank for side in sides for m in side.members[1:])
    usual = blanks.most_common(1)[0][0] if blanks else ()
    firsts = {id(side.members[0]) for side in sides}
    for index, (member, lines) in enumerate(found):
        if member is None:
            yield from lines
            continue
        if index:
            yield from usual if id(member) in firsts else member.blank
        wanted = separator if closed or index + 1 < len(found) else b""
        yield from _with_separator(lines, wanted if separator else member.separator)


def _with_separator(lines: Lines, separator: bytes) -> Lines:
    if not separator or not lines or lines[-1] == CONFLICT:
        return lines
    text = lines[-1]
    bare = text.rstrip()
    for mark in (b"//", b"#", b"/*"):
        # A comment behind the unit stays behind the separator.
        at = bare.find(b" " + mark)
        if at > 0:
            bare = bare[:at].rstrip()
    return (*lines[:-1], bare + separator + text[len(bare) :])


@dataclass(frozen=True, slots=True)
class _TokenMerge:
    """Lines merged token by token, and how many tokens stand at least between the changes."""

    lines: Lines
    gap: int


def _by_token(base: Lines, ours: Lines, theirs: Lines, path: bytes) -> _TokenMerge | None:
    cut = []
    for lines in (base, ours, theirs):
        content = b"".join(lines)
        tokens = tokenize(content, path) if len(content) <= MAX_BYTES else None
        if tokens is None or not len(tokens) or len(tokens) > MAX_TOKENS:
            return None
        cut.append(tokens)
    old, our, their = cut
    our_edits, their_edits = edits(old.texts, our.texts), edits(old.texts, their.texts)
    merged = merge_edits(our.texts, their.texts, len(old), our_edits, their_edits)
    if merged is None:
        return None
    text = lay_out(merged.places, old, our, their, our_edits, their_edits)
    return None if text is None else _TokenMerge(tuple(split_lines(text)), merged.gap)


def _same(one: Lines, other: Lines) -> bool:
    return one == other or (b"".join(b"".join(one).split()) == b"".join(b"".join(other).split()))
