"""Orders in comments: lines that begin with `/syncline`. Pure.

Only what a reader of the comment sees as the author's own words counts: nothing in code blocks, quotations or
hidden parts.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from syncline.forge.orders import Kind


@dataclass(frozen=True, slots=True)
class Command:
    """One order as written.

    `args` of `take` are the side (`ours` or `theirs`) and the path, those of `waive` the finding's id and the
    reason; the others have none.
    """

    kind: Kind
    args: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Misread:
    """A line that begins like an order and is none; `why` tells what is wrong with it."""

    line: str
    why: str


HELP = """\
| Comment | What it does |
| --- | --- |
| `/syncline retry` | runs the failed checks again |
| `/syncline pause` | holds the lane: nothing is pushed, proposed or made ready until `resume` |
| `/syncline resume` | goes on |
| `/syncline abort` | closes this proposal and gives up its run |
| `/syncline take ours PATH` | settles a file with the target's side |
| `/syncline take theirs PATH` | settles a file with the source's side |
| `/syncline waive ID because REASON` | lets a finding of the audit pass |
| `/syncline recheck` | reads checks and rules again, now |
| `/syncline help` | shows this |

At the start of a line, by somebody who may write to this repository. A comment edited before it was read does not
count: write a new one.
"""

_ORDER = re.compile(r"/syncline(?:[ \t]+(?P<word>\S+)(?P<rest>.*))?[ \t]*", re.IGNORECASE)
_TAKE = re.compile(r"(?P<side>ours|theirs)[ \t]+(?P<path>\S.*)", re.IGNORECASE)
_WAIVE = re.compile(r"(?P<id>[0-9A-Za-z_-]+)[ \t]+because[ \t]+(?P<reason>\S.*)", re.IGNORECASE)
_LONGEST = 200

_FENCE = re.compile(r" {0,3}(?P<fence>`{3,}|~{3,})(?P<info>.*)")
_QUOTE = re.compile(r" {0,3}>")
_ELEMENT = re.compile(r"<(?P<name>pre|code|script|style|textarea|blockquote)(?![\w-])", re.IGNORECASE)
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)


def parse(body: str) -> tuple[Command | Misread, ...]:
    """The orders of a comment, as they stand in it. Never raises."""
    return tuple(
        read
        for paragraph in _own_paragraphs(body)
        for line in _outside_code_spans(paragraph)
        if (read := _order(line)) is not None
    )


def _own_paragraphs(body: str) -> Iterator[list[str]]:
    """Lines that stand together, outside of code blocks, quotations and what HTML hides or shows as it is."""
    block: _Block | None = None
    paragraph: list[str] = []
    for line in re.split(r"\r\n|\r|\n", body):
        opened = None if block is not None and not block.quote else _opened(line)
        if block is not None and (opened is None or opened.quote):
            if block.ends(line):
                block = None
            continue
        block = opened
        if block is None and line.strip():
            paragraph.append(line)
            continue
        yield paragraph
        paragraph = []
    yield paragraph


def _outside_code_spans(paragraph: list[str]) -> Iterator[str]:
    spans = [found.span() for found in _CODE_SPAN.finditer("\n".join(paragraph))]
    spans.reverse()
    place = 0
    for line in paragraph:
        while spans and spans[-1][1] <= place:
            spans.pop()
        if not spans or place <= spans[-1][0]:
            yield line
        place += len(line) + 1


@dataclass(frozen=True, slots=True)
class _Block:
    """Lines that are not the author's own words. `ends`: whether a line is the last one of it."""

    ends: Callable[[str], bool]
    quote: bool = False
    """A paragraph that goes on without a mark, up to an empty line or another block."""


def _opened(line: str) -> _Block | None:
    """The block that this line opens and that goes on after it; None: it opens none."""
    fence = _FENCE.match(line)
    if fence is not None and not (fence["fence"][0] == "`" and "`" in fence["info"]):
        closing = re.compile(rf" {{0,3}}{re.escape(fence['fence'][0])}{{{len(fence['fence'])},}}[ \t]*")
        return _Block(lambda later: closing.fullmatch(later) is not None)
    if _QUOTE.match(line):
        return _Block(lambda later: not later.strip(), quote=True)
    if "<" not in line:
        return None
    shown = _CODE_SPAN.sub("", line)
    for element in _ELEMENT.finditer(shown):
        closed = f"</{element['name'].casefold()}"
        if closed not in shown[element.end() :].casefold():
            return _Block(lambda later, closed=closed: closed in later.casefold())
    if shown.rfind("<!--") > shown.rfind("-->"):
        return _Block(lambda later: "-->" in later)
    return None


def _order(line: str) -> Command | Misread | None:
    found = _ORDER.fullmatch(line)
    if found is None:
        return None
    word, rest = (found["word"] or "").casefold(), (found["rest"] or "").strip()
    if word not in set(Kind):
        known = ", ".join(Kind)
        return Misread(line[:_LONGEST], f"wanted one of {known}" if not word else f"not one of {known}")
    read = _READERS.get(Kind(word), _bare)(Kind(word), rest)
    return Misread(line[:_LONGEST], read) if isinstance(read, str) else read


def _bare(kind: Kind, rest: str) -> Command | str:
    return f"{kind} takes nothing after it" if rest else Command(kind)


def _take(kind: Kind, rest: str) -> Command | str:
    found = _TAKE.fullmatch(rest)
    path = _unquoted(found["path"]) if found is not None else ""
    if found is None or not path:
        return "wanted take ours PATH or take theirs PATH"
    return Command(kind, (found["side"].casefold(), path))


def _waive(kind: Kind, rest: str) -> Command | str:
    found = _WAIVE.fullmatch(rest)
    if found is None:
        return "wanted waive ID because REASON"
    return Command(kind, (found["id"], found["reason"].strip()))


def _unquoted(path: str) -> str:
    path = path.strip()
    for mark in ("`", '"', "'"):
        if len(path) > 1 and path[0] == path[-1] == mark:
            return path[1:-1].strip()
    return path


_READERS: Mapping[Kind, Callable[[Kind, str], Command | str]] = {Kind.TAKE: _take, Kind.WAIVE: _waive}
