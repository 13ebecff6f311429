"""Sharing: the dialog says who sees a document, and links let others in until they end."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

import strata
from tests.browser.conftest import MakePerson
from tests.browser.people import ANN, SOYEON, VIC, Person, Server, Sheet, new_context

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
MINA = "mina@example.com"


@pytest.fixture
def mina(server: Server, person: MakePerson) -> Person:
    """Somebody whom nobody has shared the document with."""
    with strata.open(server.path) as db:
        if db.users.get(MINA) is None:
            db.users.add(MINA, "Mina Park")
    return person(MINA)


def shares(sheet: Sheet) -> Page:
    """Open the dialog."""
    sheet.page.get_by_role("button", name="Share").click()
    expect(sheet.page.get_by_role("dialog")).to_contain_text("this document now")
    return sheet.page


def test_the_dialog_says_who_sees_the_document_and_changes_it(
    ann: Person, person: MakePerson, server: Server, document: str
) -> None:
    theirs = person(VIC).opens(document)
    page = shares(ann.opens(document))
    readers = page.get_by_label("Who sees it now")
    expect(readers).to_contain_text("3 people see this document now.")
    expect(readers).to_contain_text("Ann Lee (you)")
    expect(readers).to_contain_text("by the folder “Personal”")
    page.get_by_label("What Vic Viewer may do").select_option("edit")
    expect(theirs.page.get_by_text("View only")).to_be_hidden()
    page.get_by_label("Email address").fill("new@example.com")
    page.keyboard.press("Enter")
    expect(readers).to_contain_text("invited, not here yet")
    page.get_by_role("button", name="Remove new@example.com").click()
    expect(readers).not_to_contain_text("new@example.com")
    page.get_by_role("button", name="Remove Vic Viewer").click()
    expect(readers).to_contain_text("2 people see")
    expect(theirs.page.get_by_role("heading")).to_have_text(re.compile("no longer open|no such"))


def test_an_open_link_lets_users_in_until_it_is_switched_off(
    ann: Person, mina: Person, document: str
) -> None:
    page = shares(ann.opens(document))
    page.get_by_label("With the link, others").select_option("may comment")
    address = page.get_by_label("The link, which is shown only once").input_value()
    assert "/join#" in address
    hers = mina.context.new_page()
    sheet = Sheet(hers)
    hers.goto(address)
    expect(hers.get_by_role("heading")).to_have_text(
        "Ann Lee invites you to comment on “배포 계획”."
    )
    assert hers.url.endswith("/join")
    hers.get_by_role("button", name="Join").click()
    expect(hers.get_by_text("You can comment")).to_be_visible()
    assert document in hers.url
    page.get_by_role("button", name="Close").click()
    shares(Sheet(page))
    expect(page.get_by_label("Who sees it now")).to_contain_text("by the open link")
    page.get_by_label("With the link, others").select_option("see nothing")
    expect(hers.get_by_role("heading")).to_have_text(re.compile("no longer open|no such"))
    hers.goto(address)
    expect(hers.get_by_role("heading")).to_have_text("This link does not work.")
    assert [one for one in sheet.complaints if "404" not in one] == []


def test_a_link_for_users_asks_to_sign_in_first(
    browser: Browser, server: Server, document: str, mina: Person
) -> None:
    with strata.open(server.path) as db:
        path = db.as_user(ANN).share_links.open(document).path
        code = db.sign_ins.create_code(mina.id).secret
    context = new_context(browser)
    page = context.new_page()
    page.goto(f"{server.url}{path}")
    expect(page.get_by_role("heading")).to_have_text("Sign in to see what this link offers.")
    page.get_by_role("button", name="Sign in").click()
    page.locator("[name=code]").fill(code)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading")).to_have_text(re.compile("Ann Lee invites you to read"))
    expect(page.get_by_text("You join as Mina Park.")).to_be_visible()
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_text("View only")).to_be_visible()
    context.close()


def test_a_new_person_joins_by_a_link_of_the_owner_and_writes(
    browser: Browser, server: Server, person: MakePerson
) -> None:
    with strata.open(server.path) as db:
        document = db.documents.create("함께 쓰는 글", "Hello.\n").document
    page = shares(person("").opens(document))
    page.get_by_role("checkbox", name="New people too").check()
    page.get_by_role("button", name="Make a link").click()
    address = page.get_by_label("The link, which is shown only once").input_value()
    context = new_context(browser)
    theirs = Sheet(context.new_page())
    theirs.page.goto(address)
    theirs.page.get_by_label("Your name").fill("새 사람")
    theirs.page.keyboard.press("Enter")
    theirs.page.wait_for_function("() => window.strata?.state === 'saved'")
    theirs.goes_to("Hello.")
    theirs.types(" 안녕하세요.")
    theirs.page.wait_for_function("() => window.strata.state === 'saved'")
    with strata.open(server.path) as db:
        assert db.documents.text(document) == "Hello. 안녕하세요.\n"
    page.get_by_role("button", name="Close").click()
    shares(Sheet(page))
    expect(page.get_by_label("Who sees it now")).to_contain_text("새 사람")
    expect(page.get_by_label("Invite by a link")).to_contain_text("1 of 1 used")
    page.get_by_role("button", name="Take back the link").click()
    expect(page.get_by_label("Invite by a link")).not_to_contain_text("1 of 1 used")
    expect(page.get_by_label("Who sees it now")).to_contain_text("새 사람")
    assert theirs.complaints == []
    context.close()


def test_a_reader_sees_who_sees_it_and_changes_nothing(vic: Person, document: str) -> None:
    sheet = vic.opens(document)
    sheet.chooses("Who sees this")
    dialog = sheet.page.get_by_role("dialog")
    expect(dialog).to_contain_text("김소연")
    expect(dialog).not_to_contain_text(SOYEON)
    expect(dialog.get_by_role("button")).to_have_count(1)
    expect(dialog.get_by_role("combobox")).to_have_count(0)
    sheet.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_a_name_with_a_space_is_completed_and_reaches_the_inbox(
    soyeon: Person, vic: Person, document: str
) -> None:
    sheet = soyeon.opens(document)
    sheet.selects_words("with care")
    sheet.page.keyboard.press("Control+Alt+m")
    box = sheet.page.get_by_label("Comment", exact=True)
    box.press_sequentially("@vic v")
    expect(sheet.page.get_by_role("option", name="Vic Viewer")).to_be_visible()
    sheet.page.keyboard.press("Enter")
    box.press_sequentially("보셨나요?")
    sheet.page.keyboard.press("Control+Enter")
    sheet.card("@Vic Viewer 보셨나요?")
    inbox = vic.context.new_page()
    inbox.goto(f"{vic.server.url}/")
    expect(inbox.locator("main")).to_contain_text("@Vic Viewer 보셨나요?")
