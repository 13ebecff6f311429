"""Who may come in, who may write, and what happens to words that the server does not take."""

import re

import pytest
from playwright.sync_api import APIResponse, Browser, Route, expect

import strata
from tests.browser.conftest import MakePerson
from tests.browser.people import (
    ANN,
    SOYEON,
    VIC,
    Person,
    Server,
    new_context,
    settle,
    stored,
)

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def test_whoever_may_only_read_cannot_write(
    ann: Person, vic: Person, server: Server, document: str
) -> None:
    hers, theirs = ann.opens(document), vic.opens(document)
    expect(theirs.page.get_by_text("View only")).to_be_visible()
    editor = theirs.page.get_by_role("textbox", name="Text of the document")
    expect(editor).to_have_attribute("aria-readonly", "true")
    before = stored(server.path, document)
    theirs.goes_to("with care")
    theirs.types("x")
    theirs.page.keyboard.press("Enter")
    theirs.page.keyboard.press("Backspace")
    assert theirs.text() == before
    theirs.selects_words("with care")
    expect(theirs.page.get_by_role("toolbar")).to_have_count(0)
    assert settle(hers, theirs) == stored(server.path, document) == before


def test_a_change_forced_by_a_reader_is_refused_and_told(
    ann: Person, vic: Person, server: Server, document: str
) -> None:
    hers, theirs = ann.opens(document), vic.opens(document)
    before = stored(server.path, document)
    client = theirs.page.evaluate("window.strata.doc.clientID")
    theirs.page.evaluate("window.strata.text.insert(0, '몰래 쓴 말 ')")
    kept = theirs.page.get_by_label("Your text, as it was here")
    expect(kept).to_have_value(re.compile("^몰래 쓴 말 "))
    expect(theirs.page.get_by_role("alert")).to_contain_text("may not")
    theirs.is_saved()
    assert theirs.page.evaluate("window.strata.doc.clientID") != client
    hers.goes_to("with care")
    hers.types(" 그리고")
    text = settle(hers, theirs)
    assert text == stored(server.path, document) == before.replace("care", "care 그리고")
    assert hers.complaints == theirs.complaints == []


def test_a_secret_is_not_kept_and_its_author_is_told(
    ann: Person, soyeon: Person, server: Server, document: str
) -> None:
    hers, his = ann.opens(document), soyeon.opens(document)
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
    hers.goes_to("known yet.")
    hers.pastes(f" token: {secret[:40]}")
    kept = hers.page.get_by_label("Your text, as it was here")
    expect(kept).to_have_value(re.compile("ghp_"))
    text = settle(hers, his)
    assert "ghp_" not in text
    hers.goes_to("known yet.")
    hers.types(" 다시 쓴다")
    assert "다시 쓴다" in settle(hers, his)
    assert settle(hers, his) == stored(server.path, document)


def test_rights_that_change_are_noticed_while_a_page_is_open(
    person: MakePerson, server: Server, document: str
) -> None:
    theirs = person(VIC).opens(document)
    # The page tells what it may do later than it shows the text.
    expect(theirs.page.get_by_text("View only")).to_be_visible()
    share(server, document, VIC, "editor")
    expect(theirs.page.get_by_text("View only")).to_be_hidden()
    theirs.goes_to("with care")
    theirs.types(" 이제 나도")
    assert "이제 나도" in settle(theirs)
    with strata.open(server.path) as db:
        ann = db.as_user(ANN)
        ann.shares.unshare(document, db.users.require(VIC).id)
    expect(theirs.page.get_by_role("heading")).to_have_text(
        re.compile("no longer open|no such document")
    )
    assert "이제 나도" in stored(server.path, document)


def test_a_late_answer_does_not_take_back_a_role_that_the_room_gave(
    vic: Person, server: Server, document: str
) -> None:
    held: list[tuple[Route, APIResponse]] = []
    vic.context.route("**/api/tools/page_about*", lambda route: held.append((route, route.fetch())))
    sheet = vic.opens(document)
    sheet.page.wait_for_function("() => window.strata.room.role === 'viewer'")
    share(server, document, VIC, "editor")
    sheet.page.wait_for_function("() => window.strata.room.role === 'editor'")
    for route, answer in held:
        route.fulfill(response=answer)
    expect(sheet.page.locator("h1.title")).to_have_text("배포 계획")
    expect(sheet.page.get_by_text("View only")).to_be_hidden()
    sheet.goes_to("with care")
    sheet.types(" 나도")
    assert "나도" in settle(sheet)


def test_a_commenter_comments_and_does_not_write(
    person: MakePerson, server: Server, document: str
) -> None:
    share(server, document, VIC, "commenter")
    sheet = person(VIC).opens(document)
    expect(sheet.page.get_by_text("You can comment")).to_be_visible()
    sheet.goes_to("with care")
    sheet.types("x")
    assert "carex" not in sheet.text()
    sheet.selects_words("with care")
    sheet.page.keyboard.press("Control+Alt+m")
    sheet.page.get_by_label("Comment", exact=True).fill("왜요?")
    sheet.page.keyboard.press("Control+Enter")
    sheet.card("왜요?")
    sheet.marks(".cm-comment", "with care")


def test_somebody_signs_in_by_a_code_and_out_again(
    browser: Browser, server: Server, document: str
) -> None:
    with strata.open(server.path) as db:
        code = db.sign_ins.create_code(db.users.require(SOYEON).id).secret
    context = new_context(browser)
    page = context.new_page()
    page.goto(f"{server.url}/d/{document}")
    expect(page.get_by_role("heading")).to_contain_text("Sign in")
    page.get_by_label("Code or token").fill("wrong-code")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_label("Code or token").fill(code)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("배포 계획")
    assert page.url == f"{server.url}/d/{document}"
    page.get_by_role("link", name="Documents").first.click()
    page.get_by_role("button", name="You: 김소연").click()
    page.get_by_role("menuitem", name="Sign out").click()
    expect(page.get_by_role("heading")).to_contain_text("Sign in")
    page.goto(f"{server.url}/docs")
    expect(page).to_have_url(re.compile("/sign-in"))
    context.close()


def test_what_is_not_shared_looks_as_if_it_were_not_there(
    person: MakePerson, server: Server
) -> None:
    with strata.open(server.path) as db:
        hidden = db.as_user(ANN).documents.create("비밀", "# 비밀\n").document
    strange = "doc_00000000000000000000000000"
    ask = person(VIC).context.request
    answers = [ask.get(f"{server.url}/d/{name}") for name in (hidden, strange)]
    assert [answer.status for answer in answers] == [404, 404]
    assert answers[0].text() == answers[1].text()


def share(server: Server, document: str, email: str, role: str) -> None:
    with strata.open(server.path) as db:
        db.as_user(ANN).shares.share(document, email, role)
