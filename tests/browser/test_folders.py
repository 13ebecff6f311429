"""The journey "organise documents": folders, templates, moving with its audience, trash, Spaces."""

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import Locator, Page, expect

import strata
from strata.documents import NewDocument
from tests.browser.conftest import MakePerson
from tests.browser.people import ANN, READY, SOYEON, VIC, WAIT_MS, Server

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

MANY = 10_000


class Places(NamedTuple):
    """A store with a team: Ann edits, Soyeon manages, Vic reads."""

    server: Server
    team: str
    folder: str
    many: str


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Places]:
    path = tmp_path_factory.mktemp("folders") / "store.db"
    with strata.open(path, auto_embed=False, text_index=False) as db:
        for email, name in ((ANN, "Ann Lee"), (SOYEON, "김소연"), (VIC, "Vic Viewer")):
            db.users.add(email, name)
        team = db.teams.add("디자인팀")
        for email, role in ((ANN, "editor"), (SOYEON, "admin"), (VIC, "viewer")):
            db.teams.set_member(team.id, email, role)
        folder = db.folders.add("브리프 / 초안", team=team.id)
        templates = db.folders.add("틀", team=team.id, templates=True)
        variables = "[고객, {name: 기한, default: 오월}]"
        text = f"---\nvariables: {variables}\n---\n# {{{{고객}}}}\n\n{{{{기한}}}}까지.\n"
        db.documents.create("시작 문서", text, folder=templates.id)
        many = db.folders.add("많은 글", team=team.id)
        for start in range(0, MANY, 1000):
            db.documents.create_many(
                [
                    NewDocument(title=f"글 {number:05}", folder=many.id)
                    for number in range(start, start + 1000)
                ]
            )
    server = Server(path)
    server.start()
    yield Places(server, team.id, folder.id, many.id)
    assert server.stop() == 0


@pytest.fixture
def page(person: MakePerson, places: Places) -> Iterator[Page]:
    """Give a page of Ann's, which complains of nothing."""
    page = person(ANN, places.server).context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    assert complaints == []


def make(places: Places, *titles: str, folder: str | None = None, by: str = ANN) -> list[str]:
    with strata.open(places.server.path, auto_embed=False) as db:
        user = db.as_user(by)
        home = folder or user.folders.add(titles[0]).id
        return [home, *(user.documents.create(title, folder=home).document for title in titles)]


def folder_of(places: Places, document: str) -> str:
    with strata.open(places.server.path, auto_embed=False) as db:
        return db.as_user(ANN).documents.get(document).folder


def row(page: Page, title: str) -> Locator:
    return page.locator(".documents .doc-row", has_text=title)


def menu(page: Page, button: str, item: str) -> None:
    page.get_by_role("button", name=button).click()
    page.get_by_role("menuitem", name=item).click()


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390), (1440, 900)])
def test_a_long_list_covers_nothing(page: Page, places: Places, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{places.server.url}/docs/{places.many}")
    expect(page.locator(".documents a").first).to_be_visible()
    ends = page.evaluate(
        """[".docs-filters", ".docs-filters .choice", ".doc-list"].map(
          (part) => document.querySelector(part).getBoundingClientRect())"""
    )
    *above, rows = ends
    assert max(one["bottom"] for one in above) <= rows["top"]
    assert rows["height"] >= 190


def test_a_folder_is_made_renamed_and_filled_from_a_template(page: Page, places: Places) -> None:
    page.goto(f"{places.server.url}/docs/{places.folder}")
    expect(page.get_by_role("heading", level=1)).to_have_text("브리프 / 초안")
    menu(page, "More actions", "New folder")
    page.keyboard.type("새/폴더 50% & ?#")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("새/폴더 50% & ?#")
    expect(page.locator(".empty")).to_contain_text("This folder is empty")
    address = page.url
    menu(page, "More actions", "Rename the folder")
    page.get_by_label("Name of the folder").fill("가" * 200)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("가" * 200)
    page.reload()
    assert page.url == address
    expect(page.locator(".docs-trail [aria-current]")).to_have_text("가" * 200)
    page.get_by_role("button", name="New document").click()
    page.get_by_label("Title of the document").fill("고객 시작")
    page.get_by_label("Start from").select_option(label="시작 문서")
    page.get_by_role("textbox", name="고객", exact=True).fill("한강")
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("고객 시작")
    editor = page.get_by_role("textbox", name="Text of the document")
    expect(editor).to_contain_text("한강")
    expect(editor).to_be_focused()
    page.keyboard.type("바로 쓴다")
    page.wait_for_function(READY, timeout=WAIT_MS)
    page.goto(address)
    expect(row(page, "고객 시작")).to_be_visible()
    menu(page, "More actions", "Delete the folder")
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page.locator(".notice-error")).to_contain_text("has 1 document.")


def test_a_move_tells_who_gains_and_who_loses_access_and_is_undone(
    page: Page, places: Places
) -> None:
    home, document = make(places, "옮길 글")
    page.goto(f"{places.server.url}/docs/{home}")
    menu(page, "Actions for 옮길 글", "Move…")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Find a folder").fill("브리프")
    dialog.get_by_role("radio", name="브리프 / 초안").check()
    effect = dialog.locator(".move-effect")
    expect(effect.locator(".gains")).to_have_text("Vic Viewer, owner and 김소연 will see it.")
    expect(effect).not_to_contain_text("lose access")
    assert folder_of(places, document) == home
    dialog.get_by_role("button", name="Move", exact=True).click()
    expect(page.locator(".notice")).to_contain_text("1 document moved to “브리프 / 초안”")
    expect(page.locator(".empty")).to_contain_text("This folder is empty")
    assert folder_of(places, document) == places.folder
    page.get_by_role("button", name="Undo").click()
    expect(row(page, "옮길 글")).to_be_visible()
    assert folder_of(places, document) == home
    [_, shared] = make(places, "팀의 글", folder=places.folder)
    page.goto(f"{places.server.url}/docs/{places.folder}")
    menu(page, "Actions for 팀의 글", "Move…")
    page.get_by_role("dialog").get_by_role("radio", name="Personal").check()
    expect(effect.locator(".loses")).to_contain_text("will lose access")
    expect(effect.locator(".loses")).to_contain_text("Vic Viewer")
    assert folder_of(places, shared) == places.folder


def test_documents_are_selected_and_put_into_the_trash_by_keys_and_restored(
    page: Page, places: Places
) -> None:
    titles = [f"키 {number}" for number in range(5)]
    home, *documents = make(places, *titles)
    page.goto(f"{places.server.url}/docs/{home}?sort=title")
    expect(page.locator(".documents .doc-row")).to_have_count(5)
    for key in "jxJJ":
        page.keyboard.press(key)
    bulk = page.get_by_role("toolbar")
    expect(bulk).to_contain_text("3 selected")
    page.keyboard.press("#")
    expect(page.locator(".documents .doc-row")).to_have_count(2)
    expect(page.locator(".notice")).to_contain_text("3 documents moved to the trash")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".documents .doc-row")).to_have_count(5)
    page.get_by_label("Select 키 0").click()
    page.get_by_label("Select 키 3").click(modifiers=["Shift"])
    expect(bulk).to_contain_text("4 selected")
    page.keyboard.press("Delete")
    expect(page.locator(".documents .doc-row")).to_have_count(1)
    page.goto(f"{places.server.url}/trash")
    found = page.locator(".trash-row", has_text="키 2")
    expect(found).to_contain_text("Ann Lee")
    expect(page.get_by_role("button", name="Delete for ever")).to_have_count(0)
    found.get_by_role("button", name="Restore").click()
    expect(page.locator(".notice").last).to_contain_text("Restored to “키 0”")
    assert folder_of(places, documents[2]) == home
    page.goto(f"{places.server.url}/docs/{home}?sort=title")
    expect(page.locator(".documents .doc-row")).to_have_count(2)


def test_the_owner_deletes_for_ever_after_reading_what_goes(
    person: MakePerson, places: Places
) -> None:
    with strata.open(places.server.path, auto_embed=False) as db:
        made = db.documents.create("호두 계획", "호두 한 알").document
        db.documents.trash(made)
    page = person("", places.server).context.new_page()
    page.goto(f"{places.server.url}/trash")
    page.locator(".trash-row", has_text="호두 계획").get_by_role(
        "button", name="Delete for ever"
    ).click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("This erases 1 version")
    erase = dialog.get_by_role("button", name="Delete for ever")
    expect(erase).to_be_disabled()
    dialog.get_by_role("textbox").fill("delete")
    erase.click()
    expect(page.locator(".notice")).to_contain_text("1 document deleted for ever")
    expect(page.locator(".trash-row", has_text="호두 계획")).to_have_count(0)
    assert "호두 한 알".encode() not in places.server.path.read_bytes()


def test_a_viewer_sees_documents_but_nothing_that_writes(
    person: MakePerson, places: Places
) -> None:
    make(places, "읽을 글", folder=places.folder)
    page = person(VIC, places.server).context.new_page()
    page.goto(f"{places.server.url}/docs/{places.folder}")
    expect(row(page, "읽을 글")).to_be_visible()
    expect(page.get_by_role("button", name="New document")).to_have_count(0)
    expect(page.get_by_role("button", name="Actions for")).to_have_count(0)
    expect(page.get_by_role("checkbox")).to_have_count(0)
    page.get_by_role("button", name="More actions").click()
    expect(page.get_by_role("menuitem")).to_have_text(["New Space"])
    page.keyboard.press("Escape")
    for key in ("j", "x", "#", "m"):
        page.keyboard.press(key)
    expect(page.get_by_role("toolbar")).to_have_count(0)
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.goto(f"{places.server.url}/docs/{places.folder}?at=1s+ago")
    expect(page.get_by_role("button", name="More actions")).to_have_count(0)


def test_a_folder_that_is_deleted_meanwhile_is_said_to_be_gone(page: Page, places: Places) -> None:
    with strata.open(places.server.path, auto_embed=False) as db:
        folder = db.folders.add("곧 사라질 폴더", team=places.team)
    page.goto(f"{places.server.url}/docs/{folder.id}")
    expect(page.locator(".empty")).to_contain_text("This folder is empty")
    with strata.open(places.server.path, auto_embed=False) as db:
        db.folders.remove(folder.id)
    expect(page.locator(".empty")).to_contain_text("This place is gone")
    expect(page.locator(".places")).not_to_contain_text("곧 사라질 폴더")


def test_ten_thousand_documents_are_scrolled_sorted_and_searched(
    page: Page, places: Places
) -> None:
    page.goto(f"{places.server.url}/docs/{places.many}?sort=title")
    rows = page.locator(".rows")
    expect(page.locator(".note")).to_have_text("10,000 documents")
    expect(rows).to_contain_text("글 00000")
    assert page.locator(".doc-row").count() < 100
    rows.evaluate("list => { list.scrollTop = list.scrollHeight }")
    expect(rows).to_contain_text("글 09999")
    page.get_by_role("button", name="Title").click()
    expect(rows).to_contain_text("글 09999")
    expect(page.locator(".documents .doc-row").first).to_contain_text("글 09999")
    page.get_by_label("Select all").click()
    expect(page.get_by_role("toolbar")).to_contain_text("200 selected")


def test_a_space_is_made_filled_searched_and_deleted(page: Page, places: Places) -> None:
    home, document = make(places, "모을 글")
    page.goto(f"{places.server.url}/docs/{home}")
    menu(page, "More actions", "New Space")
    page.keyboard.type("읽을거리 / 봄")
    page.get_by_role("textbox", name="What it is for").fill("봄에 읽을 글.\n하나씩.")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("읽을거리 / 봄")
    expect(page.locator(".space-description")).to_have_text("봄에 읽을 글.\n하나씩.")
    menu(page, "More actions", "Edit name and description")
    page.get_by_role("textbox", name="What it is for").fill("For spring")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".space-description")).to_have_text("For spring")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".empty")).to_contain_text("This Space is empty")
    page.goto(f"{places.server.url}/docs/{home}")
    menu(page, "Actions for 모을 글", "Add to a Space")
    page.get_by_role("dialog").get_by_role("button", name="Add", exact=True).click()
    page.locator(".places a", has_text="읽을거리 / 봄").click()
    expect(row(page, "모을 글")).to_be_visible()
    menu(page, "Actions for 모을 글", "Take out")
    expect(page.locator(".empty")).to_contain_text("This Space is empty")
    menu(page, "More actions", "Delete the Space")
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Documents")
    assert folder_of(places, document) == home


def test_documents_are_shared_and_renamed_from_the_list(page: Page, places: Places) -> None:
    home, first, second = make(places, "나눌 글", "나눌 글 둘")
    page.goto(f"{places.server.url}/docs/{home}")
    menu(page, "Actions for 나눌 글 둘", "Rename")
    page.get_by_label("Title of the document").fill("새 이름 🌱")
    page.keyboard.press("Enter")
    expect(row(page, "새 이름 🌱")).to_be_visible()
    page.get_by_label("Select all").click()
    page.get_by_role("toolbar").get_by_role("button", name="Share…").click()
    page.get_by_label("Email of the user").fill(VIC)
    page.get_by_role("dialog").get_by_role("button", name="Share", exact=True).click()
    expect(page.locator(".notice")).to_contain_text(f"2 documents shared with {VIC}")
    with strata.open(places.server.path, auto_embed=False) as db:
        shared = db.as_user(VIC).rights.documents_shared()
        assert {first, second} <= set(shared)
    menu(page, "Actions for 새 이름 🌱", "Share…")
    expect(page.get_by_role("dialog").get_by_label("Email")).to_be_visible()
