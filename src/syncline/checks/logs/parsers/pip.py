"""pip and uv: what cannot be found, resolved, fetched or built."""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.block import BlockParser, excerpt
from syncline.checks.logs.parsers.rules import Rule, RuleParser, one_line

_SUBJECT = re.compile(
    r"`([\w.-]+)|(?:no versions? of|[Bb]ecause)(?: only)? (?!the |there |only )([A-Za-z][\w.-]*)"
)
_NAME = r"(?P<symbol>[A-Za-z0-9][\w.-]*+)"


class Pip(RuleParser):
    """pip's errors. A build that fails has its own error above."""

    tool: ClassVar[str] = "pip"
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule(
            "No matching distribution found for ",
            re.compile(rf"ERROR: (?P<message>No matching distribution found for {_NAME}.*)"), "no distribution",
        ),
        Rule(
            "Could not find a version that satisfies",
            re.compile(
                rf"ERROR: (?P<message>Could not find a version that satisfies the requirement {_NAME}[^(]*[^( ])"
            ), "no distribution", Weight.SYMPTOM,
        ),
        Rule(
            "ERROR: Cannot install ",
            re.compile(
                rf"ERROR: (?P<message>Cannot install (?:-r \S++(?: \(line \d+\))?,? ?(?:and )?)*+{_NAME}?.* "
                r"because these package versions have conflicting dependencies\.)"
            ), "conflict",
        ),
        Rule("ERROR: ResolutionImpossible", re.compile(r"ERROR: (?P<message>ResolutionImpossible)"), "conflict", Weight.SYMPTOM),
        Rule(
            "pip's dependency resolver does not currently",
            re.compile(r"ERROR: (?P<message>pip's dependency resolver does not currently .+)"), "conflict", Weight.SYMPTOM,
        ),
        Rule(
            "THESE PACKAGES DO NOT MATCH THE HASHES",
            re.compile(r"ERROR: (?P<message>THESE PACKAGES DO NOT MATCH THE HASHES)"), "hash mismatch",
        ),
        Rule(
            "requires a different Python", re.compile(rf"ERROR: (?P<message>Package '?{_NAME}'? requires a different Python.*)"),
            "python version",
        ),
        Rule(
            "ERROR: Could not install packages due to an",
            re.compile(r"ERROR: (?P<message>Could not install packages due to an (?:OSError|EnvironmentError): .+)"), "OSError",
        ),
        Rule(
            "is not installable", re.compile(r"ERROR: (?P<message>Directory '(?P<path>[^']+)' is not installable.+)"), "not installable",
        ),
        Rule(
            "ERROR: Could not open requirements file",
            re.compile(r"ERROR: (?P<message>Could not open requirements file: .*?'(?P<path>[^']+)')"), "not found",
        ),
        Rule("ERROR: Invalid requirement", re.compile(r"ERROR: (?P<message>Invalid requirement: .+)"), "usage"),
        Rule(
            "ERROR: Failed building wheel for ", re.compile(rf"ERROR: (?P<message>Failed building wheel for {_NAME})"),
            "build", Weight.SYMPTOM,
        ),
        Rule("metadata-generation-failed", re.compile(r"error: (?P<message>metadata-generation-failed)"), "build", Weight.SYMPTOM),
        Rule("subprocess-exited-with-error", re.compile(r"error: (?P<message>subprocess-exited-with-error)"), "build", Weight.SYMPTOM),
        Rule(
            "ERROR: HTTP error ", re.compile(r"ERROR: (?P<message>HTTP error \d+ while getting .+)"), "network",
        ),
        Rule(
            "after connection broken by",
            re.compile(r"WARNING: Retrying \(Retry\(total=0,.*(?P<message>after connection broken by '\w+)"), "network",
        ),
    )  # fmt: skip


class Uv(BlockParser):
    """uv's errors, with the causes it lists below them."""

    tool: ClassVar[str] = "uv"
    words: ClassVar[tuple[str, ...]] = (
        "No solution found when resolving", "error: Failed to ", "error: No interpreter found", "\u00d7 Failed to ",
        "error: The build backend returned", "error: The lockfile at ", "error: Distribution `", "error: Querying Python",
        "error: Request failed", "error: Git operation failed", "error: No `pyproject.toml`",
    )  # fmt: skip
    longest: ClassVar[int] = 60
    _HEAD: ClassVar[re.Pattern[str]] = re.compile(
        r"^(?:error: |  ?\u00d7 )(?P<message>No solution found when resolving .*|Failed to (?!parse ).+|No interpreter found .+"
        r"|The build backend returned .+|The lockfile at .+|Distribution `.+|Querying Python.+|Request failed.*"
        r"|Git operation failed.*|No `pyproject.toml`.+)"
    )
    _CAUSE: ClassVar[re.Pattern[str]] = re.compile(r"^ *(?:cause|Caused by): (.+)|^ *[├╰]─▶ (.+)")
    _KINDS: ClassVar[tuple[tuple[str, str], ...]] = (
        ("No solution found", "conflict"), ("lockfile", "lock out of date"), ("interpreter", "python version"),
        ("fetch", "network"), ("download", "network"), ("Request failed", "network"), ("build", "build"),
        ("Git operation", "network"),
    )  # fmt: skip

    def opens(self, text: str) -> bool:
        """Tell whether a line is an error's first."""
        return self._HEAD.match(text) is not None

    def closes(self, text: str) -> bool:
        """Tell whether the causes are over."""
        return bool(text) and not text.startswith((" ", "\t"))

    def read(self, block: Sequence[Line]) -> Iterable[LogFailure]:
        """Give the error with its causes: the first of a resolution, the last of anything else."""
        head = self._HEAD.match(block[0].text)
        if head is None:
            return ()
        said = head["message"]
        kind = next((name for word, name in self._KINDS if word in said), "error")
        message, causes = said, []
        for line in block[1:]:
            found = self._CAUSE.match(line.text)
            if found is not None:
                causes.append((found[1] or found[2]).strip())
            elif causes and kind == "conflict" and line.text.startswith("   ") and line.text.strip():
                causes[-1] += f" {line.text.strip().lstrip('│ ')}"
        if causes:
            message = f"{said}: {causes[0] if kind == 'conflict' else causes[-1]}"
        subject = _SUBJECT.search(message)
        weight = (
            Weight.SYMPTOM
            if kind == "build" and "Traceback" in "".join(one.text for one in block)
            else Weight.CAUSE
        )
        return (
            LogFailure(
                "uv", kind, one_line(message), weight, block[0].number,
                symbol=(subject[1] or subject[2]) if subject else "", excerpt=excerpt(block),
            ),
        )  # fmt: skip
