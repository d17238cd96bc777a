"""Every Python file that compiled on the sides must compile in the merge.

`compile()` and not `ast.parse`: a parameter that stands twice is a syntax error that only the compiler tells
(two of 340 clean merges of the reference case had one).
"""

import warnings
from collections.abc import Iterator

from syncline.audit.finding import Finding, Severity
from syncline.audit.merged_files import MergedFile
from syncline.git import Repository


def uncompilable(repository: Repository, files: list[MergedFile]) -> Iterator[Finding]:
    """Yield a finding for each file that stopped compiling in the merge, through no side's fault."""
    for file in files:
        if not file.path.endswith((b".py", b".pyi")):
            continue
        problem = _problem(repository.blob(file.head.oid))
        if problem is None:
            continue
        if any(_problem(repository.blob(side.oid)) is not None for side in file.sides):
            continue  # a side does not compile here either: not this merge's doing
        line, text = problem
        yield Finding(
            "does-not-compile", Severity.STOP, file.path, f"does not compile: {text}", line=line,
            suggestion="mend the file on the proposal's branch",
        )  # fmt: skip


def _problem(source: bytes) -> tuple[int | None, str] | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(source, "merged", "exec", dont_inherit=True)
        except SyntaxError as error:
            return error.lineno, error.msg or "syntax error"
        except (ValueError, RecursionError, MemoryError, OverflowError) as error:
            return None, f"{type(error).__name__}: {error}"
    return None
