"""Secrets whose form alone tells them: fixed prefixes and lengths, given by those who issue them.

Only forms that nothing else has: a general "password = ..." is wrong far more often than right.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SecretPattern:
    """One kind of secret, how it looks and who says so."""

    name: str
    pattern: str
    """A regular expression for ASCII text."""
    needs: tuple[str, ...]
    """One of these texts is in each such secret: where none is, the pattern need not be tried."""
    origin: str


PATTERNS: tuple[SecretPattern, ...] = (
    SecretPattern(
        "a private key", r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----", ("PRIVATE KEY",),
        "RFC 7468, section 10 and 11; RFC 4880, section 6.2",
    ),
    SecretPattern(
        "an AWS access key", r"\b(?:AKIA|ASIA)[A-Z2-7]{16}\b", ("AKIA", "ASIA"),
        "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html",
    ),
    SecretPattern(
        "a GitHub token", r"\bgh[pousr]_[A-Za-z0-9]{36,251}\b", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
        "https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/",
    ),
    SecretPattern(
        "a GitHub token", r"\bgithub_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}\b", ("github_pat_",),
        "https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github",
    ),
    SecretPattern(
        "a GitLab token", r"\bgl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat)-[A-Za-z0-9_-]{20,}",
        ("glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glimt-", "glagent-", "glsoat-"),
        "https://docs.gitlab.com/security/tokens/#token-prefixes",
    ),
    SecretPattern(
        "a Slack token", r"\bxox[abprs]-[0-9]{8,}-[0-9A-Za-z-]{16,}", ("xox",),
        "https://docs.slack.dev/authentication/tokens",
    ),
    SecretPattern(
        "a Slack webhook", r"https://hooks\.slack\.com/services/T[A-Z0-9]{7,}/B[A-Z0-9]{7,}/[A-Za-z0-9]{20,}",
        ("hooks.slack.com",),
        "https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks",
    ),
    SecretPattern(
        "a Stripe live key", r"\b[rs]k_live_[A-Za-z0-9]{20,}\b", ("k_live_",),
        "https://docs.stripe.com/keys",
    ),
    SecretPattern(
        "a Google API key", r"\bAIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])", ("AIza",),
        "https://cloud.google.com/docs/authentication/api-keys",
    ),
    SecretPattern(
        "a Google client secret", r"\bGOCSPX-[A-Za-z0-9_-]{28}(?![A-Za-z0-9_-])", ("GOCSPX-",),
        "https://developers.google.com/identity/protocols/oauth2",
    ),
    SecretPattern(
        "a PyPI token", r"\bpypi-AgE[A-Za-z0-9_-]{50,}", ("pypi-AgE",),
        "https://pypi.org/help/#apitoken",
    ),
    SecretPattern(
        "an npm token", r"\bnpm_[A-Za-z0-9]{36}\b", ("npm_",),
        "https://github.blog/changelog/2021-09-23-npm-has-a-new-access-token-format/",
    ),
    SecretPattern(
        "a Hugging Face token", r"\bhf_[A-Za-z]{34}\b", ("hf_",),
        "https://huggingface.co/docs/hub/security-tokens",
    ),
    SecretPattern(
        "a SendGrid key", r"\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])", ("SG.",),
        "https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys",
    ),
    SecretPattern(
        "an OpenAI key", r"\bsk-(?:proj-|svcacct-)?[A-Za-z0-9_-]{20,200}T3BlbkFJ[A-Za-z0-9_-]{20,200}",
        ("T3BlbkFJ",),
        "https://platform.openai.com/docs/api-reference/authentication",
    ),
    SecretPattern(
        "an Anthropic key", r"\bsk-ant-(?:api|admin)[0-9]{2}-[A-Za-z0-9_-]{80,}", ("sk-ant-",),
        "https://docs.claude.com/en/api/overview",
    ),
)  # fmt: skip

_NEEDS = tuple(need.encode() for one in PATTERNS for need in one.needs)
_ANY = re.compile("|".join(f"({one.pattern})" for one in PATTERNS).encode())
_EXAMPLE = re.compile(rb"EXAMPLE|(.)\1{7}|(?:0123456789|abcdefgh|ABCDEFGH|12345678)")
"""What vendors' own examples have, and what people type instead of a secret."""


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret in a line; `masked` can be shown to anybody."""

    name: str
    masked: str


def secrets_in(line: bytes) -> list[Secret]:
    """Return the secrets in a line, those left out that are plainly made up."""
    found: list[Secret] = []
    if not any(need in line for need in _NEEDS):
        return found
    for match in _ANY.finditer(line):
        if not _EXAMPLE.search(match[0]):
            name = PATTERNS[(match.lastindex or 1) - 1].name
            found.append(Secret(name, _masked(match[0].decode("ascii"))))
    return found


def _masked(secret: str) -> str:
    """Return the public prefix of a secret (a key block's first line is no secret) and how much follows."""
    if secret.startswith("-----"):
        return secret
    prefix = re.match(r"https://hooks\.slack\.com/services/|[A-Za-z]+[_-]|AKIA|ASIA|AIza|SG\.", secret)
    shown = prefix[0] if prefix else ""
    return f"{shown}... ({len(secret)} characters)"
