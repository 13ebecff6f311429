"""Tokens of an outside issuer act for the user whose email they name, and for nobody else."""

from collections.abc import Iterator
from typing import Any

import pytest

from strata.access import Grant
from strata.mcp.http import ServerConfig
from strata.mcp.serving.issuer import Issuer
from tests.surface.http.test_issuer import AUDIENCE, Login

KNOWN = {"soyeon@example.com": "user_soyeon", "S-17@id.example": "user_seventeen"}


@pytest.fixture
def login() -> Iterator[Login]:
    login = Login()
    yield login
    login.server.shutdown()
    login.server.server_close()
    login.thread.join(5)


def granted(login: Login, claim: str = "email", **claims: Any) -> Grant:
    serving = ServerConfig(issuer=login.url, audience=AUDIENCE, issuer_claim=claim)
    found = Issuer(serving, known=KNOWN.get).check(login.sign(**claims))
    assert found is not None
    return found


def test_an_email_that_the_workspace_knows_names_its_user(login: Login) -> None:
    found = granted(login, email="soyeon@example.com", email_verified=True)
    assert (found.user, found.groups) == ("user_soyeon", {"memory"})
    assert granted(login, email="soyeon@example.com").user == "user_soyeon"


def test_whom_the_workspace_does_not_know_is_nobody(login: Login) -> None:
    assert granted(login).user is None
    assert granted(login, email="eve@example.com").user is None
    assert granted(login, email=["soyeon@example.com"]).user is None
    assert granted(login, preferred_username="soyeon@example.com").user is None


def test_an_email_that_was_not_verified_names_nobody(login: Login) -> None:
    for word in (False, "false"):
        assert granted(login, email="soyeon@example.com", email_verified=word).user is None


def test_another_claim_may_have_the_email(login: Login) -> None:
    found = granted(login, "upn", upn="S-17@id.example", email="soyeon@example.com")
    assert found.user == "user_seventeen"


def test_two_people_never_share_a_session(login: Login) -> None:
    one = granted(login, email="soyeon@example.com")
    other = granted(login, email="eve@example.com")
    assert one.principal != other.principal
