"""Python calls that the one side wrote for a function as it was, which the other side changed.

Types often tell nothing of it: a value lands in another parameter, a default is another one, a result has one part
more, a key is taken out twice. Only calls whose function is certain are looked at: in the same file, or imported
by name from it.
"""

import ast
import re
from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from syncline.audit.evidence import asks_for
from syncline.audit.files.three_way import NAMES
from syncline.audit.finding import Did, Finding, Severity
from syncline.audit.four_trees import FourTrees
from syncline.audit.pattern_lines import SideFile, SideLines
from syncline.git.paths import json_path, path_text

_DEF = re.compile(rb"^([ \t]*)(?:async )?def (\w+)")
_NAMED = re.compile(rb"def (\w+)\(")
_RETURNS = re.compile(rb"\breturn\s+(?:[\w.]+(?:\([^()]*\)|\[[^\[\]]*\])?\s*,|\()")
"""Several values, of which the first one is a name, a call or an item; or values in brackets."""
_TAKES = re.compile(_RETURNS.pattern + rb"|\.(?:pop|remove)\(\s*[\"']|^\s*del \w+\[\s*[\"']")
"""Lines of a body that may change what a call of the function means."""
_PARAMETER = re.compile(rb"\s+\**\w+\s*(?::[^()]*)?(?:=\s*[^()]+)?,?\s*$")
"""A line of a signature that has several; of a call, too."""
_LONGEST = 1500
"""Lines of a function that are read; who writes longer ones has no call checked."""
_DEEPEST = 400
"""Lines of a function that are looked through for where it begins."""


@dataclass(frozen=True)
class _Function:
    """A function or method as one version of a file has it."""

    node: ast.FunctionDef | ast.AsyncFunctionDef
    is_method: bool
    returns_several: bool
    """Whether a line of it returns several values."""

    @cached_property
    def parameters(self) -> list[str]:
        """The names of what can be given by position, without self."""
        names = [one.arg for one in (*self.node.args.posonlyargs, *self.node.args.args)]
        return names[1:] if self.is_method and names[:1] in (["self"], ["cls"]) else names

    @cached_property
    def defaults(self) -> dict[str, str]:
        """The defaults that are constants, as written."""
        every = self.node.args
        names = [one.arg for one in (*every.posonlyargs, *every.args)]
        pairs = [*zip(names[len(names) - len(every.defaults) :], every.defaults, strict=True)]
        pairs += [(one.arg, what) for one, what in zip(every.kwonlyargs, every.kw_defaults, strict=True) if what]
        return {name: ast.unparse(what) for name, what in pairs if isinstance(what, ast.Constant)}

    @cached_property
    def parts(self) -> int | None:
        """How many parts its result has; None where that is not always the same, or not written out."""
        if not self.returns_several:
            return None
        own = _own(self.node)
        counts = {
            len(one.value.elts) if isinstance(one.value, ast.Tuple) else None
            for one in own
            if isinstance(one, ast.Return)
        }
        generator = any(isinstance(one, ast.Yield | ast.YieldFrom) for one in own)
        return counts.pop() if len(counts) == 1 and not generator else None

    @cached_property
    def taken(self) -> set[tuple[str, str]]:
        """The keys that it always takes out of its parameters: (parameter, key as written)."""
        return {pair for one in self.node.body if (pair := _takes(one)) is not None and pair[0] in self.parameters}


def wrong_calls(trees: FourTrees, changer: SideLines, caller: SideLines) -> Iterator[Finding]:
    """Yield a finding for each call that a changed function no longer fits.

    Args:
        trees: the merge.
        changer: what the side did that changed functions.
        caller: what the other side did.
    """
    callers = [file for file in caller.files if _is_python(file) and file.file.merged is not None]
    imported = {one.file.path: _imported(one.text) for one in callers}
    knowing_of = _knowing_of(callers, imported)
    sites: dict[bytes, _Sites] = {}
    for file in changer.files:
        if not _is_python(file) or file.file.merged is None or file.file.base is None:
            continue
        found = (*knowing_of[file.file.path], *knowing_of[_stem(file.file.path)])
        knowing = list({one.file.path: one for one in found}.values())
        called = _called(file.text, knowing) if knowing else {}
        for name in _touched(file, called) if called else ():
            old = _block(trees.text(file.file.base), name)
            new = _block(file.text, name) if old is not None else None
            if old is None or new is None or _digest(old) == _digest(new):
                continue
            # The caller wrote for the function as it was, and the merge has it as it is now.
            caller_has, merge_has = trees.text(file.file.of(caller.side)), trees.text(file.file.merged)
            if _block(caller_has, name) != old or _block(merge_has, name) != new:
                continue
            before, after = _parsed_function(old), _parsed_function(new)
            if before is None or after is None or not _can_matter(before, after):
                continue
            for one in called[name]:
                if not _may_call(one, name, method=before.is_method, here=one.file.path == file.file.path):
                    continue
                if one.file.path not in sites:
                    sites[one.file.path] = _Sites.of(trees.text(one.file.merged), {line for _, line in one.added})
                yield from _calls((file, before, after), one, sites[one.file.path])


def _knowing_of(callers: Sequence[SideFile], imported: Mapping[bytes, set[bytes]]) -> dict[bytes, list[SideFile]]:
    """Return the callers by what they may know a function by: not every file is held against every other."""
    found: dict[bytes, list[SideFile]] = defaultdict(list)
    for one in callers:
        for known_by in {one.file.path, *imported[one.file.path]}:
            found[known_by].append(one)
    return found


def _can_matter(before: _Function, after: _Function) -> bool:
    """Whether a call may mean something else than before."""
    moved = any(
        was != now and was in after.parameters and now not in before.parameters
        for was, now in zip(before.parameters, after.parameters, strict=False)
    )
    defaults = any(after.defaults.get(name, what) != what for name, what in before.defaults.items())
    parts = None not in {before.parts, after.parts} and before.parts != after.parts
    return moved or defaults or bool(after.taken - before.taken) or parts


def _is_python(file: SideFile) -> bool:
    return file.file.path.endswith(b".py")


def _stem(path: bytes) -> bytes:
    return path.removesuffix(b".py").removesuffix(b"/__init__").rpartition(b"/")[2]


def _imported(text: bytes) -> set[bytes]:
    """Return the last parts of the modules that a file imports names from, as `c` in `from a.b.c import d`."""
    return {part.rpartition(b".")[2] for part in text.split(b" import")[:-1]}


def _called(text: bytes, callers: Sequence[SideFile]) -> dict[bytes, list[SideFile]]:
    """Return the functions of a text that callers may have begun to call, each with those."""
    named = set(_NAMED.findall(text))
    found: dict[bytes, list[SideFile]] = defaultdict(list)
    for one in callers:
        for name in named & one.calls:
            found[name].append(one)
    return found


def _may_call(caller: SideFile, name: bytes, *, method: bool, here: bool) -> bool:
    """Whether new lines seem to call a function so that it is certain which one (see `_calls`)."""
    if method:
        return here and (b"self." + name + b"(" in caller.blob or b"cls." + name + b"(" in caller.blob)
    return re.search(rb"%b\((?<![\w.]%b\()(?<!def %b\()" % (name, name, name), caller.blob) is not None


def _touched(file: SideFile, called: Container[bytes]) -> list[bytes]:
    """Return the names of the functions in which lines of interest were added, of those that are called."""
    names = set()
    for at, line in file.added:
        # `in` is many times faster than a pattern, and most lines have none of these.
        if b"def " in line and (match := _DEF.match(line)):
            names.add(match[2])
        elif (b"return" in line or b".pop(" in line or b".remove(" in line or b"del " in line) and _TAKES.search(
            line
        ):
            names.add(_above(file.lines, at))
        elif line.endswith((b",", b"None", b"True", b"False")) and _PARAMETER.match(line):
            names.add(_in_signature(file.lines, at))
    return sorted(name for name in names if name in called and not name.startswith(b"__"))


def _above(lines: Sequence[bytes], at: int) -> bytes:
    """Return the name of the function that a line is in, by indentation; empty where it is in none."""
    indent = len(lines[at]) - len(lines[at].lstrip())
    for place in range(at - 1, max(at - _DEEPEST, -1), -1):
        match = _DEF.match(lines[place]) if b"def " in lines[place] else None
        if match is not None and len(match[1]) < indent:
            return match[2]
    return b""


def _in_signature(lines: Sequence[bytes], at: int) -> bytes:
    """Return the name of the function whose signature a line is in; empty where it is in none."""
    for place in range(at - 1, max(at - _DEEPEST, -1), -1):
        line = lines[place].partition(b"#")[0].rstrip()
        if not line.endswith((b",", b"(", b"*")):
            return b""
        if line.endswith(b"("):
            match = _DEF.match(line)
            return match[2] if match is not None else b""
    return b""


def _block(text: bytes, name: bytes) -> list[bytes] | None:
    """Return the lines of the only function of that name in a text."""
    head = b"def " + name + b"("
    if text.count(head) != 1:
        return None
    at = text.index(head)
    start = text.rfind(b"\n", 0, at) + 1
    match = _DEF.match(text[start : at + len(head)])
    if match is None:
        return None
    indent = len(match[1])
    lines: list[bytes] = []
    in_signature = True
    for line in islice(_lines_from(text, start), _LONGEST):
        if not in_signature and line.strip() and len(line) - len(line.lstrip()) <= indent:
            break
        lines.append(line)
        in_signature = in_signature and not _ends_signature(line)
    return lines


def _lines_from(text: bytes, start: int) -> Iterator[bytes]:
    """Yield the lines from a place on: a function is a small part of a file."""
    while (end := text.find(b"\n", start)) >= 0:
        yield text[start:end]
        start = end + 1
    yield text[start:]


def _ends_signature(line: bytes) -> bool:
    return line.partition(b"#")[0].rstrip().endswith(b":")


def _signature(lines: Sequence[bytes]) -> int:
    """Return how many lines the signature has that a function begins with."""
    ends = (at for at, line in enumerate(lines, 1) if _ends_signature(line))
    return next(ends, len(lines))


def _digest(block: Sequence[bytes]) -> list[bytes]:
    """Return the lines of a function that tell what a call of it means."""
    head = _signature(block)
    return [*block[:head], *(line for line in block[head:] if _TAKES.search(line))]


def _parsed_function(block: Sequence[bytes]) -> _Function | None:
    indent = len(block[0]) - len(block[0].lstrip())
    tree = _parsed(b"\n".join(line[indent:] for line in block))
    node = tree.body[0] if tree is not None and tree.body else None
    several = any(_RETURNS.search(line) for line in block)
    return (
        _Function(node, indent > 0, several) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else None
    )


def _parsed(text: bytes) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _own(node: ast.AST) -> list[ast.AST]:
    """Return what is in a function itself, not in functions inside of it."""
    found: list[ast.AST] = []
    waiting = list(ast.iter_child_nodes(node))
    while waiting:
        child = waiting.pop()
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            found.append(child)
            waiting += ast.iter_child_nodes(child)
    return found


def _takes(statement: ast.stmt) -> tuple[str, str] | None:
    """Return the name and the key of a statement that takes a key out, and fails when it is not there."""
    value = statement.value if isinstance(statement, ast.Expr | ast.Assign) else statement
    match value:
        case ast.Delete(targets=[ast.Subscript(value=ast.Name(id=name), slice=ast.Constant() as key)]):
            return name, ast.unparse(key)
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id=name), attr="pop" | "remove"),
            args=[ast.Constant() as key],
            keywords=[],
        ):
            return name, ast.unparse(key)
        case _:
            return None


@dataclass(frozen=True)
class _Site:
    """A call, the statement it is in, and what follows that one in its block."""

    call: ast.Call
    statement: ast.stmt
    rest: Sequence[ast.stmt]


@dataclass(frozen=True)
class _Sites:
    """What a side calls in its own lines of a file, and what the file imports by name."""

    lines: Sequence[bytes]
    wrote: Sequence[int]
    """The side's own lines, 1-based."""
    module: ast.Module

    @classmethod
    def of(cls, text: bytes, wrote: Collection[bytes]) -> "_Sites":
        """Read a file; `wrote` are the side's own lines. One that does not parse has no calls."""
        lines = text.split(b"\n")
        rows = [row for row, line in enumerate(lines, 1) if line in wrote]
        return cls(lines, rows, _parsed(text) or ast.Module([], []))

    @cached_property
    def imports(self) -> Sequence[ast.ImportFrom]:
        """The imports of names, wherever they stand."""
        found: list[ast.ImportFrom] = []
        waiting: list[ast.AST] = [self.module]
        while waiting:
            for block in _blocks(waiting.pop()):
                found += [one for one in block if isinstance(one, ast.ImportFrom) and one.module and not one.level]
                waiting += block
        return found

    def calls(self, name: str) -> Iterator[_Site]:
        """Yield the calls of a name that begin on one of the side's own lines."""
        word = name.encode()
        rows = [row for row in self.wrote if word in self.lines[row - 1]]
        waiting: deque[ast.AST] = deque((self.module,) if rows else ())
        while waiting:
            for block in _blocks(waiting.popleft()):
                for at, statement in enumerate(block):
                    if not _holds(statement, rows):
                        continue
                    waiting.append(statement)
                    for call in _direct_calls(statement):
                        func = call.func
                        if (func.id if isinstance(func, ast.Name) else getattr(func, "attr", "")) == name:
                            yield _Site(call, statement, block[at + 1 :])

    def names_of(self, path: bytes, name: str) -> set[str]:
        """Return the names by which the file knows a function of another file."""
        place = "." + path_text(path).removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        return {
            alias.asname or alias.name
            for node in self.imports
            if place.endswith(f".{node.module}")
            for alias in node.names
            if alias.name == name
        }


def _calls(changed: tuple[SideFile, _Function, _Function], caller: SideFile, sites: _Sites) -> Iterator[Finding]:
    file, before, after = changed
    name = before.node.name
    here = caller.file.path == file.file.path
    known = {name} if here else sites.names_of(file.file.path, name)
    wrote = {line for _, line in caller.added}
    for site in (site for called in known for site in sites.calls(called)):
        line = sites.lines[site.call.lineno - 1]
        certain = isinstance(site.call.func, ast.Name) != before.is_method if here else not before.is_method
        if certain and _is_plain(site.call.func) and line in wrote:
            for kind, severity, what in _faults(before, after, site):
                yield _finding(kind, severity, what, file, name, caller, (site.call.lineno, line))


def _is_plain(func: ast.expr) -> bool:
    """Whether a function is called by its name, or a method by self."""
    match func:
        case ast.Name() | ast.Attribute(value=ast.Name(id="self" | "cls")):
            return True
        case _:
            return False


def _holds(statement: ast.stmt, rows: Sequence[int]) -> bool:
    """Whether a statement, its decorators included, has one of some lines (ascending)."""
    first = min((statement, *getattr(statement, "decorator_list", ())), key=lambda one: one.lineno).lineno
    at = bisect_left(rows, first)
    return at < len(rows) and rows[at] <= (statement.end_lineno or first)


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """Yield the blocks in a statement, those of its handlers and cases too."""
    for field in ("body", "orelse", "finalbody"):
        block = getattr(node, field, None)
        if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
            yield block
    for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        yield part.body


def _direct_calls(statement: ast.stmt) -> Iterator[ast.Call]:
    """Yield the calls in a statement, not those in the blocks of it."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Call):
            yield node
        waiting += [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.stmt)]


def _faults(before: _Function, after: _Function, site: _Site) -> Iterator[tuple[str, Severity, str]]:
    call = site.call
    spread = any(isinstance(one, ast.Starred) for one in call.args) or any(
        one.arg is None for one in call.keywords
    )
    given = len(call.args)
    if not spread:
        for was, now in zip(before.parameters[:given], after.parameters, strict=False):
            if was != now and was in after.parameters and now not in before.parameters:
                yield "argument-shifted", Severity.FIX, f"passes {was} by position, where {now} is now"
                break
        named = {one.arg for one in call.keywords} | set(after.parameters[:given])
        for name, default in before.defaults.items():
            now = after.defaults.get(name)
            if now is not None and now != default and name not in named:
                yield (
                    "default-changed",
                    Severity.LOOK,
                    f"relies on the default of {name}, which was {default} and is {now}",
                )
    match site.statement:
        case ast.Assign(targets=[ast.Tuple(elts=parts)], value=value) if value is call:
            wants = len(parts)
            starred = any(isinstance(one, ast.Starred) for one in parts)
            if not starred and before.parts == wants and after.parts not in {None, wants}:
                yield "result-changed", Severity.FIX, f"takes {wants} results of it, it gives {after.parts} now"
        case _:
            pass
    bound = {
        one.id: name for one, name in zip(call.args, after.parameters, strict=False) if isinstance(one, ast.Name)
    }
    bound |= {one.value.id: one.arg for one in call.keywords if one.arg and isinstance(one.value, ast.Name)}
    for later in site.rest:
        pair = _takes(later)
        if pair and (bound.get(pair[0], ""), pair[1]) in after.taken - before.taken:
            yield (
                "taken-twice",
                Severity.FIX,
                f"takes {pair[1]} out of {pair[0]} after it, which it does itself now",
            )


def _finding(
    kind: str, severity: Severity, what: str, changed: SideFile, name: str, caller: SideFile,
    place: tuple[int, bytes],
) -> Finding:  # fmt: skip
    number, line = place
    path = changed.file.path_of(changed.side)
    return Finding(
        kind, severity, caller.file.path,
        f"{NAMES[caller.side]}'s call of {name} {what}: {NAMES[changed.side]} changed it in {json_path(path)}",
        line=number, symbol=name, side=caller.side, text=(line.decode("utf-8", "replace").strip(),),
        asks=(
            *asks_for(caller.side, caller.file.path_of(caller.side), [line], Did.ADDED, f"calls {name}"),
            *asks_for(
                changed.side, path,
                [one for _, one in changed.added if re.search(rb"\bdef " + name.encode() + rb"\b", one)],
                Did.ADDED, f"changed {name}",
            ),
        ),
    )  # fmt: skip
