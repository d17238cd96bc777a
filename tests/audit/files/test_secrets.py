import random
import re
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.audit.files.secrets import new_secrets
from syncline.secrets.patterns import PATTERNS, secrets_in
from testing.audited import findings_of, task_of

_RANDOM = random.Random(4)  # noqa: S311 - nothing is kept safe by it


def made(prefix: str, length: int, alphabet: str = string.ascii_letters + string.digits) -> str:
    """What looks like a secret; put together here, so that no file of this project holds one."""
    return prefix + "".join(_RANDOM.choice(alphabet) for _ in range(length))


BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
SECRETS = {
    "a private key": "-----BEGIN RSA " + "PRIVATE KEY-----",
    "an AWS access key": made("AKIA", 16, BASE32),
    "a GitHub token": made("ghp_", 36),
    "a GitLab token": made("glpat-", 20),
    "a Slack token": made("xoxb-", 12, string.digits) + made("-", 24),
    "a Slack webhook": "https://hooks.slack.com/services/"
    + made("T", 9, BASE32)
    + made("/B", 9, BASE32)
    + made("/", 24),
    "a Stripe live key": made("sk_live_", 24),
    "a Google API key": made("AIza", 35),
    "a Google client secret": made("GOCSPX-", 28),
    "a PyPI token": made("pypi-AgE", 80),
    "an npm token": made("npm_", 36),
    "a Hugging Face token": made("hf_", 34, string.ascii_letters),
    "a SendGrid key": made("SG.", 22) + made(".", 43),
    "an OpenAI key": made("sk-proj-", 40) + made("T3BlbkFJ", 40),
    "an Anthropic key": made("sk-ant-api03-", 95),
}


@pytest.mark.parametrize("name", SECRETS)
def test_each_kind_is_known_and_masked(name: str) -> None:
    found = secrets_in(f'token = "{SECRETS[name]}"  # x'.encode())
    assert [one.name for one in found] == [name]
    if name != "a private key":
        assert len(set(re.split(r"[-_.]", SECRETS[name])[-1]) - set(found[0].masked)) > 5


def test_every_kind_is_tried() -> None:
    assert {one.name for one in PATTERNS} == set(SECRETS)
    assert all(one.origin for one in PATTERNS)


@pytest.mark.parametrize(
    "line",
    [
        b"AKIAIOSFODNN7EXAMPLE", b"ghp_" + b"x" * 36, b"-----BEGIN PUBLIC KEY-----", b"sk_test_" + b"aB3" * 9,
        b"AKIA1234", b"password = 'hunter2hunter2'", b"AIza", b"xoxb-your-token-goes-here-please", b"glpat-short",
    ],
)  # fmt: skip
def test_what_is_no_secret(line: bytes) -> None:
    assert secrets_in(line) == []


@given(st.binary())
def test_any_bytes_are_a_line(line: bytes) -> None:
    assert all(one.name for one in secrets_in(line))


def test_only_what_neither_side_has_is_told_and_never_shown(tmp_path: Path) -> None:
    token, theirs = SECRETS["a GitHub token"], SECRETS["an npm token"]
    base = {"a.sh": "one\ntwo\nthree\n", "b.sh": "one\ntwo\nthree\n"}
    sides = {"a.sh": "0\none\ntwo\nthree\n", "b.sh": f"{theirs}\none\ntwo\nthree\n"}
    changed = {"a.sh": "one\ntwo\nthree\n4\n", "b.sh": "one\ntwo\nthree\n4\n"}
    merged = {"a.sh": f"0\none\nexport X={token}\nthree\n4\n", "b.sh": f"{theirs}\none\n2\nthree\n4\n"}
    with task_of(tmp_path, base, sides, changed, merged) as task:
        found = findings_of(new_secrets, task)
    assert [(one.path, one.line, one.severity) for one in found] == [(b"a.sh", 3, "stop")]
    assert token[6:] not in str(found[0].as_json())
    assert found[0].message == "line 3 holds a GitHub token that neither side has: ghp_... (40 characters)"
