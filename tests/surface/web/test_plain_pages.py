"""Pages of the server itself: in the language and the theme of the browser, or of the app."""

import pytest

from strata.base import limits
from tests.surface.web.conftest import Browser, Serve

KOREAN = {"Accept-Language": "ko-KR,ko;q=0.9,en;q=0.5"}


def switched(browser: Browser, **cookies: str) -> Browser:
    for name, value in cookies.items():
        browser.http.cookies.set(name, value)
    return browser


def test_a_korean_browser_is_asked_to_sign_in_in_korean(serve: Serve) -> None:
    served = serve()
    page = served.browser().get("/sign-in?out=1", headers=KOREAN).text
    assert '<html lang="ko" data-theme="system">' in page
    assert "Strata에 로그인" in page
    assert "로그아웃했습니다" in page
    assert "<code>strata user login</code>" in page
    english = served.browser().get("/sign-in", headers={"Accept-Language": "de, fr;q=0.5"}).text
    assert '<html lang="en"' in english
    assert "Sign in to Strata" in english


def test_what_was_chosen_in_the_app_goes_before_the_browsers_own(serve: Serve) -> None:
    served = serve()
    chosen = switched(served.browser(), strata_language="en", strata_theme="dark")
    assert '<html lang="en" data-theme="dark">' in chosen.get("/sign-in", headers=KOREAN).text
    odd = switched(served.browser(), strata_language="<b>", strata_theme='"><script>')
    page = odd.get("/sign-in", headers=KOREAN).text
    assert '<html lang="ko" data-theme="system">' in page
    assert "script" not in page


@pytest.mark.parametrize(("headers", "said"), [(KOREAN, "로그인할 수 없습니다"), ({}, "cannot")])
def test_a_refused_code_is_explained_in_the_language(
    serve: Serve, headers: dict[str, str], said: str
) -> None:
    answer = serve().browser().sign_in("WRONG", headers=headers)
    assert answer.status_code == 403
    assert 'role="alert"' in answer.text
    assert said in answer.text


def test_too_many_attempts_are_told_in_korean(serve: Serve) -> None:
    browser = serve().browser()
    for _attempt in range(limits.SIGN_IN_FAILURES_MAX):
        assert browser.sign_in("WRONG", headers=KOREAN).status_code == 403
    last = browser.sign_in("WRONG", headers=KOREAN)
    assert last.status_code == 429
    assert "초 뒤에 다시 시도하세요" in last.text


def test_a_missing_page_is_told_in_korean(serve: Serve) -> None:
    answer = serve().signed_in().get("/nowhere", headers=KOREAN)
    assert answer.status_code == 404
    assert "찾을 수 없음" in answer.text
    assert "시작 화면으로" in answer.text


def test_a_store_that_cannot_be_read_is_told_on_a_page(serve: Serve) -> None:
    served = serve()
    browser = served.signed_in()
    served.db.close()
    answer = browser.get("/", headers=KOREAN)
    assert answer.status_code >= 500
    assert "처리하지 못했습니다" in answer.text
