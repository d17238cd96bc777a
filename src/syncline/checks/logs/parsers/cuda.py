"""CUDA and NCCL, where no exception of Python tells it."""

import re
from collections.abc import Iterable
from typing import ClassVar

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.rules import Rule, RuleParser

_S = Weight.SYMPTOM
_EXCEPTION = re.compile(r"^[\w.]*(?:Error|Exception)\b")


class Cuda(RuleParser):
    """What the libraries print. That a collective ran out of time follows from what another process met."""

    tool: ClassVar[str] = "cuda"
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule("CUDA out of memory", re.compile(r"(?P<message>CUDA out of memory)"), "out of memory"),
        Rule("device-side assert", re.compile(r"(?P<message>device-side assert triggered)"), "assertion", _S),
        Rule(
            "CUDA error",
            re.compile(r"(?P<message>CUDA error(?: at (?P<path>[\w./-]+):(?P<line>\d+))?[ :(].+)"),
            "CUDA error",
        ),
        Rule(
            "Assertion `",
            re.compile(
                r"^(?P<path>[\w./-]+\.cuh?):(?P<line>\d+): .{1,500}: block: \[[\d,]+\], thread: \[[\d,]+\] (?P<message>Assertion `[^`]+` failed)"
            ),
            "assertion",
        ),
        Rule(
            "Watchdog caught collective",
            re.compile(r"(?P<message>Watchdog caught collective operation timeout: (?P<symbol>\w+).*)"),
            "collective timeout",
            _S,
        ),
        Rule(
            "NCCL watchdog thread terminated",
            re.compile(r"(?P<message>NCCL watchdog thread terminated with exception.*)"),
            "NCCL error",
            _S,
        ),
        Rule("NCCL error", re.compile(r"(?P<message>NCCL error(?: in)?: .+)"), "NCCL error", _S),
        Rule("NVRM: Xid", re.compile(r"(?P<message>NVRM: Xid .+)"), "Xid"),
        Rule(
            "has fallen off the bus",
            re.compile(r"^(?:(?!GPU ).)*+(?P<message>GPU .*has fallen off the bus.*)"),
            "GPU lost",
        ),
        Rule(
            "couldn't communicate with the NVIDIA driver",
            re.compile(r"(?P<message>NVIDIA-SMI has failed.*)"),
            "driver",
        ),
    )

    def feed(self, line: Line) -> Iterable[LogFailure]:
        """An exception's line is for those who read tracebacks."""
        return () if _EXCEPTION.match(line.text) else super().feed(line)
