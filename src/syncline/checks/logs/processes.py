"""The processes that write one log, each read by parsers of its own: their lines interleave."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from syncline.checks.logs.failure import LogFailure
from syncline.checks.logs.lines import LONGEST, without_controls
from syncline.checks.logs.parser import Line, Parser
from syncline.checks.logs.prefixes import without_prefixes
from syncline.checks.logs.words import Words
from syncline.secrets.hide import hidden

_KEY = "PRIVATE KEY"
_KEY_LINES = 120
"""Lines of a private key that is never closed: an RSA key of 16384 bits has 200, which nobody has in a log."""
_PROCESSES = 256
"""Processes told apart. Beyond them, ranks share: a mixed traceback is better than memory without bound."""


class _Process:
    """The parsers of one process, and whether it is in the middle of printing a private key."""

    def __init__(self, kinds: Sequence[type[Parser]]) -> None:
        self.parsers = [kind() for kind in kinds]
        self.busy: set[int] = set()
        self.key_lines = 0


class Processes:
    """Gives each line to those parsers whom it concerns."""

    def __init__(self, kinds: Sequence[type[Parser]]) -> None:
        self._kinds = kinds
        self._always = [number for number, kind in enumerate(kinds) if not kind.words]
        self._words = _words(tuple(kinds))
        self._processes: dict[int | None, _Process] = {}
        self._in_the_middle: set[int | None] = set()
        self.lines = 0
        """Line breaks so far."""

    def feed(self, block: str) -> Iterator[LogFailure]:
        """Take whole lines, and yield the failures that are complete by now."""
        place, size = 0, len(block)
        while place < size:
            if not self._in_the_middle and not self._always:
                found = self._words.search(block, place)
                if found is None:
                    break
                start = block.rfind("\n", place, found.start()) + 1
                if start > place:
                    self.lines += block.count("\n", place, start)
                    place = start
            end = block.find("\n", place)
            if end < 0:
                yield from self._line(block[place:])
                return
            yield from self._line(block[place:end])
            self.lines += 1
            place = end + 1
        self.lines += block.count("\n", place)

    def end(self) -> Iterator[LogFailure]:
        """The log is over: yield what was still open."""
        for rank, process in self._processes.items():
            for parser in process.parsers:
                for failure in parser.end():
                    yield failure if failure.rank is not None else replace(failure, rank=rank)

    def _line(self, text: str) -> Iterator[LogFailure]:
        if "\r" in text:
            # A progress bar: what was written over, and perhaps an error at its end.
            for part in text.split("\r"):
                if part and (self._in_the_middle or self._always or self._words.search(part)):
                    yield from self._part(part)
        else:
            yield from self._part(text)

    def _part(self, text: str) -> Iterator[LogFailure]:
        text, rank = without_prefixes(without_controls(text[:LONGEST]))
        key = rank if rank is None else rank % _PROCESSES
        process = self._processes.get(key)
        if process is None:
            process = self._processes[key] = _Process(self._kinds)
        concerned = process.busy.union(self._always, self._words.owners(text))
        if process.key_lines or _KEY in text:
            text = _key_hidden(process, text)
        if concerned:
            line = Line(self.lines + 1, hidden(text), rank)
            for number in sorted(concerned):
                parser = process.parsers[number]
                for failure in parser.feed(line):
                    yield failure if failure.rank is not None else replace(failure, rank=rank)
                (process.busy.add if parser.busy else process.busy.discard)(number)
        if process.busy or process.key_lines:
            self._in_the_middle.add(key)
        else:
            self._in_the_middle.discard(key)


@lru_cache(maxsize=8)
def _words(kinds: tuple[type[Parser], ...]) -> Words:
    """Return the words of parsers, whose owners are their numbers; the same for one log after another."""
    by_word: dict[str, set[int]] = {_KEY: set()}
    for number, kind in enumerate(kinds):
        for word in kind.words:
            by_word.setdefault(word, set()).add(number)
    return Words({word: frozenset(owners) for word, owners in by_word.items()})


def _key_hidden(process: _Process, text: str) -> str:
    """Return a line of, or beside, a private key that is printed over many lines, without what is secret."""
    if f"{_KEY}-----" in text or f"{_KEY} BLOCK-----" in text:
        process.key_lines = _KEY_LINES if "-----BEGIN" in text and "-----END" not in text else 0
        return text
    if process.key_lines:
        process.key_lines -= 1
        return "[hidden]"
    return text
