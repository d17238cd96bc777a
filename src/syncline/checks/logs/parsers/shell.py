"""What the shell and the kernel say of a program: not found, killed, crashed; no memory, no space."""

import re
from typing import ClassVar

from syncline.checks.logs.failure import Weight
from syncline.checks.logs.parsers.rules import Rule, RuleParser

_E = Weight.END
_AT = r"^(?:\S+: (?:line )?\d+: +(?:\d+ )?)?"


class Shell(RuleParser):
    """Sentences of sh, bash, zsh, timeout."""

    tool: ClassVar[str] = "shell"
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule(
            "command not found",
            re.compile(
                r"^(?:(?P<path>\S+): )?(?:line (?P<line>\d+): )?(?P<symbol>[^\s:]+): (?P<message>command not found)$"
            ),
            "command not found",
        ),
        Rule(
            ": not found",
            re.compile(
                r"^(?:/bin/)?(?:sh|dash): (?:line )?\d+: (?:\S+: \d+: )?(?P<symbol>[^\s:]+): (?P<message>not found)$"
            ),
            "command not found",
        ),
        Rule(
            "syntax error near unexpected token",
            re.compile(r"^(?P<path>\S+): line (?P<line>\d+): (?P<message>syntax error near unexpected token .+)"),
            "syntax error",
        ),
        Rule(
            "unbound variable",
            re.compile(r"^(?P<path>\S+): line (?P<line>\d+): (?P<message>(?P<symbol>\S+): unbound variable)$"),
            "unbound variable",
        ),
        Rule(
            "Permission denied",
            re.compile(
                r"^(?:\S*sh|\S+\.sh): (?:line (?P<line>\d+): )?(?P<message>(?P<path>\S+): Permission denied)$"
            ),
            "permission",
        ),
        Rule(
            "cannot execute",
            re.compile(
                r"^(?:\S*sh|\S+\.sh): (?:line (?P<line>\d+): )?(?P<message>(?P<path>\S+): cannot execute.*)$"
            ),
            "cannot execute",
        ),
        Rule(
            "Segmentation fault",
            re.compile(_AT + r"(?P<message>Segmentation fault)(?: +\(core dumped\))?(?: .*)?$"),
            "segfault",
        ),
        Rule("Bus error", re.compile(_AT + r"(?P<message>Bus error)(?: +\(core dumped\))?(?: .*)?$"), "bus error"),
        Rule(
            "Illegal instruction",
            re.compile(_AT + r"(?P<message>Illegal instruction)(?: +\(core dumped\))?(?: .*)?$"),
            "illegal instruction",
        ),
        Rule(
            "Floating point exception",
            re.compile(_AT + r"(?P<message>Floating point exception)(?: +\(core dumped\))?(?: .*)?$"),
            "floating point exception",
        ),
        Rule(
            "Aborted",
            re.compile(_AT + r"(?P<message>Aborted)(?: +\(core dumped\))?(?:  .*)?$"),
            "aborted",
            Weight.SYMPTOM,
        ),
        Rule("Killed", re.compile(_AT + r"(?P<message>Killed)(?:  .*)?$"), "killed", _E),
        Rule("Terminated", re.compile(_AT + r"(?P<message>Terminated)(?:  .*)?$"), "terminated", _E),
        Rule(
            "sending signal TERM to command",
            re.compile(r"^timeout: (?P<message>sending signal TERM to command .+)"),
            "timeout",
            _E,
        ),
        Rule("xit code 137", re.compile(r"(?P<message>[Ee]xit code 137)\b"), "killed", _E),
        Rule("xit code: 137", re.compile(r"(?P<message>[Ee]xit code: 137)\b"), "killed", _E),
        Rule("xit code 139", re.compile(r"(?P<message>[Ee]xit code 139)\b"), "segfault", _E),
        Rule("xit code: 139", re.compile(r"(?P<message>[Ee]xit code: 139)\b"), "segfault", _E),
        Rule("xit code 143", re.compile(r"(?P<message>[Ee]xit code 143)\b"), "terminated", _E),
        Rule("xit code: 143", re.compile(r"(?P<message>[Ee]xit code: 143)\b"), "terminated", _E),
        Rule(
            "xit code 124",
            re.compile(r"^(?:##\[error\])?Process completed with (?P<message>exit code 124)\b"),
            "timeout",
            _E,
        ),
    )


class Kernel(RuleParser):
    """What the machine lacks, said by the kernel or by any program that met it."""

    tool: ClassVar[str] = "system"
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule(
            "ut of memory: Kill",
            re.compile(
                r"(?P<message>(?:Memory cgroup out|Out) of memory: Kill(?:ed)? process \d+ \((?P<symbol>[^)]{1,100})\))"
            ),
            "out of memory",
        ),
        Rule(
            "invoked oom-killer",
            re.compile(r"(?P<symbol>[\w./:-]{1,60}) (?P<message>invoked oom-killer)"),
            "out of memory",
        ),
        Rule("o space left on device", re.compile(r"(?P<message>[Nn]o space left on device)"), "no space"),
        Rule(
            "Cannot allocate memory",
            re.compile(r"(?P<message>Cannot allocate memory)(?:$|[\s)':\].])"),
            "out of memory",
        ),
        Rule(
            "JavaScript heap out of memory",
            re.compile(r"^FATAL ERROR: (?P<message>.*JavaScript heap out of memory)"),
            "out of memory",
        ),
        Rule(
            "java.lang.OutOfMemoryError",
            re.compile(r"(?P<message>java\.lang\.OutOfMemoryError: .+)"),
            "out of memory",
        ),
        Rule(
            "Too many open files",
            re.compile(r"(?:: |\()(?P<message>Too many open files)(?:$|[\s)':\].])"),
            "too many files",
        ),
    )
