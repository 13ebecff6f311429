"""What is written elsewhere appears in open pages: by tools, by commands, by other servers."""

import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import strata
from strata.access import Cap
from strata.documents.text import Replica
from strata.tools import Session, StoreHost, call_tool, expose, registry
from tests.databases import place_of
from tests.surface.live.conftest import TEXT, Office, Running
from tests.surface.live.pages import Page, together


def tool(office: Office, name: str, **arguments: Any) -> dict[str, Any]:
    session = Session(
        StoreHost(lambda: office.db, auto_embed=False), caller="owner", exposure=expose("core")
    )
    session.client = "codex"
    found = registry().find(name)
    assert found is not None
    outcome = call_tool(session, found, arguments)
    assert not outcome.is_error, outcome.value
    return outcome.value


def test_an_edit_of_a_tool_appears_by_itself(office: Office) -> None:
    page = office.page()
    tool(
        office,
        "edit_document",
        action="edit",
        documentId=office.document,
        oldString="세계",
        newString="온 세계",
    )
    page.until_text(TEXT.replace("세계", "온 세계"))


def test_an_edit_of_another_process_appears(office: Office, tmp_path: Path) -> None:
    page = office.page()
    code = (
        "import strata, sys\n"
        "with strata.open(sys.argv[1], auto_embed=False) as db:\n"
        "    db.documents.edit(sys.argv[2], '안녕', '반갑다')\n"
    )
    subprocess.run(
        [sys.executable, "-c", code, place_of(tmp_path / "live.db"), office.document], check=True
    )
    page.until_text(TEXT.replace("안녕", "반갑다"))


def test_typing_and_tools_do_not_lose_anything_of_each_other(office: Office) -> None:
    page, other = office.page(), office.page()
    for number in range(20):
        page.type(f"{number} ")
        office.db.documents.edit(office.document, "세계", f"({number}) 세계")
    page.until_saved()
    text = office.text
    assert all(f"({number})" in text and f"{number} " in text for number in range(20))
    page.until_text(text)
    other.until_text(text)


def test_two_servers_of_one_store_keep_in_step(office: Office, tmp_path: Path) -> None:
    host = StoreHost(
        lambda: strata.open(tmp_path / "live.db", durability="standard", auto_embed=False)
    )
    second = Running(host)
    try:
        here, there = office.page(), office.page(server=second)

        def write(page: Page) -> None:
            for number in range(30):
                page.type(f"<{'here' if page is here else 'there'} {number}>")
                page.quiet(0.01)
            page.until_saved()

        together([here, there], write)
        text = office.text
        here.until_text(text)
        there.until_text(text)
        for side in ("here", "there"):
            assert all(text.count(f"<{side} {number}>") == 1 for number in range(30))
        there.close()
    finally:
        second.stop()
        host.close()


def test_a_new_title_a_suggestion_and_a_comment_are_told(office: Office) -> None:
    page = office.page()
    office.db.documents.rename(office.document, "새 계획")
    assert page.until_told("changed")["what"] == ["title"]
    proposing = office.db.as_user("owner@localhost", cap=Cap(suggest_only=True))
    proposing.documents.edit(office.document, "안녕", "여보세요")
    assert page.until_told("changed", 2)["what"] == ["suggestions"]
    office.db.review.comment(office.document, "정말?", quote="안녕")
    assert page.until_told("changed", 3)["what"] == ["comments"]
    assert page.replica.text == TEXT


def test_whose_text_it_is_can_be_told_by_ids(office: Office) -> None:
    office.share("소연", "editor")
    office.db.as_user("소연@example.com").as_actor("codex").documents.edit(
        office.document, "안녕", "반갑다"
    )
    page = office.page()
    page.until_told("authors")
    told = {
        (one["name"], one["via"])
        for notice in page.told("authors")
        for one in notice["clients"].values()
    }
    assert told == {("owner", None), ("소연".title(), "codex")}
    other = office.page("소연")
    other.type("새 ")
    mine = str(other.replica.client)
    page.until(lambda: any(mine in one["clients"] for one in page.told("authors")))
    assert page.told("authors")[-1]["clients"][mine]["person"] == office.user("소연")


def test_a_branch_is_a_room_of_its_own(office: Office) -> None:
    office.db.branches.fork("try")
    here, there = office.page(), office.page(branch="try")
    assert there.told("welcome")[0]["branch"] == "try"
    there.type("가지 ")
    here.type("줄기 ")
    there.until_saved()
    here.until_saved()
    here.quiet()
    assert office.text == here.replica.text == f"줄기 {TEXT}"
    assert office.db.on("try").documents.text(office.document) == f"가지 {TEXT}"


def test_a_document_that_is_removed_ends_its_sockets(office: Office) -> None:
    made = office.db.documents.create("잠깐", "곧 없다").document
    page = office.page("owner", made)
    office.db.undo()
    assert page.until_closed(5) == 4404


def test_a_document_that_is_erased_ends_its_sockets(office: Office) -> None:
    page, other = office.page(), office.page()
    office.db.purge_document(office.document)
    assert [one.until_closed(5) for one in (page, other)] == [4404, 4404]


@pytest.mark.usefixtures("hurried")
def test_agents_and_people_elsewhere_are_shown_and_pages_show_themselves(office: Office) -> None:
    office.share("소연", "editor")
    page = office.page("소연")
    page.say({"section": "계획"}, 1)
    page.type("쓰는 중 ")
    deadline = time.monotonic() + 60
    while not any(
        one.status == "editing" and one.section == "계획"
        for one in office.db.presence.list(office.document)
    ):
        assert time.monotonic() < deadline, office.db.presence.list(office.document)
        time.sleep(0.05)
    assert [one.name for one in office.db.presence.list(office.document)] == ["소연".title()]
    elsewhere = office.db.presence
    elsewhere.touch(office.document, session="stdio", status="editing", section="안녕", via="codex")
    people = page.until_told("presence")["people"]
    assert [(one["name"], one["via"], one["status"]) for one in people] == [
        ("owner", "codex", "editing")
    ]
    page.close()
    while any(one.via is None for one in office.db.presence.list(office.document)):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_many_edits_are_few_commits(office: Office) -> None:
    pages = [office.page() for _ in range(5)]
    before = len(office.db.log(limit=1000))

    def write(page: Page) -> None:
        for number in range(40):
            page.type(f"{number} ")
        page.until_saved()

    together(pages, write)
    after = len(office.db.log(limit=1000))
    assert after - before < 100, "200 edits came as fewer commits"
    for page in pages:
        page.until_text(office.text)


@pytest.mark.slow
def test_a_long_document_with_many_edits_opens_with_all_of_them(office: Office) -> None:
    lines = "".join(f"줄 {number}\n" for number in range(5_000))
    made = office.db.documents.create("길다", lines).document
    for number in range(0, 5_000, 50):
        office.db.documents.edit(made, f"줄 {number}\n", f"줄 {number} 고침\n")
    pages: list[Page] = []
    opening = [
        threading.Thread(target=lambda: pages.append(office.page("owner", made))) for _ in range(6)
    ]
    for thread in opening:
        thread.start()
    for thread in opening:
        thread.join()
    assert len(pages) == 6
    text = office.db.documents.text(made)
    assert {page.replica.text for page in pages} == {text}
    assert Replica([pages[0].replica.state()]).text == text


def test_a_branch_that_is_deleted_ends_its_sockets_and_may_come_again(
    office: Office, caplog: pytest.LogCaptureFixture
) -> None:
    office.db.branches.fork("초안")
    page, stays = office.page(branch="초안"), office.page()
    office.db.branches.delete("초안")
    assert page.until_closed(5) == 4404
    assert office.open(branch="초안").until_closed(5) == 4404
    office.db.branches.fork("초안")
    again = office.page(branch="초안")
    again.type("다시 ")
    again.until_saved()
    stays.type("여기 ")
    stays.until_saved()
    assert office.db.on("초안").documents.text(office.document) == f"다시 {TEXT}"
    assert office.text == f"여기 {TEXT}"
    assert [one.message for one in caplog.records if one.name.startswith("strata.web")] == []


@pytest.mark.usefixtures("hurried")
def test_an_agent_is_shown_in_a_document_that_the_owner_may_not_read(office: Office) -> None:
    mine = office.db.as_user(office.user("소연"))
    made = mine.documents.create("일기", "나만 본다").document
    page = office.page("소연", made)
    mine.presence.touch(made, session="agent-1", status="viewing", via="codex")
    assert [one["via"] for one in page.until_told("presence")["people"]] == ["codex"]
    # Whoever comes later is told at once.
    later = office.open("소연", made)
    assert [one["via"] for one in later.until_told("presence")["people"]] == ["codex"]
