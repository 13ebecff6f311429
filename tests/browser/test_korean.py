"""A journey in Korean: the interface, composed Hangul, and what is found and kept by it."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

import strata
from tests.browser.conftest import MakePerson
from tests.browser.people import Server
from tests.browser.test_together import composes

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

HANGUL = ["ㅎ", "하", "한", "한ㄱ", "한그", "한글"]
# Words of the English interface, which a Korean page must not show.
ENGLISH = re.compile(r"\b(Inbox|Documents|Memory|Decisions|Branches|Find|Save|Cancel|Now|Edit)\b")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    path = tmp_path_factory.mktemp("korean") / "store.db"
    with strata.open(path, auto_embed=False) as db:
        db.documents.create("배포 계획", "# 배포 계획\n\n목요일에 배포한다.\n")
        db.facts.remember("배포/요일", "목요일")
        db.decisions.save("배포-요일", "목요일에만 배포한다", "금요일에는 실패했다.")
        db.branches.fork("초안")
    server = Server(path)
    server.start()
    yield server
    assert server.stop() == 0


@pytest.fixture
def korean(store: Server, person: MakePerson) -> Page:
    return person("", store, locale="ko-KR").context.new_page()


def go(page: Page, name: str) -> None:
    page.get_by_role("navigation", name="주 메뉴").get_by_role("link", name=name).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(name)
    assert not ENGLISH.search(page.locator("body").inner_text()), page.locator("body").inner_text()


def test_a_day_in_korean(korean: Page, store: Server) -> None:
    page = korean
    page.goto(store.url)
    assert page.evaluate("document.documentElement.lang") == "ko"
    for name in ("문서", "기억", "결정", "이벤트", "활동", "브랜치", "받은 편지함"):
        go(page, name)
    go(page, "문서")
    page.get_by_role("link", name=re.compile("배포 계획")).first.click()
    page.wait_for_function("() => window.strata?.state === 'saved'")
    page.locator(".cm-line", has_text="목요일에 배포한다").click()
    page.keyboard.press("End")
    composes(page, HANGUL, "한글")
    page.wait_for_function("() => window.strata.state === 'saved'")
    assert page.evaluate("window.strata.text.toString()").endswith("목요일에 배포한다.한글\n")
    expect(page.locator(".state")).to_have_text("저장됨")
    page.keyboard.press("Control+k")
    composes(page, ["ㅂ", "배", "뱊", "배포"], "배포")
    expect(page.locator("dialog")).to_contain_text("배포 계획")
    page.keyboard.press("Escape")


def test_a_fact_is_written_with_an_input_method(korean: Page, store: Server) -> None:
    page = korean
    page.goto(f"{store.url}/memory/default/")
    expect(page.locator(".fact-row")).to_have_count(1)
    page.get_by_role("button", name="새 사실").click()
    page.get_by_role("textbox", name="이름", exact=True).click()
    composes(page, HANGUL, "한글")
    page.get_by_label("값", exact=True).click()
    composes(page, ["ㄱ", "가", "값"], "값")
    page.get_by_role("button", name="만들기").click()
    expect(page.locator("pre.value")).to_have_text("값")
    with strata.open(store.path, auto_embed=False) as db:
        assert db.kv["한글"] == "값"


def test_a_decision_is_judged_in_korean(korean: Page, store: Server) -> None:
    page = korean
    page.goto(f"{store.url}/decisions")
    expect(page.locator(".decision-list")).to_contain_text("목요일에만 배포한다")
    assert not ENGLISH.search(page.locator("main").inner_text())
    page.get_by_role("button", name=re.compile("시간")).first.click()
    page.get_by_role("button", name="어제").click()
    expect(page.locator(".banner.past")).to_contain_text("아무것도 바꿀 수 없습니다")
    page.get_by_role("button", name="지금으로 돌아가기").click()
    expect(page.locator(".banner.past")).to_have_count(0)


def test_the_palette_opens_nothing_that_was_found_for_other_words(
    korean: Page, store: Server
) -> None:
    page = korean
    page.goto(store.url)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.keyboard.press("Control+k")
    page.keyboard.insert_text("배포")
    options = page.locator("dialog").get_by_role("option")
    expect(options.first).to_contain_text("배포")
    # Within the pause after typing: the hits are those for the words before.
    page.keyboard.insert_text(" 말고 다른 것")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/find\?q="))
    expect(page.get_by_role("searchbox")).to_have_value("배포 말고 다른 것")


def test_the_palette_runs_what_the_keys_of_the_screen_do(korean: Page, store: Server) -> None:
    page = korean
    page.goto(f"{store.url}/memory/default/배포/요일")
    expect(page.locator("pre.value")).to_have_text("목요일")
    page.keyboard.press("Control+k")
    # Right behind the shortcut: the first key is not lost.
    page.keyboard.insert_text("편집")
    expect(page.locator("dialog").get_by_role("option").first).to_contain_text("편집")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="저장")).to_be_visible()
    page.goto(store.url)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.keyboard.press("Control+k")
    page.keyboard.insert_text("단축키")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="이 화면의 단축키")).to_be_visible()


def test_what_the_server_refuses_is_said_in_korean(korean: Page, store: Server) -> None:
    page = korean
    page.goto(f"{store.url}/branches")
    for name, told in (("초안", "“초안” 브랜치가 이미 있습니다."), ("-x", "이름은 1~200자로 쓰고")):
        page.get_by_role("button", name="새 브랜치").click()
        page.get_by_label("이름", exact=True).fill(name)
        page.get_by_role("button", name="만들기").click()
        notice = page.locator(".notice-error", has_text=told)
        expect(notice).to_be_visible()
        # Where the Korean sentence says all of it, the one of the server adds nothing.
        expect(notice.locator("[lang=en]")).to_have_count(0)
        page.keyboard.press("Escape")
    page.goto(f"{store.url}/settings/people")
    page.get_by_role("button", name="사용자 추가").click()
    page.get_by_label("이름", exact=True).fill("아무개")
    page.get_by_label("이메일", exact=True).fill("a@b")
    page.get_by_role("dialog").get_by_role("button", name="추가").click()
    notice = page.locator(".notice-error", has_text="이메일: 쓸 수 없는 값입니다.")
    expect(notice.locator("[lang=en]")).to_contain_text("'a@b' is no email.")
    page.goto(f"{store.url}/compare/default...없는-것")
    expect(page.get_by_role("alert")).to_contain_text("“없는-것” 브랜치가 없습니다.")
