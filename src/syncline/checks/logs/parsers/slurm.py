"""Slurm."""

import re
from typing import ClassVar

from syncline.checks.logs.failure import Weight
from syncline.checks.logs.parsers.rules import Rule, RuleParser

_E = Weight.END


class Slurm(RuleParser):
    """Lines of slurmstepd, srun, sbatch."""

    tool: ClassVar[str] = "slurm"
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule(
            "DUE TO TIME LIMIT",
            re.compile(r"(?P<message>(?:JOB|STEP) \S+ ON \S+ CANCELLED AT \S+ DUE TO TIME LIMIT)"),
            "timeout",
            _E,
        ),
        Rule(
            "DUE TO NODE FAILURE",
            re.compile(r"(?P<message>(?:JOB|STEP) \S+ ON \S+ CANCELLED AT \S+ DUE TO NODE FAILURE)"),
            "node failure",
        ),
        Rule(
            "DUE TO PREEMPTION",
            re.compile(r"(?P<message>(?:JOB|STEP) \S+ ON \S+ CANCELLED AT \S+ DUE TO PREEMPTION)"),
            "preempted",
            _E,
        ),
        Rule(
            " CANCELLED AT ", re.compile(r"(?P<message>(?:JOB|STEP) \S+ ON \S+ CANCELLED AT \S+)"), "cancelled", _E
        ),
        Rule(
            "oom-kill event",
            re.compile(r"^slurmstepd: error: (?P<message>Detected \d+ oom-kill event.*)"),
            "out of memory",
        ),
        Rule(
            "oom_kill event",
            re.compile(r"^slurmstepd: error: (?P<message>Detected \d+ oom_kill event.*)"),
            "out of memory",
        ),
        Rule(
            "Out Of Memory",
            re.compile(r"^srun: error: (?P<message>\S+: tasks? \S+: Out Of Memory)"),
            "out of memory",
        ),
        Rule(
            "srun: error: Node failure",
            re.compile(r"^srun: error: (?P<message>Node failure on \S+)"),
            "node failure",
        ),
        Rule(
            "srun: error: ",
            re.compile(
                r"^srun: error: (?P<message>\S+: tasks? \S+: (?:Killed|Terminated|Exited with exit code \d+|Segmentation fault.*|Aborted.*))"
            ),
            "exit code",
            _E,
        ),
        Rule(
            "Batch job submission failed",
            re.compile(r"^sbatch: error: (?P<message>Batch job submission failed: .+)"),
            "submission",
        ),
        Rule(
            "Unable to allocate resources",
            re.compile(r"^(?:srun|salloc): error: (?P<message>Unable to allocate resources: .+)"),
            "submission",
        ),
    )
