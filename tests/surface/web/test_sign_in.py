"""Signing in and out by a browser, and everything that may not let anybody in."""

import json
import re
import subprocess
import sys
from http.cookies import SimpleCookie
from typing import Any

import pytest

from strata.base import limits
from tests.surface.web.conftest import COOKIE, Serve, Served


def test_a_code_signs_a_browser_in_and_leads_on(serve: Serve) -> None:
    served = serve()
    ann = served.db.users.add("ann@example.com", "소연")
    browser = served.browser()
    assert browser.get("/d/doc_1?branch=초안").headers["location"] == (
        "/sign-in?next=%2Fd%2Fdoc_1%3Fbranch%3D%25EC%25B4%2588%25EC%2595%2588"
    )
    page = browser.get("/sign-in?next=/d/doc_1")
    assert page.status_code == 200
    assert 'value="/d/doc_1"' in page.text
    answer = browser.sign_in(served.db.sign_ins.create_code(ann.id).secret, "/d/doc_1")
    assert (answer.status_code, answer.headers["location"]) == (303, "/d/doc_1")
    me = browser.get("/api/me").json()
    assert me["person"] == {"id": ann.id, "name": "소연", "email": "ann@example.com"}
    assert browser.get("/sign-in?next=/d/doc_1").headers["location"] == "/d/doc_1"
    (listed,) = served.db.sign_ins.list()
    assert me["browser"] == listed.id


def test_the_cookie_is_out_of_reach_of_scripts_and_of_other_sites(serve: Serve) -> None:
    served = serve()
    answer = served.browser().sign_in(served.db.sign_ins.create_code().secret)
    (cookie,) = SimpleCookie(answer.headers["set-cookie"]).values()
    assert cookie.key == COOKIE
    assert re.fullmatch(r"[\w-]{43}", cookie.value)
    assert cookie["httponly"]
    assert (cookie["path"], cookie["samesite"], cookie["domain"]) == ("/", "lax", "")
    assert not cookie["secure"]
    assert cookie.value not in answer.text


def test_behind_https_the_cookie_is_for_https_only(serve: Serve) -> None:
    served = serve(public_url="https://strata.example.com")
    code = served.db.sign_ins.create_code().secret
    origin = "https://strata.example.com"
    answer = served.browser().sign_in(code, origin=origin, headers={"Host": "strata.example.com"})
    assert answer.status_code == 303
    assert "; Secure" in answer.headers["set-cookie"]


def test_a_token_for_all_groups_signs_in_and_calls_tools(serve: Serve) -> None:
    served = serve()
    ann = served.db.users.add("ann@example.com", "소연")
    token = served.db.tokens.create("all", user=ann.id, groups=["all"]).secret
    browser = served.browser()
    assert browser.sign_in(token).status_code == 303
    assert browser.get("/api/me").json()["person"]["id"] == ann.id
    assert browser.call("find", intent="list").status_code == 200
    stranger = served.browser()
    bearer = {"Authorization": f"Bearer {token}"}
    assert stranger.get("/api/me", headers=bearer).json()["person"]["id"] == ann.id


def test_a_token_signs_in_and_its_end_signs_out(serve: Serve) -> None:
    served = serve()
    ann = served.db.users.add("ann@example.com", "소연")
    token = served.db.tokens.create("laptop", user=ann.id, suggest_only=True)
    browser = served.browser()
    assert browser.sign_in(token.secret).status_code == 303
    me = browser.get("/api/me").json()
    assert (me["person"]["id"], me["suggestOnly"], me["readOnly"]) == (ann.id, True, False)
    served.db.tokens.revoke("laptop")
    assert browser.get("/api/me").status_code == 401
    assert browser.call("find", intent="list").status_code == 401
    assert browser.get("/").headers["location"] == "/sign-in"


def test_whoever_is_removed_or_signed_out_elsewhere_is_out_at_once(serve: Serve) -> None:
    served = serve()
    ann = served.db.users.add("ann@example.com")
    first, second = served.signed_in(ann.id), served.signed_in(ann.id)
    served.db.sign_ins.close(first.secret)
    assert first.get("/api/me").status_code == 401
    assert second.get("/api/me").status_code == 200
    served.db.users.remove(ann.id)
    assert second.get("/api/me").status_code == 401


def test_signing_out_forgets_the_browser(serve: Serve) -> None:
    served = serve()
    browser = served.signed_in()
    secret = browser.secret
    answer = browser.post("/sign-out")
    assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in?out=1")
    assert COOKIE not in browser.http.cookies
    assert "signed out" in browser.get("/sign-in?out=1").text
    browser.http.cookies.set(COOKIE, secret)
    assert browser.get("/api/me").status_code == 401
    assert served.db.sign_ins.list() == []


def test_signing_out_takes_a_post(serve: Serve) -> None:
    browser = serve().signed_in()
    assert browser.get("/sign-out").status_code in (404, 405)
    assert browser.get("/api/me").status_code == 200


def test_what_is_used_wrong_or_foreign_lets_nobody_in(serve: Serve) -> None:
    served = serve()
    used = served.db.sign_ins.create_code().secret
    served.db.sign_ins.open(used)
    gone = served.db.tokens.create("gone").secret
    served.db.tokens.revoke("gone")
    answers = [
        served.browser().sign_in(text)
        for text in (used, "ABCDE-FGHJK", "", gone, "strata_" + "0" * 12 + "_" + "x" * 43, "가나다")
    ]
    assert {answer.status_code for answer in answers} == {403}
    assert {re.sub(r"<input.*?>", "", answer.text, flags=re.DOTALL) for answer in answers} == {
        re.sub(r"<input.*?>", "", answers[0].text, flags=re.DOTALL)
    }
    assert 'role="alert"' in answers[0].text
    assert "strata user login" in answers[0].text
    assert all("set-cookie" not in answer.headers for answer in answers)


@pytest.mark.parametrize("cookie", ["", "x", "x" * 43, "가", "\x01", "a; strata_session=b", '"'])
def test_a_forged_cookie_is_nobody(serve: Serve, cookie: str) -> None:
    served = serve()
    served.signed_in()
    value = f"{COOKIE}={cookie}".encode()
    answer = served.browser().get("/api/me", headers={"Cookie": value})
    assert answer.status_code in (400, 401)


def test_a_code_is_never_taken_from_an_address(serve: Serve) -> None:
    served = serve()
    code, token = served.db.sign_ins.create_code().secret, served.db.tokens.create("t").secret
    for text in (code, token):
        for name in ("code", "token", "access_token", COOKIE):
            browser = served.browser()
            assert "set-cookie" not in browser.get(f"/sign-in?{name}={text}").headers
            assert browser.get(f"/api/me?{name}={text}").status_code == 401
            assert browser.post(f"/sign-in?{name}={text}", data={}).status_code == 403


def test_too_many_failures_have_to_wait_and_lock_nobody_out(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "SIGN_IN_FAILURES_MAX", 3)
    served = serve()
    code = served.db.sign_ins.create_code().secret
    assert [served.browser().sign_in("wrong").status_code for _ in range(4)] == [403, 403, 403, 429]
    answer = served.browser().sign_in("wrong again")
    assert answer.status_code == 429
    assert 0 < int(answer.headers["retry-after"]) <= 60
    assert "Try again in" in answer.text
    # Behind a proxy all have one address: who has a good code does not wait for others.
    assert served.browser().sign_in(code).status_code == 303


def test_signing_in_again_ends_the_secret_of_before(serve: Serve) -> None:
    served = serve()
    browser = served.browser()
    codes = [served.db.sign_ins.create_code().secret for _ in range(2)]
    browser.sign_in(codes[0])
    before = browser.secret
    assert browser.sign_in(codes[1]).status_code == 303
    assert browser.secret != before
    assert served.db.sign_ins.check(before) is None
    assert browser.get("/api/me").status_code == 200


def test_the_form_takes_no_more_than_a_form(serve: Serve) -> None:
    served = serve()
    code = served.db.sign_ins.create_code().secret
    browser = served.browser()
    assert browser.sign_in("x" * 9_000).status_code == 413
    as_json = browser.post("/sign-in", json={"code": code})
    assert as_json.status_code == 403
    many = "&".join(f"a{number}=1" for number in range(50))
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = browser.post("/sign-in", content=f"code={code}&{many}", headers=headers)
    assert answer.status_code == 403
    assert browser.sign_in(code).status_code == 303


@pytest.mark.parametrize(
    "goal",
    [
        "https://evil.example/",
        "//evil.example",
        "///evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "/\t/evil.example",
        "/%09/evil.example\n",
        "javascript:alert(1)",
        "http:evil.example",
        "evil.example",
        "/d/x\r\nSet-Cookie: a=b",
        "/sign-out",
        "/sign-in",
        " //evil.example",
        "/" + "x" * 3_000,
        "http://[",
        "",
    ],
)
def test_nobody_is_led_elsewhere(serve: Serve, goal: str) -> None:
    served = serve()
    answer = served.browser().sign_in(served.db.sign_ins.create_code().secret, goal)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    browser = served.signed_in()
    assert browser.get("/sign-in", params={"next": goal}).headers["location"] == "/"


def test_what_somebody_typed_is_not_part_of_the_page(serve: Serve) -> None:
    served = serve()
    goal = '/d/"><script>alert(1)</script>'
    for text in (
        served.browser().get("/sign-in", params={"next": goal}).text,
        served.browser().sign_in("<b>wrong</b>", goal).text,
    ):
        assert "<script" not in text
        assert "<b>" not in text


def test_without_tokens_everybody_here_is_the_owner(serve: Serve) -> None:
    served = serve(no_auth=True)
    browser = served.browser()
    me = browser.get("/api/me").json()
    assert (me["isOwner"], me["noAuth"], me["browser"]) == (True, True, None)
    assert browser.get("/sign-in?next=/d/x").headers["location"] == "/d/x"


def test_a_server_that_only_reads_says_why_nobody_can_sign_in(serve: Serve) -> None:
    writer, reader = serve(), serve(read_only=True)
    code = writer.db.sign_ins.create_code().secret
    answer = reader.browser().sign_in(code)
    assert answer.status_code == 403
    assert "only reads its store" in answer.text
    # Whoever signed in where something may be written is known here too.
    browser = writer.signed_in()
    elsewhere = reader.browser()
    elsewhere.http.cookies.set(COOKIE, browser.secret)
    me = elsewhere.get("/api/me").json()
    assert me["readOnly"]
    assert "edit_document" not in me["tools"]
    assert elsewhere.call("edit_document", action="create", title="x").status_code == 403


def test_a_browser_is_listed_by_what_its_owner_knows_it_as(serve: Serve) -> None:
    served = serve()
    agents = {
        "Firefox on Linux": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0",
        "Chrome on macOS": "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 "
        "(KHTML, like Gecko) Chrome/140.0 Safari/537.36",
        "Safari on iPhone": "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Safari/604.1",
        "curl/8": "curl/8",
    }
    for agent in agents.values():
        code = served.db.sign_ins.create_code().secret
        served.browser().sign_in(code, headers={"User-Agent": agent})
    assert {one.label for one in served.db.sign_ins.list()} == set(agents)


def test_the_sign_in_page_needs_no_script_and_names_its_field(serve: Serve) -> None:
    page = serve().browser().get("/sign-in")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "<script" not in page.text
    assert '<label for="code">' in page.text
    assert 'lang="en"' in page.text
    style = serve().browser().get("/sign-in/plain.css")
    assert style.headers["content-type"].startswith("text/css")
    assert "light-dark(" in style.text
    assert "Noto Sans KR" in style.text


def test_a_bearer_without_a_user_is_nobody_and_one_of_a_user_is_them(serve: Serve) -> None:
    served = serve()
    ann = served.db.users.add("ann@example.com")
    token = served.db.tokens.create("t", user=ann.id).secret
    browser = served.browser()
    me = browser.get("/api/me", headers={"Authorization": f"Bearer {token}"}).json()
    assert (me["person"]["id"], me["browser"]) == (ann.id, None)
    assert browser.get("/api/me", headers={"Authorization": "Bearer x"}).status_code == 401


@pytest.mark.slow
def test_the_commands_show_codes_list_browsers_and_sign_people_out(serve: Serve) -> None:
    served = serve()
    ann = served.db.users.add("ann@example.com", "소연")
    shown = run(served, "user", "login", "ann@example.com")
    assert (shown["user"], shown["url"]) == (ann.id, f"{served.base}/sign-in")
    browser = served.browser()
    assert browser.sign_in(shown["code"]).status_code == 303
    (listed,) = run(served, "user", "browsers")["browsers"]
    assert (listed["user"], listed["email"]) == (ann.id, "ann@example.com")
    assert browser.secret not in str(listed)
    assert run(served, "user", "logout", "ann@example.com") == {"user": ann.id, "browsers": 1}
    assert browser.get("/api/me").status_code == 401
    assert run(served, "user", "browsers") == {"browsers": []}


def run(served: Served, *words: str) -> dict[str, Any]:
    """Run a command on the store that a server is for."""
    path = str(served.db.info().path)
    done = subprocess.run(
        [sys.executable, "-m", "strata", *words, "--json", "--db", path],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return json.loads(done.stdout)
