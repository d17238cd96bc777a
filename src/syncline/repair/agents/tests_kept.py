"""Whether an answer leaves the tests alone: none deleted, none emptied, none skipped that ran. Pure.

Names are compared, not texts: a test may well have to change. For a conflict what counts is what both sides have;
for a failure, what the file had.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence

_NAMES = re.compile(
    rb"^[ \t]*(?:async[ \t]+)?def[ \t]+(test\w*)"  # Python, Ruby's minitest
    rb"|^func[ \t]+(?:\([^)]*\)[ \t]*)?(Test\w+|Fuzz\w+|Benchmark\w+)"  # Go
    rb"|\b(?:it|test|describe|specify|context|scenario)(?:\.\w+)?[ \t]*\(?[ \t]*"
    rb"[\"'`]([^\"'`\n]{1,200})[\"'`]"  # jest, mocha, vitest, RSpec
    rb"|#\[(?:\w+::)*test(?:\([^)]*\))?\]\s*(?:#\[[^\]]*\]\s*)*(?:pub\s+)?(?:async\s+)?fn\s+(\w+)"  # Rust
    rb"|@(?:Parameterized)?Test\b[^{;]{0,300}?\b(?:void|fun)\s+(`[^`]+`|\w+)\s*\("  # JUnit
    rb"|\[(?:Fact|Theory|Test|TestMethod|TestCase)\b[^{;]{0,300}?\b(?:void|Task)\s+(\w+)\s*\("  # .NET
    rb"|^[ \t]*TEST(?:_F|_P|_CASE)?\(\s*([^)\n]{1,200})\)"  # GoogleTest, doctest, Catch
    rb"|\bfunction\s+(test\w+)\s*\(",  # PHPUnit
    re.MULTILINE,
)
_SKIPS = re.compile(
    rb"\bmark\.(?:skip|skipif|xfail)\b|\b(?:pytest|unittest|self)\.(?:skip\w*|xfail|expectedFailure)\b|\bcollect_ignore"
    rb"|\b[tb]\.Skip\w*\(|\b(?:it|test|describe)\.(?:skip|only|todo|failing)\b|\b(?:x|f)(?:it|describe|test)\b"
    rb"|#\[ignore\b|@(?:Ignore|Disabled)\b|\bmarkTestSkipped\b|\bGTEST_SKIP\b|\bDISABLED_|\bSkip\s*=\s*\""
)


def lost_tests(path: bytes, before: Sequence[bytes], after: bytes, *, base: bytes) -> str:
    """Return what an answer does to tests that it must not, in words; empty where it does nothing of the kind.

    Args:
        path: the file.
        before: the versions whose tests count: a test that each of them has must stay.
        after: the answer.
        base: what the sides come from: marks that it had are not counted twice.
    """
    if not before:
        return ""
    wanted = _tests(path, before[0])
    for version in before[1:]:
        wanted &= _tests(path, version)
    have = _tests(path, after)
    gone = wanted - have
    if gone:
        name = next(iter(gone)).decode("utf-8", "replace")
        more = f" and {gone.total() - 1} more" if gone.total() > 1 else ""
        return f"the test {name}{more} is gone"
    emptied = _weak(path, after) - set().union(*(_weak(path, version) for version in before))
    emptied &= wanted.keys()
    if emptied:
        return f"the test {min(emptied).decode('utf-8', 'replace')} is emptied: it checks nothing any more"
    allowed = sum(_skips(version) for version in before) - (len(before) - 1) * min(
        _skips(base), *(_skips(version) for version in before)
    )
    if wanted and _skips(after) > allowed:
        return "a test is skipped, or marked as failing, that was not before"
    return ""


def _tests(path: bytes, content: bytes) -> Counter[bytes]:
    tree = _tree(path, content)
    if tree is not None:
        return Counter(test.name.encode() for test in _functions(tree))
    return Counter(next(name for name in match.groups() if name is not None) for match in _NAMES.finditer(content))


def _weak(path: bytes, content: bytes) -> set[bytes]:
    """Return the tests that check nothing; only Python is read so far that this can be told."""
    tree = _tree(path, content)
    if tree is None:
        return set()
    return {test.name.encode() for test in _functions(tree) if not _checks(test)}


def _tree(path: bytes, content: bytes) -> ast.Module | None:
    if not path.endswith((b".py", b".pyi")):
        return None
    try:
        return ast.parse(content)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
            yield node


def _checks(test: ast.AST) -> bool:
    """Whether a test has a statement that can fail: an assertion of something, or a call."""
    return any(
        isinstance(node, ast.Call)
        or (isinstance(node, ast.Assert) and not isinstance(node.test, ast.Constant))
        or isinstance(node, ast.Raise)
        for node in ast.walk(test)
    )


def _skips(content: bytes) -> int:
    return sum(1 for _ in _SKIPS.finditer(content))
