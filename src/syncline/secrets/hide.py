"""Takes secrets out of texts, whatever brought them there: a log, an answer, a proxy's page, an exception.

Unlike an audit, which must not cry wolf, this hides what may be a secret: a word too many hurts nobody.
"""

import re

from syncline.secrets.patterns import PATTERNS

HIDDEN = "[hidden]"

_VALUE = r"(?![\"']?(?:None|null|true|false|True|False|\*+|\$)\b)[\"']?(?!=)"
_SHAPES = re.compile(
    # Private keys, whole or cut off.
    r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\Z)"
    # GitHub's own shapes, with what they may grow into, and signed tokens of any kind (RFC 7519).
    r"|gh[a-z]_[A-Za-z0-9_]{10,}|github_pat_[A-Za-z0-9_]{10,}|(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]*"
    # Passwords and signatures in addresses, up to the last @ before a slash: a password may hold one itself.
    r"|(?<=://)[^/\s]+(?=@)|(?<=[?&]sig=)[^&\s]+|(?<=[?&]X-Amz-Signature=)[^&\s]+"
    r"|(?i:(?<=authorization: )[^\r\n]+)|(?i:(?<=bearer )[\w.~+/=-]{16,})|(?i:(?<=basic )[\w+/]{16,}=*)"
    "|" + "|".join(one.pattern for one in PATTERNS),
    re.DOTALL,
)
_NAMED = re.compile(
    r"(?<![A-Za-z0-9_-])((?:"
    # In an environment: any name that ends so.
    r"[A-Z0-9_]{0,40}(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|ACCESS_KEY|PRIVATE_KEY|CREDENTIALS)(?= ?[:=])(?:: )?"
    # In text: `token` alone is a word of parsers and tokenizers, so it takes another word before it.
    r"|(?i:[a-z0-9_-]{0,40}(?:password|passwd|api[_-]?key|secret[_-]?key|access[_-]?key|client[_-]?secret)"
    r"|(?:auth|access|refresh|api|bot|hf|github|gitlab|npm|pypi|slack)[_-]?token)"
    r")(?:=|[\"']?: ?[\"']|=[\"']|(?<=: )))" + _VALUE + r"([^\s\"'&,;]{3,})"
)  # fmt: skip
_OPTION = re.compile(r"(--(?:password|passwd|token|api-key|secret)[ =])(?![$-])([^\s\"']{3,})")


def hidden(text: str) -> str:
    """Return `text` with each secret, or what looks like one, replaced by a mark."""
    text = _SHAPES.sub(HIDDEN, text)
    return _OPTION.sub(rf"\1{HIDDEN}", _NAMED.sub(rf"\1{HIDDEN}", text))
