"""Spoils clean merges of real repositories, one fault at a time, and counts how many the audit catches.

    python bench/audit_mutations.py CLONE... [--each 30] [--merges 60] [--only NAME,...] [--missed] [--checkers]

A fault is put into a file of a merge that nobody touched: what exactly one side added is taken away again, or what
is there once is put there twice. It counts as caught when a finding names the file, and as grave when that finding
is a `stop` or a `fix`. Any change by hand shows as `changed-by-hand` too; the third column leaves that one out.
"""

import argparse
import ast
import random
import re
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from audit_merges import CHECKERS, untouched

from syncline.audit.audit import audit, audits
from syncline.audit.finding import Finding, Severity
from syncline.audit.four_trees import SIDES, FourTrees, Versions
from syncline.audit.task import Task
from syncline.git import CommitId, Entry, Repository

BY_HAND = {"changed-by-hand", "whole-file-taken"}


@dataclass(frozen=True)
class Place:
    """A file of a merge, and the lines of it that exactly one side added."""

    path: bytes
    lines: list[bytes]
    added: list[int]
    """Numbers of lines (from 0) that one side has, and neither base nor the other side."""


Mutation = Callable[[Place, random.Random], "list[bytes] | None"]


def _without(place: Place, chance: random.Random, pattern: bytes, *, more: bool = False) -> list[bytes] | None:
    """Return the lines without one added line that matches (`more`: and the deeper lines below it)."""
    wanted = [at for at in place.added if re.match(pattern, place.lines[at])]
    if not wanted:
        return None
    first = chance.choice(wanted)
    last = first + 1
    if more:
        while last < len(place.lines) and (
            not place.lines[last].strip() or _depth(place.lines[last]) > _depth(place.lines[first])
        ):
            last += 1
        if last - first < 2:
            return None
    return place.lines[:first] + place.lines[last:]


def _depth(line: bytes) -> int:
    return len(line) - len(line.lstrip(b" \t"))


def _is(place: Place, *suffixes: bytes) -> bool:
    return place.path.endswith(suffixes)


def dropped_import(place: Place, chance: random.Random) -> list[bytes] | None:
    """Take an added import away."""
    if _is(place, b".py"):
        return _without(place, chance, rb"(from \S+ import [^(\\]+|import \S+.*)$")
    if _is(place, b".java", b".ts", b".js", b".php", b".tsx"):
        return _without(place, chance, rb"(import [^{]+;?|import \{[^{}]*\} from .*|use [\w\\]+;)$")
    return None


def dropped_call(place: Place, chance: random.Random) -> list[bytes] | None:
    """Take a statement away that only calls something."""
    if not _is(place, b".py", b".java", b".ts", b".js", b".php", b".go", b".rb", b".cpp"):
        return None
    if _is(place, b".py"):
        return _without(place, chance, rb"\s+(?!def |class |return|super)[\w.]+\([^()]*\)\s*$")
    return _without(place, chance, rb"\s+[\w.$>:-]+\([^(){}]*\);?\s*$")


def dropped_function(place: Place, chance: random.Random) -> list[bytes] | None:
    """Take a whole function away that one side added."""
    if not _is(place, b".py"):
        return None
    return _without(place, chance, rb"\s*(async )?def \w+\([^()]*\).*:\s*$", more=True)


def dropped_decorator(place: Place, chance: random.Random) -> list[bytes] | None:
    """Take an added decorator or annotation away."""
    return _without(place, chance, rb"\s*@\w[\w.]*(\(.*\))?\s*$") if _is(place, b".py", b".java", b".ts") else None


def dropped_field(place: Place, chance: random.Random) -> list[bytes] | None:
    """Take an added field away."""
    if _is(place, b".py"):
        return _without(place, chance, rb"    \w+: [\w\[\], .|]+( = .*)?$")
    if _is(place, b".java"):
        return _without(place, chance, rb"\s+(private|public|protected)[\w<>, ]* \w+( = .*)?;\s*$")
    if _is(place, b".go"):
        return _without(place, chance, rb"\t\w+ +[\w.*\[\]]+( +`.*`)?\s*$")
    return None


def dropped_key(place: Place, chance: random.Random) -> list[bytes] | None:
    """Take a line with a key away, of a configuration file."""
    if _is(place, b".yml", b".yaml"):
        return _without(place, chance, rb"\s*[\w.-]+: \S.*$")
    if _is(place, b".json"):
        return _without(place, chance, rb'\s*"[^"]+": [^{\[]*,\s*$')
    if _is(place, b".toml", b".ini", b".cfg"):
        return _without(place, chance, rb"[\w.-]+ *= *[^\[{]+$")
    return None


def dropped_heading(place: Place, chance: random.Random) -> list[bytes] | None:
    """Take an added heading away."""
    return _without(place, chance, rb"#{1,6} \w.*$") if _is(place, b".md") else None


def _in_signature(place: Place, chance: random.Random, pattern: bytes) -> list[bytes] | None:
    spots = []
    for at in place.added:
        found = re.match(pattern, place.lines[at])
        if found:
            spots.append((at, found))
    if not spots:
        return None
    at, found = chance.choice(spots)
    line = place.lines[at]
    return [*place.lines[:at], line[: found.start(1)] + line[found.end(1) :], *place.lines[at + 1 :]]


def dropped_parameter(place: Place, chance: random.Random) -> list[bytes] | None:
    """Take the last parameter of an added function's head away."""
    if _is(place, b".py"):
        return _in_signature(
            place, chance, rb"\s*(?:async )?def \w+\([^()]+?(, \w+(?:: [\w.\[\]]+)?(?: ?= ?[^,()]+)?)\)"
        )
    if _is(place, b".java", b".php", b".ts"):
        return _in_signature(place, chance, rb"\s*(?:public|private|protected) [^()]*\([^()]+?(, [^(),]+)\)")
    if _is(place, b".go"):
        return _in_signature(place, chance, rb"func [^()]*(?:\([^()]*\) \w+)?\([^()]+?(, \w+ [^(),]+)\)")
    return None


def dropped_keyword(place: Place, chance: random.Random) -> list[bytes] | None:
    """Take a keyword argument of an added call away."""
    if not _is(place, b".py"):
        return None
    return _in_signature(place, chance, rb"(?!\s*(?:async )?def ).*\w\([^()]*?(, \w+=[\w.]+)\)")


def renamed_function(place: Place, chance: random.Random) -> list[bytes] | None:
    """Rename a function at its head alone, whose name stands elsewhere in the file."""
    if not _is(place, b".py", b".go", b".js", b".php", b".rb"):
        return None
    heads = []
    for at in place.added:
        found = re.match(
            rb"\s*(?:async |public |private |protected |static )*(?:def|func|function) (?:\([^()]*\) )?(\w{4,})\(",
            place.lines[at],
        )
        if found and sum(re.search(rb"\b" + found[1] + rb"\b", line) is not None for line in place.lines) > 1:
            heads.append((at, found))
    if not heads:
        return None
    at, found = chance.choice(heads)
    line = place.lines[at]
    return [
        *place.lines[:at],
        line[: found.start(1)] + b"renamed_" + line[found.start(1) :],
        *place.lines[at + 1 :],
    ]


def doubled_definition(place: Place, chance: random.Random) -> list[bytes] | None:
    """Put a function there twice."""
    if not _is(place, b".py"):
        return None
    heads = [at for at in place.added if re.match(rb"\s*(async )?def \w+\(.*:\s*$", place.lines[at])]
    heads = [at for at in heads if not at or not place.lines[at - 1].strip().startswith(b"@")]
    if not heads:
        return None
    first = chance.choice(heads)
    last = first + 1
    while last < len(place.lines) and (
        not place.lines[last].strip() or _depth(place.lines[last]) > _depth(place.lines[first])
    ):
        last += 1
    return place.lines[:last] + place.lines[first:last] + place.lines[last:]


def doubled_line(place: Place, chance: random.Random) -> list[bytes] | None:
    """Put a statement there twice."""
    if not _is(place, b".py", b".java", b".go", b".ts", b".js", b".php"):
        return None
    wanted = [
        at for at in place.added if re.match(rb"\s+[\w.$>\[\]'\"-]{3,} :?= [^(){}\[\]]{3,};?\s*$", place.lines[at])
    ]
    if wanted and _is(place, b".py"):  # a text over several lines may look like it
        tree = ast.parse(b"".join(place.lines))
        begins = {node.lineno - 1 for node in ast.walk(tree) if isinstance(node, ast.stmt)}
        wanted = [at for at in wanted if at in begins]
    if not wanted:
        return None
    at = chance.choice(wanted)
    return place.lines[: at + 1] + place.lines[at:]


def doubled_import(place: Place, chance: random.Random) -> list[bytes] | None:
    """Put an import there twice."""
    pattern = rb"(from \S+ import [^(\\]+|import [^{(]+;?|use [\w\\]+;)\s*$"
    wanted = [at for at in place.added if re.match(pattern, place.lines[at])]
    if not wanted or not _is(place, b".py", b".java", b".php", b".ts"):
        return None
    at = chance.choice(wanted)
    return place.lines[: at + 1] + place.lines[at:]


def doubled_key(place: Place, chance: random.Random) -> list[bytes] | None:
    """Put a line with a key there twice."""
    pattern = {
        b"yml": rb"\s*[\w.-]+: \S.*$",
        b"yaml": rb"\s*[\w.-]+: \S.*$",
        b"json": rb'\s*"[^"]+": [^{\[]*,\s*$',
    }
    wanted = pattern.get(place.path.rsplit(b".", 1)[-1])
    spots = [at for at in place.added if wanted and re.match(wanted, place.lines[at])]
    if not spots:
        return None
    at = chance.choice(spots)
    return place.lines[: at + 1] + place.lines[at:]


def left_marker(place: Place, chance: random.Random) -> list[bytes] | None:
    """Leave a conflict in the file."""
    at = chance.choice(place.added)
    line = place.lines[at]
    block = [b"<<<<<<< HEAD\n", line, b"=======\n", b"other\n", b">>>>>>> main\n"]
    return [*place.lines[:at], *block, *place.lines[at + 1 :]]


def broken_syntax(place: Place, chance: random.Random) -> list[bytes] | None:
    """Take a closing bracket away."""
    if not _is(place, b".py", b".json", b".java", b".go", b".ts"):
        return None
    wanted = [at for at in place.added if place.lines[at].rstrip().endswith((b")", b"}", b"]"))]
    if not wanted:
        return None
    at = chance.choice(wanted)
    return [*place.lines[:at], place.lines[at].rstrip()[:-1] + b"\n", *place.lines[at + 1 :]]


def flipped_endings(place: Place, _chance: random.Random) -> list[bytes] | None:
    """Turn all line endings to CRLF."""
    if any(line.endswith(b"\r\n") for line in place.lines):
        return None
    return [line[:-1] + b"\r\n" if line.endswith(b"\n") else line for line in place.lines]


MUTATIONS: tuple[Mutation, ...] = (
    dropped_import, dropped_call, dropped_function, dropped_decorator, dropped_field, dropped_key, dropped_heading,
    dropped_parameter, dropped_keyword, renamed_function, doubled_definition, doubled_line, doubled_import,
    doubled_key, left_marker, broken_syntax, flipped_endings,
)  # fmt: skip


def main() -> None:
    """Spoil merges, audit them, print a line for each kind of fault."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", type=Path, nargs="+")
    parser.add_argument("--each", type=int, default=30, help="faults of a kind")
    parser.add_argument("--merges", type=int, default=60, help="of each clone, one fault of a kind in each")
    parser.add_argument("--only")
    parser.add_argument("--missed", action="store_true", help="print what was not caught")
    parser.add_argument("--checkers", action="store_true", help="run checkers too")
    options = parser.parse_args()
    wanted = [one for one in MUTATIONS if not options.only or one.__name__ in options.only.split(",")]
    tally: dict[str, Counter[str]] = {one.__name__: Counter() for one in wanted}
    names = audits().keys() - (set() if options.checkers else {CHECKERS})
    for number, clone in enumerate(options.clones):
        left = len(options.clones) - number
        # What one clone has no places for, the next ones have to give.
        quota = {name: -(-(options.each - row["tried"]) // left) for name, row in tally.items()}
        with Repository.open(clone, keep_objects=False) as repository:
            for ours, theirs, merged in untouched(repository, clone, options.merges):
                open_still = [one for one in wanted if quota[one.__name__] > 0]
                if not open_still:
                    break
                merge = _Merge(FourTrees(repository, CommitId(ours), CommitId(theirs), CommitId(merged)), names)
                places = merge.places()
                for mutate in open_still:
                    # The same faults each time, whatever other kinds are asked for.
                    chance = random.Random(f"{clone.parent.name} {merged} {mutate.__name__}")  # noqa: S311
                    found = merge.first(chance.sample(places, len(places)), mutate, chance)
                    if found is not None:
                        quota[mutate.__name__] -= 1
                        _count(tally[mutate.__name__], *found, name=mutate.__name__, missed=options.missed)
    print(f"{'':22}{'tried':>7}{'caught':>8}{'by more':>9}{'grave':>7}")
    for name, row in tally.items():
        print(f"{name:22}{row['tried']:>7}{row['caught']:>8}{row['more']:>9}{row['grave']:>7}")


def _count(
    row: Counter[str], place: Place, lines: list[bytes], found: list[Finding], *, name: str, missed: bool
) -> None:
    by_more = any(one.kind not in BY_HAND for one in found)
    row["tried"] += 1
    row["caught"] += bool(found)
    row["more"] += by_more
    row["grave"] += any(one.severity is not Severity.LOOK for one in found)
    if missed and not by_more:
        gone = [line for line in place.lines if line not in lines][:2]
        print(f"{name}: {place.path!r}\n    {gone!r} {[(one.kind, one.path) for one in found]!r}", flush=True)


class _Merge:
    """A clean merge, and what the audit says of it as it is."""

    def __init__(self, trees: FourTrees, names: Collection[str]) -> None:
        self._trees, self._names = trees, names
        self._before = {one.id for one in audit(Task(trees, None), only=names).findings}

    def places(self) -> list[Place]:
        return [place for file in self._trees.files if (place := _place(self._trees, file)) is not None]

    def first(
        self, places: list[Place], mutate: Mutation, chance: random.Random
    ) -> tuple[Place, list[bytes], list[Finding]] | None:
        """Return the first place that can be spoiled so, what it became, and what is found then."""
        for place in places:
            lines = mutate(place, chance)
            if lines is not None and lines != place.lines:
                return place, lines, self._found(place, lines)
        return None

    def _found(self, place: Place, lines: list[bytes]) -> list[Finding]:
        trees, repository = self._trees, self._trees.repository
        old = repository.entry(trees.merged_tree, place.path)
        if old is None:
            return []
        spoiled = Entry(old.mode, repository.write_blob(b"".join(lines)))
        tree = repository.edit_tree(trees.merged_tree, {place.path: spoiled})
        found = audit(Task(FourTrees(repository, trees.ours, trees.theirs, tree), None), only=self._names)
        return [one for one in found.findings if one.id not in self._before]


def _place(trees: FourTrees, file: Versions) -> Place | None:
    if file.merged is None or not file.merged.mode.is_file or file.path_of(SIDES[0]) != file.path:
        return None
    contents = trees.contents(file)
    if contents is None:
        return None
    ours, theirs = (set(contents.of(side).splitlines(keepends=True)) for side in SIDES)
    base = set(contents.base.splitlines(keepends=True))
    lines = contents.merged.splitlines(keepends=True)
    added = [
        at
        for at, line in enumerate(lines)
        if line.strip() and line not in base and (line in ours) != (line in theirs)
    ]
    return Place(file.path, lines, added) if added else None


if __name__ == "__main__":
    main()
