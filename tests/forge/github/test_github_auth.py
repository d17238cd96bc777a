import time
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from syncline.errors import ForgeError
from syncline.forge.github.client import Client
from syncline.forge.github.redact import Redactor
from syncline.forge.github.settings import AppSettings, GitHubSettings
from tests.forge.github.answering import Got, Reply, answering

_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
PEM = _KEY.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


class AppServer:
    """Signs an App in by its own clock, which is `skew` seconds ahead of ours."""

    def __init__(self, *, lasts: float = 3600, skew: float = 0) -> None:
        self.lasts, self.skew = lasts, skew
        self.given: list[str] = []
        self.valid: set[str] = set()

    def __call__(self, got: Got) -> Reply:
        bearer = got.headers["authorization"].removeprefix("Bearer ")
        now = time.time() + self.skew
        date = {"Date": format_datetime(datetime.fromtimestamp(now, UTC), usegmt=True)}
        if got.path.endswith(("/installation", "/access_tokens")):
            claims = jwt.decode(
                bearer, _KEY.public_key(), algorithms=["RS256"], options={"verify_exp": False, "verify_iat": False}
            )
            if claims["iss"] != "77" or not claims["iat"] <= now < claims["exp"] <= claims["iat"] + 600:
                return Reply(
                    {"message": "'Expiration time' claim must be in the future"}, status=401, headers=date
                )
            return self._as_app(got, now)
        if bearer not in self.valid:
            return Reply({"message": "Bad credentials"}, status=401, headers=date)
        return Reply({"path": got.path}, headers=date)

    def _as_app(self, got: Got, now: float) -> Reply:
        if got.path == "/repos/ada/tools/installation":
            return Reply({"id": 5})
        assert (got.method, got.path) == ("POST", "/app/installations/5/access_tokens")
        token = f"ghs_{len(self.given):036d}"
        self.given.append(token)
        self.valid.add(token)
        ends = datetime.fromtimestamp(now + self.lasts, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        # Less than the whole of what GitHub's description promises, as Enterprise Servers answer.
        return Reply({"token": token, "expires_at": ends}, status=201)


def client_for(url: str, *, key: str = PEM, **app: Any) -> Client:
    settings = GitHubSettings("ada", "tools", api=url, app=AppSettings("77", key_env="APP_KEY", **app))
    return Client(settings, {"APP_KEY": key}, sleep=lambda _: None)


@pytest.mark.parametrize("skew", [0, 3000, -3000])
@pytest.mark.parametrize("key", [PEM, PEM.replace("\n", "\\n")])
def test_an_app_signs_in_whatever_our_clock_says(skew: float, key: str) -> None:
    app = AppServer(skew=skew)
    with answering(app) as server, client_for(server.url, key=key) as client:
        for number in range(3):
            assert client.get(f"pulls/{number}") == {"path": f"/repos/ada/tools/pulls/{number}"}
    assert len(app.given) == 1


def test_a_known_installation_is_not_asked_for() -> None:
    with answering(AppServer()) as server, client_for(server.url, installation=5) as client:
        client.get("x")
    assert [got.path for got in server.asked] == ["/app/installations/5/access_tokens", "/repos/ada/tools/x"]


def test_a_token_that_is_about_to_end_is_renewed() -> None:
    app = AppServer(lasts=59)
    with answering(app) as server, client_for(server.url) as client:
        client.get("x")
        client.get("x")
    assert len(app.given) == 2


def test_a_token_that_was_taken_back_is_renewed() -> None:
    app = AppServer()
    with answering(app) as server, client_for(server.url) as client:
        client.get("x")
        app.valid.clear()
        assert client.post("x") == {"path": "/repos/ada/tools/x"}
    assert len(app.given) == 2


def _refuse(status: int) -> Callable[[Got], Reply]:
    # It says back what it was told, which must not be shown.
    return lambda got: Reply({"message": f"no: {got.headers['authorization']}"}, status=status)


@pytest.mark.parametrize(("status", "hint"), [(401, "private key"), (404, "install the App"), (500, "settings")])
def test_an_app_that_may_not_sign_in(status: int, hint: str) -> None:
    with (
        answering(_refuse(status)) as server,
        client_for(server.url) as client,
        pytest.raises(ForgeError) as caught,
    ):
        client.get("x")
    shown = "".join(traceback.format_exception(caught.value))
    assert hint in shown
    assert "App 77" in shown
    for got in server.asked:
        assert got.headers["authorization"].removeprefix("Bearer ") not in shown


def test_a_key_that_is_none() -> None:
    with answering(AppServer()) as server, client_for(server.url, key="-----BEGIN X-----\nsecret") as client:
        with pytest.raises(ForgeError, match="cannot be used to sign") as caught:
            client.get("x")
        assert "secret" not in "".join(traceback.format_exception(caught.value))
        assert server.asked == []


def test_the_key_in_a_file(tmp_path: Path) -> None:
    place = tmp_path / "app.pem"
    settings = GitHubSettings("ada", "tools", app=AppSettings("77", key_file=str(place)))
    with pytest.raises(ForgeError, match="No such file"):
        Client(settings, {})
    place.write_text(PEM)
    assert PEM[40:80] not in repr(Client(settings, {})._hub.auth)


@pytest.mark.parametrize(
    "secret",
    [
        "ghp_" + "a" * 36,
        "ghs_" + "b" * 36,
        "github_pat_" + "C_3" * 20,
        "eyJhbGciOi.eyJpc3Mi.c2ln-_",
        PEM,
        PEM[:200],
    ],
)
def test_what_looks_like_a_secret_is_hidden(secret: str) -> None:
    assert Redactor().clean(f"before {secret}\nafter").startswith("before [hidden]")
    assert secret not in Redactor().clean(f"a {secret} b")


def test_passwords_and_signatures_in_addresses_are_hidden() -> None:
    clean = Redactor().clean("https://me:pass@host/x?sp=r&sig=abc%3D&x=1 Authorization: Basic xyz")
    assert clean == "https://[hidden]@host/x?sp=r&sig=[hidden]&x=1 Authorization: [hidden]"
