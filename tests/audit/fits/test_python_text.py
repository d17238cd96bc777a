"""What the text of Python defines, against what its parser says."""

import ast
import keyword

from hypothesis import given
from hypothesis import strategies as st

from syncline.audit.fits.python_text import classes, defined, defines, fields, signature

_WORDS = st.from_regex(r"[a-z]{1,2}_?[0-9]?", fullmatch=True).filter(lambda word: not keyword.iskeyword(word))
_BINDINGS = {
    "def": "def {0}(self, other): ...",
    "async": "async  def\t{0}(): return 1",
    "class": "class {0}(other): pass",
    "field": "{0}: int",
    "value": "{0} = other",
    "attribute": "self.{0} = other",
    "typed attribute": "cls.{0} : int = other",
    "import": "import other, {0}",
    "from": "from other.other import other as {0}",
    "listed": "from other import (\n        {0},\n    )",
    "slot": "__slots__ = ('{0}', \"other\")",
}
_USES = ["print({0})", "{0}.other()", "x = {0} == 1", "self.{0}()", "f'{0} other'", "# {0}", "if {0} == 1: pass"]


@given(
    st.lists(st.tuples(_WORDS, st.sampled_from(sorted(_BINDINGS))), max_size=6),
    st.lists(_WORDS, max_size=6),
    _WORDS,
)
def test_what_is_bound_is_defined_and_what_is_used_is_not(
    bound: list[tuple[str, str]], used: list[str], asked: str
) -> None:
    lines = [_BINDINGS[kind].format(name) for name, kind in bound]
    lines += [use.format(name) for name in used for use in _USES]
    body = "".join(f"    {line}\n" for line in lines) + "    pass\n"
    text = f"import sys\n\nclass Asked(Base, other.Base):\n{body}last = 1\n"
    known = {name for name, _ in bound} | {"x", "other"}
    (block,) = classes(text.encode(), b"Asked")
    assert block == (b"(Base, other.Base)", f"class Asked(Base, other.Base):\n{body}".encode().rstrip(b"\n"))
    for name in {asked, *used, *(name for name, _ in bound)} - {"other"}:
        assert defines(block[1], name.encode()) == (name in known)
    heads = {name for name, kind in bound if kind in {"def", "async", "class"}}
    assert {b"Asked", *(name.encode() for name in heads)} == defined(text.encode())


@given(
    st.lists(_WORDS, unique=True, max_size=4),
    st.lists(_WORDS, unique=True, max_size=3),
    st.booleans(),
    st.booleans(),
)
def test_a_signature_is_what_the_parser_says(
    plain: list[str], named: list[str], broken: bool, optional: bool,  # noqa: FBT001 - drawn
) -> None:  # fmt: skip
    named = [name for name in named if name not in plain]
    written = [f"{name}=(1, {{}})" if optional else f"{name}: dict[str, int]" for name in plain]
    written += ["*", *(f"{name}={{}}" if optional else name for name in named)] if named else []
    joined = (",  # a comment (\n    " if broken else ", ").join([*written, ""] if broken and written else written)
    text = f"def other(): ...\n\nclass A:\n    async def asked({joined}\n    ): return 1\n"
    mark = "?" if optional else ""
    try:
        ast.parse(text)
    except SyntaxError:
        return
    if not (
        optional and named
    ):  # a bracket in a string ends the head too early: then its text is what is compared
        expected = [*(f"{name}{mark}" for name in plain), *(f"*, {name}{mark}" for name in named)]
        assert signature(text.encode(), b"asked") == expected
    assert signature(text.encode(), b"A") is None


def test_fields_of_a_class() -> None:
    body = b"class A:\n    one: int\n\n    two: str = 'x: y'\n    def f(self):\n        three: int = 1\n"
    assert fields(body) == ["one", "two"]
    assert fields(b"class A: pass") is None
