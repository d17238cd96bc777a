"""NVIDIA's compiler of CUDA, its assembler and linker."""

import re
from typing import ClassVar

from syncline.checks.logs.parsers.rules import Rule, RuleParser


class Nvcc(RuleParser):
    """Errors of nvcc, cudafe, ptxas, nvlink."""

    tool: ClassVar[str] = "nvcc"
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule(
            "): error",
            re.compile(
                r"^(?P<path>[^\s(][^(]*\.(?:cu|cuh|h|hpp|cpp|cc|inl))\((?P<line>\d+)\): error(?: #(?P<kind>\d+)(?:-D)?)?: (?P<message>.+)"
            ),
            "compile error",
        ),
        Rule("nvcc fatal", re.compile(r"^nvcc fatal +: (?P<message>.+)"), "compiler call"),
        Rule("ptxas ", re.compile(r"^ptxas (?:error|fatal) +: (?P<message>.+)"), "assembler error"),
        Rule("nvlink ", re.compile(r"^nvlink (?:error|fatal) +: (?P<message>.+)"), "link error"),
    )
