"""Kubernetes: why a pod ended, or never began."""

import re
from typing import ClassVar

from syncline.checks.logs.failure import Weight
from syncline.checks.logs.parsers.rules import Rule, RuleParser

_ROW = r"^(?P<symbol>\S+) +\d+/\d+ +(?P<message>{}) +\d+"


class Kubernetes(RuleParser):
    """Reasons in descriptions, tables and events."""

    tool: ClassVar[str] = "kubernetes"
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule("OOMKilled", re.compile(_ROW.format("(?:Init:)?OOMKilled")), "OOMKilled"),
        Rule("OOMKilled", re.compile(r"\b[Rr]eason\"?[:=]\s*\"?(?P<message>OOMKilled)\b"), "OOMKilled"),
        Rule("Evicted", re.compile(_ROW.format("Evicted")), "Evicted"),
        Rule(
            "Evicted",
            re.compile(
                r"^\s*(?:Warning +Evicted ++.*?(?P<message>The node .+)|\"?[Rr]eason\"?[:=]\s*\"?Evicted\b)"
            ),
            "Evicted",
        ),
        Rule(
            "ImagePull", re.compile(_ROW.format("(?:Init:)?(?:ImagePullBackOff|ErrImagePull)")), "ImagePullBackOff"
        ),
        Rule(
            "ImagePull",
            re.compile(r"\b(?:[Rr]eason\"?[:=]\s*\"?|Error: )(?P<message>ImagePullBackOff|ErrImagePull)\b"),
            "ImagePullBackOff",
            Weight.SYMPTOM,
        ),
        Rule(
            "Failed to pull image",
            re.compile(r"(?P<message>Failed to pull image \"(?P<symbol>[^\"]+)\".*)"),
            "image",
        ),
        Rule(
            "FailedScheduling",
            re.compile(r"\bFailedScheduling\b.*?(?P<message>\d+/\d+ nodes are available.*)"),
            "FailedScheduling",
        ),
        Rule(
            "CrashLoopBackOff",
            re.compile(_ROW.format("(?:Init:)?CrashLoopBackOff")),
            "CrashLoopBackOff",
            Weight.SYMPTOM,
        ),
        Rule(
            "DeadlineExceeded",
            re.compile(r"\b[Rr]eason\"?[:=]\s*\"?(?P<message>DeadlineExceeded)\b"),
            "timeout",
            Weight.END,
        ),
    )
