"""Takes secrets out of texts, whatever brought them there: an answer, a proxy's page, an exception."""

import re

HIDDEN = "[hidden]"

# GitHub's own shapes (https://github.blog/2021-04-05-behind-githubs-new-authentication-token-formats/), the
# tokens an App signs, private keys, and passwords and signatures in addresses.
_SHAPES = re.compile(
    r"gh[a-z]_[A-Za-z0-9_]{10,}|github_pat_[A-Za-z0-9_]{10,}|eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"
    r"|(?<=://)[^/@\s]+(?=@)|(?<=[?&]sig=)[^&\s]+|(?i:(?<=authorization: )[^\r\n]+)",
    re.DOTALL,
)


class Redactor:
    """Knows the secrets in use; `clean` gives a text without them."""

    __slots__ = ("_secrets",)

    def __init__(self) -> None:
        self._secrets: set[str] = set()

    def __repr__(self) -> str:
        return f"Redactor({len(self._secrets)} secrets)"

    def learn(self, secret: str) -> None:
        """From now on `secret` is hidden, whatever it looks like."""
        if secret:
            self._secrets.add(secret)

    def clean(self, text: str) -> str:
        """`text` without any secret that is known or looks like one."""
        for secret in sorted(self._secrets, key=len, reverse=True):
            text = text.replace(secret, HIDDEN)
        return _SHAPES.sub(HIDDEN, text)
