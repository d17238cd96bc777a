"""The imports of a file, by language, as text: no parser, since many files are asked. Pure.

A pattern looks at whole lines, so that an import in a comment behind code or in a text is not taken for one.
"""

import posixpath
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from syncline.merge.text.syntax import language_of

Paths: TypeAlias = tuple[bytes, ...]
"""Places one of which is meant: one is enough."""


class Force(Enum):
    """What happens when what is imported is not there."""

    FAILS = "the file cannot be loaded"
    LATER = "it fails when that place is reached"
    GUARDED = "the file is made for that"
    NAMED = "it is only spoken of"


@dataclass(frozen=True, slots=True)
class Import:
    """One thing that a file says it needs."""

    line: int
    """1-based."""
    words: bytes
    """What it says, on one line."""
    exact: tuple[Paths, ...]
    """The paths that may be meant, from the root of the tree."""
    ends: tuple[Paths, ...]
    """How the path may end, by whole parts, where the language searches in several directories."""
    force: Force
    name: bytes = b""
    """What is imported out of a module: when it is no module itself (the first paths), the second ones hold it."""


def imports(path: bytes, content: bytes, about: Collection[bytes] | None = None) -> Iterator[Import]:
    """Yield what a file imports, in order; nothing for a language whose imports are not known.

    Args:
        path: where the file is.
        content: what it says.
        about: of Python, only statements with one of these words.
    """
    language = language_of(path)
    if language is not None and language.name == "Python":
        yield from _python(path, content, about)
        return
    if path.endswith(b".vue"):
        yield from _script(path, content)
    elif language is not None and language.name in _READERS:
        yield from _READERS[language.name](path, content)


def _lines(content: bytes, found: re.Match[bytes], last: list[int]) -> int:
    """Return the line of a match, counted on from the last one."""
    at, line = last
    last[1] = line + content.count(b"\n", at, found.start())
    last[0] = found.start()
    return last[1]


def _words(text: bytes) -> bytes:
    return b" ".join(text.split())


# --- Python -----------------------------------------------------------------------------------------------------

_PYTHON = re.compile(
    rb"\n([ \t]*)(?:from[ \t]+([.\w]+)[ \t]+import[ \t]*(\([^)]*\)|[^\n\\#]*(?:\\\r?\n[^\n\\#]*)*)"
    rb"|import[ \t]+([\w.][^\n#;]*))"
)
_WORD = re.compile(rb"\w+")
_GUARD = re.compile(rb"(?:try|except\b.*|if\b.*|else|elif\b.*|with\b.*suppress.*)\s*:")
_HASH = re.compile(rb"#[^\n]*")


def _python(path: bytes, content: bytes, about: Collection[bytes] | None) -> Iterator[Import]:
    last = [0, 1]
    here = posixpath.dirname(path)
    content = b"\n" + content
    for found in _PYTHON.finditer(content):
        if about is not None and not any(word in about for word in _WORD.findall(found[0])):
            continue
        line = _lines(content, found, last)
        force = _python_force(content, found)
        if found[4] is not None:
            for part in found[4].split(b","):
                module = part.split(b" as ")[0].strip()
                yield _python_import(path, line, b"import " + module, module, b"", force)
            continue
        dotted = found[2].lstrip(b".")
        level = len(found[2]) - len(dotted)
        listed = _HASH.sub(b"", found[3]).strip(b" \t\r()").replace(b"\\", b" ")
        for part in listed.split(b",") or [b""]:
            name = part.split(b" as ")[0].strip()
            words = b"from " + found[2] + b" import " + name
            if not name:
                continue
            if level:
                base = here
                for _ in range(level - 1):
                    base = posixpath.dirname(base)
                whole = posixpath.join(base, dotted.replace(b".", b"/")) if dotted else base
                exact = (_modules(posixpath.join(whole, name)), _modules(whole))
                yield Import(line, words, exact, (), force, name)
            else:
                yield _python_import(path, line, words, dotted, name, force)


def _python_import(path: bytes, line: int, words: bytes, module: bytes, name: bytes, force: Force) -> Import:
    parts = module.replace(b".", b"/")
    ends = (*((_modules(parts + b"/" + name),) if name else ()), _modules(parts))
    if b"/" in parts or name:
        return Import(line, words, (), ends, force, name)
    # A single word may be anything; next to the file it is this.
    here = posixpath.dirname(path)
    return Import(line, words, (_modules(posixpath.join(here, parts)),), (), force)


def _modules(path: bytes) -> tuple[bytes, bytes]:
    return path + b".py", path + b"/__init__.py"


def _python_force(content: bytes, found: re.Match[bytes]) -> Force:
    indentation = found[1]
    if not indentation:
        return Force.FAILS
    # What is indented less above it: a function fails later, `try` and `if` may be made for it.
    at = found.start() + 1
    for _ in range(_FAR):
        start = content.rfind(b"\n", 0, max(at - 1, 0)) + 1
        line = content[start:at]
        text = line.lstrip(b" \t")
        if text.strip() and len(line) - len(text) < len(indentation):
            return Force.GUARDED if _GUARD.match(text) else Force.LATER
        at = start
        if not at:
            break
    return Force.LATER


_FAR = 60
"""Lines above an import in which the block that it stands in is looked for."""


# --- JavaScript, TypeScript -------------------------------------------------------------------------------------

_SCRIPT = re.compile(
    rb"""(?:^[ \t]*(?:import|export)\b[^;'"()]*?(?:from[ \t]*)?|\b(?P<call>require|import)\([ \t]*)"""
    rb"""(?P<quote>['"])(?P<spec>\.{1,2}/[^'"\n]*|\.{1,2})(?P=quote)""",
    re.MULTILINE,
)
_SCRIPT_ENDS = (b".ts", b".tsx", b".d.ts", b".js", b".jsx", b".mjs", b".cjs", b".mts", b".cts", b".vue", b".json")


def _script(path: bytes, content: bytes) -> Iterator[Import]:
    last = [0, 1]
    here = posixpath.dirname(path)
    for found in _SCRIPT.finditer(content):
        spec = found["spec"].split(b"?")[0]
        whole = posixpath.normpath(posixpath.join(here, spec))
        stem = re.sub(rb"\.[cm]?jsx?$", b"", whole)
        exact = [whole, *(whole + end for end in _SCRIPT_ENDS), *(stem + end for end in _SCRIPT_ENDS)]
        exact += [whole + b"/index" + end for end in _SCRIPT_ENDS]
        force = Force.LATER if found["call"] else Force.FAILS
        yield Import(_lines(content, found, last), _words(found[0]), (tuple(exact),), (), force)


# --- others -----------------------------------------------------------------------------------------------------

_JAVA = re.compile(rb"^import[ \t]+(static[ \t]+)?([\w.]+)[ \t]*;?", re.MULTILINE)
_JAVA_ENDS = (b".java", b".kt", b".scala", b".groovy")


def _java(_: bytes, content: bytes) -> Iterator[Import]:
    last = [0, 1]
    for found in _JAVA.finditer(content):
        dotted = found[2].rpartition(b".")[0] if found[1] else found[2]
        whole = dotted.replace(b".", b"/")
        if b"/" in whole:
            ends = tuple(whole + end for end in _JAVA_ENDS)
            yield Import(_lines(content, found, last), _words(found[0]), (), (ends,), Force.FAILS)


_PHP = re.compile(rb"^use[ \t]+(?!function\b|const\b)\\?([\w\\]+)(?:[ \t]+as[ \t]+\w+)?[ \t]*;", re.MULTILINE)


def _php(_: bytes, content: bytes) -> Iterator[Import]:
    last = [0, 1]
    for found in _PHP.finditer(content):
        parts = found[1].split(b"\\")
        # Which part of a namespace is a directory is said elsewhere (composer.json): the last two have to be.
        if len(parts) > 2:
            end = b"/".join(parts[-2:]) + b".php"
            yield Import(_lines(content, found, last), _words(found[0]), (), ((end,),), Force.LATER)


_INCLUDE = re.compile(rb'^([ \t]*#[ \t]*)include[ \t]*["<]([^">\n]+)[">]', re.MULTILINE)


def _c(path: bytes, content: bytes) -> Iterator[Import]:
    last = [0, 1]
    here = posixpath.dirname(path)
    for found in _INCLUDE.finditer(content):
        whole = posixpath.normpath(posixpath.join(here, found[2]))
        ends = ((found[2],),) if b"/" in found[2] and not found[2].startswith(b".") else ()
        # Indented by convention where it stands under a condition.
        force = Force.FAILS if found[1] == b"#" else Force.GUARDED
        yield Import(_lines(content, found, last), _words(found[0]), ((whole,),), ends, force)


_RUBY = re.compile(rb"""^[ \t]*(require|require_relative|load)[ \t(]+['"]([\w./-]+)['"]""", re.MULTILINE)


def _ruby(path: bytes, content: bytes) -> Iterator[Import]:
    last = [0, 1]
    here = posixpath.dirname(path)
    for found in _RUBY.finditer(content):
        file = found[2] if found[2].endswith(b".rb") else found[2] + b".rb"
        near = posixpath.normpath(posixpath.join(here, file))
        line, words = _lines(content, found, last), _words(found[0])
        if found[1] == b"require_relative":
            yield Import(line, words, ((near,),), (), Force.FAILS)
        elif b"/" in file:
            yield Import(line, words, (), ((b"lib/" + file, file),), Force.FAILS)


_RUST = re.compile(rb"^[ \t]*(?:pub(?:\([^)]*\))?[ \t]+)?mod[ \t]+(\w+)[ \t]*;", re.MULTILINE)


def _rust(path: bytes, content: bytes) -> Iterator[Import]:
    last = [0, 1]
    here, file = posixpath.split(path)
    base = here if file in {b"mod.rs", b"lib.rs", b"main.rs"} else path.removesuffix(b".rs")
    for found in _RUST.finditer(content):
        whole = posixpath.join(base, found[1])
        exact = ((whole + b".rs", whole + b"/mod.rs"),)
        yield Import(_lines(content, found, last), _words(found[0]), exact, (), Force.FAILS)


_GO = re.compile(
    rb'^(?:import)?[ \t]*(?:[\w.]+[ \t]+)?"([\w.-]+\.[\w-]+/[^"\n]+)"[ \t]*(?://.*)?\r?$', re.MULTILINE
)

_GO_BODY = re.compile(rb"^(?:func|type|var|const)\b", re.MULTILINE)


def _go(_: bytes, content: bytes) -> Iterator[Import]:
    last = [0, 1]
    behind = _GO_BODY.search(content)
    for found in _GO.finditer(content, 0, behind.start() if behind else len(content)):
        parts = found[1].split(b"/")
        # A package is a directory; which parts are the module's name is said in go.mod.
        exact = tuple((b"/".join(parts[number:]),) for number in range(2, len(parts)))
        yield Import(_lines(content, found, last), _words(found[0]), exact, (), Force.FAILS)


_READERS = {
    "JavaScript": _script, "TypeScript": _script, "Java": _java, "Kotlin": _java,
    "Scala": _java, "PHP": _php, "C": _c, "C++": _c, "Ruby": _ruby, "Rust": _rust, "Go": _go,
}  # fmt: skip


def stems(path: bytes) -> Sequence[bytes]:
    """Return words one of which an import of a file must hold; none when it cannot be imported."""
    directory, file = posixpath.split(path)
    language = language_of(path)
    if path.endswith(b".vue"):
        return (file.removesuffix(b".vue"),)
    if language is None or language.name not in {"Python", *_READERS}:
        return ()
    stem = file.split(b".")[0]
    if stem in {b"__init__", b"index", b"mod"} or language.name == "Go":
        stem = posixpath.basename(directory)
    return (stem,) if stem else ()
