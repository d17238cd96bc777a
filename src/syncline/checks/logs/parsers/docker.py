"""Docker and BuildKit. What a step itself prints is its program's; here is that the step failed, or could not begin."""

import re
from typing import ClassVar

from syncline.checks.logs.failure import Weight
from syncline.checks.logs.parsers.rules import Rule, RuleParser

_S = Weight.SYMPTOM


class Docker(RuleParser):
    """Lines of the builder, the daemon, the registry."""

    tool: ClassVar[str] = "docker"
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule(
            "pull rate limit",
            re.compile(
                r"(?P<message>(?:toomanyrequests: )?You have reached your (?:unauthenticated )?pull rate limit)"
            ),
            "pull rate limit",
        ),
        Rule("toomanyrequests", re.compile(r"(?P<message>toomanyrequests: .+)"), "pull rate limit"),
        Rule(
            "dockerfile parse error",
            re.compile(r"(?P<message>dockerfile parse error on line (?P<line>\d+): .+)"),
            "dockerfile",
        ),
        Rule(
            "did not complete successfully",
            re.compile(
                r"(?:ERROR: |failed to solve: )(?:failed to solve: )?(?P<message>process \"(?P<symbol>[^\"]{0,200})[^\n]*did not complete successfully: .+)"
            ),
            "step",
            _S,
        ),
        Rule(
            "did not complete successfully",
            re.compile(r"^(?:executor failed running|ERROR: ).*did not complete successfully"),
            "step",
            _S,
        ),
        Rule(
            "returned a non-zero code",
            re.compile(r"^(?P<message>The command '(?P<symbol>[^']{1,200}).*returned a non-zero code: \d+)"),
            "step",
            _S,
        ),
        Rule(
            "failed to calculate checksum",
            re.compile(
                r"(?:ERROR: |failed to compute cache key: )(?P<message>failed to calculate checksum of ref \S+: \"?(?P<path>[^\"]+?)\"?: not found)"
            ),
            "missing file",
        ),
        Rule(
            "failed to resolve source metadata",
            re.compile(r"(?P<message>failed to resolve source metadata for (?P<symbol>\S+): .+)"),
            "image",
        ),
        Rule("ERROR: failed to solve", re.compile(r"ERROR: failed to solve: (?P<message>.+)"), "build"),
        Rule(
            "manifest unknown",
            re.compile(r"(?P<message>manifest (?:for (?P<symbol>\S+) not found: )?manifest unknown.*)"),
            "image",
        ),
        Rule(
            "pull access denied", re.compile(r"(?P<message>pull access denied for (?P<symbol>[^\s,]+).*)"), "image"
        ),
        Rule("Error response from daemon: ", re.compile(r"Error response from daemon: (?P<message>.+)"), "daemon"),
        Rule(
            "Cannot connect to the Docker daemon",
            re.compile(r"(?P<message>Cannot connect to the Docker daemon.*)"),
            "daemon",
        ),
        Rule(
            "target stage",
            re.compile(r"(?P<message>target stage \"?(?P<symbol>[^\s\"]+)\"? could not be found)"),
            "dockerfile",
        ),
    )
