"""The first page: a link with a code behind a #, which signs in once."""

import logging
import os
import stat
from pathlib import Path

import pytest

from strata.cli import first_page
from strata.cli.first_page import FirstPage
from strata.mcp.http import ServerConfig
from strata.tools import StoreHost
from tests.surface.web.conftest import Serve, Served


def test_the_first_page_is_for_everybody(serve: Serve) -> None:
    answer = serve().browser().get("/hello")
    assert answer.status_code == 200
    assert "script-src 'self';" in answer.headers["content-security-policy"]


def test_a_code_signs_in_once(serve: Serve, caplog: pytest.LogCaptureFixture) -> None:
    served = serve()
    code = served.db.sign_ins.create_code().secret
    browser = served.browser()
    with caplog.at_level(logging.DEBUG):
        answer = browser.post("/api/hello", json={"code": code})
    assert (answer.status_code, answer.json()) == (200, {"signedIn": True})
    assert browser.get("/api/me").json()["isOwner"]
    assert code not in caplog.text
    again = served.browser().post("/api/hello", json={"code": code})
    assert (again.status_code, again.json()["code"]) == (403, "not_allowed")
    assert code not in again.text


def test_a_browser_that_was_signed_in_is_so_no_more_by_its_old_secret(serve: Serve) -> None:
    served = serve()
    browser = served.signed_in()
    before = browser.secret
    browser.post("/api/hello", json={"code": served.db.sign_ins.create_code().secret})
    assert served.db.sign_ins.check(before) is None
    assert served.db.sign_ins.check(browser.secret) is not None


@pytest.mark.parametrize("body", [b"", b"{}", b'{"code": 1}', b"[", b'{"code":"x","more":1}'])
def test_what_is_no_code_is_refused(serve: Serve, body: bytes) -> None:
    answer = serve().browser().post("/api/hello", content=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input")


def test_other_pages_cannot_send_a_code(serve: Serve) -> None:
    served = serve()
    code = served.db.sign_ins.create_code().secret
    for origin in ("https://evil.example", "null", "http://localhost:5173"):
        answer = served.browser().post("/api/hello", origin=origin, json={"code": code})
        assert answer.status_code == 403
    assert served.browser().post("/api/hello", json={"code": code}).status_code == 200


def test_attempts_are_bounded_together_with_those_of_the_form(serve: Serve) -> None:
    browser = serve().browser()
    answers = [browser.post("/api/hello", json={"code": "AAAAA-AAAAA"}) for _ in range(20)]
    assert {answer.status_code for answer in answers} == {403}
    assert browser.post("/api/hello", json={"code": "AAAAA-AAAAA"}).status_code == 429
    assert browser.sign_in("AAAAA-AAAAA").status_code == 429


def test_a_token_for_all_groups_signs_in(serve: Serve) -> None:
    served = serve()
    ann = served.db.users.add("ann@example.com")
    for user in (None, ann.id):
        token = served.db.tokens.create("all", groups=["all"], user=user).secret
        browser = served.browser()
        assert browser.sign_in(token).status_code == 303
        assert "memory" in browser.get("/api/me").json()["groups"]


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Sit at a terminal with a desktop; return the addresses that a browser is given."""
    found: list[str] = []
    monkeypatch.setattr(first_page, "is_at_terminal", lambda: True)
    monkeypatch.setattr(first_page, "has_desktop", lambda: True)
    monkeypatch.setattr("webbrowser.open", found.append)
    return found


def host_of(served: Served) -> StoreHost:
    return StoreHost(lambda: served.db)


def test_a_link_is_printed_and_opened_by_a_private_file(serve: Serve, shown: list[str]) -> None:
    served = serve()
    with FirstPage(host_of(served)) as first:
        link = first.open(ServerConfig(port=7433))
        assert link is not None
        assert link.startswith("http://127.0.0.1:7433/hello#")
        file = Path(shown[0].removeprefix("file://"))
        assert link in file.read_text(encoding="utf-8")
        assert link.rpartition("#")[2] not in shown[0]
        if os.name == "posix":
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert not file.exists()
    answer = served.browser().post("/api/hello", json={"code": link.rpartition("#")[2]})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    "config",
    [
        ServerConfig(address="0.0.0.0"),
        ServerConfig(public_url="https://strata.example.com"),
        ServerConfig(hosts=("strata.example.com",)),
        ServerConfig(read_only=True),
    ],
)
def test_no_link_is_made_where_others_could_come(
    serve: Serve, shown: list[str], config: ServerConfig
) -> None:
    with FirstPage(host_of(serve())) as first:
        assert first.open(config) is None
    assert shown == []


def test_no_link_is_made_where_no_user_sits(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_page, "is_at_terminal", lambda: False)
    with FirstPage(host_of(serve())) as first:
        assert first.open(ServerConfig()) is None


def test_without_sign_ins_the_link_has_no_code(serve: Serve, shown: list[str]) -> None:
    with FirstPage(host_of(serve())) as first:
        assert first.open(ServerConfig(no_auth=True)) == "http://127.0.0.1:7433/"


@pytest.mark.parametrize(
    ("variables", "found"),
    [({}, False), ({"DISPLAY": ":0"}, True), ({"DISPLAY": ":0", "SSH_CONNECTION": "x"}, False)],
)
def test_a_desktop_is_known_by_its_display(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], *, found: bool
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert first_page.has_desktop() is found
