"""Package managers that say it on one line: apt, bundler, composer."""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.block import BlockParser, excerpt
from syncline.checks.logs.parsers.rules import Rule, RuleParser, one_line

_S = Weight.SYMPTOM
_PROBLEM = re.compile(r"^\s+- (?P<message>(?:Root composer\.json requires (?P<symbol>\S+)|\S.*).*)")


class Apt(RuleParser):
    """apt and dpkg."""

    tool: ClassVar[str] = "apt"
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule(
            "E: Unable to locate",
            re.compile(r"^E: (?P<message>Unable to locate package (?P<symbol>\S+))"),
            "missing package",
        ),
        Rule(
            "installation candidate",
            re.compile(r"^E: (?P<message>Package '(?P<symbol>[^']+)' has no installation candidate)"),
            "missing package",
        ),
        Rule(
            "E: Version '",
            re.compile(r"^E: (?P<message>Version '[^']+' for '(?P<symbol>[^']+)' was not found)"),
            "missing package",
        ),
        Rule("E: Failed to fetch", re.compile(r"^E: (?P<message>Failed to fetch .+)"), "download"),
        Rule(
            "E: Unable to fetch", re.compile(r"^E: (?P<message>Unable to fetch some archives.*)"), "download", _S
        ),
        Rule(
            "E: Could not get lock",
            re.compile(r"^E: (?P<message>Could not get lock (?P<path>\S+?)\.? .*)"),
            "lock",
        ),
        Rule("E: Unable to acquire", re.compile(r"^E: (?P<message>Unable to acquire the dpkg .*)"), "lock", _S),
        Rule("E: The repository", re.compile(r"^E: (?P<message>The repository '.*)"), "repository"),
        Rule("E: Unable to correct", re.compile(r"^E: (?P<message>Unable to correct problems.*)"), "conflict"),
        Rule("E: Unmet dependencies", re.compile(r"^E: (?P<message>Unmet dependencies.*)"), "conflict"),
        Rule(
            "E: Sub-process", re.compile(r"^E: (?P<message>Sub-process \S+ returned an error code.*)"), "dpkg", _S
        ),
        Rule("dpkg: error", re.compile(r"^dpkg: error (?P<message>.+)"), "dpkg"),
        Rule(
            "E: ",
            re.compile(
                r"^E: (?P<message>(?:Release file for|Malformed entry|Some index files|GPG error|Invalid operation).+)"
            ),
            "apt",
        ),
    )


class Bundler(RuleParser):
    """bundler and gem."""

    tool: ClassVar[str] = "bundler"
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule(
            "Could not find ", re.compile(r"^(?P<message>Could not find gem '(?P<symbol>[^'\s]+).*)"), "dependency"
        ),
        Rule(
            "Could not find ",
            re.compile(
                r"(?P<message>Could not find (?P<symbol>[\w-]{1,100}-\d[\w.]{0,40}(?:, [\w.-]{1,100}){0,20}) in (?:any of the sources|locally installed gems|rubygems repository .*))"
            ),
            "dependency",
        ),
        Rule(
            "compatible versions for gem",
            re.compile(r"^(?P<message>Bundler could not find compatible versions for gem \"(?P<symbol>[^\"]+)\")"),
            "conflict",
        ),
        Rule(
            "Could not find compatible versions", re.compile(r"^Could not find compatible versions$"), "conflict"
        ),
        Rule(
            "Failed to build gem native extension",
            re.compile(r"ERROR: (?P<message>Failed to build gem native extension)"),
            "native extension",
        ),
        Rule(
            "An error occurred while installing",
            re.compile(r"^(?P<message>An error occurred while installing (?P<symbol>\S+) .*)"),
            "install",
            _S,
        ),
        Rule(
            "Your Ruby version is",
            re.compile(r"^(?P<message>Your Ruby version is \S+, but your Gemfile specified .+)"),
            "engine",
        ),
        Rule(
            "frozen",
            re.compile(
                r"^(?P<message>(?:You are trying to install in deployment mode|The gemspecs? for .* changed|Your lockfile .* but).*)"
            ),
            "lockfile",
        ),
    )


class Composer(BlockParser):
    """composer: requirements that cannot be met, files that are not there."""

    tool: ClassVar[str] = "composer"
    words: ClassVar[tuple[str, ...]] = (
        "Your requirements could not be resolved",
        "could not be downloaded",
        "event returned with error code",
    )
    longest: ClassVar[int] = 12

    def opens(self, text: str) -> bool:
        """One of its sentences."""
        return any(word in text for word in self.words)

    def closes(self, text: str) -> bool:
        """What is not indented, after a problem was told."""
        return bool(text) and not text.startswith(" ")

    def read(self, block: Sequence[Line]) -> Iterable[LogFailure]:
        """The first problem is the message."""
        head = block[0].text.strip()
        weight, kind, symbol = Weight.CAUSE, "download", ""
        message = head
        if "event returned with error code" in head:
            kind, weight = "script", Weight.SYMPTOM
        elif "Your requirements" in head:
            kind = "conflict"
            problem = next((match for match in (_PROBLEM.match(line.text) for line in block[1:]) if match), None)
            if problem is not None:
                message, symbol = problem["message"], problem["symbol"] or ""
        yield LogFailure(
            self.tool, kind, one_line(message), weight, block[0].number, symbol=symbol, excerpt=excerpt(block)
        )
