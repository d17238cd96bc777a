"""Takes secrets out of texts, whatever brought them there: a log, an answer, a proxy's page, an exception.

Unlike an audit, which must not cry wolf, this hides what may be a secret: a word too many hurts nobody.

Nearly all texts hold none, and a regular expression that tries many shapes at each letter is slow. So each shape
names letters that every secret of its kind holds, and is looked for only where these are.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from syncline.secrets.patterns import PATTERNS

HIDDEN = "[hidden]"


@dataclass(frozen=True, slots=True)
class _Shape:
    """How something secret looks. The pattern's first group, where there is one, stays."""

    needs: tuple[str, ...]
    """One of these is in each, in small letters."""
    pattern: re.Pattern[str]
    put: str


def _shape(needs: Iterable[str], pattern: str) -> _Shape:
    compiled = re.compile(pattern, re.DOTALL)
    return _Shape(tuple(needs), compiled, rf"\1{HIDDEN}" if compiled.groups else HIDDEN)


# What may hold others comes first: half of a secret that was taken for a smaller one would stay.
_SHAPES: tuple[_Shape, ...] = (
    # Private keys, whole or cut off.
    _shape(
        ["private key"],
        r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----"
        r".*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\Z)",
    ),
    _shape(["authorization: "], r"(?i:(authorization: )[^\r\n]+)"),
    _shape(["bearer "], r"(?i:(bearer )[\w.~+/=-]{16,})"),
    _shape(["basic "], r"(?i:(basic )[\w+/]{16,}=*)"),
    # Passwords and signatures in addresses, up to the last @ before a slash: a password may hold one itself.
    _shape(["://"], r"(://)[^/\s]+(?=@)"),
    _shape(["sig="], r"([?&]sig=)[^&\s]+"),
    _shape(["signature="], r"([?&]X-Amz-Signature=)[^&\s]+"),
    # Signed tokens of any kind (RFC 7519), and GitHub's own shapes, with what they may grow into.
    _shape(["eyj"], r"(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]*"),
    _shape(["gh"], r"gh[a-z]_[A-Za-z0-9_]{10,}"),
    _shape(["github_pat_"], r"github_pat_[A-Za-z0-9_]{10,}"),
    *(_shape((need.lower() for need in one.needs), one.pattern) for one in PATTERNS),
)
_NAMES = ("token", "secret", "password", "passwd", "key", "credentials")
"""How names of secrets end, in small letters; more names than those of secrets end so."""
_ASSIGNS = ("=", ":", "':", '":')
"""What comes right after such a name where it is given a value."""
_VALUE = r"(?![\"']?(?:None|null|true|false|True|False|\*+|\$)\b)[\"']?(?!=)"
_NAMED = re.compile(
    r"((?:"
    # In an environment: any name that ends so.
    r"(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|ACCESS_KEY|PRIVATE_KEY|CREDENTIALS)(?=[:=])(?:: )?"
    # In text: `token` alone is a word of parsers and tokenizers, so it takes another word before it.
    r"|(?i:password|passwd|api[_-]?key|secret[_-]?key|access[_-]?key|client[_-]?secret"
    r"|(?<![a-z0-9_-])(?:auth|access|refresh|api|bot|hf|github|gitlab|npm|pypi|slack)[_-]?token)"
    r")(?:=|[\"']?: ?[\"']|(?<=: )))" + _VALUE + r"([^\s\"'&,;]{3,})"
)  # fmt: skip
_OPTION = re.compile(r"(--(?:password|passwd|token|api-key|secret)[ =])(?![$-])([^\s\"']{3,})")


def hidden(text: str) -> str:
    """Return `text` with each secret, or what looks like one, replaced by a mark."""
    small = text.lower()
    for shape in _SHAPES:
        for need in shape.needs:
            if need in small:
                text = shape.pattern.sub(shape.put, text)
                break
    if _may_name(small):
        text = _NAMED.sub(rf"\1{HIDDEN}", text)
    return _OPTION.sub(rf"\1{HIDDEN}", text) if "--" in small else text


def _may_name(small: str) -> bool:
    """Whether anything that sounds like a secret is given a value; `small` has small letters."""
    for name in _NAMES:
        at = small.find(name)
        while at >= 0:
            at += len(name)
            if small.startswith(_ASSIGNS, at):
                return True
            at = small.find(name, at)
    return False
