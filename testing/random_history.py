"""Random histories of two branches, for properties that must hold whatever people did.

Names and lines come from small pools, so that the sides often touch the same thing; files have enough lines
of their own for git to see a rename. The history is a plain value: what Hypothesis prints is what was built.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from hypothesis import strategies as st

from testing.blobs import Files
from testing.builder import Branch, RepositoryBuilder
from testing.content import Content, File, Symlink, below, put, take, to_bytes
from testing.repository import BuiltRepository

DIRECTORIES = (b"", b"lib/", b"lib/core/", b"docs/", b"d/")
# `lib` and `d` are directories too: whoever makes a file of that name makes a file/directory conflict.
NAMES = (b"a.py", b"b.py", b"c.txt", b"d", b"lib", b"caf\xe9", b"new\nline", b'"q" .md')
WORDS = (b"one\n", b"two\n", b"three\n", b"\xe9\n", b"\n", b"crlf\r\n", b"no newline", b"\0binary\n")

BlobOrLink: TypeAlias = File | Symlink
_Model: TypeAlias = dict[bytes, BlobOrLink]


@dataclass(frozen=True, slots=True)
class Step:
    """One commit: at most one move, then deletions, then files."""

    what: str
    files: tuple[tuple[bytes, BlobOrLink], ...] = ()
    move: tuple[tuple[bytes, bytes], ...] = ()
    delete: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class RandomHistory:
    """A first commit with these files, and what each side did after it."""

    base: tuple[tuple[bytes, BlobOrLink], ...]
    ours: tuple[Step, ...]
    theirs: tuple[Step, ...]

    def build(self, path: Path, *, bare: bool = True) -> BuiltRepository:
        """The repository, with the branches `ours` and `theirs`; the first commit is called `base`."""
        build = RepositoryBuilder(path, bare=bare)
        ours = build.branch("ours")
        ours.commit("base", _as_files(self.base))
        theirs = ours.branch("theirs")
        for branch, steps in ((ours, self.ours), (theirs, self.theirs)):
            for step in steps:
                _commit(branch, step)
        return build.finish()


def _commit(branch: Branch, step: Step) -> None:
    branch.commit(step.what, _as_files(step.files), move=dict(step.move), delete=step.delete)


def _as_files(pairs: tuple[tuple[bytes, BlobOrLink], ...]) -> Files:
    return dict[bytes, Content](pairs)


@st.composite
def random_histories(draw: st.DrawFn, *, max_files: int = 6, max_steps: int = 4) -> RandomHistory:
    """Histories of up to `max_files` files at first and up to `max_steps` commits on each side."""
    model: _Model = {}
    for number in range(draw(st.integers(1, max_files))):
        put(model, draw(_paths), draw(_blobs(number)))
    sides = [draw(_steps(dict(model), max_steps)) for _ in ("ours", "theirs")]
    return RandomHistory(tuple(model.items()), sides[0], sides[1])


_paths = st.builds(bytes.__add__, st.sampled_from(DIRECTORIES), st.sampled_from(NAMES))


@st.composite
def _blobs(draw: st.DrawFn, number: int) -> File:
    own = b"".join(b"line %d of file %d\n" % (line, number) for line in range(8))
    return File(own + draw(st.sampled_from(WORDS)), executable=draw(st.booleans()))


@st.composite
def _steps(draw: st.DrawFn, model: _Model, max_steps: int) -> tuple[Step, ...]:
    steps: list[Step] = []
    for number in range(draw(st.integers(1, max_steps))):
        # What needs a file finds none once everything is deleted; then there is only adding.
        edit = draw(st.sampled_from(_EDITS if model else (_add,)))
        step = edit(draw, model, number)
        for old, new in step.move:
            for path, entry in take(model, old).items():
                put(model, new + path.removeprefix(old), entry)
        for path in step.delete:
            take(model, path)
        for path, entry in step.files:
            put(model, path, entry)
        steps.append(step)
    return tuple(steps)


def _some_file(draw: st.DrawFn, model: _Model) -> bytes:
    return draw(st.sampled_from(sorted(model)))


def _changed(draw: st.DrawFn, entry: BlobOrLink) -> BlobOrLink:
    """Another line in place of one, more, or less of them; another target of a link."""
    if isinstance(entry, Symlink):
        return Symlink(draw(_paths))
    lines = to_bytes(entry.content).splitlines(keepends=True)
    at = draw(st.integers(0, len(lines)))
    until = min(len(lines), at + draw(st.integers(0, 2)))
    lines[at:until] = draw(st.lists(st.sampled_from(WORDS), max_size=2))
    return replace(entry, content=b"".join(lines))


def _modify(draw: st.DrawFn, model: _Model, _number: int) -> Step:
    path = _some_file(draw, model)
    return Step("modify", files=((path, _changed(draw, model[path])),))


def _delete(draw: st.DrawFn, model: _Model, _number: int) -> Step:
    return Step("delete", delete=(_some_file(draw, model),))


def _add(draw: st.DrawFn, _model: _Model, number: int) -> Step:
    # Both sides draw from the same contents, so they sometimes add the same file.
    return Step("add", files=((draw(_paths), draw(_blobs(100 + number))),))


def _rename(draw: st.DrawFn, model: _Model, _number: int) -> Step:
    old, new = _some_file(draw, model), draw(_paths)
    entry = model[old]
    files = ((new, _changed(draw, entry)),) if draw(st.booleans()) else ()
    return Step("rename", files=files, move=((old, new),))


def _chmod(draw: st.DrawFn, model: _Model, _number: int) -> Step:
    path = _some_file(draw, model)
    entry = model[path]
    # A link has no mode to change: it becomes a file.
    file = replace(entry, executable=not entry.executable) if isinstance(entry, File) else File(b"was a link\n")
    return Step("chmod", files=((path, file),))


def _symlink(draw: st.DrawFn, model: _Model, _number: int) -> Step:
    path = draw(st.one_of(_paths, st.sampled_from(sorted(model))))
    return Step("symlink", files=((path, Symlink(draw(_paths))),))


def _move_directory(draw: st.DrawFn, model: _Model, number: int) -> Step:
    present = [name[:-1] for name in DIRECTORIES if name and below(name[:-1], model)]
    if not present:
        return _rename(draw, model, number)
    old, new = (
        draw(st.sampled_from(present)),
        draw(st.sampled_from((b"lib", b"docs", b"d", b"moved", b"lib/core"))),
    )
    return Step("move directory", move=((old, new),))


_Edit: TypeAlias = Callable[[st.DrawFn, _Model, int], Step]
_EDITS: tuple[_Edit, ...] = (_modify, _delete, _add, _rename, _chmod, _symlink, _move_directory)
