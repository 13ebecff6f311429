"""Tokens of an outside issuer: its keys, its audience, its scopes; nothing forged gets in."""

import base64
import hmac
import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import anyio
import httpx2
import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt.algorithms import RSAAlgorithm

from strata.base import limits
from strata.base.errors import Unavailable
from strata.mcp.http import ServerConfig
from strata.mcp.serving.issuer import Issuer
from tests.surface.http.conftest import ERAS, Running, Serve

AUDIENCE = "https://strata.example.com/mcp"
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


class Login:
    """An issuer on loopback: a key that signs, and what it publishes of it."""

    def __init__(self) -> None:
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self.kid = "2026-1"
        self.asked: list[str] = []
        self.is_down = False
        login = self

        class Answers(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                login.asked.append(self.path)
                body = login.page(self.path)
                code = 503 if login.is_down else 404 if body is None else 200
                self.send_response(code)
                self.end_headers()
                self.wfile.write(json.dumps(body or {}).encode())

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def page(self, path: str) -> dict[str, Any] | None:
        if path == "/.well-known/openid-configuration":
            return {"issuer": self.url, "jwks_uri": f"{self.url}/keys"}
        if path == "/keys":
            return {"keys": [self.published(), {"kty": "oct", "k": "AAAA", "kid": "shared"}]}
        return None

    def published(self) -> dict[str, Any]:
        public = RSAAlgorithm.to_jwk(self.key.public_key(), as_dict=True)
        return {**public, "kid": self.kid, "alg": "RS256", "use": "sig"}

    def sign(self, *, key: Any = None, alg: str = "RS256", kid: Any = "", **claims: Any) -> str:
        told = {
            "iss": self.url,
            "aud": AUDIENCE,
            "sub": "소연",
            "exp": time.time() + 60,
            "scope": "strata:memory strata:write",
            **claims,
        }
        told = {name: value for name, value in told.items() if value is not None}
        head = {"kid": kid or self.kid}
        return jwt.encode(told, key or self.key, algorithm=alg, headers=head)


@pytest.fixture
def login() -> Iterator[Login]:
    login = Login()
    yield login
    login.server.shutdown()
    login.server.server_close()
    login.thread.join(5)


@pytest.fixture
def guarded(serve: Serve, login: Login) -> Running:
    return serve(no_auth=False, issuer=login.url, audience=AUDIENCE)


def code(running: Running, token: str) -> int:
    return running.post(PING, headers={"Authorization": f"Bearer {token}"}).status_code


@ERAS
def test_a_token_of_the_issuer_opens_what_its_scopes_say(
    guarded: Running, login: Login, era: str
) -> None:
    async def talk() -> None:
        async with guarded.client(era, token=login.sign()) as client:
            assert not (await client.call_tool("strata_store", {"key": "k", "value": 1})).is_error
            with pytest.raises(Exception, match="which this token may not use"):
                await client.call_tool("strata_kv_put", {"key": "k", "value": 2})
        async with guarded.client(era, token=login.sign(scope="strata:memory")) as client:
            with pytest.raises(Exception, match="for reading only"):
                await client.call_tool("strata_store", {"key": "k", "value": 3})

    anyio.run(talk)
    assert guarded.db.log(limit=1)[0].actor == "소연"


def test_a_forged_token_is_refused(guarded: Running, login: Login) -> None:
    other = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    curve = ec.generate_private_key(ec.SECP256R1())
    assert code(guarded, login.sign()) != 401
    assert code(guarded, login.sign(key=other)) == 401
    assert code(guarded, login.sign(key=curve, alg="ES256")) == 401
    head, body, signature = login.sign().split(".")
    claims = json.loads(base64.urlsafe_b64decode(body + "=="))
    claims["scope"] = "strata:all strata:write"
    widened = base64.urlsafe_b64encode(json.dumps(claims).encode()).rstrip(b"=").decode()
    assert code(guarded, f"{head}.{widened}.{signature}") == 401


def test_a_token_that_is_not_signed_is_refused(guarded: Running, login: Login) -> None:
    for alg in ("none", "None", "NONE"):
        head = base64.urlsafe_b64encode(json.dumps({"alg": alg, "kid": login.kid}).encode())
        body = login.sign().split(".")[1]
        assert code(guarded, f"{head.rstrip(b'=').decode()}.{body}.") == 401


def test_the_public_key_is_no_shared_secret(guarded: Running, login: Login) -> None:
    public = login.key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    body = login.sign().split(".")[1]
    for kid, secret in ((login.kid, public), ("shared", b"\0\0\0")):
        head = base64.urlsafe_b64encode(json.dumps({"alg": "HS256", "kid": kid}).encode())
        signed = head.rstrip(b"=") + b"." + body.encode()
        mark = base64.urlsafe_b64encode(hmac.digest(secret, signed, "sha256")).rstrip(b"=")
        assert code(guarded, (signed + b"." + mark).decode()) == 401


@pytest.mark.parametrize(
    "claims",
    [
        {"exp": time.time() - 3600},
        {"exp": None},
        {"aud": "https://other.example/mcp"},
        {"aud": None},
        {"aud": ["https://other.example", AUDIENCE + "/x"]},
        {"iss": "https://evil.example"},
        {"iss": None},
        {"nbf": time.time() + 3600},
        {"scope": "openid email"},
        {"scope": None},
        {"scope": 5},
        {"kid": "unknown"},
    ],
    # Numbers: times differ from one worker of the tests to the next.
    ids=[str(number) for number in range(12)],
)
def test_a_token_that_is_not_meant_for_us_is_refused(
    guarded: Running, login: Login, claims: dict[str, Any]
) -> None:
    assert code(guarded, login.sign(**claims)) == 401


def test_several_audiences_and_another_form_of_scopes_are_understood(
    guarded: Running, login: Login
) -> None:
    assert code(guarded, login.sign(aud=["x", AUDIENCE])) != 401
    assert code(guarded, login.sign(scope=None, scp=["strata:memory"])) != 401


def test_tokens_of_the_store_go_on_working_beside_it(guarded: Running) -> None:
    assert code(guarded, guarded.token()) != 401


def test_a_client_is_told_where_to_get_a_token(guarded: Running, login: Login) -> None:
    answer = guarded.post(PING)
    assert answer.status_code == 401
    place = f"{guarded.base}/.well-known/oauth-protected-resource/mcp"
    assert f'resource_metadata="{place}"' in answer.headers["www-authenticate"]
    told = httpx2.get(place).json()
    assert told["resource"] == AUDIENCE
    assert told["authorization_servers"] == [login.url]
    assert {"strata:memory", "strata:write"} <= set(told["scopes_supported"])
    assert httpx2.get(f"{guarded.base}/.well-known/oauth-protected-resource").json() == told


def test_without_an_issuer_there_is_nothing_to_be_told(serve: Serve) -> None:
    running = serve(no_auth=False)
    place = f"{running.base}/.well-known/oauth-protected-resource/mcp"
    assert httpx2.get(place).status_code == 404


def test_keys_are_fetched_once_and_again_when_they_change(login: Login) -> None:
    now = [0.0]
    issuer = Issuer(ServerConfig(issuer=login.url, audience=AUDIENCE), clock=lambda: now[0])
    assert issuer.check(login.sign()) is not None
    assert issuer.check(login.sign()) is not None
    assert login.asked.count("/keys") == 1
    login.key, login.kid = rsa.generate_private_key(public_exponent=65537, key_size=2048), "new"
    # Unknown names do not make the server knock at the issuer's door all the time.
    assert [issuer.check(login.sign()) for _ in range(5)] == [None] * 5
    assert login.asked.count("/keys") == 1
    now[0] += limits.ISSUER_KEYS_PAUSE_S + 1
    assert issuer.check(login.sign()) is not None
    assert login.asked.count("/keys") == 2


def test_an_issuer_that_is_down_is_not_the_tokens_fault(login: Login, serve: Serve) -> None:
    now = [0.0]
    issuer = Issuer(ServerConfig(issuer=login.url, audience=AUDIENCE), clock=lambda: now[0])
    login.is_down = True
    with pytest.raises(Unavailable):
        issuer.check(login.sign())
    running = serve(no_auth=False, issuer=login.url, audience=AUDIENCE)
    assert code(running, login.sign()) == 503
    login.is_down = False
    now[0] += limits.ISSUER_FAILED_S + 1
    assert issuer.check(login.sign()) is not None
    login.is_down = True
    now[0] += limits.ISSUER_KEYS_S + 1
    assert issuer.check(login.sign()) is not None, "keys that were good still are"


def test_an_issuer_that_describes_another_is_not_believed(
    login: Login, monkeypatch: pytest.MonkeyPatch
) -> None:
    about = {"issuer": "https://evil.example", "jwks_uri": f"{login.url}/keys"}
    monkeypatch.setattr(login, "page", lambda _path: about)
    issuer = Issuer(ServerConfig(issuer=login.url, audience=AUDIENCE))
    with pytest.raises(Unavailable):
        issuer.check(login.sign())


def test_the_place_of_the_keys_can_be_told(login: Login) -> None:
    keys = f"{login.url}/keys"
    issuer = Issuer(ServerConfig(issuer=login.url, audience=AUDIENCE, issuer_keys=keys))
    assert issuer.check(login.sign()) is not None
    assert login.asked == ["/keys"]


@ERAS
def test_a_token_that_names_nobody_known_gets_no_documents_and_learns_of_none(
    guarded: Running, login: Login, era: str
) -> None:
    made = guarded.db.documents.create("비밀", "내용").document
    scope = "strata:core strata:memory strata:write"

    async def told(document: str, **claims: Any) -> tuple[bool, str]:
        token = login.sign(scope=scope, **claims)
        async with guarded.client(era, token=token, X_Strata_Tool_Groups="core") as client:
            answer = await client.call_tool("read_document", {"documentId": document})
            return bool(answer.is_error), answer.content[0].text  # pyright: ignore[reportAttributeAccessIssue]

    async def talk() -> None:
        for claims in ({}, {"email": "eve@example.com"}):
            hidden, never = await told(made, **claims), await told("doc_x", **claims)
            assert hidden == never
            assert hidden[0]
            assert "not_allowed" in hidden[1]
            assert "strata user add" in hidden[1]

    anyio.run(talk)


@ERAS
def test_a_token_acts_for_the_user_of_its_email(guarded: Running, login: Login, era: str) -> None:
    guarded.db.users.add("soyeon@example.com", "소연")
    made = guarded.db.as_user("soyeon@example.com").documents.create("내 것", "안녕").document
    token = login.sign(scope="strata:core", email="Soyeon@example.com")

    async def talk() -> None:
        async with guarded.client(era, token=token, X_Strata_Tool_Groups="core") as client:
            answer = await client.call_tool("read_document", {"documentId": made})
            assert answer.structured_content is not None
            assert answer.structured_content["content"] == "안녕"
            assert answer.structured_content["role"] == "viewer", "it may not write"

    anyio.run(talk)
