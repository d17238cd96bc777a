"""npm, yarn and pnpm."""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.block import BlockParser, excerpt
from syncline.checks.logs.parsers.rules import Rule, RuleParser, one_line, quoted

_NPM = re.compile(r"^npm (?:ERR!|error) ?(?P<said>.*)")
_SCRIPT = ("ELIFECYCLE", "1")
_SPEC = re.compile(
    r"(?:notarget No matching version found for|404 +'?|While resolving: ?|Found: |Missing: )(?P<symbol>@?[\w./-]+(?:@[^\s']+)?)"
)
_NETWORK = ("ECONNRESET", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ERR_SOCKET_TIMEOUT")


class Npm(BlockParser):
    """All lines that begin with `npm ERR!` (or `npm error`, since version 10) together."""

    tool: ClassVar[str] = "npm"
    words: ClassVar[tuple[str, ...]] = ("npm ERR!", "npm error")

    def opens(self, text: str) -> bool:
        """The first of them."""
        return not self._block and _NPM.match(text) is not None

    def closes(self, text: str) -> bool:
        """Any other line."""
        return _NPM.match(text) is None

    def read(self, block: Sequence[Line]) -> Iterable[LogFailure]:
        """The code, or that a script failed, which is another tool's failure."""
        said = [match["said"] for match in (_NPM.match(line.text) for line in block) if match]
        code = next((text[5:].strip() for text in said if text.startswith("code ")), "")
        rest = [
            text
            for text in said
            if text.strip() and not text.startswith(("code ", "errno ", "A complete log", "syscall "))
        ]
        message = one_line(" ".join(rest[:3])) or code
        if not message:
            return
        missing = re.match(r"Missing script: \"?(?P<symbol>[^\s\"]+)", message)
        script = (
            code in _SCRIPT
            or code.isdigit()
            or message.startswith(("Lifecycle script", "Test failed."))
            or "ELIFECYCLE" in said[0]
        )
        kind = "missing script" if missing else "script" if script else code or "error"
        spec = _SPEC.search(" ".join(rest[:8]))
        yield LogFailure(
            self.tool,
            kind,
            message,
            Weight.SYMPTOM if script and not missing else Weight.CAUSE,
            block[0].number,
            symbol=missing["symbol"]
            if missing
            else spec["symbol"]
            if spec
            else ""
            if script or kind in _NETWORK
            else quoted(message),
            excerpt=excerpt(block),
        )


class Yarn(RuleParser):
    """Lines of yarn, of both lines of versions."""

    tool: ClassVar[str] = "yarn"
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule(
            "YN0",
            re.compile(
                r"^➤ (?P<kind>YN0028): [│└┌ ]*+(?P<message>.*would have been (?:modified|created) by this install.*)"
            ),
        ),
        Rule(
            "YN0",
            re.compile(
                r"^➤ (?P<kind>YN00(?:01|02|16|18|27|35|50|80|82)): [│└┌ ]*+(?P<message>.*(?:Error|cannot|[Ff]ailed|isn't|doesn't|No candidates|mismatch|not found|couldn't|HTTPError|RequestError).*)"
            ),
        ),
        Rule(
            "error Command failed",
            re.compile(r"^error Command (?:failed with exit code \d+|\"(?P<symbol>[^\"]+)\" not found).*"),
            "script",
            Weight.SYMPTOM,
        ),
        Rule(
            "error Couldn't find",
            re.compile(r"^error (?P<message>Couldn't find (?:any versions for|package|a package\.json).+)"),
            "dependency",
        ),
        Rule(
            "error Your lockfile",
            re.compile(r"^error (?P<message>Your lockfile needs to be updated.*)"),
            "lockfile",
        ),
        Rule(
            "error An unexpected error",
            re.compile(r"^error (?P<message>An unexpected error occurred: .+)"),
            "error",
        ),
        Rule(
            "The engine",
            re.compile(r"^error (?P<message>\S+: The engine \"(?P<symbol>[^\"]+)\" is incompatible.*)"),
            "engine",
        ),
        Rule(
            "Integrity check failed",
            re.compile(r"^error .*(?P<message>Integrity check failed for .+)"),
            "integrity",
        ),
    )


class Pnpm(RuleParser):
    """Lines of pnpm."""

    tool: ClassVar[str] = "pnpm"
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule(
            "ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL",
            re.compile(r"^\s*(?P<kind>ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL)\s+(?P<message>.+)"),
            weight=Weight.SYMPTOM,
        ),
        Rule("ERR_PNPM_", re.compile(r"^\s*(?P<kind>ERR_PNPM_\w+)\s+(?P<message>.+)")),
        Rule(
            "ELIFECYCLE",
            re.compile(r"^\s*(?:\u2009)?ELIFECYCLE\u2009?\s+(?P<message>(?:Command|Test) failed.*)"),
            "script",
            Weight.SYMPTOM,
        ),
    )
