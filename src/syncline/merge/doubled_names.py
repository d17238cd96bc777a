"""Names that an answer gives twice where either side gave them once: keys, imports, requirements, numbers. Pure.

Beside the grammars' scopes (`text.syntax`): formats without a grammar, names that two kinds of statements give,
and what is equal though it is written otherwise. Line by line, by the least indented lines alone: what stands
deeper is in a scope of its own.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from syncline.merge.case import HunkCase
from syncline.merge.hunks import Lines
from syncline.merge.text.syntax import language_of
from syncline.merge.xml_names import names_in_xml

Names = Callable[[bytes], Iterable[bytes]]
"""What names a line gives, its indentation and end cut off."""

_AS = re.compile(rb"\s+as\s+")
_FROM = re.compile(rb"from\s+[\w.]+\s+import\s+\(?([\w, \t]+)\)?\s*(?:#.*)?$")
_IMPORT = re.compile(rb"import ([\w.]+(?: as \w+)?(?: ?, ?[\w.]+(?: as \w+)?)*) ?(?:#.*)?$")
_ALIAS = re.compile(rb"(?:global )?using (\w+) ?=")
_PY_NAME = re.compile(
    rb"(?:async\s+def|def|class)\s+(\w+)|(\w+)\s*(?::(?!=)[^=]*)?=(?!=)|(\w+)\s*:\s*[\w\[\]., |\"']+$"
)
_LAST = re.compile(
    rb"(?:import|use|using)\s+(?:static\s+|function\s+|const\s+)?[\w.\\]+[.\\](\w+)(?:\s+as\s+(\w+))?\s*;?$"
)
_USE = re.compile(rb"(?:pub(?:\([\w ]+\))?\s+)?use\s+([\w:]+?)(?:::\{([^{}]*)\})?(?:\s+as\s+(\w+))?\s*;$")
_RUST_NAME = re.compile(
    rb"(?:pub(?:\([\w ]+\))?\s+)?(?:async\s+|unsafe\s+|const\s+(?=fn))*"
    rb"(?:fn|struct|enum|trait|type|mod|const|static)\s+(\w+)"
)
_GO_NAME = re.compile(rb"(?:func|var|const|type)\s+(\w+)|(\w+)\s*:=")
_KOTLIN_NAME = re.compile(
    rb"(?:(?:private|internal|protected|public|lateinit|override|const)\s+)*(?:val|var)\s+(\w+)(?=[\s:=,)]|$)"
)
_DEFINE = re.compile(rb"#\s*define\s+(\w+)")
_CASE = re.compile(rb"(case\s[^:]*):")
_GO_IMPORT = re.compile(rb"(?:import\s+)?(?:([\w.]+)\s+)?\"([^\"]+)\"$")
_GO_VERSION = re.compile(rb"v\d+")
_SCRIPT_IMPORT = re.compile(
    rb"import\s+(?:type\s+)?([\w$]+)?\s*,?\s*(?:\*\s*as\s+([\w$]+)|\{([^{}]*)\})?\s*from\b"
)
_SCRIPT_NAME = re.compile(
    rb"(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?"
    rb"(?:const|let|var|function\*?|class|interface|type|enum)\s+(?:([\w$]+)|\{([^{}]*)\})"
)
_SIGNATURE = re.compile(rb"[\w ]*\bfunction\b[^{]*[(;]$")
_SCRIPT_KEY = re.compile(rb"(?:async\s+)?([\w$]+|\"[^\"]+\"|'[^']+')\s*(?::(?!:)|\([^()]*\)\s*\{)|([\w$]+),$")
_KEY = re.compile(rb"([^\s=:#;!\[\]]+)\s*[=:](?!//)")
_VARIABLE = re.compile(rb"(?:export\s+)?([\w.-]+)\s*[:?]?=")
_BLOCK = re.compile(rb"((?!provider )\w[\w-]*(?:\s+\"[^\"]+\")+)\s*\{$|([\w-]+)\s*=(?!=)")
_REQUIREMENT = re.compile(rb"([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*(?:[<>=!~@][^;#]*)?(;[^#]*)?(?:#.*)?$")
_MODULE = re.compile(rb"(?:require\s+)?([\w./~-]+)\s+v\d\S*(?:\s*//.*)?$")
_STRING = re.compile(rb"([\"'])((?:(?!\1).)*)\1,?$")
_GEM = re.compile(rb"(?:\w+\.add_(?:\w+_)?dependency|gem)[ (]+[\"']([^\"']+)[\"']")
_CMAKE_TARGET = re.compile(rb"add_(?:library|executable|custom_target) ?\( ?([\w:.-]+)", re.IGNORECASE)
_FINAL = re.compile(rb"(CMD|ENTRYPOINT)\b")
_FIELD_NUMBER = re.compile(rb"[^=]*\w\s*=\s*(\d+)\s*(?:\[.*\])?;")
_NUMBERED = re.compile(rb"(?:case )?([A-Za-z_]\w*) ?= ?(-?\d{1,9}) ?[,;]?$")
_LISTS = frozenset(b"py pyi rs c h cc cpp cxx hpp java kt cs swift ts js go php rb scala zig sql".split())
"""Where names are numbered in lists."""
_KEYWORDS = frozenset(
    b"_ init if for while switch catch with function return else try finally except default".split()
)


def doubled_names(hunk: HunkCase, lines: Lines) -> Iterator[str]:
    """Yield a sentence for each name that `lines` give oftener than any version of the hunk does."""
    versions = (hunk.base, hunk.ours, hunk.theirs)
    names = names_of(hunk.file.path)
    told: set[bytes] = set()
    if names is not None:
        indent = min((_indent(line) for line in lines if line.strip()), default=0)
        here, *there = (_given(text, indent, names) for text in (lines, *versions))
        for name, count in here.items():
            if count > 1 and count > max(counts[name] for counts in there):
                told.add(name)
                yield f"gives {_shown(name)} twice, as neither side does"
    suffix = hunk.file.path.rpartition(b"/")[2].rpartition(b".")[2].lower()
    finders: list[tuple[Callable[[Lines], Counter[bytes]], str]] = []
    if suffix in _LISTS:
        finders.append((lambda text: Counter(_again(hunk, text)), "gives the number"))
    if is_xml(hunk.file.path):
        finders.append((names_in_xml, "names"))
    for find, what in finders:
        here, *there = (find(text) for text in (lines, *versions))
        for name, count in here.items():
            if count > 1 and name not in told and count > max(counts[name] for counts in there):
                yield f"{what} {_shown(name)} twice, as neither side does"


def _given(lines: Lines, indent: int, names: Names) -> Counter[bytes]:
    found: Counter[bytes] = Counter()
    section = b""
    above = b""
    for line in lines:
        # No runs of white space: patterns may try each place in one.
        text = b" ".join(line.split())
        if text and len(text) <= LONG and _indent(line) == indent:
            if BRANCH.match(text):
                return Counter()  # what stands under one condition may stand again under another
            if text.startswith(b"[") and text.endswith(b"]"):
                section = text
            elif section.startswith(b"[["):
                pass  # tables of which there may be several
            # What is decorated may stand again (overloads, setters): the grammar tells.
            elif not above.startswith((b"@", b"#[")):
                found.update(section + b" " + name if section else name for name in set(names(text)) if name)
        above = text or above
    return found


LONG = 1000
"""Bytes of a line beyond which it is data."""
BRANCH = re.compile(rb"(?:ifeq|ifneq|ifdef|ifndef|else|endif|# ?(?:if|el|end)(?:def|ndef|se|if)?)\b|FROM ")


def _indent(line: bytes) -> int:
    return len(line) - len(line.lstrip())


def _python(line: bytes) -> Iterator[bytes]:
    if (match := _FROM.match(line)) or (match := _IMPORT.match(line)):
        yield from (_AS.split(name.strip())[-1] for name in match[1].split(b","))
    elif match := _PY_NAME.match(line):
        yield from {next(filter(None, match.groups()))} - _KEYWORDS
    yield from _string(line)


def _script(line: bytes) -> Iterator[bytes]:
    if match := _SCRIPT_IMPORT.match(line):
        yield from (match[1] or b"", match[2] or b"", *_listed(match[3]))
    elif match := _SCRIPT_NAME.match(line):
        if _SIGNATURE.match(line):
            return  # one of several ways to call it
        yield from (match[1] or b"", *(part.split(b":")[-1].split(b"=")[0].strip() for part in _listed(match[2])))
    elif match := _CASE.match(line):
        yield match[1]
    elif match := _SCRIPT_KEY.match(line):
        yield from {(match[1] or match[2]).strip(b"\"'")} - _KEYWORDS
    else:
        yield from _string(line)


def _listed(names: bytes | None) -> list[bytes]:
    return [_AS.split(name.strip())[-1].removeprefix(b"type ") for name in (names or b"").split(b",")]


def _last(line: bytes) -> Iterator[bytes]:
    if match := _LAST.match(line):
        yield match[2] or match[1]
    elif (match := _KOTLIN_NAME.match(line)) or (match := _CASE.match(line)):
        yield match[1]


def _c(line: bytes) -> Iterator[bytes]:
    if (match := _DEFINE.match(line)) or (match := _CASE.match(line)) or (match := _ALIAS.match(line)):
        yield match[1]


def _rust(line: bytes) -> Iterator[bytes]:
    if match := _USE.match(line):
        parts = _listed(match[2]) if match[2] is not None else [match[3] or match[1].rpartition(b":")[2]]
        yield from (part.rpartition(b":")[2] for part in parts if part not in {b"self", b"_", b"*"})
    elif match := _RUST_NAME.match(line):
        yield match[1]


def _go(line: bytes) -> Iterator[bytes]:
    match = _GO_IMPORT.match(line)
    if match is not None and match[1] not in {b"_", b"."}:
        parts = match[2].split(b"/")
        yield match[1] or (parts[-2] if len(parts) > 1 and _GO_VERSION.fullmatch(parts[-1]) else parts[-1])
    elif match := _GO_NAME.match(line):
        yield from {match[1] or match[2]} - _KEYWORDS
    elif match := _CASE.match(line):
        yield match[1]


def _by(pattern: re.Pattern[bytes]) -> Names:
    def names(line: bytes) -> Iterator[bytes]:
        if (match := pattern.match(line)) and not line.startswith((b"#", b"//")):
            yield next(filter(None, match.groups()))

    return names


def _requirement(line: bytes) -> Iterator[bytes]:
    match = _REQUIREMENT.match(line)
    if match is not None:
        yield re.sub(rb"[-_.]+", b"-", match[1]).lower() + b"".join((match[2] or b"").split())


def _toml(line: bytes) -> Iterator[bytes]:
    if match := _STRING.match(line):
        yield from _requirement(match[2])


def _string(line: bytes) -> Iterator[bytes]:
    if match := _STRING.match(line):
        yield match[2]


def _first_word(line: bytes) -> Iterator[bytes]:
    if not line.startswith(b"#"):
        yield line.split()[0]


def _pattern(line: bytes) -> Iterator[bytes]:
    if not line.startswith(b"#"):
        yield line


_SUFFIXES: Mapping[bytes, Names] = {
    suffix: names
    for suffixes, names in (
        (b"py pyi", _python),
        (b"js jsx mjs cjs ts tsx mts cts vue svelte", _script),
        (b"java kt kts scala groovy gradle php", _last),
        (b"rs", _rust),
        (b"c h cc cpp cxx hpp hh hxx m mm cu cuh cs swift", _c),
        (b"go", _go),
        (b"properties ini cfg conf", _by(_KEY)),
        (b"env mk", _by(_VARIABLE)),
        (b"tf hcl tfvars", _by(_BLOCK)),
        (b"toml", _toml),
        (b"json", _string),
        (b"proto", _by(_FIELD_NUMBER)),
    )
    for suffix in suffixes.split()
}
_NAMED: tuple[tuple[re.Pattern[bytes], Names], ...] = (
    (re.compile(rb"(requirements|constraints)[^/]*\.(txt|in)$", re.IGNORECASE), _requirement),
    (re.compile(rb"(^|/)go\.mod$"), _by(_MODULE)),
    (re.compile(rb"(^|/)CODEOWNERS$"), _first_word),
    (re.compile(rb"(^|/)\.\w*ignore$"), _pattern),
    (re.compile(rb"(^|/)(GNU)?[Mm]akefile$|(^|/)\.env[^/]*$"), _by(_VARIABLE)),
    (re.compile(rb"(^|/)Dockerfile[^/]*$"), _by(_FINAL)),
    (re.compile(rb"(^|/)Gemfile$|\.gemspec$"), _by(_GEM)),
    (re.compile(rb"(^|/)CMakeLists\.txt$|\.cmake$"), _by(_CMAKE_TARGET)),
)


def names_of(path: bytes) -> Names | None:
    """Return what finds the names that a line of a file gives; None where its form says nothing of names."""
    named = next((names for pattern, names in _NAMED if pattern.search(path)), None)
    return named or _SUFFIXES.get(path.rpartition(b"/")[2].rpartition(b".")[2].lower())


def is_xml(path: bytes) -> bool:
    """Return whether a file is XML, by its name."""
    language = language_of(path)
    return path.endswith(b".pom") or (language is not None and language.name == "XML")


def _again(hunk: HunkCase, lines: Lines) -> Iterator[bytes]:
    """Yield the numbers of a list that counts up, `NAME = 3`, in and right above the hunk."""
    start = hunk.at.ours.start
    above = hunk.file.our_lines[max(0, start - _COUNTED) : start]
    found = [_NUMBERED.match(b" ".join(line.split())) for line in (*above, *lines) if len(line) <= LONG]
    numbers = [int(match[2]) for match in found if match]
    if any(
        list(range(first, first + _COUNTED)) == numbers[at : at + _COUNTED] for at, first in enumerate(numbers)
    ):
        yield from (b"%d" % number for number in numbers[sum(map(bool, found[: len(above)])) :])


_COUNTED = 3
"""So many numbers in a row make a list that counts."""


def _shown(name: bytes) -> str:
    return name.decode("utf-8", "replace")[:80]
