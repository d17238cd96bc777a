"""Settles merges that are generated, so that the one right answer is known, and counts what is settled wrong.

    python bench/generated_merges.py [--cases 2000] [--seed 1] [--sure 0.5]

A program is blocks in blocks of numbered statements with a value. Each side adds, removes, wraps and changes some.
Every statement of the answer must stand once, in the block and with the value that the sides' changes of it give.
Real history shows hardly any of the wrong merges that nobody committed; this does. A merged text counts as settled
where the shipped weights alone hold it for likelier than `--sure` and no check refuses it.
"""

import argparse
import ast
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from syncline.merge.ladder.facts import facts_of_hunk
from syncline.merge.ladder.gate import Gate
from syncline.merge.ladder.ladder import Ladder
from syncline.merge.ladder.local import Local
from syncline.merge.ladder.memory import KINDS, Memory
from syncline.merge.ladder.settle import judge_file
from syncline.merge.ladder.weights import shipped
from syncline.merge.proposals import propose_all
from testing.cases import file_case

Place = tuple[str, int]
"""In which block a statement stands, and its value."""


@dataclass
class Statement:
    """One statement: a call, or a condition with a block."""

    name: int
    value: int
    block: "list[Statement] | None" = None


def main() -> None:
    """Generate, settle, count, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sure", type=float, default=0.5)
    parser.add_argument("--show", action="store_true", help="print what was settled wrong")
    options = parser.parse_args()
    ladder = Ladder(shipped(), Memory(), Gate(), {kind: Local() for kind in KINDS}, 0.9)
    print(f"{'':12}{'conflicts':>10}{'settled':>10}{'wrong':>8}")
    for language in _WRITTEN:
        chance = random.Random(options.seed)  # noqa: S311 - no secret
        found: Counter[str] = Counter()
        for number in range(options.cases):
            _one(ladder, _versions(chance), language, options, found, number)
        print(f"{language:12}{found['conflicts']:>10}{found['settled']:>10}{found['wrong']:>8}")


def _one(
    ladder: Ladder,
    programs: "Sequence[list[Statement]]",
    language: str,
    options: argparse.Namespace,
    found: Counter[str],
    number: int,
) -> None:
    write, read = _WRITTEN[language]
    texts = [write(program).encode() for program in programs]
    if len(set(texts)) < len(texts):
        return
    case = file_case(*texts, path=f"generated/{number}.{language}".encode())
    if not case.hunks:
        return
    found["conflicts"] += 1
    by_hunk = defaultdict(list)
    for proposal in propose_all(case):
        by_hunk[proposal.hunk].append(proposal)
    facts = [facts_of_hunk(hunk, by_hunk[hunk.index]) for hunk in case.hunks]
    settled = judge_file(ladder, case, facts).settle([options.sure] * len(facts))
    # Taking a side is a decision, which generated people do not make.
    if settled.content is None or any(answer.candidate.kind != "merged" for answer in settled.answers if answer):
        return
    found["settled"] += 1
    wrong = list(_wrong(settled.content.decode(), texts, read))
    found["wrong"] += bool(wrong)
    if wrong and options.show:
        print(*wrong, *(text.decode() for text in texts), settled.content.decode(), sep="\n----\n")


def _versions(chance: random.Random) -> list[list[Statement]]:
    names = count(100)
    base = _program(chance, names)
    return [base, _edited(chance, base, names), _edited(chance, base, names)]


def _program(chance: random.Random, names: Iterator[int], depth: int = 0) -> list[Statement]:
    def block() -> list[Statement] | None:
        return _program(chance, names, depth + 1) if depth < 2 and chance.random() < 0.35 else None

    return [Statement(next(names), chance.randrange(9), block()) for _ in range(chance.randint(1, 3))]


def _edited(chance: random.Random, program: list[Statement], names: Iterator[int]) -> list[Statement]:
    program = deepcopy(program)
    for _ in range(chance.randint(1, 2)):
        block = chance.choice(list(_blocks(program)))
        at = chance.randrange(len(block))
        match chance.choices(("add", "change", "remove", "wrap", "add block"), (45, 20, 15, 10, 10))[0]:
            case "add":
                block.insert(chance.randint(0, len(block)), Statement(next(names), chance.randrange(9)))
            case "change":
                block[at].value = chance.randrange(10, 99)
            case "remove" if len(block) > 1:
                del block[at]
            case "wrap":
                block[at] = Statement(next(names), chance.randrange(9), [block[at]])
            case _:
                block.append(Statement(next(names), 1, [Statement(next(names), 2)]))
    return program


def _blocks(program: list[Statement]) -> Iterator[list[Statement]]:
    yield program
    for statement in program:
        if statement.block is not None:
            yield from _blocks(statement.block)


def _wrong(answer: str, texts: Sequence[bytes], read: Callable[[str], Mapping[str, list[Place]]]) -> Iterator[str]:
    """Yield what is not as both sides' changes make it."""
    base, ours, theirs = ({name: places[0] for name, places in read(text.decode()).items()} for text in texts)
    try:
        here = read(answer)
    except (SyntaxError, AttributeError, IndexError) as error:
        yield f"does not parse: {error}"
        return
    for name in base.keys() | ours.keys() | theirs.keys():
        wanted = _wanted(base.get(name), ours.get(name), theirs.get(name))
        found = here.get(name, [])
        right = found[0] in wanted and len(found) == 1 if found else None in wanted
        if not right:
            yield f"{name} stands at {found}, wanted {wanted}"


def _wanted(base: Place | None, ours: Place | None, theirs: Place | None) -> list[Place | None]:
    """Return where a statement may stand; None for nowhere."""
    if ours in (base, theirs):
        return [theirs]
    if theirs == base:
        return [ours]
    if base and ours and theirs:
        return [(ours[0] if ours[0] != base[0] else theirs[0], ours[1] if ours[1] != base[1] else theirs[1])]
    return [ours, theirs]


def _python(program: list[Statement]) -> str:
    def lines(block: list[Statement], indent: str) -> Iterator[str]:
        for one in block:
            yield (
                f"{indent}f{one.name}({one.value})"
                if one.block is None
                else f"{indent}if c{one.name} > {one.value}:"
            )
            yield from lines(one.block or [], indent + "    ")

    return "\n".join(("def main():", *lines(program, "    "))) + "\n"


def _script(program: list[Statement]) -> str:
    def lines(block: list[Statement], indent: str) -> Iterator[str]:
        for one in block:
            if one.block is None:
                yield f"{indent}f{one.name}({one.value});"
            else:
                yield from (
                    f"{indent}if (c{one.name} > {one.value}) {{",
                    *lines(one.block, indent + "  "),
                    indent + "}",
                )

    return "\n".join(("function main() {", *lines(program, "  "), "}")) + "\n"


@dataclass
class _Reader:
    places: dict[str, list[Place]] = field(default_factory=lambda: defaultdict(list))

    def block(self, body: Sequence[ast.stmt], parent: str) -> None:
        for node in body:
            if isinstance(node, ast.If):
                test = ast.unparse(node.test).split(" > ")
                self.places[test[0]].append((parent, int(test[1])))
                self.block(node.body, test[0])
                self.block(node.orelse, f"not {test[0]}")
            else:
                called = ast.unparse(node).rstrip(")").split("(")
                self.places[called[0]].append((parent, int(called[1])))


def _read_python(text: str) -> Mapping[str, list[Place]]:
    reader = _Reader()
    (function,) = ast.parse(text).body
    reader.block(function.body, "")  # type: ignore[attr-defined]
    return reader.places


_LINE = re.compile(r"(?:if \()?([cf]\d+)(?: > |\()(\d+)\)( \{|;)$")


def _read_script(text: str) -> Mapping[str, list[Place]]:
    places: dict[str, list[Place]] = defaultdict(list)
    parents = [""]
    for line in filter(None, map(str.strip, text.splitlines()[1:])):
        if line == "}":
            parents.pop()
        elif match := _LINE.match(line):
            places[match[1]].append((parents[-1], int(match[2])))
            if match[3] == " {":
                parents.append(match[1])
        else:
            raise SyntaxError(line)
    if parents:
        raise SyntaxError("braces")
    return places


_WRITTEN = {"py": (_python, _read_python), "js": (_script, _read_script)}

if __name__ == "__main__":
    main()
