"""Settings: clients, backups, people, tokens, teams, and the first steps."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import strata
from tests.browser.conftest import MakePerson
from tests.browser.people import ANN, Agent, Server, new_context

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    path = tmp_path_factory.mktemp("settings") / "가게.db"
    with strata.open(path, auto_embed=False) as db:
        ann = db.users.add(ANN, "Ann Lee")
        db.as_user(ann.id).documents.create("Ann's notes", "Mine.\n")
        db.kv.put("k", "값")
    server = Server(path)
    server.start()
    yield server
    assert server.stop() == 0


@pytest.fixture
def goes(page: Page, store: Server) -> Callable[[str], Page]:
    """Go to a part of the settings as the owner."""

    def go(part: str) -> Page:
        page.goto(f"{store.url}/settings/{part}")
        return page

    return go


def test_a_copied_client_calls_and_the_page_says_so(
    goes: Callable[[str], Page], store: Server
) -> None:
    page = goes("clients?client=codex")
    page.get_by_role("button", name="Make a token and show what to copy").click()
    text = page.locator(".copyable pre").first.inner_text()
    assert f'url = "{store.url}/mcp"' in text
    found = re.search(r"Bearer (strata_\S+)\"", text)
    assert found is not None
    expect(page.get_by_text("Waiting for the first call…")).to_be_visible()
    Agent(store, found[1], groups="memory").call("strata_store", key="greeting", value="hello")
    expect(page.get_by_text(re.compile("It called: Codex, .* ago"))).to_be_visible()
    page.get_by_role("button", name="Claude Code").click()
    page.get_by_role("button", name="Make a token and show what to copy").click()
    expect(page.locator(".copyable pre").first).to_contain_text("claude mcp add --transport http")
    page.get_by_label("Where the store is").select_option("local")
    expect(page.locator(".copyable pre").first).to_contain_text("setup claude-code --scope user")
    expect(page.locator(".copyable pre").last).to_contain_text(store.path.name)


def test_a_backup_is_made_listed_downloaded_and_verifies(
    goes: Callable[[str], Page], store: Server, tmp_path: Path
) -> None:
    page = goes("backups")
    expect(page.get_by_role("heading", name="No backups yet")).to_be_visible()
    page.get_by_role("button", name="Make a backup").click()
    row = page.get_by_role("list", name="Backups").get_by_role("listitem")
    expect(row).to_have_count(1)
    expect(page.get_by_text("The backup was made and verified.")).to_be_visible()
    with page.expect_download() as waiting:
        row.get_by_role("link", name=re.compile("Download")).click()
    copy = tmp_path / "copy.strata"
    waiting.value.save_as(copy)
    with strata.open(copy, read_only=True, auto_embed=False) as db:
        assert db.verify().ok
        assert db.kv["k"] == "값"
    row.get_by_role("button", name="How to restore").click()
    expect(page.get_by_role("dialog")).to_contain_text("strata restore")


def test_a_person_is_added_and_signs_in_with_the_shown_code(
    goes: Callable[[str], Page], store: Server, browser: Browser
) -> None:
    page = goes("people")
    page.get_by_role("button", name="Add a person").click()
    page.get_by_label("Email").fill("new@example.com")
    page.get_by_label("Name").fill("새 사람")
    page.get_by_role("button", name="Add", exact=True).click()
    dialog = page.get_by_role("dialog", name="Let 새 사람 sign in")
    address, code = (dialog.locator("pre").nth(one).inner_text() for one in (0, 1))
    other = new_context(browser)
    theirs = other.new_page()
    theirs.goto(address)
    theirs.locator("input[name=code]").fill(code)
    theirs.keyboard.press("Enter")
    expect(theirs.get_by_role("heading", name="Inbox")).to_be_visible()
    theirs.goto(f"{store.url}/settings")
    expect(theirs.locator(".settings-list a")).to_have_text(["You", "Tokens", "Clients"])
    theirs.goto(f"{store.url}/settings/people")
    expect(theirs.get_by_text("There is no such part, or it is not yours")).to_be_visible()
    # Signed out everywhere by the owner, their page notices by itself.
    dialog.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Actions for 새 사람").click()
    page.get_by_role("menuitem", name="Sign out everywhere").click()
    expect(theirs).to_have_url(re.compile("/sign-in"))
    other.close()


def test_removing_a_person_asks_who_gets_their_documents(
    goes: Callable[[str], Page], store: Server
) -> None:
    page = goes("people")
    page.get_by_role("button", name="Actions for Ann Lee").click()
    page.get_by_role("menuitem", name="Remove").click()
    dialog = page.get_by_role("dialog", name="Remove Ann Lee?")
    expect(dialog).to_contain_text("1 document")
    dialog.get_by_role("button", name="Remove").click()
    expect(page.get_by_text("Ann Lee was removed.")).to_be_visible()
    expect(page.get_by_role("button", name="Actions for Ann Lee")).to_have_count(0)
    with strata.open(store.path, auto_embed=False) as db:
        assert db.users.belongings("owner").documents == 1


def test_a_token_is_made_revoked_and_then_refused(
    goes: Callable[[str], Page], store: Server, browser: Browser
) -> None:
    page = goes("tokens")
    page.get_by_role("button", name="New token").click()
    dialog = page.get_by_role("dialog", name="New token")
    dialog.get_by_label("Label").fill("노트북")
    dialog.get_by_label("core").check()
    dialog.get_by_role("button", name="Make the token").click()
    shown = page.get_by_role("dialog", name="The token 노트북")
    secret = shown.locator("pre").inner_text()
    shown.get_by_role("button", name="Close").click()
    expect(page.get_by_text(secret)).to_have_count(0)
    headers = {"Authorization": f"Bearer {secret}"}
    context = new_context(browser)
    assert context.request.get(f"{store.url}/api/me", headers=headers).status == 200
    row = page.get_by_role("list", name="Tokens").get_by_role("listitem").filter(has_text="노트북")
    row.get_by_role("button", name="Revoke").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(page.get_by_text("노트북 was revoked.")).to_be_visible()
    expect(row).to_have_count(0)
    assert context.request.get(f"{store.url}/api/me", headers=headers).status == 401
    context.close()


def test_teams_have_members_with_roles(goes: Callable[[str], Page], store: Server) -> None:
    with strata.open(store.path, auto_embed=False) as db:
        soyeon = db.users.add("soyeon@example.com", "김소연").id
    page = goes("teams")
    page.get_by_role("button", name="New team").click()
    page.get_by_label("Name").fill("디자인")
    page.get_by_role("button", name="Add", exact=True).click()
    team = page.get_by_role("region", name="디자인")
    team.get_by_role("button", name="Actions for 디자인").click()
    page.get_by_role("menuitem", name="Add a member").click()
    page.get_by_label("Person").select_option(soyeon)
    page.get_by_role("dialog").get_by_role("button", name="Add", exact=True).click()
    role = team.get_by_label("Role of 김소연 in 디자인")
    expect(role).to_have_value("editor")
    with page.expect_response(re.compile("page_set_member")) as saved:
        role.select_option("admin")
    assert saved.value.ok
    with strata.open(store.path, auto_embed=False) as db:
        assert [one.role for one in db.teams.members("디자인")] == ["admin"]
    team.get_by_role("button", name="Remove 김소연 from 디자인").click()
    expect(team.get_by_text("No members of its own.")).to_be_visible()
    team.get_by_role("button", name="Actions for 디자인").click()
    page.get_by_role("menuitem", name="Remove").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(team).to_have_count(0)


def test_a_verification_ends_with_a_result(goes: Callable[[str], Page]) -> None:
    page = goes("health")
    expect(page.get_by_text("Not verified since this server was started.")).to_be_visible()
    page.get_by_role("button", name="Verify now").click()
    expect(page.get_by_text("Everything is as it was written")).to_be_visible()
    page.reload()
    expect(page.get_by_text("Everything is as it was written")).to_be_visible()


def test_a_text_with_a_secret_is_recognised_and_not_kept(goes: Callable[[str], Page]) -> None:
    page = goes("secrets")
    page.get_by_role("textbox", name="Text").fill("token ghp_" + "a1B2" * 9)
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_text("1 secret found. It would be refused.")).to_be_visible()
    expect(page.get_by_text("github_token, line 1")).to_be_visible()


def test_statistics_have_charts_and_tables_with_the_same_numbers(
    goes: Callable[[str], Page], store: Server
) -> None:
    page = goes("statistics")
    expect(page.locator(".u-wrap canvas")).to_have_count(2)
    page.get_by_text("The same as a table").last.click()
    with strata.open(store.path, auto_embed=False) as db:
        facts = db.kv.count()
    last = page.get_by_role("region", name="How much there is").get_by_role("row").last
    expect(last.get_by_role("cell").first).to_have_text(str(facts))


def test_the_audit_log_is_filtered_by_what_was_done(
    goes: Callable[[str], Page], store: Server
) -> None:
    with strata.open(store.path, auto_embed=False) as db:
        db.users.add("audited@example.com", "Audited")
    page = goes("audit")
    page.get_by_label("What").select_option("user")
    expect(page).to_have_url(re.compile("action=user"))
    rows = page.get_by_role("list", name="Entries").get_by_role("listitem")
    expect(rows.first).to_contain_text("Audited")
    expect(rows.filter(has_text="signed a browser in")).to_have_count(0)


def test_the_past_offers_no_changes(goes: Callable[[str], Page]) -> None:
    page = goes("people?at=1+second+ago")
    expect(page.get_by_role("list", name="People")).to_be_visible()
    expect(page.get_by_role("button", name="Add a person")).to_have_count(0)
    expect(page.get_by_role("button", name=re.compile("Actions for"))).to_have_count(0)


def test_the_first_steps_go_away_one_by_one(tmp_path: Path, person: MakePerson) -> None:
    path = tmp_path / "new.db"
    with strata.open(path, auto_embed=False) as db:
        db.kv.put("mine", 1)
    server = Server(path)
    server.start()
    try:
        page = person("", server).context.new_page()
        page.goto(f"{server.url}/")
        cards = page.locator(".welcome-card")
        expect(cards).to_have_count(3)
        page.get_by_label("What others and the history call you").fill("소연")
        page.get_by_role("button", name="Save").click()
        expect(cards).to_have_count(2)
        expect(page.get_by_role("button", name="소연")).to_be_visible()
        page.get_by_role("button", name="Make the example").click()
        expect(page).to_have_url(re.compile("branch=example"))
        expect(page.get_by_role("list", name="What waits for you")).to_be_visible()
        page.get_by_role("button", name="Delete the example").click()
        expect(page.get_by_text("The example was deleted.")).to_be_visible()
        expect(page).not_to_have_url(re.compile("branch="))
        with strata.open(path, auto_embed=False) as db:
            assert not db.branches.exists("example")
            assert db.kv["mine"] == 1
        page.get_by_role("button", name="Dismiss: Try the example").click()
        expect(cards).to_have_count(1)
        page.get_by_role("link", name="Choose a client").click()
        expect(page.get_by_role("heading", name="Clients")).to_be_visible()
        # Dismissed for the user, not for one browser.
        again = person("", server).context.new_page()
        again.goto(f"{server.url}/")
        expect(again.locator(".welcome-card")).to_have_count(1)
        again.get_by_role("button", name="Dismiss: Connect a client").click()
        expect(again.locator(".welcome-card")).to_have_count(0)
    finally:
        assert server.stop() == 0
