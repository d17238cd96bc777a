"""What runners, loggers and launchers put before a line: taken off, and the rank kept. Pure."""

import re

_PREFIX = re.compile(
    # 2026-01-01T00:00:00.0000000Z of GitHub, with the stream of GitLab's (`00O+`), and what loggers write.
    r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?\]?"
    r"(?: \d\d[OE](?:\+| |$))?(?:(?<!Z) -(?= ))?(?: |$)"
    r"|\[?\d\d:\d\d:\d\d(?:[.,]\d+)?\]? (?!\d)"
    r"|#\d+ \d+\.\d+ "  # docker's build: step and seconds
    r"|##\[(?:group|endgroup|command|section|debug)\]|::(?:group|endgroup|debug)::"
    r"|\[(?:[Rr]ank|default|local_rank|worker)[ _-]?(?P<torch>\d{1,6})\]:? ?"
    r"|\[[A-Za-z][\w-]*(?:\.[\w-]+)*(?<!\.py)(?<!\.cc)(?<!\.cpp)(?<!\.cu):(?P<host>\d{1,5})\]: ?"
    r"|(?=[ \d]{1,3}: ) *(?P<srun>\d{1,3}): "  # `srun -l`; a backtrace of Rust is wider
    r"|(?P<many>\d{4,5}): (?=Traceback|[ \[])"
    r"|[A-Za-z][\w.-]*[-_](?P<compose>\d{1,5}) +\| ?"
    r"|\((?:[\w.:-]+ )?pid=(?P<ray>\d{1,7})(?:, ip=[\d.a-fA-F:]+)?\) ?"
)
_MOST = 5
"""Prefixes before one line: a runner's, a launcher's, a logger's ..."""


def without_prefixes(text: str) -> tuple[str, int | None]:
    """Return what a line says, and the rank that says it."""
    rank = None
    for _ in range(_MOST):
        match = _PREFIX.match(text)
        if match is None:
            break
        if match.lastgroup is not None and rank is None:
            rank = int(match[match.lastgroup])
        text = text[match.end() :]
    return text, rank
