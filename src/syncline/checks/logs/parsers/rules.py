"""Parsers of tools that tell a failure on one line: a table of rules."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from syncline.checks.logs.exceptions import subject_of
from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.parser import Line
from syncline.checks.logs.paths import repository_path

_ANNOTATION = ("##[error]", "##[warning]")
_QUOTED = re.compile(r"['`\u2018\"]([^\s'`\u2018\u2019\"]{1,120})['\u2019`\"]")
_MESSAGE = 1000


@dataclass(frozen=True, slots=True)
class Rule:
    """What one kind of line looks like.

    The pattern's groups `kind`, `message`, `path`, `line`, `symbol` and `test` are what the failure gets; each may
    be missing. A pattern begins at the line's beginning or with fixed letters, and takes linear time.
    """

    word: str
    """A text that each such line holds."""
    pattern: re.Pattern[str]
    kind: str = ""
    """For a pattern without such a group, or where it matched nothing."""
    weight: Weight = Weight.CAUSE


class RuleParser:
    """A parser that is nothing but rules, of which the first that fits counts."""

    tool: ClassVar[str]
    rules: ClassVar[tuple[Rule, ...]]
    words: ClassVar[tuple[str, ...]] = ()
    busy: bool = False

    def __init_subclass__(cls) -> None:
        """Gather the words of the rules, where the class has none of its own."""
        if "words" not in vars(cls):
            cls.words = tuple(dict.fromkeys(rule.word for rule in cls.rules))

    def feed(self, line: Line) -> Iterable[LogFailure]:
        """Give the failure that this line tells, if any."""
        failure = by_rules(self.tool, self.rules, line)
        return () if failure is None else (failure,)

    def end(self) -> Iterable[LogFailure]:
        """Nothing is ever open."""
        return ()


def by_rules(tool: str, rules: Iterable[Rule], line: Line) -> LogFailure | None:
    """Return the failure that the first rule that fits finds in a line."""
    text = bare(line.text)
    for rule in rules:
        if rule.word not in text:
            continue
        match = rule.pattern.search(text)
        if match is not None:
            return from_match(tool, rule, match, line)
    return None


def from_match(tool: str, rule: Rule, match: re.Match[str], line: Line) -> LogFailure:
    """Return what a rule's match tells."""
    found = match.groupdict()
    message = one_line(found.get("message") or bare(line.text))
    number = found.get("line")
    return LogFailure(
        tool=tool,
        kind=found.get("kind") or rule.kind,
        message=message,
        weight=rule.weight,
        at=line.number,
        path=repository_path(found.get("path") or ""),
        line=int(number[:9]) if number else None,
        symbol=(found.get("symbol") or quoted(message))[:200],
        test=(found.get("test") or "")[:300],
        excerpt=(line.text,),
        rank=line.rank,
    )


def bare(text: str) -> str:
    """Return a line without the mark that GitHub puts before what its problem matchers found."""
    return text[text.index("]") + 1 :] if text.startswith(_ANNOTATION) else text


def quoted(message: str) -> str:
    """Return the first word of a message that stands in quotes: what a compiler speaks of; empty without one.

    What is missing counts more than where it is missing.
    """
    match = _QUOTED.search(message)
    return subject_of(message) or (match[1] if match else "")


def one_line(text: str) -> str:
    """Return a text on one line, bounded."""
    return " ".join(text[: 4 * _MESSAGE].split())[:_MESSAGE]
